import { create } from 'zustand'
import type { SnapshotId } from '../../../shared/domain/ids'
import type { LineCount } from '../../../shared/domain/snapshot'
import { host } from '../../bridge/host'

/** What of a turn the timeline knows. */
export interface TurnPast {
  readonly number: number
  readonly before: SnapshotId
  readonly after: SnapshotId
  /** What its calls changed. */
  readonly paths: readonly string[]
  readonly state: 'stands' | 'partly' | 'back'
  /** It went back, and what the person changed stayed. */
  readonly isKept: boolean
  /** How many of them a later turn, and the person, changed since. */
  readonly later: number
  readonly yours: number
  readonly canUndo: boolean
}

/** How many files differ between the two ends of a turn, and their lines; null: not known. */
export interface TurnSize {
  readonly files: number
  readonly lines: LineCount | null
}

export const useTurns = create<{ readonly sizes: Readonly<Record<string, TurnSize | null>> }>(() => ({ sizes: {} }))

/** Two moments never change, so that what lies between them is asked for once. */
export function sizeKey({ before, after }: Pick<TurnPast, 'before' | 'after'>): string {
  return `${before} ${after}`
}

/** Finds out what differs between the two ends of a turn, of what its calls changed. */
export async function readSize(past: TurnPast): Promise<void> {
  const key = sizeKey(past)
  if (key in useTurns.getState().sizes) return
  keep(key, null)
  const read = await host().timelineChanges({ before: past.before, after: past.after })
  if (!read.ok) return
  const own = new Set(past.paths)
  const changes = read.value.changes.filter((change) => own.has(change.path))
  const lines = changes.reduce<LineCount | null>((sum, { lines: one }) => (one === null ? sum : { added: (sum?.added ?? 0) + one.added, removed: (sum?.removed ?? 0) + one.removed }), null)
  keep(key, { files: changes.length, lines })
}

function keep(key: string, size: TurnSize | null): void {
  useTurns.setState((state) => ({ sizes: { ...state.sizes, [key]: size } }))
}
