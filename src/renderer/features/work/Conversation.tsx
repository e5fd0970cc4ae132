import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { visibleItems, type ChatItem, type ChatView } from '../../../shared/domain/chatView'
import { Button } from '../../ui/Button'
import { useWords } from '../../ui/words'
import { ItemRow, LiveRow, type PastLinks } from './Rows'
import { useFollowing } from './useFollowing'
import { leavePlace, useWork, type Place } from './workStore'

type Row = ChatItem | { readonly kind: 'live' }

const liveRow: Row = { kind: 'live' }

/** The messages; only what is near the window is in the page, so that 10,000 of them scroll. */
export function Conversation({ chat, past }: { readonly chat: ChatView; readonly past: PastLinks }) {
  const say = useWords()
  const { live, items: all, hidden } = chat
  const items = useMemo(() => visibleItems({ items: all, hidden }).filter((item) => item.kind !== 'ended' || item.reason !== 'done'), [all, hidden])
  const isLive = live !== null
  const rows = useMemo<readonly Row[]>(() => (isLive ? [...items, liveRow] : items), [items, isLive])
  const { onScroller, onHeight, isFollowing, jump, stay } = useFollowing(live ?? rows)
  const list = useRef<VirtuosoHandle>(null)
  const place = useWork((state) => (state.place?.sessionId === chat.sessionId ? state.place : null))
  useEffect(() => {
    if (!place || rows.length === 0) return
    const index = indexOf(rows, place)
    leavePlace()
    if (index === -1) return
    stay()
    list.current?.scrollToIndex({ index, align: 'center' })
  }, [place, rows, stay])
  const model = chat.choice?.model ?? ''
  const draw = useCallback((_at: number, row: Row) => (
    <div className="lane">{row.kind === 'live' ? live && <LiveRow live={live} model={model} /> : <ItemRow item={row} past={past} />}</div>
  ), [live, model, past])
  return (
    <div className="chat" role="log" aria-label={say('session.conversation')} aria-live="off" tabIndex={-1} data-zone="conversation">
      <Virtuoso
        ref={list} scrollerRef={onScroller} totalListHeightChanged={onHeight} style={{ height: '100%' }} data={rows} computeItemKey={keyOf} itemContent={draw} alignToBottom initialTopMostItemIndex={{ index: 'LAST', align: 'end' }}
        increaseViewportBy={{ top: 600, bottom: 300 }} components={ends}
      />
      {!isFollowing && <Button className="jump" size="small" icon={ArrowDown} onClick={jump}>{say('session.jump')}</Button>}
    </div>
  )
}

const ends = { Header: () => <div style={{ height: 14 }} />, Footer: () => <div style={{ height: 4 }} /> }

/** The row of a call, or the last message that was said by then; -1 where there is none. */
function indexOf(rows: readonly Row[], { at }: Place): number {
  if ('callId' in at) return rows.findIndex((row) => row.kind === 'calls' && row.calls.some((call) => call.callId === at.callId))
  if ('seq' in at) return rows.findIndex((row) => (row.kind === 'user' || row.kind === 'agent') && row.seq === at.seq)
  return rows.findLastIndex((row) => (row.kind === 'user' || row.kind === 'agent') && row.atMs <= at.atMs)
}

function keyOf(_at: number, row: Row): string {
  return row.kind === 'live' ? 'live' : `${row.seq}${row.kind}`
}
