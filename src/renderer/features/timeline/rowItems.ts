import { ArrowRightFromLine, ArrowRightToLine, FileSearch, History, RefreshCw, RotateCcw, ScrollText, Undo2 } from 'lucide-react'
import type { MenuItem } from '../../ui/Menu'
import type { Speaker } from '../../ui/words'
import { momentOf, openRow, pick } from './openMoment'
import { searchPaths } from './pathStore'
import { momentText } from './rowWords'
import type { PastRow } from './timelineRows'
import { useTimeline } from './timelineStore'
import { wishesOf } from './timelineWishes'
import type { TimelineWorld } from './timelineWorld'

/** What can be done with a row, as a menu over it. */
export function rowItems(row: PastRow, { facts, onWish, onOpenRecord }: TimelineWorld, say: Speaker): readonly MenuItem[] {
  const moment = momentOf(row)
  if (moment === null) return []
  const { undo, bringBack, back } = wishesOf(row, facts, (id) => momentText(id, 'a', useTimeline.getState().timeline, facts, say))
  const callId = row.kind === 'point' && row.row.kind === 'after-call' ? row.row.callId : null
  return [
    { key: 'open', icon: History, label: say('timeline.open-moment'), hint: 'Enter', onChoose: () => openRow(row) },
    ...(undo ? [{ key: 'undo', icon: Undo2, label: `${say('timeline.undo-call')}…`, onChoose: () => onWish(undo) }] : []),
    ...(bringBack ? [{ key: 'bring', icon: RefreshCw, label: `${say('timeline.bring-back')}…`, onChoose: () => onWish(bringBack) }] : []),
    ...(back ? [{ key: 'back', icon: RotateCcw, label: `${say('timeline.back-to-here')}…`, onChoose: () => onWish(back) }] : []),
    { key: 'a', icon: ArrowRightFromLine, label: say('timeline.compare-a'), hint: 'A', onChoose: () => pick('a', moment) },
    { key: 'b', icon: ArrowRightToLine, label: say('timeline.compare-b'), hint: 'B', onChoose: () => pick('b', moment) },
    { key: 'find', icon: FileSearch, label: say('timeline.find-file'), onChoose: () => void searchPaths(moment) },
    ...(callId === null ? [] : [{ key: 'record', icon: ScrollText, label: say('timeline.open-record'), onChoose: () => onOpenRecord(callId) }]),
  ]
}
