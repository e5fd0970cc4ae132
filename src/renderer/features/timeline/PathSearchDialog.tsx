import { useMemo } from 'react'
import { Dialog } from '../../ui/Dialog'
import { PathText } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { PickList } from '../../ui/PickList'
import { useWords } from '../../ui/words'
import { closeSearch, openPath, setPathQuery, usePaths } from './pathStore'
import { momentText } from './rowWords'
import { useTimeline } from './timelineStore'
import { useTimelineWorld } from './timelineWorld'

const mostOptions = 100

/** Any file of a moment, changed there or not, to open it as it was. */
export function PathSearchDialog() {
  const say = useWords()
  const { facts } = useTimelineWorld()
  const search = usePaths((state) => state.search)
  const timeline = useTimeline((state) => state.timeline)
  const at = search?.at ?? null
  const name = useMemo(() => say('timeline.find-title', { moment: momentText(at, 'b', timeline, facts, say) }), [at, timeline, facts, say])
  if (search === null) return null
  const found = search.found ?? []
  const options = found.slice(0, mostOptions).map((one) => ({ key: one.path, content: <span className="cut grow"><PathText path={one.path} limit={72} /></span>, onPick: () => void openPath(one, search.at) }))
  const foot = search.found === null ? null : found.length === 0 ? say('timeline.find-none') : found.length > mostOptions ? say('timeline.find-more', { count: mostOptions }) : null
  return (
    <Dialog name={name} isOpen onClose={closeSearch}>
      {search.fault && <div style={{ padding: '10px 12px 0' }}><Note tone="bad" role="alert">{say.fact(search.fault)}</Note></div>}
      <p className="small dim wrap-any" style={{ padding: '8px 16px 0' }} aria-hidden>{name}</p>
      <PickList name={say('timeline.find-input')} placeholder={say('timeline.find-input')} text={search.query} onText={setPathQuery} options={options} foot={foot} />
    </Dialog>
  )
}
