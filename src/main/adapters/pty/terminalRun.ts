import { constants } from 'node:os'
import type { IPty } from 'node-pty'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { CommandEnd, CommandStart, RunningCommand } from '../../core/ports/commandRunner'
import { makeProcessTree, type ProcessTree } from '../../native/processTree'
import type { Isolation } from '../../native/processTreeIsolation'
import { makeEndMarkScanner, reaperArguments, type EndMark } from '../../native/reaper'
import type { SearchPath } from '../../native/searchPath'
import type { OutputSink, OutputSinkParts } from './outputSink'
import { makeProgramLog, type ProgramLog } from './programLog'

/** How a command ended; what held it is said by whoever started it. */
export type RunEnd = Omit<CommandEnd, 'confined' | 'hints'>

/** One command from its start until nothing of it is left. */
export interface TerminalRun {
  readonly callId: string
  readonly command: Omit<RunningCommand, 'ended'> & { readonly ended: Promise<RunEnd> }
  /** Resolves when no process of it lives any more, those it left running included. */
  readonly gone: Promise<void>
  /** What it left behind; empty while the command itself runs. */
  leftRunning(): readonly { readonly pid: number; readonly command: string }[]
  /** The end of what those print, as it stands in the terminal: nothing is masked in it. */
  printed(): string
  /** Does nothing when the process is not one of its own. */
  endProgram(pid: number, graceMs: number): Promise<void>
  /** Ends everything. */
  close(graceMs: number): Promise<void>
}

/** What a run is made of. */
export interface TerminalRunParts {
  /** node-pty, loaded when it is first needed: where it cannot be, the app starts all the same and a command says so. */
  readonly pty: typeof import('node-pty')
  readonly start: CommandStart
  readonly shell: string
  readonly isolation: Isolation
  /** Stands before the shell; where there is a namespace, this is what opens it. */
  readonly launcher: readonly string[]
  readonly mark: string
  readonly environment: Record<string, string>
  /** The folders of its PATH, told of when a program was not found. */
  readonly searched: SearchPath
  /** Makes the place for its output. */
  readonly openSink: (doors: Pick<OutputSinkParts, 'show' | 'hold' | 'letGo'>) => OutputSink
  readonly onOutput: (text: string) => void
  readonly signal: CancelSignal
}

/** Time between asking and killing. R11 allows 100 ms and wants all gone after 150 ms: this leaves a loaded machine some room. */
export const cancelGraceMs = 60
/** Helpers of a finished command may need a moment to end; what is alive after it was left running on purpose. */
const settleMs = 250
const settleStepMs = 10
/** How often it is looked whether programs left running have ended by themselves. */
const watchMs = 1000
/** The shell's status for a program it did not find. */
const notFoundStatus = 127
const terminalSize = { cols: 120, rows: 30 } as const

/** Why a command came to its end. */
type EndCause =
  | { readonly kind: 'mark'; readonly mark: EndMark }
  /** Its first process is gone without a word: killed from outside, by the signal of this number; 0 when it ended by itself. */
  | { readonly kind: 'lost'; readonly signal: number }
  | { readonly kind: 'cancelled' | 'timed-out' | 'closed' | 'left' }

