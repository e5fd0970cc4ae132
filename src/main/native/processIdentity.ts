import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * A process that is not mistaken for a later one with the same number.
 * `scope` names where the number counts: this boot of this machine, and its PID namespace.
 */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in the kernel's own count; empty where the system does not tell. */
  readonly startedAt: string
  readonly scope: string
}

/** When a process was started, in clock ticks since boot; empty for one that is gone and where the system does not tell. */
export function processStart(pid: number): string {
  return statOf(pid)[19] ?? ''
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startedAt: processStart(process.pid), scope: ownScope() }
}

/**
 * Whether a process still lives. `elsewhere`: its number counts in another boot, machine or namespace, so it cannot be seen
 * from here; whoever asks must judge by something else, as by a heartbeat.
 */
export function lifeOf(one: ProcessIdentity): 'alive' | 'dead' | 'elsewhere' {
  if (one.scope !== ownScope()) return 'elsewhere'
  if (!hasProcess(one.pid)) return 'dead'
  const stat = statOf(one.pid)
  const state = stat[0] ?? ''
  // Killed, but not yet waited for by its parent.
  if (state === 'Z' || state === 'X') return 'dead'
  const start = stat[19] ?? ''
  return one.startedAt === '' || start === '' || start === one.startedAt ? 'alive' : 'dead'
}

let knownScope: string | undefined

function ownScope(): string {
  knownScope ??= `${readText('/proc/sys/kernel/random/boot_id').trim() || hostname()} ${namespaceOf()}`
  return knownScope
}

function namespaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return '' // no namespaces on this system
  }
}

/** The fields after the name. The name stands in brackets and may hold blanks and brackets itself. */
function statOf(pid: number): readonly string[] {
  const stat = readText(`/proc/${pid}/stat`)
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // not this system's way, or the process is gone
  }
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
