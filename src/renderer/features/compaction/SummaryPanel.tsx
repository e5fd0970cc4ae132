import { Pencil, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ContextPage, ShownCompaction } from '../../../shared/ipc/contextViews'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Markdown } from '../../ui/Markdown'
import { AuthorMark } from '../../ui/marks'
import { useWords } from '../../ui/words'
import { headingOf, percentOf, sumOfBar, turnsOfLine } from './contextSums'
import { editSummary, openLink, remember, saveSummary, useContext } from './contextStore'

/** The summary as the model got it, each line with its turn; what of it is offered as a memory; what undoing costs. */
export function SummaryPanel({ page, compaction, onTurn }: { readonly page: ContextPage; readonly compaction: ShownCompaction; readonly onTurn: (atMs: number) => void }) {
  const say = useWords()
  const draft = useContext((state) => state.draft)
  const isBusy = useContext((state) => state.isBusy)
  return (
    <section className="main ctxpane" aria-label={say('compaction.summary')} data-zone="summary" tabIndex={-1}>
      <div className="head">
        <h2>{say('compaction.summary')}</h2>
        <span className="small faint cut"><Exact text={say(compaction.isEdited ? 'compaction.summary-edited' : 'compaction.summary-by', { tokens: compaction.summaryTokens, model: compaction.model })} /></span>
        <span className="end row">{draft === null
          ? <Button size="small" look="quiet" icon={Pencil} onClick={() => editSummary(compaction.summary)}>{say('compaction.edit')}</Button>
          : <><Button size="small" look="quiet" onClick={() => editSummary(null)}>{say('compaction.cancel')}</Button><Button size="small" look="primary" disabled={isBusy || draft.trim() === ''} onClick={() => void saveSummary(compaction.compactionId)}>{say('compaction.save')}</Button></>}
        </span>
      </div>
      <div className="panelbody">
        {draft === null ? <SummaryText summary={compaction.summary} turns={page.turns} onTurn={onTurn} /> : <textarea className="input ctxedit" data-esc="own" aria-label={say('compaction.summary')} value={draft} onChange={(event) => editSummary(event.target.value)} onKeyDown={(event) => { if (event.key === 'Escape') editSummary(null) }} />}
        {page.proposal !== null && <Proposal key={page.proposal} text={page.proposal} compaction={compaction} />}
      </div>
      <UndoCost page={page} compaction={compaction} />
    </section>
  )
}

function SummaryText({ summary, turns, onTurn }: { readonly summary: string; readonly turns: ContextPage['turns']; readonly onTurn: (atMs: number) => void }) {
  const say = useWords()
  return (
    <div className="ctxsummary">
      {summary.split('\n').map((line, at) => {
        const { text, turns: named } = turnsOfLine(line)
        if (line.trim() === '') return null
        const heading = headingOf(line)
        if (heading !== null) return <h3 key={at} className="small med"><Exact text={heading} /></h3>
        return (
          <div key={at} className="ctxline">
            <Markdown text={text.replace(/^\s*[-*+]\s+/u, '')} onOpenLink={openLink} />
            <span className="nowrap">{named.map((turn) => {
              const place = turns.find((one) => one.turn === turn)
              return place && <button key={turn} type="button" className="link small" onClick={() => onTurn(place.atMs)}>{say('compaction.turn', { turn })}</button>
            })}</span>
          </div>
        )
      })}
    </div>
  )
}

function Proposal({ text, compaction }: { readonly text: string; readonly compaction: ShownCompaction }) {
  const say = useWords()
  const isBusy = useContext((state) => state.isBusy)
  const [draft, setDraft] = useState<string | null>(null)
  return (
    <div className="card ctxproposal" role="group" aria-label={say('compaction.proposed')}>
      <div className="row med"><AuthorMark kind="agent" />{say('compaction.proposed')}</div>
      {draft === null ? <p className="small dim wrap-any"><Exact text={say('compaction.what.words', { text })} /></p> : <textarea className="input" data-esc="own" aria-label={say('compaction.proposed')} maxLength={4000} value={draft} onChange={(event) => setDraft(event.target.value)} />}
      <div className="row">
        <Button size="small" look="primary" disabled={isBusy || draft?.trim() === ''} onClick={() => void remember(compaction.compactionId, draft ?? text)}>{say('compaction.remember')}</Button>
        {draft === null && <Button size="small" look="quiet" onClick={() => setDraft(text)}>{say('compaction.edit')}</Button>}
        <Button size="small" disabled={isBusy} onClick={() => void remember(compaction.compactionId, null)}>{say('compaction.refuse')}</Button>
      </div>
    </div>
  )
}

/** What undoing would cost, before it is done. */
function UndoCost({ page, compaction }: { readonly page: ContextPage; readonly compaction: ShownCompaction }) {
  const say = useWords()
  if (page.before === null) return null
  const tokens = sumOfBar(page.before)
  const values = { messages: compaction.summarisedMessages, percent: percentOf(tokens, page.windowTokens) }
  return <div className="savebar ctxcost"><Undo2 className="i" size={14} aria-hidden /><span className="small">{say(tokens >= page.limitTokens ? 'compaction.undo-cost' : 'compaction.undo-free', values)}</span></div>
}
