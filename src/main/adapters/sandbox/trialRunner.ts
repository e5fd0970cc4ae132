import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { CommandEnd, CommandStart, RunningCommand } from '../../core/ports/commandRunner'
import type { SandboxLaunch } from '../../core/ports/sandbox'
import type { Trial, TrialRunner, TrialSides } from '../../core/ports/trialRunner'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { refusalsIn, type RefusalPlace } from '../../native/refusals'
import { openRoot } from '../../native/safePath'
import { readLimited } from './trialRead'
import type { Root } from '../../native/safeFolder'
import type { Overlay, Overlays } from './overlay'
import type { HostSandbox } from './sandbox'
import { differencesOf, fileOf, isSame, look, sideOf, type Difference, type Differences } from './trialFiles'
import { contentOf, keepDifferences } from './trialKeep'

/** What the runner works with. */
export interface TrialRunnerParts {
  readonly overlays: Overlays
  readonly sandbox: HostSandbox
  /** The door of the command runner: the same terminals, filters and outputs as for any command. */
  readonly commands: {
    startHeldBy(hold: SandboxLaunch & { readonly means: 'bubblewrap'; readonly place: RefusalPlace }, start: CommandStart, onOutput: (text: string) => void, signal: CancelSignal): Promise<Result<RunningCommand>>
    endAllOf(callId: string): Promise<void>
  }
  readonly home: string
  readonly newId: () => string
  readonly nowMs: () => number
}

/** Runs commands on a copy of the project; see the port. */
export function makeTrialRunner(parts: TrialRunnerParts): TrialRunner {
  const canTry = async (): Promise<boolean> => (await parts.sandbox.report()).kind === 'on' && (await parts.overlays.canTry())
  return {
    canTry,
    async run(start, onOutput, signal) {
      const { confinement } = start
      if (confinement.kind !== 'sandboxed' || !(await canTry())) return fail('trial.not-here')
      const id = parts.newId()
      const made = await parts.overlays.make(id, confinement.root)
      if (!made.ok) return made
      const overlay = made.value
      let trial: Trial | null = null
      try {
        const ran = await runOn(overlay, { ...start, confinement }, parts, onOutput, signal)
        if (!ran.ok) return ran
        trial = trialOf(id, overlay, ran.value)
        return succeed(trial)
      } finally {
        if (trial === null) await overlay.remove()
      }
    },
  }
}

interface Ran {
  readonly takenAtMs: number
  readonly end: CommandEnd
  readonly place: RefusalPlace
  readonly upper: Root
  readonly lower: Root
  readonly differences: Differences
}

type HeldStart = CommandStart & { readonly confinement: { readonly kind: 'sandboxed' } }

async function runOn(overlay: Overlay, start: HeldStart, parts: TrialRunnerParts, onOutput: (text: string) => void, signal: CancelSignal): Promise<Result<Ran>> {
  const { root, lifted } = start.confinement
  const takenAtMs = parts.nowMs()
  const launch = await parts.sandbox.prepare({ root, cwd: start.cwd, network: false, lifted }, { isTrial: true, as: asMyself(), shown: [] })
  if (!launch.ok) return launch
  const place = { root, home: parts.home, network: false }
  const hold = { ...launch.value, argv: [...overlay.argv, ...launch.value.argv], means: 'bubblewrap', place } as const
  const running = await parts.commands.startHeldBy(hold, start, onOutput, signal)
  if (!running.ok) return running
  const end = await running.value.ended
  // The copy is looked at when nobody writes it any more.
  await parts.commands.endAllOf(start.callId)
  const [upper, lower] = [openRoot(overlay.upper), openRoot(root)]
  if (!upper.ok) return upper
  if (!lower.ok) return lower
  const standIns = launch.value.standIns.map((name) => name.slice(root.length + 1))
  const differences = await differencesOf(overlay, upper.value, lower.value, standIns)
  return differences.ok ? succeed({ takenAtMs, end: { ...end, leftRunning: [] }, place, upper: upper.value, lower: lower.value, differences: differences.value }) : differences
}

/** In the user namespace of an overlay everybody is root; inside the sandbox the person is who they are. */
function asMyself(): { readonly userId: number; readonly groupId: number } | null {
  const userId = process.getuid?.() ?? 0
  return userId === 0 ? null : { userId, groupId: process.getgid?.() ?? 0 }
}

function trialOf(id: string, overlay: Overlay, ran: Ran): Trial {
  const { differences, upper, lower } = ran
  const byPath = new Map(differences.all.map((one) => [one.path, one]))
  const changedSince = async (): Promise<readonly string[]> => {
    const changed = new Set(differences.changedMeanwhile)
    const folders = new Map<string, boolean>()
    for (const { path, before } of differences.all) {
      const isReached = await isBelowFolders(path, lower, byPath, folders)
      if (!isReached || !isSame(await sideOf(lower, path), before)) changed.add(path)
    }
    return [...changed].sort()
  }
  let gone: Promise<void> | undefined
  return {
    id,
    takenAtMs: ran.takenAtMs,
    end: ran.end,
    files: differences.all.map(fileOf),
    refused: refusalsIn(ran.end.text, ran.place),
    async read(path, limitBytes) {
      const one = byPath.get(path)
      if (one === undefined) return fail('trial.no-such-path', { path })
      return gone === undefined ? sidesOf(one, ran, limitBytes) : fail('trial.gone')
    },
    async after(path, limitBytes) {
      const one = byPath.get(path)
      if (one === undefined || one.after === null || one.after.kind === 'folder') return fail('trial.no-such-path', { path })
      if (gone !== undefined) return fail('trial.gone')
      if ((one.after.bytes ?? 0) > limitBytes) return fail('path.too-large', { path, sizeBytes: one.after.bytes ?? 0, limitBytes })
      return contentOf(upper, path, one.after)
    },
    changedSince,
    async keep(judge, onStep) {
      if (gone !== undefined) return fail('trial.gone')
      const paths = await changedSince()
      if (paths.length > 0) return fail('trial.changed-since', { paths })
      const large = differences.all.find(({ after }) => after?.kind === 'file' && after.hash === null)
      if (large) return fail('trial.too-large', { path: large.path })
      for (const one of differences.all) {
        const judged = await judge(fileOf(one))
        if (!judged.ok) return judged
      }
      await keepDifferences(differences.all, upper, lower, onStep)
      return succeed(null)
    },
    discard: () => (gone ??= overlay.remove()),
  }
}

/** Whether the folders above, but those that the trial itself changed, still are folders. */
async function isBelowFolders(path: string, lower: Root, changed: ReadonlyMap<string, Difference>, known: Map<string, boolean>): Promise<boolean> {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at)
    if (changed.has(folder)) continue
    if (!known.has(folder)) known.set(folder, (await look(lower, folder)).kind === 'folder')
    if (known.get(folder) !== true) return false
  }
  return true
}

async function sidesOf({ path, before, after }: Difference, { upper, lower }: Ran, limitBytes: number): Promise<Result<TrialSides>> {
  if (!isSame(await sideOf(lower, path), before)) return fail('trial.changed-since', { paths: [path] })
  const [old, now] = await Promise.all([readLimited(lower, path, before, limitBytes), readLimited(upper, path, after, limitBytes)])
  return succeed({ before: old.bytes, after: now.bytes, isCut: old.isCut || now.isCut })
}
