import type { Arg, Call, Outcome } from '../shell/call'
import { sliceArg } from '../shell/call'
import { ANY, hasUnknown } from '../shell/marks'
import { ask, join, nothing } from '../shell/outcomes'
import { touch } from '../shell/places'

/**
 * What an option means to the guard: `none` harmless, `read`/`write` its value is a path, `folder` a folder that is read,
 * `text` its value is a command that will run, `asks` it makes the program run, write or reach something else.
 */
type OptionRole = 'none' | 'read' | 'write' | 'folder' | 'text' | 'asks'

interface OptionRule {
  readonly takes: 'nothing' | 'value' | 'attached'
  readonly role: OptionRole
}

/** The options of one program. An option that is not in it makes the program ask. */
export interface OptionTable {
  readonly rules: ReadonlyMap<string, OptionRule>
  readonly longNames: readonly string[]
  /** True when an option can run a program: then a file name that begins with a dash matters. */
  readonly canRun: boolean
}

/** One option as it was given. `name` is as in the table: `-o` or `--output`. */
interface GivenOption {
  readonly name: string
  readonly role: OptionRole
  readonly value: Arg | null
}

/** A command's words, told apart. */
export interface Given {
  readonly options: readonly GivenOption[]
  readonly operands: readonly Arg[]
  /** The first word that no rule fits. */
  readonly unknown: Arg | null
}

const roles: Readonly<Record<string, OptionRole>> = { r: 'read', w: 'write', d: 'folder', x: 'text', '!': 'asks' }
const tables = new Map<string, OptionTable>()

/**
 * Reads a table written as words: `-abc` are three flags, `-n=` takes a value, `-i?` may have one glued on, `--long`,
 * `--long=`, `--long?` likewise; a last letter gives the role of the value: `r` read, `w` write, `d` folder, `x` command,
 * `!` asks. Flags that ask are written `-e!`, `--exec!`.
 */
export function optionTable(text: string): OptionTable {
  const before = tables.get(text)
  if (before) return before
  const rules = new Map<string, OptionRule>()
  for (const word of text.split(/\s+/u)) {
    const found = /^(--?[^=?!]+)([=?])?([rwdx!])?$/u.exec(word)
    if (!found) continue
    const [, name = '', takes, role] = found
    const rule: OptionRule = { takes: takes === '=' ? 'value' : takes === '?' ? 'attached' : 'nothing', role: roles[role ?? ''] ?? 'none' }
    if (name.startsWith('--')) rules.set(name, rule)
    else for (const letter of name.slice(1)) rules.set(`-${letter}`, rule)
  }
  const table = { rules, canRun: [...rules.values()].some((rule) => rule.role === 'text'), longNames: [...rules.keys()].filter((name) => name.startsWith('--')) }
  tables.set(text, table)
  return table
}

/** How a program reads its words. */
export interface ReadHow {
  /** Options end at the first operand, as wrappers need it. */
  readonly stopsAtOperand?: boolean
  /** Long names with one dash: `-name`, as java and terraform have them. */
  readonly hasSingleDashNames?: boolean
}

/** Tells options and operands apart, with clusters, glued values, `--`, and unambiguous beginnings of long names. */
export function readOptions(args: readonly Arg[], table: OptionTable, how: ReadHow = {}): Given {
  const options: GivenOption[] = []
  const operands: Arg[] = []
  let unknown: Arg | null = null
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (!arg) continue
    if (arg.text === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (!isOption(arg)) {
      if (how.stopsAtOperand) {
        operands.push(...args.slice(at))
        break
      }
      if (hasUnknown(arg.text[0] ?? '') || (table.canRun && arg.text.startsWith(ANY))) unknown ??= arg
      operands.push(arg)
      continue
    }
    const next = args[at + 1] ?? null
    const isLong = arg.text.startsWith('--') || (how.hasSingleDashNames === true && (table.rules.has(`-${arg.text.split('=')[0] ?? ''}`)))
    const read = isLong ? readLong(arg, next, table) : readShort(arg, next, table)
    options.push(...read.options)
    unknown ??= read.unknown
    if (read.takesNext) at++
  }
  return { options, operands, unknown }
}