/** Starts the command; throws when the system gives no terminal. Its processes, terminal and timers are ended by the run itself, at the latest by `close`. */
export function runInTerminal(parts: TerminalRunParts): TerminalRun {
  const terminal = openTerminal(parts)
  const tree = makeProcessTree({ leader: terminal.pid, isolation: parts.isolation, mark: parts.mark, terminal: () => nameOf(terminal) })
  const sink = parts.openSink({ show: parts.onOutput, hold: () => terminal.pause(), letGo: () => terminal.resume() })
  const cause = makeCause(parts, tree)
  const log = makeProgramLog()
  const output = readOutput(terminal, parts.mark, { sink, log }, (found) => cause.reach(found))
  const ended = cause.first.then(async (reason): Promise<RunEnd> => {
    const isStopped = reason.kind === 'cancelled' || reason.kind === 'closed'
    if (isStopped) sink.mute()
    if (reason.kind !== 'mark' && reason.kind !== 'left') await tree.end(reason.kind === 'lost' ? 0 : cancelGraceMs)
    const mark = output.stop()
    const left = await leftBy(reason, tree, parts)
    // Esc came when only what it would have left behind was still running: that is what the person meant to end.
    const isLate = parts.signal.aborted && left.length > 0
    if (isLate) await tree.end(cancelGraceMs)
    const leftRunning = isLate ? [] : left.map(({ pid }) => pid)
    const kept = await sink.end()
    log.begin(kept.text)
    return { ...statusOf(mark, parts.searched, reason), ...limitOf(reason, parts.start), isCancelled: isStopped || isLate, ...kept, leftRunning }
  })
  const stay = makeStay(tree, ended)
  return {
    callId: parts.start.callId,
    command: {
      pid: terminal.pid,
      write(text) {
        if (output.isRunning()) terminal.write(text)
      },
      resize(columns, rows) {
        if (output.isRunning()) terminal.resize(between(columns), between(rows))
      },
      leave: () => void leaveWhenBegun(tree, cause, parts.mark),
      ended,
    },
    gone: stay.gone,
    leftRunning: () => stay.programs(),
    printed: () => log.text(),
    endProgram: (pid, graceMs) => stay.endProgram(pid, graceMs),
    async close(graceMs) {
      cause.reach({ kind: 'closed' })
      await stay.leave(graceMs)
    },
  }
}

function openTerminal({ pty, start, shell, launcher, mark, environment }: TerminalRunParts): IPty {
  const line = [...launcher, shell, ...reaperArguments(start.command, mark, start.cwd)]
  return pty.spawn(line[0] ?? shell, line.slice(1), { name: environment['TERM'] ?? 'xterm', ...terminalSize, cwd: start.cwd, env: environment, encoding: null })
}

/**
 * Its name while our side is open; null from then on, since another command's terminal may have the name by then, and what
 * is still on the closed one no longer shows it. The library knows both and names neither in its types.
 */
function nameOf(terminal: IPty): string | null {
  const { ptsName, _socket: socket } = terminal as { ptsName?: unknown; _socket?: { readonly destroyed?: unknown } }
  return typeof ptsName === 'string' && socket?.destroyed === false ? ptsName : null
}

interface Cause {
  readonly first: Promise<EndCause>
  readonly reach: (cause: EndCause) => void
}

