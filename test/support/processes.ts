import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A living process of this machine. */
export interface LivingProcess {
  readonly pid: number
  readonly line: string
  readonly cwd: string
}

/** Living processes whose command line holds a text; Linux only. */
export function processesWith(text: string): readonly LivingProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return line.includes(text) ? [{ pid: Number(name), line, cwd: readlinkSync(`/proc/${name}/cwd`) }] : []
    } catch {
      return [] // gone meanwhile
    }
  })
}
