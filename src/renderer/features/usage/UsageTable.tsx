import type { ReactNode } from 'react'
import { addCosts } from '../../../shared/domain/budget'
import type { UsageSum, UsageView } from '../../../shared/ipc/usageViews'
import { Exact } from '../../ui/Exact'
import { Meter } from '../../ui/Meter'
import { Segmented } from '../../ui/fields'
import { useWords, type Speaker } from '../../ui/words'
import { listUsage, useUsage, type UsageList } from './usageStore'
import { cachedShare, modelTime, sumCost, tokensText } from './usageWords'

interface Row {
  readonly key: string
  readonly name: ReactNode
  readonly about: ReactNode
  readonly sum: UsageSum
}

const lists = ['sessions', 'models', 'days'] as const satisfies readonly UsageList[]

/** The same sums by session, by model or by day. */
export function UsageTable({ view, onSession }: { readonly view: UsageView; readonly onSession: (sessionId: UsageView['sessions'][number]['sessionId']) => void }) {
  const say = useWords()
  const list = useUsage((state) => state.list)
  const rows = rowsOf(view, list, onSession, say)
  return (
    <section className="usagelist" aria-label={say('usage.list')}>
      <div className="row"><Segmented label={say('usage.list')} value={list} onChange={listUsage} options={lists.map((value) => ({ value, label: say(`usage.list.${value}`) }))} /></div>
      <div className="card usagecard">
        <table className="usagetable">
          <thead><tr><th>{say(`usage.one.${list}`)}</th><th className="c-about">{say(list === 'models' ? 'usage.provider' : list === 'sessions' ? 'usage.model' : 'usage.share-here')}</th><th className="num c-calls">{say('usage.calls')}</th><th className="num c-tokens">{say('usage.tokens')}</th><th className="c-cache">{say('usage.cache')}</th><th className="num c-time">{say('usage.model-time')}</th><th className="num c-cost">{say('usage.cost')}</th></tr></thead>
          <tbody>
            {rows.map(({ key, name, about, sum }) => (
              <tr key={key}>
                <td className="med cut">{name}</td>
                <td className="cut">{about}</td>
                <td className="num">{sum.calls.toLocaleString(say.locale)}</td>
                <td className="num">{tokensText(sum, say)}</td>
                <td><span className="row small"><Meter value={cachedShare(sum)} of={100} />{cachedShare(sum)}%</span></td>
                <td className="num">{modelTime(sum.durationMs, say)}</td>
                <td className="num med" title={sum.unpricedCalls > 0 ? say('usage.unpriced', { count: sum.unpricedCalls }) : undefined}>{sumCost(sum, say)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {list === 'sessions' && view.sessionCount > view.sessions.length && <p className="small dim">{say('usage.more-sessions', { count: view.sessionCount - view.sessions.length })}</p>}
    </section>
  )
}

function rowsOf(view: UsageView, list: UsageList, onSession: (sessionId: UsageView['sessions'][number]['sessionId']) => void, say: Speaker): readonly Row[] {
  const day = new Intl.DateTimeFormat(say.locale, { year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' })
  switch (list) {
    case 'sessions': return view.sessions.map((one) => {
      const title = <Exact text={one.title === '' ? say('session.untitled') : one.title} />
      return { key: one.sessionId, name: one.isHere ? <button type="button" className="wayto cut" onClick={() => onSession(one.sessionId)}>{title}</button> : <>{title} <span className="small faint">{say('usage.elsewhere')}</span></>, about: <Exact text={one.models.join(', ')} className="mono" />, sum: one }
    })
    case 'models': return view.models.map((one) => ({ key: `${one.choice.provider}/${one.choice.model}`, name: <Exact text={one.choice.model} className="mono" />, about: <Exact text={one.choice.provider} />, sum: one }))
    case 'days': return [...view.days].reverse().flatMap(({ startMs, here, elsewhere }) => {
      const calls = here.calls + elsewhere.calls
      return calls === 0 ? [] : [{ key: String(startMs), name: day.format(startMs), about: `${Math.round((here.calls / calls) * 100)}%`, sum: together(here, elsewhere) }]
    })
  }
}

function together(a: UsageSum, b: UsageSum): UsageSum {
  return { calls: a.calls + b.calls, inputTokens: a.inputTokens + b.inputTokens, cachedTokens: a.cachedTokens + b.cachedTokens, outputTokens: a.outputTokens + b.outputTokens, estimatedTokens: a.estimatedTokens + b.estimatedTokens, durationMs: a.durationMs + b.durationMs, unpricedCalls: a.unpricedCalls + b.unpricedCalls, costs: addCosts(a.costs, b.costs) }
}
