import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { CommandEnd, CommandRunner, CommandStart, RunningCommand } from '../../core/ports/commandRunner'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { Sandbox, SandboxLaunch } from '../../core/ports/sandbox'
import type { OutputSpool } from '../../core/ports/outputSpool'
import type { ProgramWatch } from '../../core/ports/programWatch'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { endStraysOfDeadApps, newMark } from '../../native/processMark'
import { markVariable } from '../../native/processTree'
import { findProgram, probeIsolation, type Isolation } from '../../native/processTreeIsolation'
import { refusalsIn, type RefusalPlace } from '../../native/refusals'
import { searchFolders, programFolders, type SearchPath } from '../../native/searchPath'
import { commandEnvironment } from './environment'
import { makeOutputSink, type OutputFilter } from './outputSink'
import type { OutputThread } from './outputThread'
import { makeProgramWatch } from './programWatch'
import { runInTerminal, type RunEnd, type TerminalRun, type TerminalRunParts } from './terminalRun'

/** What the runner works with. */
export interface CommandRunnerParts {
  readonly spool: OutputSpool
  /** The app's own environment; commands get a named part of it. */
  readonly source: NodeJS.ProcessEnv
  /** Where commands look for programs, asked once at the first command; the source's PATH when absent. */
  readonly searchPath?: () => Promise<SearchPath>
  /** Where output is masked and kept beside this thread, which must do nothing but read to read fast (O1). */
  readonly thread?: OutputThread
  /** Where there is no thread: a fresh filter for each command. */
  readonly makeFilter?: () => OutputFilter
  /** The limit of a command that names none, asked for each; none when absent. */
  readonly defaultTimeoutMs?: () => Promise<number | null>
  /** How processes are held together; found out by trying when absent. */
  readonly isolation?: Isolation
  /** Holds commands that are to be held; without it, or where it says that there is none, they run as if outside. */
  readonly sandbox?: Sandbox
}

/** How a command is put into something that holds it. */
export interface Hold extends SandboxLaunch {
  readonly means: 'bubblewrap' | 'seatbelt'
  readonly place: RefusalPlace
}

/** A runner with the door of a trial: it makes its own hold. */
export interface HostCommandRunner extends CommandRunner, ProgramWatch {
  /** Like `start`, held by this; the hold is given back when nothing of the command lives, or when it does not start. */
  startHeldBy(hold: Hold, start: CommandStart, onOutput: (text: string) => void, signal: CancelSignal): Promise<Result<RunningCommand>>
  /** Ends what a finished command left running. */
  endAllOf(callId: string): Promise<void>
}

/** Linux takes 131,072 bytes for one argument, with the zero at its end. */
const longestCommandBytes = 131_071
/** On leaving the app a database or server may finish what it writes. */
const leaveGraceMs = 500
const programGraceMs = 2000

/** A runner over node-pty; see the port for what it promises. Nothing is started or tried before the first command. */
export function makeCommandRunner(parts: CommandRunnerParts): HostCommandRunner {
  const runs = new Set<TerminalRun>()
  const ends = new Set<Promise<void>>()
  const folders = [...new Set([...programFolders, ...searchFolders(parts.source)])]
  const shell = findProgram('bash', folders)
  let isClosed = false
  let isolation: Promise<Isolation> | undefined
  let searchPath: Promise<SearchPath> | undefined
  const holdTogether = (bash: string): Promise<Isolation> => {
    isolation ??= (parts.isolation ? Promise.resolve(parts.isolation) : probeIsolation(bash, folders)).then((found) => {
      if (found.kind === 'mark') endStraysOfDeadApps()
      return found
    })
    return isolation
  }
  const run = async (hold: Hold | null, asked: CommandStart, onOutput: (text: string) => void, signal: CancelSignal): Promise<Result<RunningCommand>> => {
    if (shell === null) return fail('command.no-shell', { folders })
    const [own, searched] = await Promise.all([holdTogether(shell), (searchPath ??= parts.searchPath?.() ?? Promise.resolve({ folders: searchFolders(parts.source), problem: null }))])
    const start = { ...asked, timeoutMs: asked.timeoutMs ?? (await parts.defaultTimeoutMs?.()) ?? null }
    const pty = await loadTerminals()
    if (!pty.ok) return pty
    if (signal.aborted || isClosed) return fail('command.not-started')
    const found = isolationOf(hold, own)
    // The mark is also the word of the reaper's end mark: nobody can guess it, so output never looks like the reaper's own words.
    const mark = newMark()
    const environment = changed({ ...commandEnvironment(parts.source, searched.folders), ...(found.kind === 'mark' ? { [markVariable]: mark } : {}) }, hold?.environment ?? {})
    const openSink: TerminalRunParts['openSink'] = (doors) => parts.thread?.open(start.callId, doors) ?? makeOutputSink({ ...doors, spool: parts.spool.begin(start.callId), filter: parts.makeFilter?.() ?? null })
    const launcher = hold?.argv ?? (found.kind === 'namespace' ? found.launcher : [])
    try {
      const begun = runInTerminal({ pty: pty.value, start, shell, isolation: found, launcher, mark, environment, searched, openSink, onOutput, signal })
      runs.add(begun)
      const over = begun.gone.then(async () => {
        runs.delete(begun)
        await hold?.done()
      })
      ends.add(over)
      void over.then(() => ends.delete(over))
      return succeed({ ...begun.command, ended: endOf(begun, over, hold) })
    } catch (error) {
      return noTerminal(error)
    }
  }
  const runHeld: HostCommandRunner['startHeldBy'] = async (hold, start, onOutput, signal) => {
    const begun = await run(hold, start, onOutput, signal)
    if (!begun.ok) await hold.done()
    return begun
  }
  const leftRunning = (): ReturnType<CommandRunner['leftRunning']> => [...runs].flatMap((run) => run.leftRunning().map((program) => ({ callId: run.callId, ...program })))
  const watch = makeProgramWatch(leftRunning)
  return {
    async start(start, onOutput, signal) {
      const fault = await checkStart(start)
      if (!fault.ok) return fault
      const hold = await holdOf(start, parts)
      if (!hold.ok) return hold
      return hold.value === null ? run(null, start, onOutput, signal) : runHeld(hold.value, start, onOutput, signal)
    },
    async startHeldBy(hold, start, onOutput, signal) {
      const fault = await checkStart(start)
      if (fault.ok) return runHeld(hold, start, onOutput, signal)
      await hold.done()
      return fault
    },
    leftRunning,
    programs: () => watch.programs(),
    printed: (callId) => [...runs].find((run) => run.callId === callId && run.leftRunning().length > 0)?.printed() ?? null,
    async endProgram(pid) {
      await Promise.all([...runs].map((run) => run.endProgram(pid, programGraceMs)))
    },
    async endAllOf(callId) {
      await Promise.all([...runs].filter((run) => run.callId === callId).map((run) => run.close(leaveGraceMs)))
    },
    async closeAll() {
      isClosed = true
      await Promise.all([...runs].map((run) => run.close(leaveGraceMs)))
      await Promise.all(ends)
      await parts.thread?.close()
    },
  }
}

