import { z } from 'zod'
import { said, succeed, type Said } from '../../../../shared/domain/result'
import type { Confined, ToolOutput } from '../../../../shared/domain/tool'
import { commandSource } from '../../policy/commandSource'
import type { CommandEnd, CommandStart } from '../../ports/commandRunner'
import { defineTool, type ToolContext } from '../defineTool'
import { endsInPipe } from '../pipeEnd'

const params = z.object({
  command: z.string().min(1).max(100_000),
  cwd: z.string().min(1).max(4096).exactOptional().describe('Folder inside the project; the project folder when left out.'),
  timeout_seconds: z.number().int().min(1).max(86_400).exactOptional().describe('The command is ended after this time. When left out: the limit of the settings, if there is one.'),
  network: z.boolean().exactOptional().describe('Asks the person to let this command reach the network. Without it there is none.'),
  outside: z.boolean().exactOptional().describe('Asks the person to run this command outside the sandbox. Only when it failed for want of a path that the sandbox hides or keeps from being written.'),
})
type Args = z.infer<typeof params>

/** Runs one command line in a terminal of its own, in the sandbox where there is one (R72), and gives its output and exit code as they are. */
export const runCommand = defineTool<Args>({
  name: 'run_command',
  description:
    'Run one bash command line in a terminal of its own, in the project folder or in cwd. Gives its output and its exit code as it is. ' +
    'It runs in a sandbox: only the project can be written, and there is no network unless network is asked for. ' +
    'There is no pager and no editor: pass text on the command line (git commit -m). Programs left running in the background live on, but later commands cannot see or end them. ' +
    'Each command starts anew: folders and variables set by an earlier one are gone.',
  params,
  effect: 'execute',
  paths: (args) => [{ path: folderOf(args), use: 'exec-cwd' }],
  command: (args) => ({ command: args.command, cwd: folderOf(args) }),
  // Each is an approval of its own (R72): no rule answers it.
  verdict: (args) => args.outside === true ? { kind: 'ask', reason: said('command.asks-outside') } : args.network === true ? { kind: 'ask', reason: said('command.asks-network') } : { kind: 'allowable', reason: said('guard.nothing-against') },
  forecast: (args, context) =>
    Promise.resolve(succeed({ preview: { kind: 'command', command: args.command, cwd: context.place(folderOf(args)).realPath, parts: [], confinement: { network: args.network === true, outside: args.outside === true, after: context.hintLog.get(args.command) ?? null } }, writes: [], base: {} })),
  async run(args, context) {
    const running = await context.commands.start(startOf(args, context), (text) => context.emit(text), context.signal)
    if (!running.ok) return { status: context.signal.aborted ? 'cancelled' : 'failed', say: running.fault }
    await context.started(running.value.pid)
    return outputOf(args, await running.value.ended, context)
  },
  trial: { start: startOf, output: (args, end, context) => ({ ...outputOf(args, end, context), confined: 'trial' }) },
})

/** What the person saw of protected names that the command writes is not kept from it; nothing else is lifted. */
function startOf(args: Args, context: ToolContext): CommandStart {
  const lifted = context.parts.flatMap((part) => [...part.writes, ...part.deletes]).flatMap((path) => (path.startsWith(`${context.root}/`) ? [path.slice(context.root.length + 1)] : []))
  return {
    callId: context.callId,
    command: args.command,
    cwd: context.place(folderOf(args)).realPath,
    timeoutMs: args.timeout_seconds === undefined ? null : args.timeout_seconds * 1000,
    confinement: args.outside === true ? { kind: 'outside' } : { kind: 'sandboxed', root: context.root, network: args.network === true, lifted, isToldHeld: context.sandbox === 'on' },
  }
}

function folderOf(args: { readonly cwd?: string }): string {
  return args.cwd ?? '.'
}

type LeftRunning = readonly { readonly pid: number; readonly command: string }[]

