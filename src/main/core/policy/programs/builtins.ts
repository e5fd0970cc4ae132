import { plainArg, textStream, type Arg, type Call, type Judge, type Outcome, type ProgramTable } from '../shell/call'
import { isPlainArithmeticText } from '../shell/arithmeticText'
import { judgeVariable } from '../shell/environment'
import { ANY, hasMark, hasUnknown, showMarks, UNKNOWN } from '../shell/marks'
import { allow, ask, asksExpansion, join, nothing, withOutput } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { touch } from '../shell/places'
import { knownValue, moveTo, setVariable, type ShellState } from '../shell/state'
import { printfText } from './printf'
import { sourceFile } from './shells'

const steers = allow('guard.steers')
/** Words that `set --` keeps; more count as not known. */
const maxPositional = 500

/** `cd`: what follows in the list happens there. */
function cd(call: Call): Outcome {
  const target = call.args.find((arg) => !/^-[LPe@]+$|^--$/u.test(arg.text))
  const home = call.state.vars.get('HOME')?.text
  if (!target && home === undefined) return { ...ask('guard.unknown-folder', { program: 'cd' }), state: moveTo(call.state, []) }
  const arg: Arg = target ?? { text: home ?? '', shown: '~', isSecret: false, isRemote: false, stream: null }
  if (arg.text === '-') return back(call)
  const found = touch(call, arg, 'folder')
  return { ...found, reads: [], output: textStream(''), state: moveTo(call.state, hasMark(arg.text) ? [] : resolvePath(arg.text, call.state.cwds)) }
}

/** `cd -` and `popd` go back to where the shell was, when that is known. */
const back: Judge = (call) => {
  const { lastCwds } = call.state
  return { ...(lastCwds.length > 0 ? steers : ask('guard.unknown-folder', { program: call.program })), state: { ...moveTo(call.state, lastCwds), lastCwds: call.program === 'popd' ? [] : call.state.cwds } }
}

/** `echo` prints its words; they are known, so what reads them is too. */
const echo: Judge = (call) => {
  const [first, ...rest] = call.args
  const flags = first && /^-[neE]+$/u.test(first.text) ? first.text : ''
  const words = (flags === '' ? call.args : rest).map((arg) => arg.text)
  const text = `${words.join(' ')}${flags.includes('n') ? '' : '\n'}`
  return printed(call, flags.includes('e') ? printfText(text, []) : text)
}

const printf: Judge = (call) => {
  const [first, second, ...rest] = call.args
  if (first?.text === '-v') {
    const text = printfText(rest[0]?.text ?? '', rest.slice(1).map((arg) => arg.text))
    return setsNames([second ?? null], call, asksExpansion('printf -v'), hasMark(text) ? null : text)
  }
  const args = first?.text === '--' ? call.args.slice(1) : call.args
  return printed(call, printfText(args[0]?.text ?? '', args.slice(1).map((arg) => arg.text)), rest.length)
}

function printed(call: Call, text: string, _count = 0): Outcome {
  const isKnown = !hasMark(text)
  const isName = !isKnown && !hasUnknown(text) && !text.includes('/')
  return withOutput(allow('guard.prints'), {
    text: isKnown ? text : null, pattern: isName ? text.trim() : null,
    isSecret: call.args.some((arg) => arg.isSecret), isRemote: call.args.some((arg) => arg.isRemote),
  })
}

const pwd: Judge = (call) => {
  const [only] = call.state.cwds
  return withOutput(allow('guard.reads'), { text: call.state.cwds.length === 1 && only !== undefined ? `${only}\n` : null })
}

/** `test` and `[`: names given to `-v` may hold a subscript that runs something. */
const test: Judge = (call) => {
  const words = call.args.map((arg) => arg.text)
  const risky = words.find((word, at) => /^-[vR]$/u.test(words[at - 1] ?? '') && !/^[A-Za-z_]\w*$|^\]$/u.test(word))
  return risky === undefined ? withOutput(steers, { text: '' }) : asksExpansion(showMarks(risky))
}