/** Null when nothing is to hold it, or when there is nothing that could: whoever asked the person has said so. */
async function holdOf({ confinement, cwd }: CommandStart, { sandbox, source }: CommandRunnerParts): Promise<Result<Hold | null>> {
  if (confinement.kind === 'outside' || sandbox === undefined) return succeed(null)
  const report = await sandbox.report()
  // It held when the person was asked: what a card promised is not left out.
  if (report.kind === 'none') return confinement.isToldHeld === true ? { ok: false, fault: report.reason } : succeed(null)
  const { root, network, lifted } = confinement
  const launch = await sandbox.launcher({ root, cwd, network, lifted })
  return launch.ok ? succeed({ ...launch.value, means: report.means, place: { root, network, home: source['HOME'] ?? homedir() } }) : launch
}

/** Bubblewrap opens a namespace; seatbelt has none to open, and there processes are found by their mark. */
function isolationOf(hold: Hold | null, own: Isolation): Isolation {
  if (hold === null) return own
  return hold.means === 'bubblewrap' ? { kind: 'namespace', launcher: hold.argv } : { kind: 'mark' }
}

function changed(environment: Readonly<Record<string, string>>, changes: SandboxLaunch['environment']): Record<string, string> {
  const all: Readonly<Record<string, string | null>> = { ...environment, ...changes }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null))
}

/** Tells the end when the project is free of what the hold put there, unless programs live on in it. */
async function endOf(run: TerminalRun, over: Promise<void>, hold: Hold | null): Promise<CommandEnd> {
  const end = await run.command.ended
  if (hold === null) return { ...end, confined: 'none', hints: [] }
  if (end.leftRunning.length === 0) await over
  return { ...end, confined: 'sandbox', hints: hintsOf(end, hold.place) }
}

function hintsOf(end: RunEnd, place: RefusalPlace): CommandEnd['hints'] {
  if (end.exitCode === 0 || end.isCancelled || end.isLeft) return []
  return [...new Set(refusalsIn(end.text, place).map(({ kind }) => (kind === 'network' ? 'network' : 'path')))]
}

async function loadTerminals(): Promise<Result<typeof import('node-pty')>> {
  try {
    return succeed(await import('node-pty'))
  } catch (error) {
    return noTerminal(error)
  }
}

function noTerminal(error: unknown): Result<never> {
  return fail('command.no-terminal', { problem: error instanceof Error ? error.message : String(error) })
}

async function checkStart(start: CommandStart): Promise<Result<null>> {
  // A zero byte or half a character would not arrive as approved.
  if (start.command.includes('\0') || !isWellFormed(start.command)) return fail('command.unusable-text')
  const sizeBytes = Buffer.byteLength(start.command, 'utf8')
  if (sizeBytes >= longestCommandBytes) return fail('command.too-long', { sizeBytes, limitBytes: longestCommandBytes })
  try {
    if (!(await stat(start.cwd)).isDirectory()) return fail('command.no-folder', { folder: start.cwd })
    if ((await realpath(start.cwd)) !== start.cwd) return fail('path.moved', { path: start.cwd })
    return succeed(null)
  } catch {
    return fail('command.no-folder', { folder: start.cwd })
  }
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}
