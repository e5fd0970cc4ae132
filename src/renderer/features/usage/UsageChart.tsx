import { useRef } from 'react'
import { amountText } from '../../../shared/domain/budget'
import type { UsageView } from '../../../shared/ipc/usageViews'
import { Segmented } from '../../ui/fields'
import { costText, shownCosts } from '../../../shared/words/costText'
import { useWidth } from '../../ui/useWidth'
import { useWords, type Speaker } from '../../ui/words'
import { drawCurrency, useUsage } from './usageStore'
import { axisOf, barsOf, shortNumber, usualCurrency, type Bar } from './usageWords'

const height = 222
const left = 60
const base = 190
const top = 18

/** Cost by day, the opened project solid and the others hatched, so that colour alone says nothing. Tokens where nothing has a price. */
export function UsageChart({ view, project, isThisProject }: { readonly view: UsageView; readonly project: string | null; readonly isThisProject: boolean }) {
  const say = useWords()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 1240)
  const chosen = useUsage((state) => state.currency)
  const currencies = shownCosts(view.total.costs).map(({ currency }) => currency)
  const currency = chosen !== null && currencies.includes(chosen) ? chosen : usualCurrency(view.days)
  const { bars, isByMonth } = barsOf(view.days, currency, say)
  const hasElsewhere = !isThisProject && bars.some((bar) => bar.elsewhere > 0)
  const title = say(currency === null ? (isByMonth ? 'usage.tokens-by-month' : 'usage.tokens-by-day') : isByMonth ? 'usage.cost-by-month' : 'usage.cost-by-day')
  return (
    <section className="card usagechart" aria-label={title}>
      <div className="row">
        <h2 className="strong">{title}</h2>
        <span className="end row small dim legend">
          {currencies.length > 1 && currency !== null && <Segmented label={say('usage.currency')} value={currency} onChange={drawCurrency} options={currencies.map((value) => ({ value, label: value }))} />}
          {project !== null && <span className="row"><svg width="12" height="12" aria-hidden><rect className="barhere" width="12" height="12" rx="2" /></svg>{project}</span>}
          {(hasElsewhere || (project === null && !isThisProject)) && <span className="row"><svg width="12" height="12" aria-hidden><rect className="barelse" x=".5" y=".5" width="11" height="11" rx="2" /></svg>{say(project === null ? 'usage.all-projects' : 'usage.other-projects')}</span>}
        </span>
      </div>
      <div ref={box}><Bars bars={bars} width={width} currency={currency} title={title} say={say} /></div>
    </section>
  )
}

function Bars({ bars, width, currency, title, say }: { readonly bars: readonly Bar[]; readonly width: number; readonly currency: string | null; readonly title: string; readonly say: Speaker }) {
  const most = Math.max(0, ...bars.map((bar) => bar.here + bar.elsewhere))
  const axis = axisOf(most)
  const full = axis.at(-1) ?? 1
  const y = (value: number): number => base - (value / full) * (base - top)
  const step = (width - left - 16) / Math.max(bars.length, 1)
  const bar = Math.min(38, step * 0.6)
  const figure = (value: number): string => (currency === null ? shortNumber(value, say) : amountText(value))
  const whole = (value: number): string => (currency === null ? say('budget.amount-tokens', { tokens: value }) : costText({ currency, micros: value }, say.locale))
  // Every label where there is room, else every second, third and so on.
  const every = Math.ceil(44 / step)
  const parts = bars.filter((one) => one.here + one.elsewhere > 0).map((one) => `${one.title}: ${whole(one.here + one.elsewhere)}`)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={`${title}. ${parts.join('. ')}`}>
      <defs><pattern id="usagestripe" width="5" height="5" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><rect className="stripewash" width="5" height="5" /><rect className="stripe" width="2" height="5" /></pattern></defs>
      {axis.map((value) => <g key={value}><path className="grid" d={`M${left} ${y(value)}H${width - 16}`} /><text x={left - 10} y={y(value) + 4} textAnchor="end">{figure(value)}</text></g>)}
      {bars.map((one, at) => {
        const x = left + at * step + (step - bar) / 2
        const split = y(one.here)
        return (
          <g key={one.key}>
            <title>{`${one.title}: ${whole(one.here + one.elsewhere)}`}</title>
            <rect x={left + at * step} y={top} width={step} height={base - top} fill="transparent" />
            {one.here > 0 && <rect className="barhere" x={x} y={split} width={bar} height={base - split} rx="2" />}
            {one.elsewhere > 0 && <rect className="barelse" x={x + 0.5} y={y(one.here + one.elsewhere)} width={Math.max(bar - 1, 1)} height={Math.max(split - y(one.here + one.elsewhere) - (one.here > 0 ? 2 : 0), 1)} rx="2" />}
            {at % every === 0 && <text x={x + bar / 2} y={height - 10} textAnchor="middle">{one.label}</text>}
          </g>
        )
      })}
    </svg>
  )
}
