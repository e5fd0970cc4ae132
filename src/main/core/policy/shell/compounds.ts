import type { ArithmeticFor, Case, CompoundList, For, If, Select, While, Word } from 'unbash'
import { assignedNames, judgeArithmetic } from './arithmetic'
import { joinStreams, textStream, type Arg, type Stream } from './call'
import { ANY, hasMark } from './marks'
import { canRedirectPrograms } from './environment'
import { allow, ask, join } from './outcomes'
import { makeContext, partOf } from './simple'
import { knownValue, mergeStates, setVariable, type ShellState } from './state'
import type { Ran, Walk } from './walkTypes'
import { expandSingle, expandWord } from './words'
import type { WordContext } from './wordTypes'

/** How compounds judge the lists inside them. */
export interface Judging {
  list(list: CompoundList, state: ShellState, stdin: Stream, walk: Walk): Ran
}

const maxRounds = 24

/** `if`: every branch is judged; afterwards only what all branches agree on is known. */
export function judgeIf(node: If, start: ShellState, stdin: Stream, walk: Walk, judging: Judging): Ran {
  const clause = judging.list(node.clause, start, stdin, walk)
  const then = judging.list(node.then, clause.state, stdin, walk)
  let state = then.state
  let output = then.output
  let before = clause.state
  for (const each of node.elif) {
    const tested = judging.list(each.clause, before, stdin, walk)
    const ran = judging.list(each.then, tested.state, stdin, walk)
    state = mergeStates(state, ran.state)
    output = joinStreams(output, ran.output)
    before = tested.state
  }
  const last = node.else ? judging.list(node.else, before, stdin, walk) : { state: before, output: textStream('') }
  return { state: mergeStates(state, last.state), output: { ...joinStreams(output, last.output), text: null } }
}

/** Loops over words: the body is judged for each word, in turn, so that `for d in / /etc` is seen for what it is. */
export function judgeFor(node: For | Select | ArithmeticFor, start: ShellState, stdin: Stream, walk: Walk, judging: Judging): Ran {
  if (node.type === 'ArithmeticFor') return judgeCounting(node, start, stdin, walk, judging)
  const context = makeContext(walk, start)
  const words = node.wordlist?.flatMap((word: Word) => expandWord(word, context)) ?? null
  if (canRedirectPrograms(node.name.value)) context.notes.push(ask('guard.environment', { name: node.name.value }))
  reportNotes(context, walk, ['for', node.name.value])
  const rounds = words === null ? null : roundsOf(words, walk)
  return repeat(rounds === null ? [null] : rounds, node.name.value, start, stdin, walk, judging, node.body)
}

/** The values to judge the body for; plain names stand for one another, so `{1..500}` needs one round. */
function roundsOf(words: readonly Arg[], walk: Walk): readonly (Arg | null)[] {
  const plain = words.filter((word) => /^[\w\uFDD1\uFDD2][\w.\uFDD1\uFDD2-]*$/u.test(word.text) && !word.isSecret && !word.isRemote)
  const special = words.filter((word) => !plain.includes(word))
  const some = plain.length > 6 ? plain.slice(0, 1).map((word): Arg => ({ ...word, text: ANY, shown: '*' })) : plain
  const all = [...some, ...special]
  // Beyond the limit one round stands for all, with a value that is not known.
  if (walk.budget.left < all.length) return [null]
  if (all.length > maxRounds) return roundsUpTo(all, walk)
  walk.budget.left -= all.length
  return all
}

function roundsUpTo(all: readonly Arg[], walk: Walk): readonly (Arg | null)[] {
  walk.budget.left -= maxRounds
  return [...all.slice(0, maxRounds), null]
}

function repeat(rounds: readonly (Arg | null)[], name: string, start: ShellState, stdin: Stream, walk: Walk, judging: Judging, body: CompoundList): Ran {
  let state = start
  let output: Stream = textStream('')
  for (const round of rounds) {
    const value = round === null ? null : { text: round.text, isSecret: round.isSecret, isRemote: round.isRemote }
    const ran = judging.list(body, setVariable(state, name, value), stdin, walk)
    output = joinStreams(output, ran.output)
    state = ran.state.isEnded ? state : ran.state
  }
  return { state: rounds.length === 0 ? start : { ...mergeStates(start, state), isEnded: false }, output: { ...output, text: null } }
}

function judgeCounting(node: ArithmeticFor, start: ShellState, stdin: Stream, walk: Walk, judging: Judging): Ran {
  const names = [...assignedNames(node.initialize), ...assignedNames(node.update)]
  const state = names.reduce((before, name) => setVariable(before, name, knownValue(ANY)), start)
  const context = makeContext(walk, state)
  for (const expression of [node.initialize, node.test, node.update]) judgeArithmetic(expression, context)
  reportNotes(context, walk, ['for', '((…))'])
  return twice(node.body, null, state, stdin, walk, judging)
}

/** `while` and `until`: judged twice, so that what the first round changes counts for the second. */
export function judgeWhile(node: While, start: ShellState, stdin: Stream, walk: Walk, judging: Judging): Ran {
  return twice(node.body, node.clause, start, stdin, walk, judging)
}

function twice(body: CompoundList, clause: CompoundList | null, start: ShellState, stdin: Stream, walk: Walk, judging: Judging): Ran {
  let state = start
  let output: Stream = textStream('')
  const rounds = walk.budget.left > 0 ? 2 : 1
  walk.budget.left -= rounds
  for (let round = 0; round < rounds; round++) {
    const tested = clause ? judging.list(clause, state, stdin, walk) : { state, output: textStream('') }
    const ran = judging.list(body, tested.state, stdin, walk)
    output = joinStreams(output, ran.output)
    state = ran.state.isEnded ? tested.state : ran.state
  }
  return { state: mergeStates(start, state), output: { ...output, text: null } }
}

/** `case`: every branch is judged. */
export function judgeCase(node: Case, start: ShellState, stdin: Stream, walk: Walk, judging: Judging): Ran {
  const context = makeContext(walk, start)
  expandSingle(node.word, context)
  for (const item of node.items) for (const pattern of item.pattern) expandSingle(pattern, context)
  reportNotes(context, walk, ['case', node.word.text])
  let state = start
  let output: Stream = textStream('')
  for (const item of node.items) {
    const ran = judging.list(item.body, start, stdin, walk)
    state = mergeStates(state, ran.state)
    output = joinStreams(output, ran.output)
  }
  return { state, output: { ...output, text: null } }
}

/** Findings about words that belong to no command get a part of their own. */
function reportNotes(context: WordContext, walk: Walk, shown: readonly string[]): void {
  if (context.notes.length === 0) return
  walk.parts.push(partOf(join(allow('guard.steers'), ...context.notes), shown.map((word) => (hasMark(word) ? '…' : word)), shown.slice(0, 1), 'substitution'))
}
