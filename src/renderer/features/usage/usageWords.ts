import type { Cost } from '../../../shared/domain/budget'
import type { UsageDay, UsageSum } from '../../../shared/ipc/usageViews'
import { costsText } from '../../../shared/words/costText'
import type { Speaker } from '../../ui/words'

/** All tokens of a sum. */
export function tokensOf({ inputTokens, outputTokens }: Pick<UsageSum, 'inputTokens' | 'outputTokens'>): number {
  return inputTokens + outputTokens
}

/** A long number in a few figures: 9.31 M, 931 万. */
export function shortNumber(value: number, say: Speaker): string {
  return new Intl.NumberFormat(say.locale, { notation: 'compact', maximumFractionDigits: 2 }).format(value)
}

/** Tokens in figures; ≈ where any of them was counted here. */
export function tokensText(sum: UsageSum, say: Speaker): string {
  return `${sum.estimatedTokens > 0 ? '≈ ' : ''}${tokensOf(sum).toLocaleString(say.locale)}`
}

/** The cost of a sum; a dash where nobody says a price, and a plus where some of its calls have none. */
export function sumCost(sum: UsageSum, say: Speaker): string {
  if (sum.costs.length === 0) return sum.calls === 0 ? '' : '–'
  return `${sum.estimatedTokens > 0 ? '≈ ' : ''}${costsText(sum.costs, say.locale)}${sum.unpricedCalls > 0 ? ' +' : ''}`
}

/** Of the input, what came from the cache, in per cent. */
export function cachedShare({ inputTokens, cachedTokens }: UsageSum): number {
  return inputTokens === 0 ? 0 : Math.round((cachedTokens / inputTokens) * 100)
}

/** The time that models took. */
export function modelTime(ms: number, say: Speaker): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes >= 120) return say('usage.hours', { hours: Math.round(minutes / 60) })
  return minutes >= 2 ? say('usage.minutes', { minutes }) : say('usage.seconds', { seconds: Math.round(ms / 1000) })
}

/** The currency that most days were paid in; null where none was. */
export function usualCurrency(days: readonly UsageDay[]): string | null {
  const counts = new Map<string, number>()
  for (const { here, elsewhere } of days) for (const currency of new Set([...here.costs, ...elsewhere.costs].map((cost) => cost.currency))) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

/** One bar: its span in words, and its two heights. */
export interface Bar {
  readonly key: number
  readonly label: string
  readonly title: string
  readonly here: number
  readonly elsewhere: number
}

/** More days than this are drawn by month. */
const mostDays = 62

/** The bars of a chart: by day, or by month where there are too many days; amounts of `currency`, or tokens where it is null. */
export function barsOf(days: readonly UsageDay[], currency: string | null, say: Speaker): { readonly bars: readonly Bar[]; readonly isByMonth: boolean } {
  const isByMonth = days.length > mostDays
  const day = new Intl.DateTimeFormat(say.locale, { day: 'numeric' })
  const short = new Intl.DateTimeFormat(say.locale, isByMonth ? { month: 'short' } : { month: 'short', day: 'numeric' })
  const long = new Intl.DateTimeFormat(say.locale, isByMonth ? { year: 'numeric', month: 'long' } : { year: 'numeric', month: 'long', day: 'numeric' })
  const bars: Bar[] = []
  for (const one of days) {
    const at = new Date(one.startMs)
    const here = valueOf(one.here, currency)
    const elsewhere = valueOf(one.elsewhere, currency)
    const last = bars.at(-1)
    if (isByMonth && last && new Date(last.key).getMonth() === at.getMonth()) bars[bars.length - 1] = { ...last, here: last.here + here, elsewhere: last.elsewhere + elsewhere }
    else bars.push({ key: one.startMs, label: isByMonth || at.getDate() === 1 || bars.length === 0 ? short.format(at) : day.format(at), title: long.format(at), here, elsewhere })
  }
  return { bars, isByMonth }
}

function valueOf(sum: UsageSum, currency: string | null): number {
  return currency === null ? tokensOf(sum) : (sum.costs.find((cost: Cost) => cost.currency === currency)?.micros ?? 0)
}

/** Round steps of an axis up to at least `most`: 1, 2 or 5 times a power of ten, three to five of them. */
export function axisOf(most: number): readonly number[] {
  const rough = Math.max(most, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? rough
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, at) => at * step)
}
