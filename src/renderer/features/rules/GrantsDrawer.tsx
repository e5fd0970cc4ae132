import { Scale, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useNow } from '../../ui/useNow'
import { useWords } from '../../ui/words'
import { factsOf, standing, type LiveRow, type RuleLinks } from './live'
import { Ends, Flags, From, RevokeButton, Scope } from './LiveTable'
import { RevokeAll } from './RevokeAll'
import { editRule, showGrants, useRules } from './ruleStore'
import { ShapeView } from './ShapeView'

/** Opens the drawer from the work; nothing while nothing is allowed in advance. */
export function GrantsButton() {
  const say = useWords()
  const count = useLive().length
  if (count === 0) return null
  return <Button size="small" look="quiet" icon={Scale} title={say('permission.drawer-open-about', { count })} onClick={() => showGrants(true)}>{say('permission.drawer-open', { count })}</Button>
}

function useLive(): readonly LiveRow[] {
  const page = useRules((state) => state.page)
  const openId = useRules((state) => state.openId)
  const nowMs = useNow()
  return page === null ? [] : standing(page, openId, nowMs).live
}

/** What is allowed now, beside the work: each with its reach, its end and its Revoke. */
export function GrantsDrawer({ links, onPage }: { readonly links: RuleLinks; readonly onPage: () => void }) {
  const say = useWords()
  const isOpen = useRules((state) => state.isDrawerOpen)
  return (
    <Dialog name={say('permission.drawer')} isOpen={isOpen} className="grantsdrawer" onClose={() => showGrants(false)}>
      <Body links={links} onPage={onPage} />
    </Dialog>
  )
}

function Body({ links, onPage }: { readonly links: RuleLinks; readonly onPage: () => void }) {
  const say = useWords()
  const live = useLive()
  const notice = useRules((state) => state.notice)
  const leave = (go: () => void) => (): void => {
    showGrants(false)
    go()
  }
  const drawerLinks = (place: Parameters<RuleLinks['toCall']>[0]): (() => void) | null => {
    const go = links.toCall(place)
    return go && leave(go)
  }
  return (
    <>
      <div className="head"><h2 className="strong" aria-hidden>{say('permission.drawer')}</h2><span className="end"><IconButton icon={X} label={say('ui.close')} onClick={() => showGrants(false)} /></span></div>
      <div className="drawerbody" tabIndex={-1}>
        {notice ? <Note tone={notice.tone} role={notice.tone === 'bad' ? 'alert' : 'status'}><Exact text={say.fact(notice.say)} className="wrap-any" /></Note> : <div role="status" className="sr" />}
        {live.length === 0 ? <p className="dim">{say('permission.none-live')}</p> : <ul aria-label={say('permission.drawer')}>{live.map((row) => <Grant key={factsOf(row).key} live={row} toCall={drawerLinks} onPage={leave(onPage)} />)}</ul>}
      </div>
      <div className="savebar"><span className="small dim">{say('permission.never-beats')}</span><span className="end row"><RevokeAll count={live.length} /><Button size="small" onClick={leave(onPage)}>{say('permission.drawer-page')}</Button></span></div>
    </>
  )
}

function Grant({ live, toCall, onPage }: { readonly live: LiveRow; readonly toCall: RuleLinks['toCall']; readonly onPage: () => void }) {
  const say = useWords()
  const nowMs = useNow()
  const { shape, uses } = factsOf(live)
  const stay = (): void => (document.querySelector<HTMLElement>('.grantsdrawer [data-revoke]') ?? document.querySelector<HTMLElement>('.grantsdrawer .drawerbody'))?.focus()
  return (
    <li className="card grant">
      <ShapeView shape={shape} />
      <ReachLine live={live} />
      <dl className="kv small">
        <dt>{say('permission.scope')}</dt><dd><Scope live={live} /></dd>
        <dt>{say('permission.from')}</dt><dd><From live={live} nowMs={nowMs} toCall={toCall} onRule={(id) => { onPage(); void editRule(id) }} /></dd>
        <dt>{say('permission.uses')}</dt><dd>{uses.toLocaleString(say.locale)}</dd>
        <dt>{say('permission.ends')}</dt><dd><Ends live={live} /></dd>
      </dl>
      <Flags live={live} />
      <RevokeButton live={live} onGone={stay} />
    </li>
  )
}

/** What it covers beyond what is written there. */
function ReachLine({ live }: { readonly live: LiveRow }) {
  const say = useWords()
  const { shape } = factsOf(live)
  const reach = shape.kind === 'tool' ? 'arguments' : shape.kind === 'files' ? 'content' : shape.kind === 'host' ? 'pages' : shape.isOpen || shape.words.some((word) => word.kind !== 'exact') ? 'words' : null
  return <p className="small dim">{say(reach === null ? 'permission.reach.exact' : `approval.wider.reach.${reach}`)}</p>
}
