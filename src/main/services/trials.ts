import { fail, succeed, type Result } from '../../shared/domain/result'
import type { TrialRow } from '../../shared/domain/sandbox'
import type { LineCount } from '../../shared/domain/snapshot'
import type { TrialFileText } from '../../shared/ipc/views'
import type { OpenTrial, TrialDesk } from '../core/ports/trialDesk'
import type { Trial, TrialFile, TrialRunner } from '../core/ports/trialRunner'

/** The trials of one host that wait for a word. */
export interface Trials extends TrialDesk {
  /** Both sides of one changed file, for the window; cut texts are none. */
  fileText(callId: string, trialId: string, path: string): Promise<Result<TrialFileText>>
  /** Throws every copy away; used when the app closes. */
  closeAll(): Promise<void>
}

/** What it works with. `canTry` answers from the last self-test of the sandbox. */
export interface TrialsPorts {
  readonly runner: TrialRunner
  readonly canTry: () => boolean
  /** Lines between two contents; null for what is no text or too large. */
  readonly countLines: (before: Uint8Array, after: Uint8Array) => LineCount | null
}

/** Most bytes of a side that are read for a diff (DESIGN section 9: beyond, a summary stands first). */
const shownBytes = 1024 * 1024
/** Files whose lines are counted; of more, the counts are left at 0. */
const countedFiles = 500

/** Makes the service. */
export function makeTrials({ runner, canTry, countLines }: TrialsPorts): Trials {
  const open = new Map<string, { readonly callId: string; readonly trial: Trial }>()

  async function rowOf(trial: Trial, file: TrialFile, isCounted: boolean): Promise<TrialRow> {
    const { mode: _mode, ...rest } = file
    const sides = isCounted && file.kind === 'file' && !file.isBinary ? await trial.read(file.path, shownBytes) : null
    const isWhole = sides?.ok === true && !sides.value.isCut
    const lines = isWhole ? countLines(sides.value.before ?? new Uint8Array(), sides.value.after ?? new Uint8Array()) : null
    return { ...rest, added: lines?.added ?? 0, removed: lines?.removed ?? 0 }
  }

  return {
    canTry,
    async run(start, onOutput, signal) {
      const ran = await runner.run(start, onOutput, signal)
      if (!ran.ok) return ran
      const trial = ran.value
      open.set(trial.id, { callId: start.callId, trial })
      const rows: TrialRow[] = []
      for (const [at, file] of trial.files.entries()) rows.push(await rowOf(trial, file, at < countedFiles))
      return succeed(openTrial(trial, rows, () => open.delete(trial.id)))
    },
    async fileText(callId, trialId, path) {
      const found = open.get(trialId)
      if (found?.callId !== callId || !found.trial.files.some((file) => file.path === path)) return fail('approval.gone')
      const sides = await found.trial.read(path, shownBytes)
      if (!sides.ok) return sides
      const { before, after, isCut } = sides.value
      return succeed({ before: isCut ? null : textOf(before), after: isCut ? null : textOf(after) })
    },
    async closeAll() {
      await Promise.all([...open.values()].map(({ trial }) => trial.discard()))
      open.clear()
    },
  }
}

function openTrial(trial: Trial, rows: readonly TrialRow[], forget: () => void): OpenTrial {
  return {
    id: trial.id, takenAtMs: trial.takenAtMs, end: trial.end, files: trial.files, refused: trial.refused, rows,
    read: (path, limit) => trial.read(path, limit),
    after: (path, limit) => trial.after(path, limit),
    changedSince: () => trial.changedSince(),
    keep: (judge, onStep) => trial.keep(judge, onStep),
    async discard() {
      forget()
      await trial.discard()
    },
  }
}

/** Null for what is no text. */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // not UTF-8
  }
}
