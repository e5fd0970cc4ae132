import { ArrowLeft, ArrowRight, Copy, Unlink } from 'lucide-react'
import type { TimelineRow } from '../../../shared/ipc/timelineViews'
import { Button } from '../../ui/Button'
import { PathText } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { openPoint } from './openMoment'
import { wholeAround } from './timelineRows'
import { useTimeline } from './timelineStore'

const namedFiles = 5

/** A point whose objects are lost in part: what that means, and the whole points beside it. */
export function BrokenPoint({ row }: { readonly row: TimelineRow }) {
  const say = useWords()
  const timeline = useTimeline((state) => state.timeline)
  const { before, after } = wholeAround(timeline, row.id)
  const shown = (row.lost ?? []).slice(0, namedFiles)
  const more = (row.lostFiles ?? shown.length) - shown.length
  const title = say('timeline.broken-title', { count: row.missing })
  const todo = say(before && after ? 'timeline.broken-do' : before || after ? 'timeline.broken-alone' : 'timeline.broken-none')
  return (
    <section className="card brokenpoint" role="alert">
      <h3 className="row t-bad"><Unlink className="i" size={14} aria-hidden />{title}</h3>
      <p>{say('timeline.broken-about', { count: row.missing })}</p>
      {shown.length > 0 && <ul className="lostfiles" aria-label={say('timeline.broken-files')}>{shown.map((path) => <li key={path}><PathText path={path} limit={72} /></li>)}{more > 0 && <li className="dim">{say('timeline.uncovered-more', { count: more })}</li>}</ul>}
      <p>{todo}</p>
      <div className="row" style={{ flexWrap: 'wrap' }}>
        {before && <Button size="small" icon={ArrowLeft} onClick={() => openPoint(before.id)}>{say('timeline.point-before')}</Button>}
        {after && <Button size="small" icon={ArrowRight} onClick={() => openPoint(after.id)}>{say('timeline.point-after')}</Button>}
        <Button size="small" look="quiet" icon={Copy} onClick={() => void navigator.clipboard.writeText([title, `${row.id} ${row.commit}`, ...(row.lost ?? [])].join('\n'))}>{say('ui.copy-details')}</Button>
      </div>
    </section>
  )
}