/** `export`, `declare` and their like: they set variables, and with some flags evaluate or import. */
const declare: Judge = (call) => {
  const flags = call.args.filter((arg) => /^[-+]/u.test(arg.text)).map((arg) => arg.text).join('')
  const names = call.args.filter((arg) => !/^[-+]/u.test(arg.text))
  if (names.length === 0) return /f/u.test(flags) ? steers : { ...ask('guard.environment-dump'), output: { ...steers.output, isSecret: true } }
  const risky = /[n]/u.test(flags.replace(/^--?/u, '')) && call.program !== 'export' ? ask('guard.expansion', { text: `${call.program} ${flags}` }) : nothing
  const functions = call.program === 'export' && flags.includes('f') ? ask('guard.environment', { name: names.map((arg) => arg.shown).join(' ') }) : nothing
  let state = call.state
  let found = join(steers, risky, functions)
  for (const arg of names) {
    const equals = arg.text.indexOf('=')
    const name = (equals < 0 ? arg.text : arg.text.slice(0, equals)).replace(/\+$/u, '')
    if (!/^[A-Za-z_]\w*$/u.test(name)) {
      found = join(found, asksExpansion(arg.shown))
      continue
    }
    const value: Arg | null = equals < 0 ? null : { ...arg, text: arg.text.slice(equals + 1), shown: arg.shown.slice(equals + 1) }
    if (value && flags.includes('i') && !isPlainArithmeticText(value.text)) found = join(found, asksExpansion(arg.shown))
    const isKnownAlready = value === null && state.vars.has(name)
    found = join(found, equals < 0 && !isExported(call, flags) ? nothing : judgeVariable(call, name, value))
    if (!isKnownAlready) state = setVariable(state, name, value && !arg.text.includes('+=') ? { text: value.text, isSecret: arg.isSecret, isRemote: arg.isRemote } : null)
  }
  return { ...found, state }
}

function isExported(call: Call, flags: string): boolean {
  return call.program === 'export' || flags.includes('x')
}

/** Builtins that put values into variables by name; a name with a subscript may run something. */
function setsNames(names: readonly (Arg | null)[], call: Call, found: Outcome = steers, value: string | null = null): Outcome {
  let state: ShellState = call.state
  let all = found
  for (const name of names) {
    if (name === null || !/^[A-Za-z_]\w*$/u.test(name.text)) all = join(all, asksExpansion(name?.shown ?? ''))
    else {
      all = join(all, judgeVariable(call, name.text, null))
      const isFlagged = call.stdin.isSecret || call.stdin.isRemote
      state = setVariable(state, name.text, value === null && !isFlagged ? null : { text: value ?? UNKNOWN, isSecret: call.stdin.isSecret, isRemote: call.stdin.isRemote })
    }
  }
  return { ...all, state }
}

/** `read`: one line of the input; when that is known the variable is too. */
const read: Judge = (call) => {
  const names: Arg[] = []
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at]
    if (!arg) continue
    if (/^-[a-zA-Z]*[adinNptu]$/u.test(arg.text)) {
      if (/a$/u.test(arg.text)) names.push(...call.args.slice(at + 1, at + 2))
      at++
    } else if (!arg.text.startsWith('-')) names.push(arg)
  }
  const lines = call.stdin.text?.split('\n').filter((line) => line !== '')
  const value = names.length !== 1 ? null : lines?.length === 1 ? lineRead(call, lines[0] ?? '') : lines === undefined ? nameRead(call) : null
  return setsNames(names, call, steers, value)
}

/** A line as `read` takes it: without blanks around it unless `IFS` says otherwise; backslashes are its own without `-r`. */
function lineRead(call: Call, line: string): string | null {
  const isRaw = call.args.some((arg) => /^-[a-zA-Z]*r/u.test(arg.text))
  if (!isRaw && line.includes('\\')) return null
  return call.environment.includes('IFS') ? line : line.replace(/^[ \t]+|[ \t]+$/gu, '')
}

