import { Layers } from 'lucide-react'
import type { ChatItem } from '../../../shared/domain/chatView'
import type { CompactionId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import { Button } from '../../ui/Button'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'

/** Where old turns became a summary, or long results were shortened: what it was, the way to see it, and back. */
export function CompactedRow({ item, onView, onUndo }: { readonly item: Extract<ChatItem, { readonly kind: 'compacted' }>; readonly onView: (() => void) | null; readonly onUndo: ((id: CompactionId) => void) | null }) {
  const say = useWords()
  const { messages, keptTurns, results, isUndone, compactionId } = item
  const words = isUndone ? say('compaction.row-undone', { messages }) : messages === 0 ? say('compaction.row-trimmed', { results }) : say('compaction.row', { messages, turns: keptTurns })
  return (
    <div className="endline">
      <Layers size={12} aria-hidden />{words}
      {onView && <button type="button" className="link" onClick={onView}>{say('compaction.view')}</button>}
      {onUndo && !isUndone && <button type="button" className="link" onClick={() => onUndo(compactionId)}>{say('compaction.undo-short')}</button>}
    </div>
  )
}

/** What a person may do when a summary failed. */
export interface FailedLinks {
  readonly onOpenModels: () => void
  readonly onCompact?: () => void
  readonly onNewSession?: () => void
}

/** A summary failed: the history is whole, and these are the ways on (R26). */
export function SummaryFailed({ fact, links: { onCompact, onNewSession, onOpenModels } }: { readonly fact: Said; readonly links: FailedLinks }) {
  const say = useWords()
  return (
    <div className="pb-3">
      <Note tone="bad" actions={<span className="row wrap">{onCompact && <Button size="small" onClick={onCompact}>{say('compaction.retry')}</Button>}{onNewSession && <Button size="small" onClick={onNewSession}>{say('compaction.new-session')}</Button>}<Button size="small" onClick={onOpenModels}>{say('compaction.other-model')}</Button></span>}>{say.fact(fact)}</Note>
    </div>
  )
}
