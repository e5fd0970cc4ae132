import { Download, Gauge } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { SessionId } from '../../../shared/domain/ids'
import { usagePeriods, type UsageView as Page } from '../../../shared/ipc/usageViews'
import { Button } from '../../ui/Button'
import { costText, shownCosts } from '../../../shared/words/costText'
import { Exact } from '../../ui/Exact'
import { Segmented } from '../../ui/fields'
import { Empty, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { UsageChart } from './UsageChart'
import { closeUsage, exportUsage, openUsage, read, showUsage, useUsage } from './usageStore'
import { UsageTable } from './UsageTable'
import { cachedShare, shortNumber, tokensOf } from './usageWords'

export interface UsageViewProps {
  /** The session on screen. */
  readonly sessionId: SessionId | null
  /** The name of the opened project; null without one. */
  readonly project: string | null
  readonly onSession: (sessionId: SessionId) => void
}

/** What models were used for and what it cost (R93). */
export function UsageView({ sessionId, project, onSession }: UsageViewProps) {
  const say = useWords()
  const { view, hasFailed, notice } = useUsage()
  useEffect(() => {
    openUsage(sessionId)
    return closeUsage
  }, [sessionId])
  return (
    <section className="page usagepage" aria-label={say('usage.title')} data-zone="usage" tabIndex={-1}>
      <Head sessionId={sessionId} hasProject={project !== null} />
      {notice && <div className="usagepad"><Note tone={notice.tone} role={notice.tone === 'bad' ? 'alert' : 'status'}><Exact text={say.fact(notice.say)} className="wrap-any" /></Note></div>}
      <Body view={view} hasFailed={hasFailed} project={project} onSession={onSession} />
    </section>
  )
}

function Head({ sessionId, hasProject }: { readonly sessionId: SessionId | null; readonly hasProject: boolean }) {
  const say = useWords()
  const { period, isThisProject, isExporting } = useUsage()
  return (
    <div className="phead">
      <div className="grow"><h1>{say('usage.title')}</h1><p>{say('usage.about')}</p></div>
      {hasProject && period !== 'session' && <button type="button" className="chip" aria-pressed={isThisProject} onClick={() => showUsage({ isThisProject: !isThisProject })}>{say('usage.this-project')}</button>}
      <Segmented label={say('usage.period')} value={period} onChange={(next) => showUsage({ period: next })} options={usagePeriods.map((value) => ({ value, label: say(`usage.period.${value}`), isDisabled: value === 'session' && sessionId === null }))} />
      <Button icon={Download} disabled={isExporting} onClick={() => void exportUsage()}>{say('usage.export')}</Button>
    </div>
  )
}

function Body({ view, hasFailed, project, onSession }: { readonly view: Page | null; readonly hasFailed: boolean; readonly project: string | null; readonly onSession: (sessionId: SessionId) => void }) {
  const say = useWords()
  const isThisProject = useUsage((state) => state.isThisProject)
  if (hasFailed) return <Empty icon={Gauge} action={<Button onClick={() => void read()}>{say('usage.again')}</Button>}>{say('usage.not-read')}</Empty>
  if (view === null) return <div className="grow" aria-busy />
  if (view.total.calls === 0 && view.signatures.person + view.signatures.rule + view.signatures.denied === 0) return <Empty icon={Gauge}>{say('usage.empty')}</Empty>
  return (
    <div className="usagebody">
      <Cards view={view} />
      {view.days.length > 1 && <UsageChart view={view} project={project} isThisProject={isThisProject} />}
      <UsageTable view={view} onSession={onSession} />
    </div>
  )
}

function Cards({ view: { total, signatures, today } }: { readonly view: Page }) {
  const say = useWords()
  const estimated = tokensOf(total) === 0 ? 0 : Math.ceil((total.estimatedTokens / tokensOf(total)) * 100)
  return (
    <div className="usagecards">
      <Card name={say('usage.cost')} value={total.costs.length === 0 ? ['–'] : shownCosts(total.costs).map((cost) => `${total.estimatedTokens > 0 ? '≈ ' : ''}${costText(cost, say.locale)}`)}>
        {total.unpricedCalls > 0 && <div>{say('usage.unpriced', { count: total.unpricedCalls })}</div>}
        {today.map(({ limit, spentMicros }) => <div key={limit.currency}>{say('usage.of-today', { spent: costText({ currency: limit.currency, micros: spentMicros }, say.locale), limit: costText(limit, say.locale) })}</div>)}
      </Card>
      <Card name={say('usage.tokens')} value={[`${total.estimatedTokens > 0 ? '≈ ' : ''}${shortNumber(tokensOf(total), say)}`]}>
        {say(estimated > 0 ? 'usage.in-out-estimated' : 'usage.in-out', { input: shortNumber(total.inputTokens, say), output: shortNumber(total.outputTokens, say), percent: estimated })}
      </Card>
      <Card name={say('usage.from-cache')} value={[`${cachedShare(total)}%`]}>{say('usage.of-input', { cached: shortNumber(total.cachedTokens, say), input: shortNumber(total.inputTokens, say) })}</Card>
      <Card name={say('usage.signatures')} value={[signatures.person.toLocaleString(say.locale)]}>
        {[...(signatures.medianMs === null ? [] : [say('usage.median', { seconds: Math.round(signatures.medianMs / 1000) })]), say('usage.by-rule', { count: signatures.rule }), say('usage.denied', { count: signatures.denied })].map((line) => <span key={line}>{line}</span>)}
      </Card>
    </div>
  )
}

function Card({ name, value, children }: { readonly name: string; readonly value: readonly string[]; readonly children: ReactNode }) {
  return <div className="card"><div className="small dim">{name}</div>{value.map((line) => <div key={line} className="big">{line}</div>)}<div className="small faint cardnote">{children}</div></div>
}
