import path from 'node:path'
import type { SandboxFacts } from '../../shared/domain/sandbox'
import { countLines } from '../adapters/git/store/lineCounts'
import { makeCommandRunner, type CommandRunnerParts, type HostCommandRunner } from '../adapters/pty/commandRunner'
import { makeOutputThread, type OutputThreadParts } from '../adapters/pty/outputThread'
import { makeOverlays } from '../adapters/sandbox/overlay'
import { makeSandbox } from '../adapters/sandbox/sandbox'
import { makeTrialRunner } from '../adapters/sandbox/trialRunner'
import type { Clock } from '../core/ports/clock'
import type { IdSource } from '../core/ports/idSource'
import type { Sandbox } from '../core/ports/sandbox'
import { credentialPlaces, executedEndings, executedPlaces, systemCredentials } from '../core/policy/protectedNames'
import { readSearchPath, type SearchPath } from '../native/searchPath'
import type { HostServices } from '../services/hostServices'
import { subscribe } from '../services/sessions'
import { makeTrials, type Trials } from '../services/trials'
import type { HostOptions } from './hostOptions'

/** Commands with what holds them, and the host's doors to it. */
export interface Confined {
  readonly commands: Omit<HostCommandRunner, 'startHeldBy' | 'endAllOf'>
  /** The folders in which the user's terminal looks for programs, read once from the login shell (D01). */
  readonly searchPath: () => Promise<readonly string[]>
  readonly trials: Trials
  readonly doors: Pick<HostServices, 'sandbox' | 'testSandbox' | 'onSandbox' | 'trialFile'>
  /** Resolves when the first self-test has said what the doors tell from then on. */
  readonly tested: () => Promise<void>
}

/** Where long outputs are kept. */
export function outputsFolder(dataFolder: string): string {
  return path.join(dataFolder, 'outputs')
}

/** Wires commands, the sandbox that holds them and the copies they are tried on (R72, R73). */
export function composeSandbox(options: HostOptions, parts: Pick<CommandRunnerParts, 'spool' | 'defaultTimeoutMs'> & Pick<OutputThreadParts, 'known'>, { clock, ids }: { readonly clock: Clock; readonly ids: IdSource }): Confined {
  const source = { ...options.env }
  let read: Promise<SearchPath> | undefined
  const readOnce = (): Promise<SearchPath> => (read ??= readSearchPath(source))
  const searchPath = async (): Promise<readonly string[]> => (await readOnce()).folders
  const nowMs = (): number => clock.nowMs()
  const overlays = makeOverlays(options.dataFolder)
  const sandbox = makeSandbox({ platform: options.platform, home: options.home, dataFolder: options.dataFolder, source, searchPath, names: { executedPlaces, executedEndings, credentialPlaces, systemCredentials }, nowMs, canTry: () => overlays.canTry() })
  const thread = makeOutputThread({ workerFile: path.join(options.workersFolder, 'outputWorker.js'), folder: outputsFolder(options.dataFolder), spool: parts.spool, known: parts.known })
  const commands = makeCommandRunner({ ...parts, thread, source, searchPath: readOnce, sandbox })
  const runner = makeTrialRunner({ overlays, sandbox, commands, home: options.home, newId: () => ids.next(), nowMs })
  const { tested, ...doors } = watchSandbox(sandbox)
  // Nobody sees it in a host without a window, and the first paint shall not wait for it.
  if (options.indexesAtOpening) {
    setTimeout(() => {
      void tested()
      // A slow profile would else hold up the first command.
      void readOnce()
    }, afterStartMs).unref()
  }
  const trials = makeTrials({
    runner,
    canTry: () => {
      const facts = doors.sandbox()
      return facts.kind === 'on' && facts.canTry
    },
    countLines: (before, after) => countLines(Buffer.from(before), Buffer.from(after)),
  })
  return { commands, searchPath, trials, tested, doors: { ...doors, trialFile: (callId, trialId, path) => trials.fileText(callId, trialId, path) } }
}

/** The test takes a quarter of a second of processes: the window and its first message come before. */
const afterStartMs = 2000

/** The self-test begins when it is asked for, at the latest by the first command. */
function watchSandbox(sandbox: Sandbox): Pick<HostServices, 'sandbox' | 'testSandbox' | 'onSandbox'> & Pick<Confined, 'tested'> {
  let facts: SandboxFacts = { kind: 'testing' }
  const listeners = new Set<(facts: SandboxFacts) => void>()
  const take = (found: SandboxFacts): SandboxFacts => {
    facts = found
    listeners.forEach((listener) => listener(found))
    return found
  }
  let first: Promise<void> | undefined
  return { tested: () => (first ??= sandbox.report().then((found) => void take(found))), sandbox: () => facts, testSandbox: async () => take(await sandbox.test()), onSandbox: (listener) => subscribe(listeners, listener) }
}
