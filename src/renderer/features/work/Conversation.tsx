import { ArrowDown } from 'lucide-react'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { visibleItems, type ChatItem, type ChatView } from '../../../shared/domain/chatView'
import { Button } from '../../ui/Button'
import { useWords } from '../../ui/words'
import { ItemRow, LiveRow, type PastLinks } from './Rows'

type Row = ChatItem | { readonly kind: 'live' }

const liveRow: Row = { kind: 'live' }

/** The messages; only what is near the window is in the page, so that 10,000 of them scroll. */
export function Conversation({ chat, past }: { readonly chat: ChatView; readonly past: PastLinks }) {
  const say = useWords()
  const list = useRef<VirtuosoHandle>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const items = useMemo(() => visibleItems(chat).filter((item) => item.kind !== 'ended' || item.reason !== 'done'), [chat.items, chat.hidden]) // eslint-disable-line react-hooks/exhaustive-deps -- not on every part of a reply
  const { live } = chat
  const isLive = live !== null
  const rows = useMemo<readonly Row[]>(() => (isLive ? [...items, liveRow] : items), [items, isLive])
  const model = chat.choice?.model ?? ''
  useLayoutEffect(() => {
    if (live && isAtEnd && !hasSelection()) list.current?.autoscrollToBottom()
  }, [live, isAtEnd])
  const draw = useCallback((_at: number, row: Row) => (
    <div className="lane">{row.kind === 'live' ? live && <LiveRow live={live} model={model} /> : <ItemRow item={row} past={past} />}</div>
  ), [live, model, past])
  return (
    <div className="chat" role="log" aria-label={say('session.conversation')} aria-live="off" tabIndex={-1} data-zone="conversation">
      <Virtuoso
        ref={list} style={{ height: '100%' }} data={rows} computeItemKey={keyOf} itemContent={draw} alignToBottom atBottomThreshold={48} initialTopMostItemIndex={{ index: 'LAST', align: 'end' }}
        followOutput={(wasAtEnd) => wasAtEnd && !hasSelection()} atBottomStateChange={setIsAtEnd} increaseViewportBy={{ top: 600, bottom: 300 }} components={ends}
      />
      {!isAtEnd && <Button className="jump" size="small" icon={ArrowDown} onClick={() => list.current?.scrollToIndex({ index: 'LAST', align: 'end' })}>{say('session.jump')}</Button>}
    </div>
  )
}

const ends = { Header: () => <div style={{ height: 14 }} />, Footer: () => <div style={{ height: 4 }} /> }

function keyOf(_at: number, row: Row): string {
  return row.kind === 'live' ? 'live' : `${row.seq}${row.kind}`
}

function hasSelection(): boolean {
  return (document.getSelection()?.isCollapsed ?? true) === false
}
