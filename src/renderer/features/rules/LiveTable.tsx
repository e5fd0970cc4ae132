import { useRef } from 'react'
import { said } from '../../../shared/domain/result'
import { Button } from '../../ui/Button'
import { Chip } from '../../ui/parts'
import { useNow } from '../../ui/useNow'
import { useWords } from '../../ui/words'
import { factsOf, type CallPlace, type LiveRow } from './live'
import { editRule, revoke, useRules } from './ruleStore'
import { endsText, scopeText, shapeText, sinceText } from './ruleWords'
import { ShapeView } from './ShapeView'

export interface LiveTableProps {
  readonly name: string
  readonly rows: readonly LiveRow[]
  readonly nowMs: number
  /** To a call in its conversation; null where it cannot be shown. */
  readonly toCall: (place: CallPlace) => (() => void) | null
}

/** What holds: what it lets run (or asks about, or forbids), where, from whom, how often it answered, when it ends. */
export function LiveTable({ name, rows, nowMs, toCall }: LiveTableProps) {
  const say = useWords()
  const box = useRef<HTMLDivElement>(null)
  // The button that was pressed is gone with its row; the keyboard stays in the table, or goes to the page.
  const stay = (at: number): void => {
    const buttons = box.current?.querySelectorAll<HTMLElement>('[data-revoke]') ?? []
    ;(buttons[Math.min(at, buttons.length - 1)] ?? document.querySelector<HTMLElement>('[data-zone="rules"]'))?.focus()
  }
  return (
    <div className="card livecard" ref={box}>
      <table className="livetable" aria-label={name}>
        <thead><tr><th scope="col">{say(rows.every(isAllowing) ? 'permission.allows' : 'permission.about')}</th><th scope="col" className="c-scope">{say('permission.scope')}</th><th scope="col" className="c-from">{say('permission.from')}</th><th scope="col" className="num c-uses">{say('permission.uses')}</th><th scope="col" className="c-ends">{say('permission.ends')}</th><th className="c-revoke"><span className="sr">{say('permission.revoke')}</span></th></tr></thead>
        <tbody>{rows.map((live, at) => <Row key={factsOf(live).key} live={live} nowMs={nowMs} toCall={toCall} onGone={() => stay(at)} />)}</tbody>
      </table>
    </div>
  )
}

export function isAllowing(live: LiveRow): boolean {
  return live.kind === 'grant' || live.row.rule.effect === 'allow'
}

interface RowProps extends Pick<LiveTableProps, 'nowMs' | 'toCall'> {
  readonly live: LiveRow
  readonly onGone: () => void
}

function Row({ live, nowMs, toCall, onGone }: RowProps) {
  const say = useWords()
  const at = useRules((state) => state.at)
  const { shape, uses } = factsOf(live)
  return (
    <tr className={live.kind === 'rule' && at === `rule ${live.row.rule.id}` ? 'on' : undefined}>
      <td><div className="what"><Effect live={live} /><ShapeView shape={shape} /><Flags live={live} /></div></td>
      <td className="small"><Scope live={live} /></td>
      <td className="small"><From live={live} nowMs={nowMs} toCall={toCall} onRule={(id) => void editRule(id)} /></td>
      <td className="num">{uses.toLocaleString(say.locale)}</td>
      <td className="small"><Ends live={live} /></td>
      <td className="num"><RevokeButton live={live} onGone={onGone} /></td>
    </tr>
  )
}

/** A rule that does not allow says so before anything else. */
function Effect({ live }: { readonly live: LiveRow }) {
  const say = useWords()
  if (live.kind === 'grant' || live.row.rule.effect === 'allow') return null
  const { effect } = live.row.rule
  return <Chip tone={effect === 'deny' ? 'bad' : 'warn'}>{say(`permission.effect.${effect}`)}</Chip>
}

/** What is worth knowing of a rule: not used, answered by another, wider than people mean. */
export function Flags({ live }: { readonly live: LiveRow }) {
  const say = useWords()
  if (live.kind === 'grant') return null
  const { isUnused, shadowedBy, tooWide } = live.row
  if (!isUnused && shadowedBy === null && tooWide === null) return null
  return (
    <ul className="ruleflags">
      {tooWide && <li><Chip tone="warn">{say('permission.flag.wide')}</Chip><span className="small dim">{say.fact(tooWide)}</span></li>}
      {shadowedBy !== null && <li><Chip>{say('permission.flag.shadowed', { rule: shadowedBy })}</Chip></li>}
      {isUnused && <li><Chip>{say('permission.flag.unused')}</Chip></li>}
    </ul>
  )
}

export function Scope({ live }: { readonly live: LiveRow }) {
  const say = useWords()
  const openId = useRules((state) => state.openId)
  const scope = scopeText(live, (id) => id === openId)
  return <>{say(scope.code, { ...scope.values, ...(scope.values['title'] === '' ? { title: say('session.untitled') } : {}) })}</>
}

export function From({ live, nowMs, toCall, onRule }: Pick<RowProps, 'live' | 'nowMs' | 'toCall'> & { readonly onRule: (id: string) => void }) {
  const say = useWords()
  if (live.kind === 'rule') {
    const { id } = live.row.rule
    return <button type="button" className="wayto nowrap" aria-label={say('permission.edit', { rule: id })} onClick={() => onRule(id)}>{say('permission.rule', { rule: id })}</button>
  }
  const { callId, sessionId, givenAtMs } = live.row.grant
  const time = sinceText(givenAtMs, say, nowMs)
  const go = toCall({ callId, sessionId })
  return go === null ? <span className="nowrap">{say('permission.from-you', { time })}</span> : <button type="button" className="wayto nowrap" aria-label={say('permission.to-call', { time })} onClick={go}>{say('permission.from-you', { time })}</button>
}

/** Counts down by itself. */
export function Ends({ live }: { readonly live: LiveRow }) {
  const say = useWords()
  const facts = factsOf(live)
  return <>{say.fact(endsText(facts, useNow()))}</>
}

/** Less is allowed at once: no question is asked. */
export function RevokeButton({ live, onGone }: Pick<RowProps, 'live' | 'onGone'>) {
  const say = useWords()
  const { of, shape } = factsOf(live)
  const what = shapeText(shape, say)
  const end = (): void => {
    const done = live.kind === 'grant' || live.row.rule.effect === 'allow' ? said('permission.revoked', { what }) : said('permission.revoked-limit', { rule: live.row.rule.id })
    void revoke(of, done).then(() => requestAnimationFrame(() => { if (document.activeElement === document.body) onGone() }))
  }
  return <Button size="small" look="quiet" data-revoke="" aria-label={say('permission.revoke-it', { what })} onClick={end}>{say('permission.revoke')}</Button>
}
