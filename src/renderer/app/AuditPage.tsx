import type { CallId } from '../../shared/domain/ids'
import { openRow } from '../features/timeline/openMoment'
import { setScope, useTimeline } from '../features/timeline/timelineStore'
import { undoCallWish } from '../features/timeline/timelineWishes'
import { useWords } from '../ui/words'
import { go, uncheckedRecord, useApp, verifyRecord } from './appStore'
import { AuditView } from './pages'
import { useMedia } from './useMedia'
import { openPlan } from './wishes'

/** The page of the record, with the ways from a call to its moment in the timeline and to the plan that takes it back. */
export function AuditPage() {
  const say = useWords()
  const record = useApp((state) => state.record) ?? uncheckedRecord
  const hasFolder = useApp((state) => state.workspace !== null)
  const rows = useTimeline((state) => state.timeline.rows)
  const isWide = useMedia('(min-width: 1100px)')
  const toTimeline = (callId: CallId): (() => void) | null => {
    const row = rows.find((one) => one.kind === 'after-call' && one.callId === callId)
    if (!row) return null
    return () => {
      setScope('page', 'all')
      openRow({ kind: 'point', key: row.id, atMs: row.atMs, row, takenBackBy: null, partlyBackBy: null, rollback: null, unknown: null })
      go('timeline')
    }
  }
  const toUndo = (callId: CallId, label: string): (() => void) | null => {
    const wish = undoCallWish(callId, label)
    return wish && (() => openPlan(wish, say))
  }
  return <AuditView chain={record} links={{ toTimeline, toUndo }} hasFolder={hasFolder} isNarrow={!isWide} onVerify={() => void verifyRecord()} />
}
