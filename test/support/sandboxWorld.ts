import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeBlobStore } from '../../src/main/adapters/blobs/blobStore'
import { makeCommandRunner, type HostCommandRunner } from '../../src/main/adapters/pty/commandRunner'
import { makeOverlays } from '../../src/main/adapters/sandbox/overlay'
import { makeSandbox, type HostSandbox, type SandboxParts } from '../../src/main/adapters/sandbox/sandbox'
import { makeTrialRunner } from '../../src/main/adapters/sandbox/trialRunner'
import * as names from '../../src/main/core/policy/protectedNames'
import { findProgram } from '../../src/main/native/processTreeIsolation'
import { programFolders } from '../../src/main/native/searchPath'
import type { CommandEnd } from '../../src/main/core/ports/commandRunner'
import type { Trial, TrialRunner } from '../../src/main/core/ports/trialRunner'

/** Why nothing can be tried here; null where it can. */
export const noSandboxHere: string | null = reasonAgainst()

function reasonAgainst(): string | null {
  if (process.platform !== 'linux') return 'not Linux'
  const bubblewrap = findProgram('bwrap', programFolders)
  if (bubblewrap === null) return 'bubblewrap is not installed'
  const tried = spawnSync(bubblewrap, ['--unshare-user', '--unshare-net', '--ro-bind', '/', '/', 'true'], { encoding: 'utf8' })
  return tried.status === 0 ? null : `bubblewrap does not start: ${tried.stderr.trim()}`
}

if (noSandboxHere !== null) console.warn(`The sandbox is not tried for real here: ${noSandboxHere}.`)

/** A person's home with logins and tools, a data folder, a project, and a runner whose commands are held. */
export interface SandboxWorld {
  readonly base: string
  readonly home: string
  readonly data: string
  readonly root: string
  readonly sandbox: HostSandbox
  readonly runner: HostCommandRunner
  readonly trials: TrialRunner
  run(command: string, how?: { readonly cwd?: string; readonly network?: boolean; readonly lifted?: readonly string[]; readonly onOutput?: (text: string) => void; readonly signal?: AbortSignal }): Promise<CommandEnd>
  /** Runs it on a copy; throws when that does not start. */
  tryOut(command: string, how?: { readonly signal?: AbortSignal; readonly lifted?: readonly string[] }): Promise<Trial>
  /** Ends everything and removes all. */
  close(): Promise<void>
}

/** Makes a fresh world; whoever makes it closes it. */
export function makeSandboxWorld(parts: Partial<SandboxParts> & { readonly rootIn?: 'home' | 'base' } = {}): SandboxWorld {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'sandbox-world-')))
  const [home, data] = [path.join(base, 'home'), path.join(base, 'data')]
  const root = path.join(parts.rootIn === 'home' ? home : base, 'project')
  for (const folder of [home, data, root, path.join(home, '.ssh'), path.join(home, '.local/bin'), path.join(home, '.aws')]) mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(home, '.ssh/id_ed25519'), 'private')
  writeFileSync(path.join(home, '.aws/credentials'), 'private')
  writeFileSync(path.join(home, '.bash_history'), 'private')
  writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = Test\n\temail = test@example.invalid\n[url "https://token:secret@example.invalid"]\n')
  writeFileSync(path.join(data, 'secret'), 'private')
  const overlays = makeOverlays(data)
  const source = { ...process.env, HOME: parts.home ?? home }
  const sandbox = makeSandbox({ platform: 'linux', home, dataFolder: data, source, searchPath: () => Promise.resolve((process.env['PATH'] ?? '').split(':')), names, nowMs: () => Date.now(), canTry: () => overlays.canTry(), ...parts })
  const runner = makeCommandRunner({ spool: makeBlobStore(path.join(data, 'outputs')), source, sandbox })
  let calls = 0
  const trials = makeTrialRunner({ overlays, sandbox, commands: runner, home, newId: () => `trial-${++calls}`, nowMs: () => Date.now() })
  return {
    base, home, data, root, sandbox, runner, trials,
    async run(command, { cwd = root, network = false, lifted = [], onOutput = () => {}, signal = new AbortController().signal } = {}) {
      const start = { callId: `call-${++calls}`, command, cwd, timeoutMs: 60_000, confinement: { kind: 'sandboxed', root, network, lifted } } as const
      const begun = await runner.start(start, onOutput, signal)
      if (!begun.ok) throw new Error(begun.fault.code)
      return begun.value.ended
    },
    async tryOut(command, { signal = new AbortController().signal, lifted = [] } = {}) {
      const start = { callId: `call-${++calls}`, command, cwd: root, timeoutMs: 60_000, confinement: { kind: 'sandboxed', root, network: false, lifted } } as const
      const trial = await trials.run(start, () => {}, signal)
      if (!trial.ok) throw new Error(`${trial.fault.code} ${JSON.stringify(trial.fault.values)}`)
      return trial.value
    },
    async close() {
      await runner.closeAll()
      rmSync(base, { recursive: true, force: true })
    },
  }
}
