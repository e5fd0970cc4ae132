import { amountText, type Cost } from '../domain/budget'
import type { Locale } from './say'

/** An amount with its currency: the code in English, the name in Chinese, where a code is no word. */
export function costText({ currency, micros }: Cost, locale: Locale): string {
  return `${amountText(micros)} ${currencyName(currency, locale)}`
}

/** The amounts that say something: none of a currency is left out beside some of another. */
export function shownCosts(costs: readonly Cost[]): readonly Cost[] {
  const some = costs.filter(({ micros }) => micros > 0)
  return some.length > 0 ? some : costs.slice(0, 1)
}

/** Several currencies side by side; they are never added. */
export function costsText(costs: readonly Cost[], locale: Locale): string {
  return shownCosts(costs).map((cost) => costText(cost, locale)).join(' + ')
}

/** How a currency is called beside an amount. */
export function currencyName(currency: string, locale: Locale): string {
  if (locale === 'en') return currency
  try {
    return new Intl.DisplayNames(locale, { type: 'currency' }).of(currency) ?? currency
  } catch {
    return currency // three letters that are no currency
  }
}