/** The first cause counts. Listener and timer are gone with it. */
function makeCause({ signal, start }: TerminalRunParts, tree: ProcessTree): Cause {
  let reach = (_cause: EndCause): void => {}
  const first = new Promise<EndCause>((resolve) => {
    const onAbort = (): void => {
      tree.ask()
      reach({ kind: 'cancelled' })
    }
    const timer = start.timeoutMs === null ? undefined : setTimeout(() => reach({ kind: 'timed-out' }), start.timeoutMs)
    reach = (cause) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(cause)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  return { first, reach: (cause) => reach(cause) }
}

/** Leads the terminal's bytes into the sink until the command has ended; then they go on being read, so that no program stops at a full terminal, and the last of them are kept. */
function readOutput(terminal: IPty, word: string, { sink, log }: { readonly sink: OutputSink; readonly log: ProgramLog }, reach: (cause: EndCause) => void): { readonly isRunning: () => boolean; readonly stop: () => EndMark | null } {
  const scanner = makeEndMarkScanner(word)
  let isRunning = true
  let mark: EndMark | null = null
  // Bytes, since no encoding is asked for; the library's types know only text.
  terminal.onData((piece) => {
    if (!isRunning) return log.push(piece as unknown as Buffer)
    const { output, end } = scanner.push(piece as unknown as Buffer)
    sink.push(output)
    if (end === null) return
    isRunning = false
    mark = end
    reach({ kind: 'mark', mark: end })
  })
  terminal.onExit(({ signal }) => reach({ kind: 'lost', signal: signal ?? 0 }))
  return {
    isRunning: () => isRunning,
    stop() {
      if (isRunning) sink.push(scanner.rest())
      isRunning = false
      // The sink may have held it. A terminal that is not read never tells of its end.
      terminal.resume()
      return mark
    },
  }
}

type Programs = ReturnType<ProcessTree['programs']>

/** In its first moments there is nothing yet that could go on but parts of the reaper, which have the mark in their words; one that ends instead has ended. */
async function leaveWhenBegun(tree: ProcessTree, cause: Cause, mark: string): Promise<void> {
  let isOver = false
  void cause.first.then(() => (isOver = true))
  while (!isOver && tree.programs().every(({ command }) => command.includes(mark))) await new Promise((resolve) => setTimeout(resolve, settleStepMs))
  cause.reach({ kind: 'left' })
}

/** What a command leaves behind: all that still runs, where the person let it go on. */
function leftBy(reason: EndCause, tree: ProcessTree, parts: TerminalRunParts): Programs | Promise<Programs> {
  if (reason.kind === 'left') return tree.programs()
  return reason.kind === 'mark' ? settle(tree, reason.mark, parts) : []
}

function limitOf({ kind }: EndCause, { timeoutMs }: CommandStart): Pick<CommandEnd, 'isTimedOut' | 'limitMs' | 'isLeft'> {
  if (kind === 'left') return { isTimedOut: false, isLeft: true }
  return kind === 'timed-out' && timeoutMs !== null ? { isTimedOut: true, limitMs: timeoutMs } : { isTimedOut: false }
}

/** What really stays after the command: helpers on their way out are given a moment. */
async function settle(tree: ProcessTree, mark: EndMark, { isolation, signal }: TerminalRunParts): Promise<Programs> {
  // The mark counts its namespace, the first process included.
  if (isolation.kind === 'namespace' && mark.processes <= 1) return []
  const startedAt = performance.now()
  while (performance.now() - startedAt < settleMs && !signal.aborted) {
    if (tree.programs().length === 0) return []
    await new Promise((resolve) => setTimeout(resolve, settleStepMs))
  }
  return tree.programs()
}

/** The time after the command: programs it left running live on until they end, are ended, or the app leaves. */
function makeStay(tree: ProcessTree, ended: Promise<RunEnd>) {
  let state: 'before' | 'staying' | 'over' = 'before'
  let graceMs = 0
  let wake = (): void => {}
  const stay = async (): Promise<void> => {
    const { leftRunning } = await ended
    if (leftRunning.length > 0) state = 'staying'
    while (state === 'staying' && tree.programs().length > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, watchMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    state = 'over'
    await tree.end(graceMs)
  }
  const gone = stay()
  return {
    gone,
    programs: (): Programs => (state === 'staying' ? tree.programs() : []),
    async endProgram(pid: number, programGraceMs: number): Promise<void> {
      if (state !== 'staying') return
      await tree.endMember(pid, programGraceMs)
      wake()
    },
    async leave(leaveGraceMs: number): Promise<void> {
      graceMs = leaveGraceMs
      await ended
      state = 'over'
      wake()
      await gone
    },
  }
}

/** The shell's convention (bash manual, "Exit Status"): 128 and a signal's number stand for an end by that signal. Without a mark we killed it. */
function statusOf(mark: EndMark | null, { folders, problem }: SearchPath, cause: EndCause): Pick<CommandEnd, 'exitCode' | 'endSignal' | 'searched' | 'pathProblem'> {
  if (cause.kind === 'left') return { exitCode: null, endSignal: null }
  if (mark === null) return { exitCode: null, endSignal: (cause.kind === 'lost' ? signalName(cause.signal) : null) ?? 'SIGKILL' }
  if (mark.status === notFoundStatus) return { exitCode: mark.status, endSignal: null, searched: folders, ...(problem === null ? {} : { pathProblem: problem }) }
  return { exitCode: mark.status, endSignal: signalName(mark.status - 128) }
}

function signalName(number: number): string | null {
  return Object.entries(constants.signals).find(([, other]) => other === number)?.[0] ?? null
}

function between(size: number): number {
  return Math.max(1, Math.min(1000, Math.trunc(size) || 1))
}
