import type { Arg, Call, Outcome } from '../shell/call'
import { hasMark, hasUnknown } from '../shell/marks'
import { allow, ask, join, nothing, withOutput } from '../shell/outcomes'
import { touch, touchAll } from '../shell/places'
import { plainArg } from '../shell/call'
import { hasOption, judgeOptions, optionTable, readOptions } from './options'

const options = optionTable(`-nrEsuzb -e= -f=! -i? -l= -I? --quiet --silent --debug --expression= --file=! --in-place? --line-length= --posix --regexp-extended --separate
  --sandbox --unbuffered --null-data --follow-symlinks`)

/** `sed`: only scripts that are understood whole pass; writing, reading and running commands inside a script count. */
export function sed(call: Call): Outcome {
  const given = readOptions(call.args, options)
  const written = given.options.filter((option) => option.name === '-e' || option.name === '--expression').flatMap((option) => (option.value ? [option.value] : []))
  const isFromFile = hasOption(given, '-f', '--file')
  const scripts = written.length > 0 || isFromFile ? written : given.operands.slice(0, 1)
  const files = written.length > 0 || isFromFile ? given.operands : given.operands.slice(1)
  const isInPlace = hasOption(given, '-i', '--in-place', '-I')
  const found = join(
    isInPlace ? touchAll(call, files, 'write') : allow('guard.reads'),
    judgeOptions(call, { ...given, unknown: given.unknown && scripts.includes(given.unknown) ? null : given.unknown }),
    ...scripts.map((script) => judgeScript(call, script)),
    touchAll(call, files, 'read'),
  )
  return withOutput(found, { isSecret: found.output.isSecret || call.stdin.isSecret, isRemote: call.stdin.isRemote })
}

function judgeScript(call: Call, script: Arg): Outcome {
  if (hasMark(script.text)) return hasUnknown(script.text) && !/^[\d\s,$p;]*(?:[\uFDD0\uFDD1][\d\s,$p;]*)*$/u.test(script.text) ? ask('guard.script-unknown', { program: 'sed', text: script.shown }) : nothing
  const read = readSed(script.text)
  const notUnderstood = read.isUnderstood ? nothing : ask('guard.script-unknown', { program: 'sed', text: script.shown.slice(0, 80) })
  const runs = read.commands.map((command) => join(ask('guard.option-runs', { program: 'sed', option: 'e' }), call.runText(command)))
  const writes = read.writes.map((path) => join(ask('guard.option', { program: 'sed', option: 'w' }, true), touch(call, plainArg(path), 'write')))
  return join(notUnderstood, ...runs, ...writes, ...read.reads.map((path) => touch(call, plainArg(path), 'read')))
}

interface SedScript {
  readonly isUnderstood: boolean
  /** Commands that it runs. */
  readonly commands: readonly string[]
  readonly writes: readonly string[]
  readonly reads: readonly string[]
}

interface SedState {
  at: number
  isUnderstood: boolean
  readonly commands: string[]
  readonly writes: string[]
  readonly reads: string[]
}

/** Reads a script command by command; stops at the first thing that is not plain sed. */
function readSed(text: string): SedScript {
  const state: SedState = { at: 0, isUnderstood: true, commands: [], writes: [], reads: [] }
  while (state.isUnderstood && state.at < text.length) {
    const start = state.at
    skipBlank(text, state)
    if (state.at >= text.length) break
    if (!readAddresses(text, state)) state.isUnderstood = false
    else readCommand(text, state)
    if (state.at === start) state.isUnderstood = false
  }
  return state
}

function skipBlank(text: string, state: SedState): void {
  while (/[\s;]/u.test(text[state.at] ?? '')) state.at++
}

function readAddresses(text: string, state: SedState): boolean {
  const from = state.at
  if (!readAddress(text, state)) return false
  if (state.at > from && text[state.at] === ',') {
    state.at++
    if (text[state.at] === '+' || text[state.at] === '~') state.at++
    if (!readAddress(text, state)) return false
  }
  while (/[\s!]/u.test(text[state.at] ?? '')) state.at++
  return true
}