function isOption(arg: Arg): boolean {
  return arg.text.startsWith('-') && arg.text !== '-'
}

interface ReadOne {
  readonly options: readonly GivenOption[]
  readonly unknown: Arg | null
  readonly takesNext: boolean
}

function readLong(arg: Arg, next: Arg | null, table: OptionTable): ReadOne {
  const dashed = arg.text.startsWith('--') ? 0 : 1
  const equals = arg.text.indexOf('=')
  const written = '-'.repeat(dashed) + (equals < 0 ? arg.text : arg.text.slice(0, equals))
  const name = resolveLong(written, table)
  const rule = name === null ? undefined : table.rules.get(name)
  if (name === null || !rule) return { options: [], unknown: arg, takesNext: false }
  const glued = equals < 0 ? null : sliceArg(arg, equals + 1)
  if (rule.takes === 'nothing' && glued) return { options: [], unknown: arg, takesNext: false }
  const takesNext = rule.takes === 'value' && glued === null
  return { options: [{ name, role: rule.role, value: glued ?? (takesNext ? next : null) }], unknown: takesNext && next === null ? arg : null, takesNext }
}

function resolveLong(written: string, table: OptionTable): string | null {
  if (table.rules.has(written)) return written
  const fitting = table.longNames.filter((name) => name.startsWith(written))
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function readShort(arg: Arg, next: Arg | null, table: OptionTable): ReadOne {
  const options: GivenOption[] = []
  for (let at = 1; at < arg.text.length; at++) {
    const name = `-${arg.text[at] ?? ''}`
    const rule = table.rules.get(/^-\d$/u.test(name) ? '-0' : name) ?? table.rules.get(name)
    if (!rule) return { options, unknown: arg, takesNext: false }
    const rest = sliceArg(arg, at + 1)
    if (rule.takes === 'nothing') {
      options.push({ name, role: rule.role, value: null })
      continue
    }
    const isGlued = rest.text !== ''
    const takesNext = rule.takes === 'value' && !isGlued
    options.push({ name, role: rule.role, value: isGlued ? rest : takesNext ? next : null })
    return { options, unknown: takesNext && next === null ? arg : null, takesNext }
  }
  return { options, unknown: null, takesNext: false }
}

/** What the options by themselves amount to: paths they name, commands they run, and what is not understood. */
export function judgeOptions(call: Call, given: Given): Outcome {
  const unknown = given.unknown ? ask('guard.unknown-option', { program: call.program, option: given.unknown.shown }) : nothing
  return join(unknown, ...given.options.map((option) => judgeOption(call, option)))
}

function judgeOption(call: Call, option: GivenOption): Outcome {
  const { value } = option
  switch (option.role) {
    case 'none': return nothing
    case 'asks': return ask('guard.option', { program: call.program, option: option.name })
    case 'read': return value ? touch(call, value, 'read') : nothing
    case 'folder': return value ? touch(call, value, 'list') : nothing
    case 'write': return value ? touch(call, value, 'write') : nothing
    case 'text': return judgeCommandText(call, option.name, value)
  }
}

/** A command in an option's value: asks, and is denied when the command itself is. */
export function judgeCommandText(call: Call, option: string, value: Arg | null): Outcome {
  const asks = ask('guard.option-runs', { program: call.program, option })
  if (!value) return asks
  return join(asks, call.runText(value.text))
}

/** True when any of the options was given. */
export function hasOption(given: Given, ...names: readonly string[]): boolean {
  return given.options.some((option) => names.includes(option.name))
}

/** The value of the last of these options, when one was given. */
export function valueOf(given: Given, ...names: readonly string[]): Arg | null {
  return given.options.filter((option) => names.includes(option.name)).at(-1)?.value ?? null
}
