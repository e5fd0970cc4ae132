import type { ApprovalPreview, ApprovalRequest } from '../../../shared/domain/approval'
import type { TrialRow } from '../../../shared/domain/sandbox'
import { isSkippedBy, type SkippedPath } from '../../../shared/domain/snapshot'

export type TrialPreview = Extract<ApprovalPreview, { readonly kind: 'trial' }>

/** How many files a trial made, changed and removed. */
export function trialCounts(files: readonly TrialRow[]): Readonly<Record<TrialRow['change'], number>> {
  const count = (change: TrialRow['change']): number => files.filter((row) => row.change === change).length
  return { changed: count('changed'), created: count('created'), deleted: count('deleted') }
}

/** What the person can do with a result: keep it, nothing of it, or not now, since files are no longer what the copy was made of. */
export type KeepState = 'can' | 'nothing' | 'changed'
export function keepState({ files, changedSince }: TrialPreview): KeepState {
  if (files.length === 0) return 'nothing'
  return changedSince.length > 0 ? 'changed' : 'can'
}

/** Files of a trial that no snapshot would hold, and why: keeping them cannot be taken back. */
export function unheldFiles({ files }: TrialPreview, { kind, skipped }: ApprovalRequest['coverage']): readonly SkippedPath[] {
  return files.flatMap(({ path }) => {
    const line = skipped.find((one) => isSkippedBy(one.path, path))
    if (line !== undefined) return [{ path, reason: line.reason }]
    return kind === 'none' ? [{ path, reason: 'unreadable' as const }] : []
  })
}

/** The last lines of an output, and how many there are; an empty one has none. */
export function lastLines(output: string, most: number): { readonly shown: readonly string[]; readonly total: number } {
  const lines = output.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n')
  if (lines.length === 1 && lines[0] === '') return { shown: [], total: 0 }
  return { shown: lines.slice(-most), total: lines.length }
}

/** Seconds as a person says them: 4.2, 41. */
export function seconds(ms: number): number {
  return ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)
}
