import { parse, type ArithmeticCommand, type TestCommand, type TestExpression } from 'unbash'
import { assignedNames, isPlainArithmetic, judgeArithmetic } from './arithmetic'
import { plainStream, textStream, type JudgedPart } from './call'
import { ANY } from './marks'
import { allow, asksExpansion, join } from './outcomes'
import { makeContext, partOf } from './simple'
import { knownValue, setVariable, type ShellState } from './state'
import { innerWalk, type Ran, type Walk } from './walkTypes'
import { expandSingle } from './words'
import type { WordContext } from './wordTypes'

const comparesNumbers: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

/** `[[ … ]]`: words are expanded, arithmetic comparisons and `-v` may run what stands in a subscript. */
export function judgeTest(node: TestCommand, state: ShellState, walk: Walk): Ran {
  const context = makeContext(walk, state)
  judgeExpression(node.expression, context)
  const fit = walk.fit !== 'plain' ? walk.fit : context.seen.substitution ? 'substitution' : 'plain'
  walk.parts.push(partOf(join(allow('guard.steers'), ...context.notes), ['[[', '…', ']]'], ['[['], fit))
  return { state, output: textStream('') }
}

function judgeExpression(expression: TestExpression, context: WordContext): void {
  switch (expression.type) {
    case 'TestUnary': {
      const operand = expandSingle(expression.operand, context)
      const isName = expression.operator === '-v' || expression.operator === '-R'
      if (isName && !/^[A-Za-z_]\w*$/u.test(operand.text)) context.notes.push(asksExpansion(expression.operand.text))
      return
    }
    case 'TestBinary': {
      const sides = [expandSingle(expression.left, context), expandSingle(expression.right, context)]
      if (!comparesNumbers.has(expression.operator)) return
      for (const side of sides) if (!isPlainArithmetic(side.text, context)) context.notes.push(asksExpansion(side.shown))
      return
    }
    case 'TestLogical':
      for (const operand of expression.operands) judgeExpression(operand, context)
      return
    case 'TestNot': return judgeExpression(expression.operand, context)
    case 'TestGroup': return judgeExpression(expression.expression, context)
  }
}

/** `(( … ))`. A shell that knows no arithmetic commands, as many a `sh`, runs it as a group in a group: what that would be denied for is denied. */
export function judgeArithmeticCommand(node: ArithmeticCommand, state: ShellState, walk: Walk): Ran {
  const after = assignedNames(node.expression).reduce((before, name) => setVariable(before, name, knownValue(ANY)), state)
  const context = makeContext(walk, after)
  judgeArithmetic(node.expression, context)
  const fit = walk.fit !== 'plain' ? walk.fit : context.seen.substitution ? 'substitution' : 'plain'
  walk.parts.push(partOf(join(allow('guard.steers'), ...context.notes), ['((', node.body.trim(), '))'], ['(('], fit))
  walk.parts.push(...deniedAsGroup(node.body, state, walk))
  return { state: after, output: textStream('') }
}

function deniedAsGroup(body: string, state: ShellState, walk: Walk): readonly JudgedPart[] {
  const parts: JudgedPart[] = []
  // Kept apart, groups stay groups however deep they are: read once, and not once a level.
  const groups = body.replace(/\((?=\()/gu, '( ')
  walk.engine.script(parse(groups), state, plainStream, { ...innerWalk(walk), parts, faults: [], defined: new Map() })
  return parts.filter((part) => part.verdict === 'deny')
}
