import { isUtf8 } from 'node:buffer'
import { exactLines } from '../../../../shared/domain/lineChanges'
import { LineHistory, type LineOwners } from '../../../../shared/domain/lineAuthors'
import type { LineStage } from '../../../core/ports/snapshotStore'

/** Longer texts, and more work than this, tell nothing; snapshots of a call wait for it. */
const most = { lines: 20_000, bytes: 2_000_000, ms: 1500 }

/**
 * Who made the lines between a first text and what the last stage left; null where one of these two has no lines or too many,
 * or where it takes too long. A stage in between without lines is an empty text.
 */
export function lineOwners(read: (oid: string) => Buffer, first: string | null, stages: readonly LineStage[]): LineOwners | null {
  const textOf = (oid: string | null): string | null => (oid === null ? '' : textIn(read(oid)))
  const from = textOf(first)
  const last = stages.at(-1)
  if (from === null || (last && textOf(last.oid) === null)) return null
  const history = new LineHistory(from)
  const startedAt = performance.now()
  for (const { oid, author, isRollback } of stages) {
    if (performance.now() - startedAt > most.ms) return null
    history.add({ text: textOf(oid) ?? '', author, isRollback })
  }
  return history.owners()
}

function textIn(bytes: Buffer): string | null {
  if (bytes.length > most.bytes || bytes.includes(0) || !isUtf8(bytes)) return null
  const text = bytes.toString('utf8')
  return exactLines(text).length <= most.lines ? text : null
}
