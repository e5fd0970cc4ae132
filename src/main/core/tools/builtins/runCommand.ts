import { z } from 'zod'
import { said, succeed, type Said } from '../../../../shared/domain/result'
import type { ToolOutput } from '../../../../shared/domain/tool'
import type { CommandEnd } from '../../ports/commandRunner'
import { defineTool } from '../defineTool'

/** Long enough for a build; whoever needs longer says so. Without one, a command that never ends would hold a turn for ever (D02). */
const defaultTimeoutSeconds = 600

/** Runs one command line in a terminal of its own, and gives its output and exit code as they are. */
export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Run one bash command line in a terminal of its own, in the project folder or in cwd. Gives its output and its exit code as it is. ' +
    'There is no pager and no editor: pass text on the command line (git commit -m). Programs left running in the background live on, but later commands cannot see or end them. ' +
    'Each command starts anew: folders and variables set by an earlier one are gone.',
  params: z.object({
    command: z.string().min(1).max(100_000),
    cwd: z.string().min(1).max(4096).exactOptional().describe('Folder inside the project; the project folder when left out.'),
    timeout_seconds: z.number().int().min(1).max(86_400).default(defaultTimeoutSeconds).describe('The command is ended after this time.'),
  }),
  effect: 'execute',
  paths: (args) => [{ path: folderOf(args), use: 'exec-cwd' }],
  command: (args) => ({ command: args.command, cwd: folderOf(args) }),
  forecast: (args, context) =>
    Promise.resolve(succeed({ preview: { kind: 'command', command: args.command, cwd: context.place(folderOf(args)).realPath, parts: [] }, writes: [], base: {} })),
  async run(args, context) {
    const start = { callId: context.callId, command: args.command, cwd: context.place(folderOf(args)).realPath, timeoutMs: args.timeout_seconds * 1000, confinement: { kind: 'sandboxed', root: context.root, network: false, lifted: [] } } as const
    const running = await context.commands.start(start, (text) => context.emit(text), context.signal)
    if (!running.ok) return { status: context.signal.aborted ? 'cancelled' : 'failed', say: running.fault }
    await context.started(running.value.pid)
    return outputOf(await running.value.ended, args.timeout_seconds, context.commands.leftRunning())
  },
})

function folderOf(args: { readonly cwd?: string }): string {
  return args.cwd ?? '.'
}

type LeftRunning = readonly { readonly pid: number; readonly command: string }[]

function outputOf(end: CommandEnd, timeoutSeconds: number, programs: LeftRunning): ToolOutput {
  const own = programs.filter(({ pid }) => end.leftRunning.includes(pid))
  return {
    status: statusOf(end),
    say: withPrograms(withCut(endOf(end, timeoutSeconds), end), end, own),
    body: end.text,
    exitCode: end.exitCode,
    ...(end.outputRef === null ? {} : { outputRef: end.outputRef }),
  }
}

/** An exit code is stated, not judged: `failed` only says that it was not 0. */
function statusOf(end: CommandEnd): ToolOutput['status'] {
  if (end.isCancelled) return 'cancelled'
  return end.exitCode === 0 && !end.isTimedOut ? 'ok' : 'failed'
}

function endOf(end: CommandEnd, timeoutSeconds: number): Said {
  if (end.isCancelled) return said('command.cancelled')
  if (end.isTimedOut) return said('command.timed-out', { seconds: timeoutSeconds })
  if (end.exitCode === null) return said('command.lost', { signal: end.endSignal ?? 'SIGKILL' })
  if (end.endSignal !== null) return said('command.exit-signal', { exitCode: end.exitCode, signal: end.endSignal })
  const first = said('command.exit', { exitCode: end.exitCode })
  return end.searched === undefined ? first : said('command.not-found', { first, folders: end.searched })
}

function withCut(first: Said, end: CommandEnd): Said {
  return end.outputRef === null ? first : said('command.cut', { first, totalBytes: end.totalBytes, outputRef: end.outputRef })
}

function withPrograms(first: Said, end: CommandEnd, programs: LeftRunning): Said {
  if (end.leftRunning.length === 0) return first
  const named = programs.map(({ pid, command }) => `${command} (${pid})`)
  return said('command.left-running', { first, count: end.leftRunning.length, programs: named.length > 0 ? named : end.leftRunning.map(String) })
}
