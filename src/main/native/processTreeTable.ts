import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

/**
 * One line of the system's process table. `state` is the kernel's letter; `Z` and `X` are dead ones that nobody has waited
 * for yet.
 */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly state: string
  /** In the kernel's own count; tells a process from a later one with the same number. */
  readonly startedAt: string
}

/** A process as /proc shows it now; null when there is none, or when the system has no /proc. */
export function processRow(pid: number): ProcessRow | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The name before it stands in brackets and may hold blanks and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { pid, state: fields[0] ?? 'X', parent: Number(fields[1]), group: Number(fields[2]), session: Number(fields[3]), startedAt: fields[19] ?? '' }
}

/** True while the process can still do something. */
export function isLive(row: ProcessRow | null): row is ProcessRow {
  return row !== null && row.state !== 'Z' && row.state !== 'X'
}

/** All process numbers of the system; empty where there is no /proc. */
export function allProcesses(): readonly number[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)
  } catch {
    return []
  }
}

/**
 * Living processes below `pid`, without itself, parents before children. Each is given as soon as it is found, its children
 * already being known: whoever ends it at once loses none of them.
 */
export function* descendants(pid: number): Generator<ProcessRow> {
  const find = listsChildren() ? childrenOf : childrenFinder()
  const queue = [...find(pid)]
  for (let at = 0; at < queue.length; at++) {
    const below = queue[at] ?? 0
    queue.push(...find(below))
    const row = processRow(below)
    if (isLive(row)) yield row
  }
}

/** The command line as a person reads it: arguments with blanks between. */
export function commandLine(pid: number): string {
  const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0').filter((word) => word !== '')
  return words.length > 0 ? words.join(' ') : (readOrNull(`/proc/${pid}/comm`) ?? '').trim()
}

/** The value of a variable in the environment the process was started with; null when it has none or may not be read. */
export function startVariable(pid: number, name: string): string | null {
  const environment = readOrNull(`/proc/${pid}/environ`)
  const found = environment?.split('\0').find((pair) => pair.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1)
}

/** The terminal on which one of the process's standard streams is open, as a path; null when none is. */
export function standardTerminal(pid: number): string | null {
  for (const stream of [0, 1, 2]) {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${stream}`)
      if (target.startsWith('/dev/pts/')) return target
    } catch {
      // closed, or not ours to read
    }
  }
  return null
}

/** True when the signal does not end the process as it stands: blocked, ignored or caught. */
export function withstands(pid: number, signalNumber: number): boolean {
  const masks = [...(readOrNull(`/proc/${pid}/status`) ?? '').matchAll(/^Sig(?:Blk|Ign|Cgt):\s*([0-9a-f]+)$/gm)]
  return masks.some(([, mask = '0']) => (BigInt(`0x${mask}`) >> BigInt(signalNumber - 1)) % 2n === 1n)
}

let knowsChildren: boolean | undefined

/** Kernels tell a process's children in one file, where they were built so. */
function listsChildren(): boolean {
  knowsChildren ??= readOrNull(`/proc/${process.pid}/task/${process.pid}/children`) !== null
  return knowsChildren
}

/** The kernel keeps a list for each thread: the thread that forked has the child. */
function childrenOf(pid: number): readonly number[] {
  let threads: readonly string[]
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  return threads.flatMap((thread) => (readOrNull(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter((word) => word !== '').map(Number))
}

function childrenFinder(): (pid: number) => readonly number[] {
  const byParent = new Map<number, number[]>()
  for (const pid of allProcesses()) {
    const row = processRow(pid)
    if (row === null) continue
    const siblings = byParent.get(row.parent)
    if (siblings) siblings.push(pid)
    else byParent.set(row.parent, [pid])
  }
  return (pid) => byParent.get(pid) ?? []
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return null
  }
}
