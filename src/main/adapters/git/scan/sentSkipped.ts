import type { TakenTree } from '../../../core/ports/snapshotStore'
import type { SkippedPath } from '../../../../shared/domain/snapshot'

/** A list of skipped paths as it crosses between threads: one text, which costs the receiver a tenth of a list of objects. */
export type SentSkipped = string

/** What a scan found, as the worker answers. `skipped` is null when it is what it was at the last scan. */
export interface SentTree extends Omit<TakenTree, 'skipped'> {
  readonly skipped: SentSkipped | null
}

export function sendSkipped(skipped: readonly SkippedPath[]): SentSkipped {
  return skipped.map(({ path, reason }) => `${reason}/${path}`).join('\0')
}

export function receiveSkipped(sent: SentSkipped): SkippedPath[] {
  if (sent === '') return []
  return sent.split('\0').map((line) => {
    const cut = line.indexOf('/')
    return { path: line.slice(cut + 1), reason: line.slice(0, cut) as SkippedPath['reason'] }
  })
}