/** A line of a list of files that is known to hold names below one folder of the project: any such name. */
function nameRead(call: Call): string | null {
  const [path, ...others] = call.stdin.paths
  if (path === undefined || others.length > 0 || call.stdin.isRemote) return null
  return path === '.' ? `./x${ANY}` : path
}

const mostItems = 200

const mapfile: Judge = (call) => {
  if (call.args.some((arg) => /^-\w*C/u.test(arg.text))) return ask('guard.option-runs', { program: call.program, option: '-C' })
  const [name, ...others] = call.args.filter((arg, at) => !arg.text.startsWith('-') && !/^-[dnOsucC]$/u.test(call.args[at - 1]?.text ?? ''))
  const found = setsNames(name ? [name, ...others] : [plainArg('MAPFILE')], call)
  // The lines are known: then so are the items.
  const items = call.stdin.text === null || call.args.some((arg) => /^-\w*[dnOsu]/u.test(arg.text)) ? null : call.stdin.text.replace(/\n$/u, '').split('\n')
  if (items === null || items.length > mostItems || !found.state || (name && !/^[A-Za-z_]\w*$/u.test(name.text))) return found
  return { ...found, state: setVariable(found.state, name?.text ?? 'MAPFILE', { text: items[0] ?? '', isSecret: call.stdin.isSecret, isRemote: call.stdin.isRemote, items }) }
}

const unset: Judge = (call) => {
  const names = call.args.filter((arg) => !arg.text.startsWith('-'))
  return setsNames(names, call)
}

/** `set`: options of the shell and `$1`; without words it prints all variables. */
const set: Judge = (call) => {
  if (call.args.length === 0) return ask('guard.environment-dump')
  let at = 0
  let found = steers
  for (; at < call.args.length; at++) {
    const text = call.args[at]?.text ?? ''
    if (text === '--' || text === '-') {
      at++
      break
    }
    if (/^[-+]o$/u.test(text)) {
      at++
      if (!/^(?:errexit|nounset|pipefail|xtrace|verbose|noglob|noclobber|nolog|errtrace|functrace|braceexpand|hashall|posix)$/u.test(call.args[at]?.text ?? '')) found = join(found, ask('guard.shell-option', { option: call.args[at]?.shown ?? '' }))
    } else if (/^[-+][A-Za-z]+$/u.test(text)) {
      if (/o$/u.test(text)) at++
      if (/[^euxvfCETBhob]/u.test(text.slice(1))) found = join(found, ask('guard.shell-option', { option: text }))
    } else break
  }
  const rest = call.args.slice(at)
  const positional = rest.map((arg) => ({ text: arg.text, isSecret: arg.isSecret, isRemote: arg.isRemote }))
  const hasDashes = call.args[at - 1]?.text === '--'
  return { ...found, state: rest.length > 0 || hasDashes ? { ...call.state, positional: rest.length > maxPositional || rest.some((arg) => hasUnknown(arg.text)) ? null : positional } : null }
}

const shift: Judge = (call) => ({ ...steers, state: { ...call.state, positional: call.state.positional?.slice(Number(call.args[0]?.text ?? 1)) ?? null } })

const shopt: Judge = (call) => {
  const names = call.args.filter((arg) => !arg.text.startsWith('-'))
  const isKnown = names.every((arg) => /^(?:globstar|nullglob|failglob|nocasematch|inherit_errexit|lastpipe|checkwinsize)$/u.test(arg.text))
  return isKnown ? steers : ask('guard.shell-option', { option: names.map((arg) => arg.shown).join(' ') })
}

/** `eval`: the words joined are parsed again, in this very shell. */
const evaluate: Judge = (call) => {
  if (call.args.length === 0) return steers
  if (call.args.some((arg) => arg.isRemote)) return ask('guard.remote-code', { program: 'eval' })
  const words = call.args[0]?.text === '--' ? call.args.slice(1) : call.args
  return call.runText(words.map((arg) => arg.text).join(' '), { keepsState: true })
}

