import type { Function as FunctionNode } from 'unbash'
import { ANY } from './marks'

/** What a shell variable holds, as far as the guard knows; `text` may hold marks. */
export interface Value {
  readonly text: string
  /** Elements of an array. */
  readonly items?: readonly string[]
  readonly isSecret: boolean
  readonly isRemote: boolean
  /** One text that it may have, where `text` is not known. */
  readonly perhaps?: string
}

/** The state of a shell at one point of a command line. Never changed in place. */
export interface ShellState {
  /** Folders the shell may be in; empty when that is not known. */
  readonly cwds: readonly string[]
  /** Variables with known values; one that is missing can hold anything. */
  readonly vars: ReadonlyMap<string, Value>
  readonly functions: ReadonlyMap<string, FunctionNode>
  /** `$1` and so on; null when not known. */
  readonly positional: readonly Value[] | null
  /** Where the shell was before its last move. */
  readonly lastCwds: readonly string[]
  /** What files hold that this command line itself wrote, by absolute path. */
  readonly files: ReadonlyMap<string, string>
  /** True after `exit` or `return`: what follows in this list does not run. */
  readonly isEnded: boolean
}

const numbers = ['UID', 'EUID', 'RANDOM', 'SRANDOM', 'SECONDS', 'LINENO', 'BASHPID', 'SHLVL', 'COLUMNS', 'LINES', 'OSTYPE', 'HOSTNAME', 'HOSTTYPE', 'EPOCHSECONDS']
const maxCwds = 4
/** A longer path is none that a program can be given; PATH_MAX. */
const maxPath = 4096
/** A longer value counts as not known. */
const maxValue = 65_536

/** A value that is exactly known. */
export function knownValue(text: string): Value {
  return { text, isSecret: false, isRemote: false }
}

/** The state in which a command line starts. */
export function firstState(cwd: string, home: string): ShellState {
  const vars = new Map<string, Value>([['HOME', knownValue(home)], ['PWD', knownValue(cwd)], ['IFS', knownValue(' \t\n')]])
  // The parent of the shell is this app or its keeper: as grave to end as the first process.
  vars.set('PPID', knownValue('1'))
  for (const name of numbers) vars.set(name, knownValue(ANY))
  return { cwds: [cwd], vars, functions: new Map(), positional: null, lastCwds: [], files: new Map(), isEnded: false }
}

/** The state with one variable set; null, or a value of great length: it may now hold anything. */
export function setVariable(state: ShellState, name: string, value: Value | null): ShellState {
  const vars = new Map(state.vars)
  if (value === null || value.text.length > maxValue) vars.delete(name)
  else vars.set(name, value)
  return { ...state, vars }
}

/** The state in other folders; an empty list means not known. */
export function moveTo(state: ShellState, folders: readonly string[]): ShellState {
  const cwds = folders.some((folder) => folder.length > maxPath) ? [] : folders
  const moved = { ...state, cwds, lastCwds: state.cwds }
  const [only] = cwds
  return setVariable(moved, 'PWD', cwds.length === 1 && only !== undefined ? knownValue(only) : null)
}

/** What is certain when either of two states may hold. */
export function mergeStates(first: ShellState, second: ShellState): ShellState {
  if (first === second) return first
  if (first.isEnded) return second
  if (second.isEnded) return first
  const vars = new Map<string, Value>()
  for (const [name, value] of first.vars) {
    const other = second.vars.get(name)
    if (other === value || (other && sameValue(other, value))) vars.set(name, value)
  }
  const isLost = first.cwds.length === 0 || second.cwds.length === 0
  const cwds = isLost ? [] : [...new Set([...first.cwds, ...second.cwds])]
  return {
    cwds: cwds.length > maxCwds ? [] : cwds,
    vars,
    functions: new Map([...first.functions, ...second.functions]),
    positional: first.positional === second.positional ? first.positional : null,
    lastCwds: first.lastCwds === second.lastCwds ? first.lastCwds : [],
    files: new Map([...first.files, ...second.files]),
    isEnded: false,
  }
}

function sameValue(a: Value, b: Value): boolean {
  return a.text === b.text && a.perhaps === b.perhaps && a.isSecret === b.isSecret && a.isRemote === b.isRemote && JSON.stringify(a.items) === JSON.stringify(b.items)
}
