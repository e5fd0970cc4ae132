import { memo, useState } from 'react'
import type { TrustItem } from '../../../shared/domain/trust'
import { Button } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { keyOf } from './trustStore'

/** So many lines are drawn at once; the rest on demand. */
const firstLines = 1000

/** The selected item as plain text: hidden characters boxed, lines that were noted marked, the notes below. */
export function FoundText({ item }: { readonly item: TrustItem | null }) {
  const say = useWords()
  if (item === null) return <div className="col foundtext" />
  return (
    <div className="col foundtext">
      <div className="row ph"><Exact text={item.path.split('/').slice(-2).join('/')} className="mono med cut" /><span className="end small faint">{say('trust.as-text')}</span></div>
      <Lines key={keyOf(item)} item={item} />
      <Notes item={item} />
    </div>
  )
}

const Lines = memo(function Lines({ item }: { readonly item: TrustItem }) {
  const say = useWords()
  const [isWhole, setWhole] = useState(false)
  const lines = item.text.replace(/\n$/u, '').split('\n')
  const marked = new Set(item.notes.map(({ line }) => line))
  const shown = isWhole ? lines : lines.slice(0, firstLines)
  return (
    <div className="code grow lines" tabIndex={0} role="region" aria-label={say('trust.text-of', { name: item.path })}>
      {shown.map((line, at) => <div key={at} className={classes('dl', marked.has(at + 1) && 'noted')}><span aria-hidden>{at + 1}</span><span /><span className="wrap-any"><Exact text={line} /></span></div>)}
      {shown.length < lines.length && <Button size="small" look="quiet" onClick={() => setWhole(true)}>{say('trust.more-lines', { count: lines.length - shown.length })}</Button>}
    </div>
  )
})

function Notes({ item }: { readonly item: TrustItem }) {
  const say = useWords()
  // A server's stand beside its start.
  if (item.server !== null || item.notes.length === 0) return null
  return <div className="foundnotes">{sentences(item, say).map(({ tone, text }, at) => <Note key={at} tone={tone}><Exact text={text} className="wrap-any" /></Note>)}</div>
}

function sentences({ notes }: TrustItem, say: Speaker): readonly { readonly tone: 'warn' | 'bad'; readonly text: string }[] {
  const linesOf = (code: string): readonly string[] => [...new Set(notes.flatMap(({ line, say: fact }) => (fact.code === code && line !== null ? [String(line)] : [])))]
  const [asks, hide] = [linesOf('trust.asks-command'), linesOf('trust.hidden')]
  const others = notes.filter(({ say: { code } }) => code !== 'trust.asks-command' && code !== 'trust.hidden')
  return [
    ...(hide.length > 0 ? [{ tone: 'bad' as const, text: say('trust.lines-hide', { lines: hide.length, list: hide }) }] : []),
    ...(asks.length > 0 ? [{ tone: 'warn' as const, text: say('trust.lines-ask', { lines: asks.length, list: asks }) }] : []),
    ...others.map(({ line, tone, say: fact }) => ({ tone, text: line === null ? say.fact(fact) : say('trust.line-note', { line, what: say.fact(fact) }) })),
  ]
}
