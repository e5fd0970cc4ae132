import type {
  AndOr, CommandNode, CompoundCommand, CompoundList, Function as FunctionNode, ParsedScript, Pipeline, PipelineNode, Redirected as RedirectedNode, Statement,
} from 'unbash'
import { findBuiltinOrProgram } from '../programs'
import { judgeArithmeticCommand, judgeTest } from './conditions'
import { joinStreams, plainStream, textStream, type Call, type Stream } from './call'
import { judgeCase, judgeFor, judgeIf, judgeWhile, type Judging } from './compounds'
import { isForkBomb } from './forkBomb'
import { allow, ask, deny, join } from './outcomes'
import { judgePipe } from './pipes'
import { judgeRedirects } from './redirects'
import { judgeSimple, makeContext, partOf } from './simple'
import { mergeStates, type ShellState } from './state'
import { deeper, TooDeep, tooDeep, type Engine, type Ran, type Walk } from './walkTypes'

/** The walker over a parsed script: every command in it is judged, in the order and the folder in which it would run. */
export const engine: Engine = { script: judgeScript, functionBody: judgeFunctionBody }

const judging: Judging = { list: judgeList }

function judgeScript(script: ParsedScript, state: ShellState, stdin: Stream, walk: Walk): Ran {
  for (const error of script.errors ?? []) walk.faults.push(error.message)
  return judgeStatements(script.commands, state, stdin, walk)
}

function judgeList(list: CompoundList, state: ShellState, stdin: Stream, walk: Walk): Ran {
  return judgeStatements(list.commands, state, stdin, deeper(walk))
}

function judgeStatements(statements: readonly Statement[], start: ShellState, stdin: Stream, walk: Walk): Ran {
  let state = start
  let output: Stream | null = null
  for (const statement of statements) {
    const ran = judgeStatement(statement, state, stdin, walk)
    if (!statement.background) state = ran.state
    output = output === null ? ran.output : joinStreams(output, ran.output)
  }
  return { state, output: output ?? textStream('') }
}

/** One statement. What is nested too deeply is given up, what follows it is still judged. */
function judgeStatement(statement: Statement, state: ShellState, stdin: Stream, walk: Walk): Ran {
  try {
    return judgeNode(statement.command, state, stdin, walk)
  } catch (error) {
    if (!(error instanceof TooDeep || error instanceof RangeError)) throw error
    walk.faults.push(tooDeep)
    return { state, output: plainStream }
  }
}

function judgeNode(node: PipelineNode | AndOr, state: ShellState, stdin: Stream, walk: Walk): Ran {
  if (node.type === 'AndOr') return judgeAndOr(node, state, stdin, walk)
  return node.type === 'Pipeline' ? judgePipeline(node, state, stdin, walk) : judgeCommandNode(node, state, stdin, walk)
}

/**
 * `a && b || c`: each part is judged in the state that the part before leaves. What follows the list sees the state of
 * success, and of the other branch where `||` goes on (`cd x || cd y`); a branch that exits leaves nothing.
 */
function judgeAndOr(list: AndOr, start: ShellState, stdin: Stream, walk: Walk): Ran {
  let before = start
  let state = start
  let output: Stream = textStream('')
  list.commands.forEach((node, at) => {
    const isAlternative = at > 0 && list.operators[at - 1] === '||'
    const from = isAlternative ? { ...before, vars: state.vars } : state
    const ran = judgeNode(node, from, stdin, walk)
    if (!isAlternative) before = state
    state = isAlternative ? mergeStates(state, ran.state) : ran.state
    output = at === 0 ? ran.output : joinStreams(output, ran.output)
  })
  return { state, output: list.operators.includes('||') ? { ...output, text: null } : output }
}

