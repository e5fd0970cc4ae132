import { BookOpen, ChevronDown, ChevronRight, Plus, ShieldCheck, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useNow } from '../../ui/useNow'
import { useWords } from '../../ui/words'
import { standing, type LiveRow, type RuleLinks, type Standing } from './live'
import { LiveTable } from './LiveTable'
import { RevokeAll } from './RevokeAll'
import { RuleEditor } from './RuleEditor'
import { dismissNotice, editRule, loadRules, ruleForCall, startRule, useRules } from './ruleStore'
import { draftName } from './ruleWords'

export interface RulesViewProps {
  readonly links: RuleLinks
  readonly hasFolder: boolean
  /** There is room for one thing beside the rail. */
  readonly isNarrow: boolean
}

/** Permissions: what is live and how to end it, what stands above every rule, and a rule that is written and tried (R69). */
export function RulesView({ links, hasFolder, isNarrow }: RulesViewProps) {
  const at = useRules((state) => state.at)
  useEffect(() => void loadRules(), [])
  useFocusOf(at)
  const isAlone = isNarrow && at !== null
  return (
    <>
      {!isAlone && <List links={links} hasFolder={hasFolder} />}
      {at !== null && <RuleEditor key={at} hasFolder={hasFolder} isAlone={isAlone} links={links} />}
    </>
  )
}

/** The keyboard goes along to the editor that was opened, and back to the page when it is closed. */
function useFocusOf(at: string | null): void {
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (at !== null && at !== before.current) document.querySelector<HTMLElement>('[data-zone="rule"]')?.focus()
    else if (at === null && before.current !== null) document.querySelector<HTMLElement>('[data-zone="rules"]')?.focus()
    before.current = at
  }, [at])
}

function List({ links, hasFolder }: Omit<RulesViewProps, 'isNarrow'>) {
  const say = useWords()
  const page = useRules((state) => state.page)
  const openId = useRules((state) => state.openId)
  const isEditing = useRules((state) => state.at !== null)
  const nowMs = useNow()
  const parts = page && standing(page, openId, nowMs)
  return (
    <section className="main ruleslist" aria-label={say('permission.title')} data-zone="rules" tabIndex={-1}>
      <div className="head">
        <h1>{say('permission.title')}</h1>
        {parts && <span className="small faint">{say('permission.counts', { live: parts.live.length, rules: page.rules.length })}</span>}
        <span className="end row">
          <RevokeAll count={parts?.live.length ?? 0} />
          <Button size="small" look={isEditing ? 'plain' : 'primary'} icon={Plus} onClick={startRule}>{say('permission.new')}</Button>
        </span>
      </div>
      <div className="rulesscroll">
        <Notice links={links} />
        <Unsaved />
        {parts ? <Parts parts={parts} nowMs={nowMs} links={links} hasFolder={hasFolder} /> : <div className="grow" aria-busy />}
        <Alone />
        <Above />
      </div>
    </section>
  )
}

function Notice({ links }: Pick<RulesViewProps, 'links'>) {
  const say = useWords()
  const notice = useRules((state) => state.notice)
  const proposing = useRules((state) => state.proposing)
  if (proposing !== null) return <Note tone="info" role="status">{say('permission.proposing')}</Note>
  if (notice === null) return <div role="status" className="sr" />
  const { tone, callId } = notice
  const toQuestion = callId === null ? null : links.toQuestion(callId)
  const isSaved = notice.say.code === 'permission.saved'
  const words = isSaved && toQuestion !== null ? say('permission.saved-waits', notice.say.values) : say.fact(notice.say)
  const actions = (
    <span className="row wrap">
      {toQuestion !== null && <Button size="small" look={isSaved ? 'primary' : 'plain'} onClick={toQuestion}>{say('permission.to-question')}</Button>}
      {isSaved && callId !== null && <Button size="small" onClick={() => void ruleForCall(callId)}>{say('permission.more-of-call')}</Button>}
      <IconButton icon={X} label={say('permission.dismiss')} onClick={dismissNotice} />
    </span>
  )
  return <Note tone={tone} role={tone === 'bad' ? 'alert' : 'status'} actions={actions}><Exact text={words} className="wrap-any" /></Note>
}

