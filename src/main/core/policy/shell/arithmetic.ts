import { forEachChild, type ArithmeticExpression, type SyntaxNode } from 'unbash'
import { hasMark } from './marks'
import { asksExpansion } from './outcomes'
import { deeper } from './walkTypes'
import type { WordContext } from './wordTypes'

/**
 * Judges an arithmetic expression. Numbers and variables with known plain values are harmless; a subscript or a variable of
 * unknown content can run a command (`a[$(id)]`), so those make the command ask. Substitutions inside are judged.
 */
export function judgeArithmetic(expression: ArithmeticExpression | undefined, context: WordContext): void {
  if (expression === undefined) return
  walkNode(expression, context)
}

/** The same for an expression that only exists as text, such as an operand of `let` or of `-eq`. */
export function isPlainArithmetic(text: string, context: WordContext): boolean {
  if (hasMark(text)) return /^[\s\uFDD1-]*$/u.test(text)
  if (!/^[\w\s+\-*/%<>=!&|^~?:(),]*$/u.test(text)) return false
  return (text.match(/[A-Za-z_]\w*/gu) ?? []).every((name) => isHarmless(name, context))
}

/** Names that the expression sets to a number before anything else reads them. */
export function assignedNames(expression: ArithmeticExpression | undefined): readonly string[] {
  if (expression === undefined) return []
  if (expression.type === 'ArithmeticGroup') return assignedNames(expression.expression)
  if (expression.type !== 'ArithmeticBinary') return []
  if (expression.operator === ',') return [...assignedNames(expression.left), ...assignedNames(expression.right)]
  const { left } = expression
  return expression.operator === '=' && left.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/u.test(left.value) ? [left.value] : []
}

function walkNode(node: SyntaxNode, context: WordContext): void {
  if (node.type === 'ArithmeticWord') {
    if (node.parts) context.single({ type: 'Word', text: node.value, value: node.value, pos: node.pos, end: node.end, parts: node.parts }, context)
    if (!isPlainWord(node.value, context)) context.notes.push(asksExpansion(node.value))
    return
  }
  if (node.type === 'ArithmeticCommandExpansion') {
    context.seen.substitution = true
    if (node.script) context.judgeScript(node.script, context.state, deeper(context.walk))
    context.notes.push(asksExpansion(node.text))
    return
  }
  forEachChild(node, (child) => walkNode(child, context))
}

function isPlainWord(value: string, context: WordContext): boolean {
  if (/^(?:\d+#)?\w+$/u.test(value) && /^\d/u.test(value)) return true
  const name = /^\$?\{?([A-Za-z_]\w*|[?#$!]|\d+)\}?$/u.exec(value)?.[1]
  return name !== undefined && (/^[?#$!]$/u.test(name) || isHarmless(name, context))
}

/** A variable whose value is known and can be no expression with a subscript. Assigned and unset ones count as zero. */
function isHarmless(name: string, context: WordContext): boolean {
  const value = /^\d+$/u.test(name) ? context.state.positional?.[Number(name) - 1] : context.state.vars.get(name)
  return value !== undefined && /^[\s\uFDD1\w+-]*$/u.test(value.text)
}