function judgePipeline(pipeline: Pipeline, state: ShellState, stdin: Stream, walk: Walk): Ran {
  const [only] = pipeline.commands
  if (pipeline.commands.length === 1 && only) return judgeCommandNode(only, state, stdin, walk)
  const from = walk.parts.length
  let flow = stdin
  for (const command of pipeline.commands) {
    const { output } = judgeCommandNode(command, state, flow, walk)
    flow = { ...output, isSecret: output.isSecret || flow.isSecret, isRemote: output.isRemote || flow.isRemote }
  }
  judgePipe(walk.parts, from)
  return { state, output: flow }
}

function judgeCommandNode(node: CommandNode, state: ShellState, stdin: Stream, walk: Walk): Ran {
  switch (node.type) {
    case 'Command': return judgeSimple(node, state, stdin, walk)
    case 'Function': return defineFunction(node, state, walk)
    case 'Redirected': return judgeRedirected(node, state, stdin, walk)
    case 'Coproc': {
      const body = node.body
      const ran = body.type === 'CompoundList' ? judgeList(body, state, plainStream, walk) : judgeCommandNode(body, state, plainStream, deeper(walk))
      return { state, output: ran.output }
    }
    default: return judgeCompound(node, state, stdin, walk)
  }
}

function judgeCompound(node: CompoundCommand, state: ShellState, stdin: Stream, walk: Walk): Ran {
  switch (node.type) {
    case 'Subshell': return { ...judgeList(node.body, state, stdin, walk), state }
    case 'BraceGroup': return judgeList(node.body, state, stdin, walk)
    case 'If': return judgeIf(node, state, stdin, walk, judging)
    case 'For': case 'Select': case 'ArithmeticFor': return judgeFor(node, state, stdin, walk, judging)
    case 'While': return judgeWhile(node, state, stdin, walk, judging)
    case 'Case': return judgeCase(node, state, stdin, walk, judging)
    case 'TestCommand': return judgeTest(node, state, walk)
    case 'ArithmeticCommand': return judgeArithmeticCommand(node, state, walk)
  }
}

/** A compound command with redirects of its own: they are judged once, what is read flows to all commands inside. */
function judgeRedirected(node: RedirectedNode, state: ShellState, stdin: Stream, walk: Walk): Ran {
  const context = makeContext(walk, state)
  const call: Call = groupCall(state, stdin, walk)
  const redirected = judgeRedirects(node.redirects, call, context)
  const found = join(allow('guard.steers'), ...context.notes, redirected.outcome)
  if (redirected.shown.length > 0) walk.parts.push(partOf(found, redirected.shown, ['>'], redirected.fit))
  const input = redirected.stdin ?? stdin
  return judgeCompound(node.command, state, redirected.outcome.output.isSecret ? { ...input, isSecret: true } : input, walk)
}

/** A call for the redirects of a group, which no program reads. */
function groupCall(state: ShellState, stdin: Stream, walk: Walk): Call {
  const none = (): ReturnType<typeof ask> => ask('guard.unknown-name')
  return { program: '{', typed: '{', args: [], stdin, state, where: walk.where, environment: [], classify: walk.classify, runArgs: none, runText: none }
}

function defineFunction(node: FunctionNode, state: ShellState, walk: Walk): Ran {
  const name = node.name.value
  if (!walk.defined.has(node)) walk.defined.set(node, false)
  const shadows = findBuiltinOrProgram(name) !== null
  const found = isForkBomb(node) ? deny('guard.fork-bomb') : shadows ? ask('guard.shadows', { name }) : allow('guard.steers')
  walk.parts.push(partOf(found, [`${name}()`], ['()'], walk.fit))
  return { state: { ...state, functions: new Map([...state.functions, [name, node]]) }, output: textStream('') }
}

function judgeFunctionBody(node: FunctionNode, state: ShellState, stdin: Stream, walk: Walk): Ran {
  const { body } = node
  if (body.type === 'CompoundList') return judgeList(body, state, stdin, walk)
  return judgeCommandNode(body, state, stdin, walk)
}
