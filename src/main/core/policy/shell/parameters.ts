import { parse, type ParameterExpansionPart, type ParameterOperation } from 'unbash'
import { ANY, hasMark, UNKNOWN } from './marks'
import { ask, asksExpansion } from './outcomes'
import { knownValue, type ShellState, type Value } from './state'
import { innerWalk } from './walkTypes'
import type { WordContext } from './wordTypes'

/** What a parameter stands for. `otherwise` is a second possible text; `items` are the words of `$@` or an array. */
export interface Expansion {
  readonly value: Value
  readonly otherwise?: string
  readonly items?: readonly string[]
}

const unknown: Expansion = { value: knownValue(UNKNOWN) }
const secretName = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|(?:^|_)(?:KEY|AUTH|PAT|PWD)(?:_|$)/iu
const deepestHidden = 5
const anything: Expansion = { value: knownValue(ANY) }

/** `$x`, `$1`, `$@`, `$?`. */
export function expandSimple(text: string, state: ShellState): Expansion {
  return lookUp(text.slice(1), state)
}

/** `${…}` with its operators. Those that can run commands, or that name another variable, make the command ask. */
export function expandParameter(part: ParameterExpansionPart, context: WordContext): Expansion {
  judgeHidden(part, context)
  const index = part.index && judgeIndex(part.index.text, context.single(part.index, context).text, context)
  if (part.prefix === '#') return anything
  if (part.prefix === '!') {
    if (part.operation?.type === 'Names') return unknown
    context.notes.push(asksExpansion(part.text))
    const name = lookUp(part.parameter, context.state).value.text
    return !part.operation && !part.index && /^[A-Za-z_]\w*$/u.test(name) ? lookUp(name, context.state) : unknown
  }
  const base = part.index ? lookUpElement(part.parameter, index ?? null, context.state) : lookUp(part.parameter, context.state)
  if (!part.operation) return base
  const result = operate(base, part.operation, part, context)
  // What is cut out of a secret, or stands for it when it is set, is one too.
  const isSecret = base.value.isSecret && !(part.operation.type === 'Default' && part.operation.operator.endsWith('+'))
  if (isSecret && base.value.text === UNKNOWN) context.notes.push(ask('guard.environment-dump'))
  return isSecret ? { ...result, value: { ...result.value, isSecret } } : result
}

/**
 * Substitutions that the parser hands on as plain text: in `${x/$(…)/b}` it ends the pattern at the first slash, also one
 * inside the substitution. They run all the same, so they are looked for once more, and the command asks.
 */
