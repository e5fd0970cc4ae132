import { ArrowLeft, Layers, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import type { SessionId } from '../../../shared/domain/ids'
import type { ContextPage } from '../../../shared/ipc/contextViews'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Empty, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { Bars } from './Bars'
import { cancelCompacting, closeContext, compactNow, openContext, readContext, undoCompaction, useContext } from './contextStore'
import { ContextTable } from './ContextTable'
import { SummaryPanel } from './SummaryPanel'

export interface CompactionViewProps {
  readonly session: { readonly id: SessionId; readonly title: string } | null
  readonly onBack: () => void
  /** To the turn of that number in the conversation. */
  readonly onTurn: (atMs: number) => void
}

/** What the model is sent of a conversation: what is fixed, pinned, kept, summarised and dropped, before and after (R29). */
export function CompactionView({ session, onBack, onTurn }: CompactionViewProps) {
  const say = useWords()
  const id = session?.id ?? null
  const { page, progress } = useContext()
  useEffect(() => {
    if (id !== null) openContext(id)
    return closeContext
  }, [id])
  const isCompacted = page?.compaction != null
  return (
    <>
      <section className="main" aria-label={say('compaction.title')} data-zone="compaction" tabIndex={-1}>
        <div className="head">
          <IconButton icon={ArrowLeft} label={say('compaction.back')} onClick={onBack} />
          <h1 className="nowrap">{say(isCompacted ? 'compaction.title' : 'compaction.title-before')}</h1>
          {session && <span className="small faint cut"><Exact text={session.title} /></span>}
          {page && <span className="end row"><Acts page={page} /></span>}
        </div>
        {session === null && <Empty icon={Layers}>{say('compaction.no-session')}</Empty>}
        {session !== null && page === null && (progress === 'failed'
          ? <div className="ctxscroll"><Note tone="bad" role="alert" actions={<Button size="small" onClick={() => void readContext()}>{say('compaction.retry-read')}</Button>}>{say('compaction.read-failed')}</Note></div>
          : <div className="ctxscroll" aria-busy><p className="small dim" role="status">{say('compaction.reading')}</p></div>)}
        {page && <Body page={page} />}
      </section>
      {page?.compaction && page.compaction.summary !== '' && <SummaryPanel page={page} compaction={page.compaction} onTurn={onTurn} />}
    </>
  )
}

function Acts({ page: { compaction, canCompact, isCompacting } }: { readonly page: ContextPage }) {
  const say = useWords()
  const isBusy = useContext((state) => state.isBusy)
  if (isCompacting || (isBusy && compaction === null)) return <><span className="small dim" role="status">{say('compaction.compacting')}</span><Button size="small" onClick={cancelCompacting}>{say('compaction.cancel')}</Button></>
  return (
    <>
      {canCompact && <Button size="small" look={compaction ? 'quiet' : 'plain'} icon={Layers} disabled={isBusy} onClick={() => void compactNow()}>{say('compaction.compact')}</Button>}
      {compaction && <Button size="small" icon={Undo2} disabled={isBusy} onClick={() => void undoCompaction(compaction.compactionId)}>{say('compaction.undo')}</Button>}
    </>
  )
}

function Body({ page }: { readonly page: ContextPage }) {
  const say = useWords()
  const fault = useContext((state) => state.fault)
  const { compaction, failure, assumedFor, windowTokens } = page
  return (
    <div className="ctxscroll">
      {fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} className="wrap-any" /></Note>}
      {failure && !fault && <Note tone="bad" role="alert" actions={page.canCompact && <Button size="small" onClick={() => void compactNow()}>{say('compaction.retry')}</Button>}><Exact text={say.fact(failure)} className="wrap-any" /></Note>}
      <p className="dim">{leadOf(page, say)}</p>
      {assumedFor !== null && <Note tone="info">{say('compaction.window-assumed', { model: assumedFor, window: windowTokens })}</Note>}
      <Bars page={page} />
      <ContextTable rows={page.rows} hasBefore={compaction !== null} />
      <p className="hint">{say('compaction.pin-note')}</p>
    </div>
  )
}

function leadOf({ compaction, limitTokens, windowTokens }: ContextPage, say: ReturnType<typeof useWords>): string {
  if (compaction === null) return say('compaction.lead-before', { percent: Math.round((limitTokens / windowTokens) * 100) })
  return compaction.summarisedMessages > 0 ? say('compaction.lead', { messages: compaction.summarisedMessages }) : say('compaction.lead-trimmed', { results: compaction.results })
}