function readAddress(text: string, state: SedState): boolean {
  const rest = text.slice(state.at)
  const plain = /^(?:\d+(?:~\d+)?|\$)/u.exec(rest)
  if (plain) {
    state.at += plain[0].length
    return true
  }
  if (text[state.at] !== '/' && text[state.at] !== '\\') return true
  const delimiter = text[state.at] === '/' ? '/' : text[++state.at] ?? ''
  const end = closing(text, state.at + 1, delimiter)
  if (end < 0) return false
  state.at = end + 1
  while (/[IM]/u.test(text[state.at] ?? '')) state.at++
  return true
}

/** The position of the next unescaped delimiter outside brackets. */
function closing(text: string, from: number, delimiter: string): number {
  let isBracket = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (isBracket) isBracket = !(character === ']' && at > from)
    else if (character === '[' && delimiter !== '[' && text.indexOf(']', at + 2) > 0) isBracket = true
    else if (character === delimiter) return at
  }
  return -1
}

function readCommand(text: string, state: SedState): void {
  const command = text[state.at++] ?? ''
  if ('{}=dDgGhHnNpPxF'.includes(command)) return
  if ('lqQL'.includes(command)) return skipPattern(text, state, /^\s*\d*/u)
  if (':btT'.includes(command)) return skipPattern(text, state, /^[^;\n}]*/u)
  if ('aic'.includes(command)) return skipPattern(text, state, /^(?:[^\n\\]|\\[\s\S])*/u)
  if (command === '#') return skipPattern(text, state, /^[^\n]*/u)
  if (command === 's') return readSubstitute(text, state)
  if (command === 'y') return readTransliterate(text, state)
  const line = /^[^\n]*/u.exec(text.slice(state.at))?.[0] ?? ''
  state.at += line.length
  if (command === 'w' || command === 'W') state.writes.push(line.trim())
  else if (command === 'r' || command === 'R') state.reads.push(line.trim())
  else if (command === 'e') state.commands.push(line.trim() || ':')
  else state.isUnderstood = false
}

function skipPattern(text: string, state: SedState, pattern: RegExp): void {
  state.at += pattern.exec(text.slice(state.at))?.[0].length ?? 0
}

function readSubstitute(text: string, state: SedState): void {
  const delimiter = text[state.at] ?? ''
  const middle = delimiter === '' || delimiter === '\n' || delimiter === '\\' ? -1 : closing(text, state.at + 1, delimiter)
  const end = middle < 0 ? -1 : closingPlain(text, middle + 1, delimiter)
  if (end < 0) {
    state.isUnderstood = false
    return
  }
  state.at = end + 1
  const flags = /^[gpiImM\d]*/u.exec(text.slice(state.at))?.[0] ?? ''
  state.at += flags.length
  const special = text[state.at]
  if (special === 'e') {
    state.at++
    state.commands.push(text.slice(middle + 1, end))
    skipPattern(text, state, /^[gpiImM\d]*/u)
  } else if (special === 'w') {
    const path = /^w[^\n]*/u.exec(text.slice(state.at))?.[0] ?? ''
    state.at += path.length
    state.writes.push(path.slice(1).trim())
  }
  if (!/^(?:\s|;|\}|#|$)/u.test(text.slice(state.at, state.at + 1))) state.isUnderstood = false
}

function readTransliterate(text: string, state: SedState): void {
  const delimiter = text[state.at] ?? ''
  const middle = closingPlain(text, state.at + 1, delimiter)
  const end = middle < 0 ? -1 : closingPlain(text, middle + 1, delimiter)
  if (end < 0) state.isUnderstood = false
  else state.at = end + 1
}

function closingPlain(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === delimiter) return at
  }
  return -1
}
