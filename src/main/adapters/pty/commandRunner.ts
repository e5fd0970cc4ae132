import { realpath, stat } from 'node:fs/promises'
import type { CommandRunner, CommandStart } from '../../core/ports/commandRunner'
import type { OutputSpool } from '../../core/ports/outputSpool'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { endStraysOfDeadApps, newMark } from '../../native/processMark'
import { markVariable } from '../../native/processTree'
import { findProgram, probeIsolation, type Isolation } from '../../native/processTreeIsolation'
import { searchFolders, programFolders } from '../../native/searchPath'
import { commandEnvironment } from './environment'
import type { OutputFilter } from './outputSink'
import { runInTerminal, type TerminalRun } from './terminalRun'

/** What the runner works with. */
export interface CommandRunnerParts {
  readonly spool: OutputSpool
  /** The app's own environment; commands get a named part of it. */
  readonly source: NodeJS.ProcessEnv
  /** Folders in which commands look for programs, asked once at the first command; the source's PATH when absent. */
  readonly searchPath?: () => Promise<readonly string[]>
  /** A fresh filter for each command. */
  readonly makeFilter?: () => OutputFilter
  /** How processes are held together; found out by trying when absent. */
  readonly isolation?: Isolation
}

/** Linux takes 131,072 bytes for one argument, with the zero at its end. */
const longestCommandBytes = 131_071
/** On leaving the app a database or server may finish what it writes. */
const leaveGraceMs = 500
const programGraceMs = 2000

/** A runner over node-pty; see the port for what it promises. Nothing is started or tried before the first command. */
export function makeCommandRunner(parts: CommandRunnerParts): CommandRunner {
  const runs = new Set<TerminalRun>()
  const folders = [...new Set([...programFolders, ...searchFolders(parts.source)])]
  const shell = findProgram('bash', folders)
  let isClosed = false
  let isolation: Promise<Isolation> | undefined
  let searchPath: Promise<readonly string[]> | undefined
  const holdTogether = (bash: string): Promise<Isolation> => {
    isolation ??= (parts.isolation ? Promise.resolve(parts.isolation) : probeIsolation(bash, folders)).then((found) => {
      if (found.kind === 'mark') endStraysOfDeadApps()
      return found
    })
    return isolation
  }
  return {
    async start(start, onOutput, signal) {
      if (shell === null) return fail('command.no-shell', { folders })
      const fault = await checkStart(start)
      if (!fault.ok) return fault
      const [found, searched] = await Promise.all([holdTogether(shell), (searchPath ??= parts.searchPath?.() ?? Promise.resolve(searchFolders(parts.source)))])
      const pty = await loadTerminals()
      if (!pty.ok) return pty
      if (signal.aborted || isClosed) return fail('command.not-started')
      // The mark is also the word of the reaper's end mark: nobody can guess it, so output never looks like the reaper's own words.
      const mark = newMark()
      const environment = { ...commandEnvironment(parts.source, searched), ...(found.kind === 'mark' ? { [markVariable]: mark } : {}) }
      const filter = parts.makeFilter?.() ?? null
      try {
        const run = runInTerminal({ pty: pty.value, start, shell, isolation: found, mark, environment, searched, spool: parts.spool, filter, onOutput, signal })
        runs.add(run)
        void run.gone.then(() => runs.delete(run))
        return succeed(run.command)
      } catch (error) {
        return noTerminal(error)
      }
    },
    leftRunning: () => [...runs].flatMap((run) => run.leftRunning().map((program) => ({ callId: run.callId, ...program }))),
    async endProgram(pid) {
      await Promise.all([...runs].map((run) => run.endProgram(pid, programGraceMs)))
    },
    async closeAll() {
      isClosed = true
      await Promise.all([...runs].map((run) => run.close(leaveGraceMs)))
    },
  }
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
