import type { Assignment, Command, DoubleQuotedChild, Redirection, Word, WordPart } from 'unbash'
import { findBuiltinOrProgram, findProgram } from '../programs'
import { joinStreams, plainStream, type Arg, type Call, type InnerRun, type JudgedPart, type Outcome, type RuleFit, type Stream } from './call'
import { isShortListed, judgeVariable } from './environment'
import { hasMark, showMarks, UNKNOWN } from './marks'
import { allow, ask, join, nothing, severestPart, withOutput } from './outcomes'
import { judgeText } from './nested'
import { reachesOutside } from './outsideWords'
import { forbiddenWords } from './places'
import { judgeRedirects, type Redirected } from './redirects'
import { setVariable, type ShellState, type Value } from './state'
import { deeper, innerWalk, type Ran, type Walk } from './walkTypes'
import { expandSingle, expandWord } from './words'
import type { WordContext } from './wordTypes'

/** Judges one simple command: its assignments, words, redirects, and the program it names. Its part joins `walk.parts`. */
export function judgeSimple(command: Command, state: ShellState, stdin: Stream, walk: Walk): Ran {
  const context = makeContext(walk, state)
  const assignments = command.prefix.filter((each): each is Assignment => each.type === 'Assignment')
  const values = assignments.map((each) => ({ each, value: assignedValue(each, context) }))
  const words = [...(command.name ? [command.name] : []), ...command.args]
  // `${CC:-gcc}`: what is known of the name is judged, but another one may run.
  if (command.name && /^\$\{\w+:?-/u.test(command.name.text) && expandWord(command.name, { ...context, notes: [] }).some((arg) => hasMark(arg.text))) context.notes.push(ask('guard.unknown-name'))
  const args = words.flatMap((word) => (word.type === 'Word' ? expandWord(word, context) : [assignmentWord(word, context)]))
  const run = { state, stdin, walk, context, redirects: command.redirects }
  if (args.length === 0) return judgeAssignments(values, run)

  const environment = values.map(({ each, value }) => ({ name: each.name, value }))
  return judgeArgs(args, { ...run, state: withAssigned(words, state, context), environment })
}

/** `${x:=y}` sets a variable that is empty or not set: afterwards it is that, or what it was. */
function withAssigned(words: readonly (Word | Assignment)[], state: ShellState, context: WordContext): ShellState {
  const parts = words.flatMap((word) => (word.type === 'Word' ? (word.parts ?? []) : [])).flatMap((part): readonly (WordPart | DoubleQuotedChild)[] => (part.type === 'DoubleQuoted' ? part.parts : [part]))
  return parts.reduce((before, part) => {
    if (part.type !== 'ParameterExpansion' || part.operation?.type !== 'Default' || !part.operation.operator.endsWith('=') || part.index || part.prefix) return before
    const old = before.vars.get(part.parameter)
    if (old && old.text !== '') return before
    const { text } = expandSingle(part.operation.operand, { ...context, notes: [] })
    return hasMark(text) ? before : setVariable(before, part.parameter, { text: old ? text : UNKNOWN, isSecret: false, isRemote: false, ...(old ? {} : { perhaps: text }) })
  }, state)
}

interface SimpleRun {
  readonly state: ShellState
  readonly stdin: Stream
  readonly walk: Walk
  readonly context: WordContext
  readonly redirects: readonly Redirection[]
  readonly environment?: readonly { readonly name: string; readonly value: Arg | null }[]
}

/** The words of a command once they are known. */
function judgeArgs(args: readonly Arg[], run: SimpleRun): Ran {
  const { walk, context } = run
  const environment = run.environment ?? []
  const first = makeCall(args, run, run.stdin)
  const redirected = judgeRedirects(run.redirects, first, context)
  const call = redirected.stdin ? makeCall(args, run, redirected.stdin) : first
  const isText = /^(?:echo|printf|test|\[|:|true|false)$/u.test(call.program)
  const found = withRedirectedInput(findProgram(call, walk.running, (node) => callFunction(node, call, walk)), redirected)
  const written = isIdleLine(run.redirects, redirected, found) ? { ...ask('guard.outside-write', { path: redirected.outcome.writes.join(' ') }), writes: redirected.outcome.writes } : redirected.outcome
  const around = join(...context.notes, ...environment.map(({ name, value }) => judgeVariable(call, name, value)), isText ? nothing : forbiddenWords(call), written)
  walk.parts.push(...found.parts)
  const isOwn = !found.isHidden || around.kind !== 'allowable' || around.writes.length > 0
  const named = environment.map(({ name, value }) => `${name}=${value?.shown ?? ''}`)
  const shown = [...named, ...args.map((arg) => arg.shown), ...redirected.shown]
  const whole = found.isHidden ? around : join(found, around)
  if (isOwn) walk.parts.push(partOf(whole, shown, [call.program, ...call.args.map((arg) => arg.text)], fitInside(fitOf(run, redirected), call, whole), folderOf(run)))
  return { state: withFiles(found.state ?? run.state, redirected, found.output.text), output: redirected.outputs.length > 0 ? { ...found.output, text: '' } : found.output }
}

/** Remembers what the command writes into files, for a script that is written and then run. */
function withFiles(state: ShellState, redirected: Redirected, text: string | null): ShellState {
  if (text === null || redirected.outputs.length === 0) return state
  const files = new Map(state.files)
  for (const { path, isAppended } of redirected.outputs) files.set(path, (isAppended ? (files.get(path) ?? '') : '') + text)
  return { ...state, files }
}

/** Appending a bare word that names no program to a start file makes nothing run: a question, not persistence. */
function isIdleLine(redirects: readonly Redirection[], redirected: Redirected, found: Outcome): boolean {
  if (redirected.outcome.reason.code !== 'guard.start-file' || found.output.text === null) return false
  const word = found.output.text.trim()
  return redirects.every((redirect) => redirect.operator === '>>') && /^[A-Za-z0-9]*$/u.test(word) && findBuiltinOrProgram(word) === null
}

function withRedirectedInput(found: Outcome, redirected: Redirected): Outcome {
  return redirected.outcome.output.isSecret ? withOutput(found, { isSecret: true }) : found
}

function fitOf(run: SimpleRun, redirected: Redirected): RuleFit {
  if (run.walk.fit !== 'plain') return run.walk.fit
  if (run.context.seen.substitution) return 'substitution'
  if (run.environment?.some(({ name }) => !isShortListed(name))) return 'environment'
  return redirected.fit
}

/** One folder that is surely the one, inside the project. */
function folderOf({ state: { cwds }, walk: { where: { root } } }: SimpleRun): string | null {
  const [cwd, ...others] = cwds
  if (cwd === undefined || others.length > 0 || hasMark(cwd)) return null
  return cwd === root ? '' : cwd.startsWith(`${root}/`) ? cwd.slice(root.length + 1) : null
}

/** Of what a rule could answer, what names places outside of the project asks. */
function fitInside(fit: RuleFit, call: Call, found: Outcome): RuleFit {
  return fit === 'plain' && reachesOutside(call, found) ? 'outside' : fit
}

/** The part of the verdict for one simple command. */
export function partOf(found: Outcome, argv: readonly string[], words: readonly string[], fit: RuleFit, folder: string | null = null): JudgedPart {
  const { reads, writes, deletes, hosts } = found
  return { argv: argv.map(showMarks), verdict: found.kind, reason: found.reason, reads, writes, deletes, hosts, canUndo: found.canUndo && hosts.length === 0, fit, folder, words }
}

/** How words are expanded at this point of the tree. */
export function makeContext(walk: Walk, state: ShellState): WordContext {
  return {
    walk, state, notes: [], seen: { substitution: false }, single: expandSingle,
    judgeScript: (script, from, inner) => walk.engine.script(script, from, plainStream, inner),
  }
}

function makeCall(args: readonly Arg[], run: SimpleRun, stdin: Stream): Call {
  const typed = args[0]?.text ?? ''
  const slash = typed.lastIndexOf('/')
  const call: Call = {
    program: slash < 0 ? typed : typed.slice(slash + 1),
    typed,
    args: args.slice(1),
    stdin,
    state: run.state,
    where: run.walk.where,
    environment: (run.environment ?? []).map(({ name }) => name),
    classify: run.walk.classify,
    runArgs: (inner, how = {}) => innerArgs(inner, how, run, stdin),
    runText: (text, how = {}) => keeping(judgeText(text, { state: how.state ?? run.state, stdin: how.stdin ?? stdin, fit: how.fit ?? 'wrapped' }, run.walk), how),
  }
  return call
}

/** What runs inside changes the shell only for `eval`, `command` and their like. */
function keeping(found: Outcome, how: InnerRun): Outcome {
  return how.keepsState === true ? found : { ...found, state: null }
}

/** Another simple command that a command runs: `timeout 5 npm test`. */
function innerArgs(args: readonly Arg[], how: InnerRun, run: SimpleRun, stdin: Stream): Outcome {
  const parts: JudgedPart[] = []
  const walk: Walk = { ...innerWalk(run.walk), parts, fit: how.fit ?? fitOf(run, { outcome: nothing, stdin: null, fit: 'plain', sockets: [], outputs: [], shown: [] }) }
  const state = how.state ?? run.state
  if (args.length === 0) return ask('guard.unknown-name')
  const ran = judgeArgs(args, { state, stdin: how.stdin ?? stdin, walk, context: makeContext(walk, state), redirects: [] })
  const worst = severestPart(parts)
  return keeping({ ...nothing, kind: worst?.verdict ?? 'allowable', reason: worst?.reason ?? nothing.reason, parts, output: ran.output, state: ran.state, isHidden: true }, how)
}

function callFunction(node: Parameters<Walk['engine']['functionBody']>[0], call: Call, walk: Walk): Outcome {
  if (walk.running.includes(node) || walk.budget.left <= 0) return ask('guard.recursion', { name: call.typed })
  walk.defined.set(node, true)
  walk.budget.left--
  const parts: JudgedPart[] = []
  const positional: Value[] = call.args.map((arg) => ({ text: arg.text, isSecret: arg.isSecret, isRemote: arg.isRemote }))
  const inner: Walk = { ...deeper(walk), parts, running: [...walk.running, node] }
  const ran = walk.engine.functionBody(node, { ...call.state, positional }, call.stdin, inner)
  return { ...allow('guard.steers'), parts, output: ran.output, state: { ...ran.state, positional: call.state.positional, isEnded: call.state.isEnded }, isHidden: true }
}

function assignedValue(assignment: Assignment, context: WordContext): Arg | null {
  if (assignment.index && /[$`(]/u.test(assignment.index.text)) context.notes.push(ask('guard.expansion', { text: assignment.text.slice(0, 80) }))
  if (assignment.index) expandSingle(assignment.index, context)
  const { value } = assignment
  if (value.type === 'Word') return expandSingle(value, context)
  const items = value.elements.flatMap((element: Word) => expandWord(element, context))
  return { text: items[0]?.text ?? '', shown: `(${items.map((item) => item.shown).join(' ')})`, isSecret: items.some((item) => item.isSecret), isRemote: items.some((item) => item.isRemote), stream: null }
}

/** An assignment among the words, as `export A=b` has it. */
function assignmentWord(assignment: Assignment, context: WordContext): Arg {
  const value = assignedValue(assignment, context)
  const name = `${assignment.name}${assignment.index ? `[${assignment.index.text}]` : ''}${assignment.append ? '+' : ''}=`
  return { text: name + (value?.text ?? ''), shown: name + (value?.shown ?? ''), isSecret: value?.isSecret ?? false, isRemote: value?.isRemote ?? false, stream: null }
}

/** A command that only sets variables of the shell. */
function judgeAssignments(values: readonly { each: Assignment; value: Arg | null }[], run: SimpleRun): Ran {
  const { walk, context } = run
  const call = makeCall([], run, run.stdin)
  const redirected = judgeRedirects(run.redirects, call, context)
  const found = join(allow('guard.steers'), ...context.notes, ...values.map(({ each, value }) => judgeVariable(call, each.name, value)), redirected.outcome)
  const shown = [...values.map(({ each, value }) => `${each.name}=${value?.shown ?? ''}`), ...redirected.shown]
  if (shown.length > 0 || found.kind !== 'allowable') walk.parts.push(partOf(found, shown, ['='], walk.fit === 'plain' ? 'environment' : walk.fit))
  const state = values.reduce((before, { each, value }) => assign(before, each, value, context), run.state)
  return { state, output: redirected.outcome.output.isSecret ? { ...plainStream, isSecret: true } : redirected.stdin ?? plainStream }
}

function assign(state: ShellState, assignment: Assignment, value: Arg | null, context: WordContext): ShellState {
  if (assignment.index || value === null) return setVariable(state, assignment.name, null)
  const old = state.vars.get(assignment.name)
  if (assignment.append) {
    if (!old || old.items || assignment.value.type !== 'Word') return setVariable(state, assignment.name, null)
    return setVariable(state, assignment.name, { ...joinedFlags(old, value), text: old.text + value.text })
  }
  const items = assignment.value.type === 'ArrayValue' ? assignment.value.elements.flatMap((element) => expandWord(element, { ...context, notes: [] })).map((arg) => arg.text) : undefined
  const base = { text: value.text, isSecret: value.isSecret, isRemote: value.isRemote, ...(value.perhaps !== undefined ? { perhaps: value.perhaps } : {}) }
  return setVariable(state, assignment.name, items && !items.some(hasMark) ? { ...base, items } : items ? null : base)
}

function joinedFlags(old: Value, value: Arg): Value {
  const both = joinStreams({ ...plainStream, isSecret: old.isSecret, isRemote: old.isRemote }, { ...plainStream, isSecret: value.isSecret, isRemote: value.isRemote })
  return { text: '', isSecret: both.isSecret, isRemote: both.isRemote }
}
