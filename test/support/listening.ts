import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process and everything below it; Linux only. */
export function familyOf(pid: number): readonly number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : ''
    // The name in brackets may hold anything, so what follows the last one counts.
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const family = [pid]
  for (const one of family) family.push(...[...parents].filter(([, parent]) => parent === one).map(([child]) => child))
  return family
}

/** Sockets of these processes that others can reach: TCP that listens, any bound UDP, as `tcp 0100007F:1F90`; and named sockets as `unix /path`. */
export function listeningOf(pids: readonly number[]): readonly string[] {
  const own = new Set(pids.flatMap(socketsOf))
  const net = (name: string): readonly (readonly string[])[] => read(`/proc/${pids[0]}/net/${name}`).split('\n').slice(1).map((line) => line.trim().split(/\s+/))
  const found = ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((name) => net(name).filter(([, , , state, , , , , , inode]) => own.has(inode ?? '') && (name.startsWith('udp') || state === listens)).map(([, address]) => `${name} ${address}`))
  const named = net('unix').filter(([, , , flags, , , inode]) => own.has(inode ?? '') && flags === acceptsConnections).map((row) => `unix ${row[7] ?? ''}`)
  return [...found, ...named]
}

/** TCP_LISTEN, and __SO_ACCEPTCON, as the kernel prints them. */
const listens = '0A'
const acceptsConnections = '00010000'

function socketsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${fd}`))?.[1] ?? [])
  } catch {
    return [] // gone meanwhile
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
