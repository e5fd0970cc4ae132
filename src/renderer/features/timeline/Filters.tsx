import { useMemo } from 'react'
import type { SessionId } from '../../../shared/domain/ids'
import { Segmented } from '../../ui/fields'
import { AuthorMark, type MarkKind } from '../../ui/marks'
import { useWords } from '../../ui/words'
import { openUncovered } from './roomStore'
import type { TimelinePlace } from './shownScope'
import { countRows, whos, type Who } from './timelineRows'
import { sessionsIn, setScope, toggleShown, useTimeline } from './timelineStore'

const marks: Readonly<Record<Who, MarkKind>> = { agent: 'agent', you: 'you', command: 'command', rollback: 'system' }
const tones: Readonly<Record<Who, string>> = { agent: 'chip agent', you: 'chip you', command: 'chip cmd', rollback: 'chip' }

interface WhoChipProps {
  readonly who: Who
  readonly count?: number
  readonly isOn: boolean
  readonly onToggle: (who: Who) => void
}

/** One author, shown or not. */
export function WhoChip({ who, count, isOn, onToggle }: WhoChipProps) {
  const say = useWords()
  return <button type="button" className={tones[who]} aria-pressed={isOn} onClick={() => onToggle(who)}><AuthorMark kind={marks[who]} isHollow={!isOn} />{say(`timeline.who.${who}`)}{count !== undefined && <> {count.toLocaleString(say.locale)}</>}</button>
}

/** Which sessions, whose changes, and what is not covered. */
export function Filters({ sessionId, place }: { readonly sessionId: SessionId | null; readonly place: TimelinePlace }) {
  const say = useWords()
  const timeline = useTimeline((state) => state.timeline)
  const hidden = useTimeline((state) => state.hidden)
  const scope = useTimeline((state) => state.scopes[place])
  const counts = useMemo(() => countRows(timeline), [timeline])
  const sessions = useMemo(() => new Set([...sessionsIn(timeline), ...(sessionId === null ? [] : [sessionId])]), [timeline, sessionId])
  const unheld = timeline.rows.at(-1)?.unheld ?? 0
  const isPage = place === 'page'
  const shown = whos.filter((who) => who !== 'rollback' || (isPage && counts.rollback > 0))
  const switcher = sessions.size > 1 && (
    <div className="row tlscope">
      <Segmented label={say('timeline.sessions-shown')} value={scope} onChange={(next) => setScope(place, next)} options={[{ value: 'session', label: say('timeline.this-session') }, { value: 'all', label: say('timeline.all-sessions', { count: sessions.size }) }]} />
      {isPage && <span className="small faint cut">{say('timeline.scope-about')}</span>}
    </div>
  )
  return (
    <div className="tlfilters col">
      {!isPage && switcher}
      <div className="row" style={{ gap: 6, flexWrap: 'wrap' }}>
        <span className="row" role="group" aria-label={say('timeline.whose')} style={{ gap: 6 }}>{shown.map((who) => <WhoChip key={who} who={who} isOn={!hidden.has(who)} onToggle={toggleShown} {...(isPage ? { count: counts[who] } : {})} />)}</span>
        {unheld > 0 && <button type="button" className="small t-warn link end nowrap" onClick={() => void openUncovered()}>{say('timeline.not-covered', { count: unheld })}</button>}
      </div>
      {isPage && switcher}
    </div>
  )
}
