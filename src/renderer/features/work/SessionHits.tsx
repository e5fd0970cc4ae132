import type { ReactNode } from 'react'
import type { SearchSnippet } from '../../../shared/domain/searchText'
import type { SessionHit } from '../../../shared/ipc/sessionViews'
import { Exact } from '../../ui/Exact'
import { AuthorMark } from '../../ui/marks'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { dayOf } from './SessionRow'
import { openHit, useSessionList } from './sessionStore'

interface SessionHitsProps {
  readonly onChosen: () => void
  /** Opens another project, in which something was found. */
  readonly openFolder: (root: string) => Promise<void>
}

/** What was said in the sessions, newest first. */
export function SessionHits({ onChosen, openFolder }: SessionHitsProps) {
  const say = useWords()
  const found = useSessionList((state) => state.found)
  const fault = useSessionList((state) => state.fault)
  return (
    <section>
      <h3 className="group">{say('session.found')}</h3>
      {fault && <div className="hitnote"><Note tone="bad" role="alert">{say.fact(fault)}</Note></div>}
      <ul aria-label={say('session.found')}>
        {(found?.hits ?? []).map((hit) => <li key={`${hit.sessionId} ${hit.seq}`}><Hit hit={hit} onChosen={onChosen} openFolder={openFolder} /></li>)}
      </ul>
      {found && <p className="small faint hitnote" role="status">{!found.isWhole ? say('session.found-partly') : found.hits.length === 0 ? say('session.found-none') : found.hasMore ? say('session.found-more', { count: found.hits.length }) : ''}</p>}
    </section>
  )
}

function Hit({ hit, onChosen, openFolder }: SessionHitsProps & { readonly hit: SessionHit }) {
  const say = useWords()
  const about = [dayOf(hit.atMs, say), ...(hit.isHere ? [] : [hit.project]), ...(hit.isRolledBack ? [say('session.found-rolled-back')] : []), ...(hit.isDeleted ? [say('session.found-deleted')] : [])]
  return (
    <a className="sess hit" href={`#session-${hit.sessionId}`} onClick={(event) => { event.preventDefault(); void openHit(hit, openFolder); onChosen() }}>
      <AuthorMark kind={hit.by === 'user' ? 'you' : 'agent'} />
      <span className="cut"><Exact text={hit.title === '' ? say('session.untitled') : hit.title} /></span>
      <span className="sub snippet"><Marked snippet={hit.snippet} /></span>
      <span className="sub cut"><Exact text={about.join(' · ')} /></span>
    </a>
  )
}

function Marked({ snippet: { text, marks } }: { readonly snippet: SearchSnippet }) {
  const parts: ReactNode[] = []
  let from = 0
  for (const [start, end] of marks) {
    // Two words may have been found in one place.
    if (start < from) continue
    parts.push(<Exact key={from} text={text.slice(from, start)} />, <mark key={`mark${start}`}><Exact text={text.slice(start, end)} /></mark>)
    from = end
  }
  return <>{parts}<Exact text={text.slice(from)} /></>
}
