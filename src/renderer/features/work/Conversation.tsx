import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { visibleItems, type ChatItem, type ChatView } from '../../../shared/domain/chatView'
import { Button } from '../../ui/Button'
import { useWords } from '../../ui/words'
import { TextOriginContext } from '../../ui/fileLinks'
import { FindBar } from './FindBar'
import { currentHit, searchAgain, useFind } from './findStore'
import { ItemRow, LiveRow, type PastLinks } from './Rows'
import { TurnSummary } from './TurnSummary'
import { withSummaries, type SummaryRow } from './turnRows'
import { useFindMarks } from './useFindMarks'
import { useFollowing } from './useFollowing'
import { leavePlace, useWork, type Place } from './workStore'

type Row = ChatItem | SummaryRow | { readonly kind: 'live' }

const liveRow: Row = { kind: 'live' }

/** The messages; only what is near the window is in the page, so that 10,000 of them scroll. */
export function Conversation({ chat, past }: { readonly chat: ChatView; readonly past: PastLinks }) {
  const say = useWords()
  const { live, items: all, hidden } = chat
  const running = chat.turn?.turnId ?? null
  const items = useMemo(() => withSummaries(visibleItems({ items: all, hidden }).filter((item) => item.kind !== 'ended' || item.reason !== 'done'), running), [all, hidden, running])
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
  const box = useRef<HTMLDivElement>(null)
  // Rows that come move nothing: only another hit does.
  const shown = useRef(rows)
  useEffect(() => { shown.current = rows }, [rows])
  const hit = useFind(currentHit)
  useFindMarks(box)
  useEffect(searchAgain, [all, hidden])
  useEffect(() => {
    const index = hit === null ? -1 : shown.current.findIndex((row) => row.kind === hit.kind && row.seq === hit.seq)
    if (index === -1) return
    stay()
    list.current?.scrollToIndex({ index, align: 'center' })
  }, [hit, stay])
  const model = chat.choice?.model ?? ''
  const draw = useCallback((_at: number, row: Row) => (
    <div className="lane" style={row.kind === 'summary' ? neverNothing : undefined}>{row.kind === 'live' ? live && <LiveRow live={live} model={model} /> : row.kind === 'summary' ? past.turns && <TurnSummary turnId={row.turnId} links={past.turns} /> : <WithOrigin seq={row.seq}><ItemRow item={row} past={past} /></WithOrigin>}</div>
  ), [live, model, past])
  return (
    <div ref={box} className="chat" role="log" aria-label={say('session.conversation')} aria-live="off" tabIndex={-1} data-zone="conversation">
      <Virtuoso
        ref={list} scrollerRef={onScroller} totalListHeightChanged={onHeight} style={{ height: '100%' }} data={rows} computeItemKey={keyOf} itemContent={draw} alignToBottom initialTopMostItemIndex={{ index: 'LAST', align: 'end' }}
        increaseViewportBy={{ top: 600, bottom: 300 }} components={ends}
      />
      <FindBar />
      {!isFollowing && <Button className="jump" size="small" icon={ArrowDown} onClick={jump}>{say('session.jump')}</Button>}
    </div>
  )
}

/** A turn that left no change has no summary; the list wants some height of every row. */
const neverNothing = { minHeight: 1 }

/** What stands in a row belongs to its place in the conversation. */
function WithOrigin({ seq, children }: { readonly seq: number; readonly children: ReactNode }) {
  const origin = useMemo(() => ({ base: null, seq }), [seq])
  return <TextOriginContext.Provider value={origin}>{children}</TextOriginContext.Provider>
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