/** `command`, `builtin`, `exec`: what follows runs in place of them. */
function instead(options: RegExp): Judge {
  return (call) => {
    let at = 0
    while (options.test(call.args[at]?.text ?? '')) at += call.args[at]?.text === '-a' ? 2 : 1
    const isAsking = call.program === 'command' && call.args.slice(0, at).some((arg) => /[vV]/u.test(arg.text))
    if (isAsking) return allow('guard.reads')
    const inner = call.args.slice(at)
    if (inner.length === 0) return steers
    const first = call.program === 'exec' ? undefined : call.state.functions.get(inner[0]?.text ?? '')
    const state = first ? { ...call.state, functions: new Map([...call.state.functions].filter(([name]) => name !== inner[0]?.text)) } : call.state
    return call.runArgs(inner, { state, keepsState: true })
  }
}

const ends: Judge = (call) => ({ ...steers, state: { ...call.state, isEnded: true } })

/** `trap`, `alias`, `bind` and others give text a moment at which it will run. */
function later(code: 'guard.later'): Judge {
  return (call) => {
    const texts = call.args.filter((arg) => !/^-/u.test(arg.text)).map((arg) => (call.program === 'alias' ? arg.text.slice(arg.text.indexOf('=') + 1) : arg.text))
    if (call.program === 'alias' && !call.args.some((arg) => arg.text.includes('='))) return allow('guard.reads')
    if (call.program === 'trap' && (texts.length === 0 || texts[0] === '')) return steers
    return join(ask(code, { program: call.program }), ...texts.slice(0, call.program === 'trap' ? 1 : undefined).map((text) => call.runText(text)))
  }
}

const completes: Judge = (call) => (call.args.some((arg) => /^-\w*[CFWx]/u.test(arg.text)) ? ask('guard.later', { program: call.program }) : steers)

const lets: Judge = (call) => {
  const risky = call.args.find((arg) => !isPlainArithmeticText(arg.text))
  const names = call.args.flatMap((arg) => /^([A-Za-z_]\w*)\s*[-+*/%]?=/u.exec(arg.text)?.[1] ?? [])
  const state = names.reduce((before, name) => setVariable(before, name, knownValue(ANY)), call.state)
  return { ...(risky ? asksExpansion(risky.shown) : steers), state }
}

const hash: Judge = (call) => (call.args.some((arg) => /^-\w*[pl]/u.test(arg.text)) ? ask('guard.environment', { name: 'hash' }) : steers)
const enable: Judge = (call) => (call.args.some((arg) => /^-\w*f/u.test(arg.text)) ? ask('guard.environment', { name: 'enable -f' }) : ask('guard.shell-option', { option: 'enable' }))
const steering: Judge = () => withOutput(steers, { text: '' })
const shown: Judge = () => allow('guard.reads')

/** What bash does itself. */
export const builtins: ProgramTable = {
  cd, chdir: cd, pushd: cd, popd: back, echo, printf, pwd, test, '[': test, export: declare, declare, typeset: declare, local: declare, readonly: declare, read,
  readarray: mapfile, mapfile, unset, set, shift, shopt,
  eval: evaluate, exec: instead(/^-[cla]+$/u), command: instead(/^-[pvV]+$|^--$/u), builtin: instead(/^--$/u), source: sourceFile, '.': sourceFile, exit: ends,
  return: ends, logout: ends,
  trap: later('guard.later'), alias: later('guard.later'), bind: later('guard.later'), complete: completes, compgen: completes, compopt: completes, let: lets, hash,
  enable, fc: (call) => ask('guard.later', { program: call.program }),
  true: steering, false: steering, ':': steering, break: steering, continue: steering,
  wait: (call) => (call.args.some((arg) => /^-\w*p/u.test(arg.text)) ? asksExpansion('wait -p') : steers), bg: steering, fg: steering, disown: steering, umask: steering,
  ulimit: steering, getopts: (call) => setsNames([call.args[1] ?? null], call), times: shown, jobs: shown, dirs: shown, caller: shown, type: shown,
  suspend: (call) => ask('guard.kills', { program: call.program, names: '' }), unalias: steering,
}