function judgeHidden(part: ParameterExpansionPart, context: WordContext): void {
  const isSplit = part.operation?.type === 'Replace' || part.operation?.type === 'Transform' || part.operation?.type === 'Unknown' || part.prefix === '!'
  if (!isSplit || !/\$\(|`|[<>]\(/u.test(part.text)) return
  context.notes.push(asksExpansion(part.text))
  // One inside the other they would be read again and again; the note makes them ask in any case.
  if (context.walk.depth > deepestHidden) return
  const [statement] = parse(`: "${part.text.slice(2, -1).replaceAll('"', '')}"`).commands
  const command = statement?.command
  if (command?.type !== 'Command') return
  for (const word of command.suffix) if (word.type === 'Word') context.single(word, { ...context, walk: innerWalk(context.walk) })
}

function lookUp(name: string, state: ShellState): Expansion {
  if (/^[?$#!]$/u.test(name)) return anything
  if (name === '@' || name === '*') return state.positional ? { value: knownValue(state.positional.map((each) => each.text).join(' ')), items: state.positional.map((each) => each.text) } : unknown
  if (name === '0') return { value: state.vars.get('0') ?? knownValue(UNKNOWN) }
  if (/^\d+$/u.test(name)) {
    if (!state.positional) return unknown
    return { value: state.positional[Number(name) - 1] ?? knownValue('') }
  }
  const value = state.vars.get(name)
  if (value?.perhaps !== undefined) return { value: { ...value, text: value.perhaps }, otherwise: value.text }
  if (value) return { value }
  return secretName.test(name) ? { value: { text: UNKNOWN, isSecret: true, isRemote: false } } : unknown
}

function lookUpElement(name: string, index: string | null, state: ShellState): Expansion {
  const items = state.vars.get(name)?.items
  if (!items || index === null) return unknown
  if (index === '@' || index === '*') return { value: knownValue(items.join(' ')), items }
  const item = /^\d+$/u.test(index) ? items[Number(index)] : undefined
  return item === undefined ? unknown : { value: knownValue(item) }
}

/** Array indexes are arithmetic, and arithmetic on unknown text can run commands. Null when the index is not known. */
function judgeIndex(written: string, text: string, context: WordContext): string | null {
  if (text === '@' || text === '*' || /^-?\d+$/u.test(text)) return text
  const isNamed = /^[A-Za-z_]\w*$/u.test(text) && context.state.vars.has(text)
  if (!isNamed && text !== ANY) context.notes.push(asksExpansion(written))
  return null
}

function operate(base: Expansion, operation: ParameterOperation, part: ParameterExpansionPart, context: WordContext): Expansion {
  const text = base.value.text
  const isKnown = !hasMark(text) && !base.items
  switch (operation.type) {
    case 'Default': return withDefault(base, operation.operator, context.single(operation.operand, context).text, isKnown)
    case 'CaseModification': {
      if (operation.operand) context.single(operation.operand, context)
      if (!isKnown || operation.operand) return unknown
      return { value: { ...base.value, text: changeCase(text, operation.operator) } }
    }
    case 'Slice': {
      const offset = Number(context.single(operation.offset, context).text)
      const length = operation.length === undefined ? null : Number(context.single(operation.length, context).text)
      if (Number.isNaN(offset) || Number.isNaN(length ?? 0)) context.notes.push(asksExpansion(part.text))
      if (!isKnown || !Number.isInteger(offset) || offset < 0 || (length !== null && (!Number.isInteger(length) || length < 0))) return unknown
      return { value: { ...base.value, text: text.slice(offset, length === null ? undefined : offset + length) } }
    }
    case 'Replace': {
      const pattern = context.single(operation.pattern, context).text
      const replacement = context.single(operation.replacement, context).text
      if (!isKnown || hasMark(pattern) || hasMark(replacement) || pattern === '') return unknown
      if (operation.operator === '//') return { value: { ...base.value, text: text.split(pattern).join(replacement) } }
      return operation.operator === '/' ? { value: { ...base.value, text: text.replace(pattern, () => replacement) } } : unknown
    }
    case 'Remove': {
      const pattern = context.single(operation.operand, context).text
      if (!isKnown) return unknown
      if (hasMark(pattern)) return withoutPattern(text, pattern, operation.operator, base)
      const isPrefix = operation.operator.startsWith('#')
      const fits = isPrefix ? text.startsWith(pattern) : text.endsWith(pattern)
      return { value: { ...base.value, text: !fits ? text : isPrefix ? text.slice(pattern.length) : text.slice(0, text.length - pattern.length) } }
    }
    case 'Transform': case 'Names': case 'Unknown':
      context.notes.push(asksExpansion(part.text))
      return unknown
  }
}

/** `${x%/*}` and its relatives, where the pattern holds stars and plain text alone. */
function withoutPattern(text: string, pattern: string, operator: string, base: Expansion): Expansion {
  if (/[\uFDD0\uFDD2\n]/u.test(pattern) || pattern.length > 100 || text.length > 1000) return unknown
  const isPrefix = operator.startsWith('#')
  const source = pattern.replaceAll(/[\\^$.|?*+()[\]{}/]/gu, '\\$&').replaceAll(ANY, '[^]*')
  const whole = new RegExp(`^(?:${source})$`, 'u')
  const sizes = Array.from({ length: text.length + 1 }, (_, size) => size)
  const size = (operator.length === 2 ? sizes.reverse() : sizes).find((each) => whole.test(isPrefix ? text.slice(0, each) : text.slice(text.length - each)))
  if (size === undefined) return base
  return { value: { ...base.value, text: isPrefix ? text.slice(size) : text.slice(0, text.length - size) } }
}

/** `${x:-y}` and its relatives. A variable that is not known may be unset: then both texts are possible. */
function withDefault(base: Expansion, operator: string, operand: string, isKnown: boolean): Expansion {
  if (operator.endsWith('+')) return isKnown ? { value: knownValue(operand) } : { value: knownValue(operand), otherwise: '' }
  if (operator.endsWith('?')) return base
  if (isKnown && base.value.text !== '') return base
  return isKnown && operator.startsWith(':') ? { value: knownValue(operand) } : { value: knownValue(operand), otherwise: base.value.text }
}

function changeCase(text: string, operator: string): string {
  const change = (part: string): string => (operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase())
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1)
}
