import { useEffect } from 'react'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { useDisk, watchDisk } from './nowStore'
import { cancelFirst, nowKey, useTimeline } from './timelineStore'
import { whenText } from './whenText'

/** The pinned row above the list: what the disk is against the last point, and how far the first reading of the folder is. */
export function NowRow({ onOpen }: { readonly onOpen: () => void }) {
  const say = useWords()
  const progress = useTimeline((state) => state.progress)
  const isSelected = useTimeline((state) => state.selected === nowKey && state.look?.kind !== 'compare')
  const isReading = progress !== null && !progress.isDone
  const text = useNowText(say)
  useEffect(watchDisk, [])
  const isStopped = progress?.fault?.code === 'snapshot.cancelled'
  return (
    <>
      <div className="now" aria-busy={isReading}>
        <button type="button" className="nowrow" data-now aria-current={isSelected ? 'true' : undefined} disabled={isReading} onClick={onOpen} onKeyDown={(event) => { if (event.key === 'ArrowDown') { event.preventDefault(); document.querySelector<HTMLElement>('[data-zone="timeline"] li button[tabindex="0"]')?.focus() } }}>
          <span className="med">{say('timeline.now')}</span><span className="small dim cut grow">{isReading ? say('timeline.reading', { files: progress.seen }) : text}</span>
        </button>
        {isReading && <Button size="small" look="quiet" title={say('timeline.first-about')} onClick={() => void cancelFirst()}>{say('ui.cancel')}</Button>}
      </div>
      {progress?.fault && <div style={{ padding: '0 8px 4px' }}>{isStopped ? <Note tone="warn" role="status">{say('timeline.first-cancelled')}</Note> : <Note tone="bad" role="status"><Exact text={say('timeline.stopped', { why: progress.fault })} className="wrap-any" /></Note>}</div>}
    </>
  )
}

function useNowText(say: Speaker): string {
  const last = useTimeline((state) => state.timeline.rows.at(-1))
  const { now, last: asked, fault, running } = useDisk()
  if (running.size > 0) return say('timeline.now-call')
  if (!last) return say('timeline.none-yet')
  if (fault) return say.fact(fault)
  // What was said of another point says nothing of this one.
  if (now === null || asked !== last.id) return say('timeline.last-point', { time: whenText(last.atMs, say) })
  return now.count === 0 ? say('timeline.now-equal') : say('timeline.now-differs', { count: now.count })
}
