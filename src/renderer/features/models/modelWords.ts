import type { ModelChoice, ModelFacts } from '../../../shared/domain/model'
import { currencyName } from '../../../shared/words/costText'
import type { Speaker } from '../../ui/words'

/** What models do besides answering in conversations; null where none does. */
export interface UsedFor {
  readonly summary: ModelChoice | null
  readonly rewrite: ModelChoice | null
  readonly rerank: ModelChoice | null
}

const roles = ['summary', 'rewrite', 'rerank'] as const

/** The roles that a model has. */
export function rolesOf({ provider, model }: ModelChoice, usedFor: UsedFor, say: Speaker): readonly string[] {
  return roles.filter((role) => usedFor[role]?.provider === provider && usedFor[role].model === model).map((role) => say(`provider.role.${role}`))
}

/** An amount for a million tokens, with its currency. */
export function priceText(amount: number, currency: string, say: Speaker): string {
  return `${new Intl.NumberFormat(say.locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(amount)} ${currencyName(currency, say.locale)}`
}

/** A day and its time. */
export function whenText(atMs: number, say: Speaker): string {
  return new Intl.DateTimeFormat(say.locale, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hour12: false }).format(atMs)
}

const abilities = [{ fact: 'callsTools', word: 'provider.can.tools' }, { fact: 'seesImages', word: 'provider.can.images' }, { fact: 'thinks', word: 'provider.can.thinking' }] as const

/** What a model can do, and of what nobody says whether it can. */
export function abilitiesOf(facts: ModelFacts, say: Speaker): { readonly can: readonly string[]; readonly unknown: string | null } {
  const words = (value: true | null): readonly string[] => abilities.filter(({ fact }) => facts[fact] === value).map(({ word }) => say(word))
  const unknown = words(null)
  return { can: words(true), unknown: unknown.length === 0 ? null : say('provider.can.unknown', { names: unknown.reduce((first, second) => say('provider.can.and', { first, second })) }) }
}
