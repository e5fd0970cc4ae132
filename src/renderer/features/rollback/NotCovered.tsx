import { useMemo, useState, type ReactNode } from 'react'
import { Virtuoso } from 'react-virtuoso'
import type { SentOut } from '../../../shared/domain/rollback'
import type { SkipReason } from '../../../shared/domain/snapshot'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import type { RollbackState } from './planState'

const shownCalls = 3
const shownPaths = 4
/** So many rows are drawn at once; more come as they are scrolled to. */
const fewRows = 100
const rowPx = 40

interface Group {
  readonly reason: SkipReason | null
  readonly paths: readonly string[]
}

/** What is in no point, by why: what ought to be held first, what an ignore rule leaves out last. */
function groupsOf(paths: readonly string[], skipped: RollbackState['skipped']): readonly Group[] {
  const found = new Map<SkipReason | null, string[]>()
  for (const path of paths) {
    const reason = skipped.get(path) ?? null
    const known = found.get(reason)
    if (known) known.push(path)
    else found.set(reason, [path])
  }
  return [...found].map(([reason, list]) => ({ reason, paths: list })).sort((a, b) => Number(a.reason === 'ignored') - Number(b.reason === 'ignored'))
}

/** What no rollback takes back: what was sent out, and what is in no point. */
export function NotCovered({ state: { plan, sent, sentCount, skipped } }: { readonly state: RollbackState }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  // The project's own .git is no part of what a point could hold.
  const paths = useMemo(() => (plan?.notCovered ?? []).filter((path) => path !== '.git'), [plan])
  const groups = useMemo(() => groupsOf(paths, skipped), [paths, skipped])
  const unheld = groups.filter(({ reason }) => reason !== 'ignored').reduce((sum, group) => sum + group.paths.length, 0)
  const count = sentCount + paths.length
  if (count === 0) return null
  const calls = sent.slice(0, shownCalls)
  const shown = calls.length + groups.reduce((sum, group) => sum + Math.min(group.paths.length, shownPaths), 0)
  return (
    <>
      <Note tone="warn" actions={shown < count ? <Button size="small" onClick={() => setIsOpen(true)}>{say('timeline.plan.show-more', { count: count - shown })}</Button> : undefined}>
        <span>{say('timeline.plan.not-covered')}</span>
        <ul className="planuncovered">
          {calls.map((call, at) => <li key={call.callId}>{say(at === 0 ? 'timeline.plan.space' : 'timeline.plan.semicolon')}<Call call={call} say={say} /></li>)}
          {groups.map(({ reason, paths }, at) => <li key={reason ?? ''}>{say(at + calls.length === 0 ? 'timeline.plan.space' : 'timeline.plan.semicolon')}{at === 0 && unheld > 0 && <b className="med">{say('timeline.plan.unheld', { count: unheld })}</b>}<Paths paths={paths} reason={reason} /></li>)}
        </ul>
      </Note>
      {isOpen && <AllOfIt sent={sent} more={sentCount - sent.length} groups={groups} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function Paths({ reason, paths }: Group) {
  const say = useWords()
  return (
    <>
      {paths.slice(0, shownPaths).map((path, at) => <span key={path}>{at > 0 && say('timeline.plan.comma')}<Exact text={path} className="mono" /></span>)}
      {paths.length > shownPaths && ` ${say('timeline.uncovered-more', { count: paths.length - shownPaths })}`}
      {reason && <span className="dim">{say('timeline.plan.in-brackets', { what: say(`snapshot.skip-${reason}`) })}</span>}
    </>
  )
}

function Call({ call, say }: { readonly call: SentOut; readonly say: Speaker }): ReactNode {
  return <><Exact text={call.label} className="mono wrap-any" /><span className="dim">{say('timeline.plan.sent-at', { time: say.time(call.atMs) })}</span></>
}

/** The whole list. */
function AllOfIt({ sent, more, groups, onClose }: { readonly sent: readonly SentOut[]; readonly more: number; readonly groups: readonly Group[]; readonly onClose: () => void }) {
  const say = useWords()
  const name = say('timeline.plan.not-covered-title')
  const rows = [...sent, ...groups.flatMap(({ reason, paths }) => paths.map((path) => ({ path, reason })))]
  const draw = (row: (typeof rows)[number]): ReactNode => <div className="row skip"><span className="grow">{'callId' in row ? <Call call={row} say={say} /> : <Exact text={row.path} className="mono wrap-any" />}</span><span className={'path' in row && row.reason !== 'ignored' ? 'small t-warn' : 'small faint'}>{'path' in row && row.reason && say(`snapshot.skip-${row.reason}`)}</span></div>
  return (
    <Dialog name={name} isOpen isWide onClose={onClose}>
      <div className="head"><h2 className="cut">{name}</h2></div>
      <div className="dialogbody">
        <p className="dim">{say('timeline.plan.not-covered-about')}</p>
        {rows.length <= fewRows
          ? <ul className="skips" aria-label={name}>{rows.map((row, at) => <li key={at}>{draw(row)}</li>)}</ul>
          : <div className="skips" role="group" aria-label={name}><Virtuoso style={{ height: Math.min(380, rows.length * rowPx) }} data={rows} itemContent={(_, row) => draw(row)} /></div>}
        {more > 0 && <p className="small dim">{say('timeline.plan.more-calls', { count: more })}</p>}
      </div>
      <div className="savebar"><Button className="end" onClick={onClose}>{say('ui.close')}</Button></div>
    </Dialog>
  )
}