function outputOf(args: Args, end: CommandEnd, context: ToolContext): ToolOutput {
  const own = context.commands.leftRunning().filter(({ pid }) => end.leftRunning.includes(pid))
  const [hint] = end.hints
  if (hint !== undefined) context.hintLog.set(args.command, hint)
  const taint = commandSource({ parts: context.parts, root: context.root, isOpened: isOpened(args), isFree: end.confined === 'none' })
  return {
    status: statusOf(end),
    say: withKeptInside(withHint(withPrograms(withCut(endOf(args, end), end), end, own), end), end, context),
    body: end.text,
    exitCode: end.exitCode,
    confined: confinedOf(args, end),
    ...(end.outputRef === null ? {} : { outputRef: end.outputRef }),
    ...(taint === null ? {} : { taint }),
  }
}

/** Whether it asks for more than the sandbox gives. */
function isOpened(args: Args): boolean {
  return args.network === true || args.outside === true
}

function confinedOf(args: Args, end: CommandEnd): Confined {
  if (end.confined === 'sandbox') return args.network === true ? 'network' : 'sandbox'
  return args.outside === true ? 'outside' : 'none'
}

/** In the sandbox the rest of the disk cannot be written, or is another: nobody shall take what was written there for done. */
function withKeptInside(first: Said, end: CommandEnd, { parts, root }: ToolContext): Said {
  const outside = parts.flatMap((part) => [...part.writes, ...part.deletes]).filter((place) => place.startsWith('/') && place !== root && !place.startsWith(`${root}/`) && !place.startsWith('/dev/'))
  return end.confined === 'none' || outside.length === 0 ? first : said('command.kept-inside', { first, paths: [...new Set(outside)].slice(0, 10) })
}

/** What it lacked, and how to ask for it. */
function withHint(first: Said, end: CommandEnd): Said {
  const [hint] = end.hints
  return hint === undefined ? first : said(hint === 'network' ? 'command.lacked-network' : 'command.lacked-path', { first })
}

/** An exit code is stated, not judged: `failed` only says that it was not 0. A reader that had enough ends its writer by SIGPIPE, and nothing failed. */
function statusOf(end: CommandEnd): ToolOutput['status'] {
  if (end.isCancelled) return 'cancelled'
  if (end.isTimedOut) return 'failed'
  return end.exitCode === 0 || end.endSignal === 'SIGPIPE' || end.isLeft ? 'ok' : 'failed'
}

function endOf({ command }: Args, end: CommandEnd): Said {
  if (end.isCancelled) return said('command.cancelled')
  if (end.isTimedOut) return said('command.timed-out', { seconds: Math.round((end.limitMs ?? 0) / 1000) })
  if (end.isLeft) return said('command.left')
  if (end.exitCode === null) return said('command.lost', { signal: end.endSignal ?? 'SIGKILL' })
  if (end.endSignal === 'SIGPIPE') return said('command.exit-pipe', { exitCode: end.exitCode })
  if (end.endSignal !== null) return said('command.exit-signal', { exitCode: end.exitCode, signal: end.endSignal })
  const first = said(end.exitCode === 0 && endsInPipe(command) ? 'command.exit-of-last' : 'command.exit', { exitCode: end.exitCode })
  if (end.searched === undefined) return first
  const told = said('command.not-found', { first, folders: end.searched })
  return end.pathProblem === undefined ? told : said(`command.path-${end.pathProblem}`, { first: told })
}

function withCut(first: Said, end: CommandEnd): Said {
  return end.outputRef === null ? first : said('command.cut', { first, totalBytes: end.totalBytes, outputRef: end.outputRef })
}

function withPrograms(first: Said, end: CommandEnd, programs: LeftRunning): Said {
  if (end.leftRunning.length === 0) return first
  const named = programs.map(({ pid, command }) => `${command} (${pid})`)
  return said('command.left-running', { first, count: end.leftRunning.length, programs: named.length > 0 ? named : end.leftRunning.map(String) })
}
