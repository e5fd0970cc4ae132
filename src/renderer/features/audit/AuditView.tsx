import { Download, Link, ScrollText, Search, ShieldCheck, Unlink, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { AuditAsk } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { Choice } from '../../ui/fields'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { Menu } from '../../ui/Menu'
import { Chip, Empty, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { AuditTable } from './AuditTable'
import { choose, closeAudit, exportRecord, isFiltered, openAudit, reload, setFilter, showAll, useAudit } from './auditStore'
import { RecordPanel, type RecordLinks } from './RecordPanel'

/** What is known of the chain; the app keeps it, for the bar at the foot says it too. */
export interface ChainFacts {
  readonly entries: number
  readonly firstBroken: number | null
  readonly startsAt: number
  readonly checkedAtMs: number | null
  readonly isChecking: boolean
}

export interface AuditViewProps {
  readonly chain: ChainFacts
  readonly links: RecordLinks
  readonly hasFolder: boolean
  /** There is room for one thing beside the rail. */
  readonly isNarrow: boolean
  readonly onVerify: () => void
}

/** The record: who wanted what, who let it, what came of it (R68). */
export function AuditView({ chain, links, hasFolder, isNarrow, onVerify }: AuditViewProps) {
  const chosen = useAudit((state) => state.chosen)
  const record = useAudit((state) => state.record)
  useEffect(() => {
    openAudit()
    return closeAudit
  }, [])
  const isAlone = isNarrow && chosen !== null
  useFocusOf(chosen, isAlone)
  return (
    <>
      {!isAlone && <List chain={chain} hasFolder={hasFolder} onVerify={onVerify} />}
      {chosen !== null && <RecordPanel entry={chosen} record={record} firstBroken={chain.firstBroken} isAlone={isAlone} links={links} />}
    </>
  )
}

/** Where the list gives way to a record, the keyboard goes along; back to its row when that is closed. */
function useFocusOf(chosen: number | null, isAlone: boolean): void {
  const before = useRef(chosen)
  useEffect(() => {
    if (chosen === null && before.current !== null) document.querySelector<HTMLElement>('.audittable tr[tabindex="0"]')?.focus()
    else if (isAlone) document.querySelector<HTMLElement>('[data-zone="record"]')?.focus()
    before.current = chosen
  }, [chosen, isAlone])
}

function List({ chain, hasFolder, onVerify }: Pick<AuditViewProps, 'chain' | 'hasFolder' | 'onVerify'>) {
  const say = useWords()
  const isExporting = useAudit((state) => state.isExporting)
  const notice = useAudit((state) => state.notice)
  const isPart = useAudit((state) => isFiltered(state.filter) && state.rows.length > 0)
  return (
    <section className="main auditlist" aria-label={say('audit.title')} data-zone="audit" tabIndex={-1}>
      <div className="head">
        <h1>{say('audit.title')}</h1>
        <ChainChip chain={chain} />
        {chain.checkedAtMs !== null && <span className="small faint nowrap">{say('audit.checked-at', { time: say.time(chain.checkedAtMs) })}</span>}
        <span className="end row">
          <Button size="small" icon={ShieldCheck} disabled={chain.isChecking} onClick={onVerify}>{say('audit.verify')}</Button>
          <Menu trigger={<Button size="small" icon={Download} disabled={isExporting}>{say('audit.export')}</Button>} items={[...exportItems, ...(isPart ? partItems : [])].map(({ key, label, format }) => ({ key, label: say(label), onChoose: () => void exportRecord(format, key !== format) }))} />
        </span>
      </div>
      <Filters hasFolder={hasFolder} />
      <div className="auditnotes">
        {notice && <Note tone={notice.tone} role={notice.tone === 'bad' ? 'alert' : 'status'}><Exact text={say.fact(notice.say)} className="wrap-any" /></Note>}
        {chain.firstBroken !== null && <BreakNote firstBroken={chain.firstBroken} />}
        {chain.firstBroken === null && chain.startsAt > 1 && <Note tone="info">{say('audit.starts-at', { entry: String(chain.startsAt) })}</Note>}
      </div>
      <Body firstBroken={chain.firstBroken} />
    </section>
  )
}

const exportItems = [{ key: 'html', label: 'audit.export-html', format: 'html' }, { key: 'jsonl', label: 'audit.export-lines', format: 'jsonl' }] as const
const partItems = [{ key: 'html-part', label: 'audit.export-part-html', format: 'html' }, { key: 'jsonl-part', label: 'audit.export-part-lines', format: 'jsonl' }] as const

function ChainChip({ chain: { entries, firstBroken, checkedAtMs, isChecking } }: Pick<AuditViewProps, 'chain'>) {
  const say = useWords()
  if (isChecking) return <span role="status"><Chip>{say('audit.checking')}</Chip></span>
  if (firstBroken !== null) return <span role="status"><Chip tone="bad"><Unlink size={14} aria-hidden />{say('audit.chain-broken', { entry: String(firstBroken) })}</Chip></span>
  return <span role="status"><Chip {...(checkedAtMs === null ? {} : { tone: 'ok' as const })}><Link size={14} aria-hidden />{say(checkedAtMs === null ? 'audit.chain-unread' : 'audit.chain-intact', { entries })}</Chip></span>
}

/** The first bad row, pinned above the others. */
function BreakNote({ firstBroken }: { readonly firstBroken: number }) {
  const say = useWords()
  return <Note tone="bad" role="alert" actions={<Button size="small" onClick={() => void choose(firstBroken)}>{say('audit.record', { entry: String(firstBroken) })}</Button>}>{say('audit.chain-missing', { entry: String(firstBroken) })}</Note>
}

const whats = ['all', 'command', 'edit', 'read', 'web', 'mcp', 'rollback', 'other'] as const satisfies readonly AuditAsk['what'][]
const deciders = ['all', 'person', 'rule', 'grant', 'policy', 'level'] as const satisfies readonly AuditAsk['by'][]

function Filters({ hasFolder }: { readonly hasFolder: boolean }) {
  const say = useWords()
  const { query, isThisProject, isToday, by, what } = useAudit((state) => state.filter)
  return (
    <div className="auditfilters">
      <span className="searchfield" data-esc={query === '' ? undefined : 'own'}>
        <Search className="i faint" size={14} aria-hidden />
        <input
          type="search" className="input" aria-label={say('audit.search')} placeholder={say('audit.search')} value={query} spellCheck={false}
          onChange={(event) => setFilter({ query: event.target.value }, 'isComposing' in event.nativeEvent && event.nativeEvent.isComposing === true)} onCompositionEnd={(event) => setFilter({ query: event.currentTarget.value })}
          onKeyDown={(event) => { if (event.key === 'Escape' && !isComposing(event)) setFilter({ query: '' }) }}
        />
        {query !== '' && <IconButton icon={X} label={say('audit.show-all')} onClick={() => setFilter({ query: '' })} />}
      </span>
      {hasFolder && <button type="button" className="chip" aria-pressed={isThisProject} onClick={() => setFilter({ isThisProject: !isThisProject })}>{say('audit.this-project')}</button>}
      <button type="button" className="chip" aria-pressed={isToday} onClick={() => setFilter({ isToday: !isToday })}>{say('audit.today')}</button>
      <Choice label={say('audit.decided-by')} value={by} onChange={(next) => setFilter({ by: next })} options={deciders.map((value) => ({ value, label: say(`audit.by.${value}`) }))} />
      <Choice label={say('audit.kind')} value={what} onChange={(next) => setFilter({ what: next })} options={whats.map((value) => ({ value, label: say(`audit.what.${value}`) }))} />
    </div>
  )
}

function Body({ firstBroken }: { readonly firstBroken: number | null }) {
  const say = useWords()
  const count = useAudit((state) => state.rows.length)
  const progress = useAudit((state) => state.progress)
  const isPart = useAudit((state) => isFiltered(state.filter))
  if (count > 0) return <AuditTable firstBroken={firstBroken} />
  if (progress === 'failed') return <Empty icon={ScrollText} action={<Button onClick={() => void reload()}>{say('audit.again')}</Button>}>{say('audit.not-read')}</Empty>
  if (progress === 'reading') return <div className="grow" aria-busy />
  return isPart ? <Empty icon={ScrollText} action={<Button onClick={showAll}>{say('audit.show-all')}</Button>}>{say('audit.none-found')}</Empty> : <Empty icon={ScrollText}>{say('audit.empty')}</Empty>
}