/** What was begun and is in no editor. */
function Unsaved() {
  const say = useWords()
  const drafts = useRules((state) => state.drafts)
  const at = useRules((state) => state.at)
  const others = Object.values(drafts).filter(({ key }) => key !== at)
  const go = ({ key, replaces, callId }: (typeof others)[number]): void => {
    if (key === 'new') startRule()
    else if (replaces !== null) void editRule(replaces)
    else if (callId !== null) void ruleForCall(callId)
  }
  return others.map((editing) => <Note key={editing.key} tone="info" actions={<Button size="small" onClick={() => go(editing)}>{say('permission.resume')}</Button>}><Exact text={say('permission.kept', { what: draftName(editing, say) })} className="wrap-any" /></Note>)
}

function Parts({ parts: { live, limits, elsewhere }, nowMs, links, hasFolder }: { readonly parts: Standing; readonly nowMs: number } & Pick<RulesViewProps, 'links' | 'hasFolder'>) {
  const say = useWords()
  const rules = (rows: Standing['limits']): readonly LiveRow[] => rows.map((row) => ({ kind: 'rule', row }))
  return (
    <>
      <section className="rulespart">
        <h2 className="strong">{say('permission.live')}</h2>
        {live.length > 0 ? <LiveTable name={say('permission.live')} rows={live} nowMs={nowMs} toCall={links.toCall} /> : <p className="card none dim">{say(hasFolder ? 'permission.none-live' : 'permission.none-live-no-folder')}</p>}
      </section>
      {limits.length > 0 && (
        <section className="rulespart">
          <h2 className="strong">{say('permission.limits')}</h2>
          <LiveTable name={say('permission.limits')} rows={rules(limits)} nowMs={nowMs} toCall={links.toCall} />
        </section>
      )}
      {elsewhere.length > 0 && <Elsewhere rows={rules(elsewhere)} nowMs={nowMs} links={links} />}
    </>
  )
}

function Elsewhere({ rows, nowMs, links }: { readonly rows: readonly LiveRow[]; readonly nowMs: number } & Pick<RulesViewProps, 'links'>) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const Icon = isOpen ? ChevronDown : ChevronRight
  const name = say('permission.elsewhere', { count: rows.length })
  return (
    <section className="rulespart">
      <h2><button type="button" className="fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}><Icon className="i" size={14} aria-hidden />{name}</button></h2>
      {isOpen && <LiveTable name={name} rows={rows} nowMs={nowMs} toCall={links.toCall} />}
    </section>
  )
}

/** What runs without asking, exactly: where nothing else is said, everything waits. */
function Alone() {
  const say = useWords()
  const lines = [
    say('permission.alone.read'), say('permission.alone.commands'), say('permission.alone.part'), say('permission.alone.writes', { commands: say('ui.level.commands') }),
    say('permission.alone.marked'), say('permission.alone.all', { level: say('ui.level.all') }),
  ]
  return (
    <section className="rulespart">
      <h2 className="strong">{say('permission.alone')}</h2>
      <ul className="card above">{lines.map((line) => <li key={line}><BookOpen className="i dim" size={14} aria-hidden /><span>{line}</span></li>)}</ul>
    </section>
  )
}

const above = ['denied', 'asks', 'reach', 'marked'] as const

/** What no rule changes. */
function Above() {
  const say = useWords()
  return (
    <section className="rulespart">
      <h2 className="strong">{say('permission.above')}</h2>
      <ul className="card above">{above.map((name) => <li key={name}><ShieldCheck className="i t-ok" size={14} aria-hidden /><span>{say(`permission.above.${name}`)}</span></li>)}</ul>
    </section>
  )
}
