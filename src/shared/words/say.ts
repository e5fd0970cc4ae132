import type { Said, Values } from '../domain/result'
import { en } from './en'
import { zhCN } from './zh-CN'

export const locales = ['en', 'zh-CN'] as const
export type Locale = (typeof locales)[number]

const sentences = { en, 'zh-CN': zhCN } as const
const listJoin = { en: ', ', 'zh-CN': '、' } as const

/**
 * The one function that turns a code and its values into words, shared by the window, the headless host and tool results.
 * A value that the sentence names and the fact lacks stays visible as `{name}`.
 */
export function say(locale: Locale, fact: Said): string {
  return sentences[locale][fact.code].replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = fact.values[name]
    if (value === undefined) return whole
    if (one !== undefined && many !== undefined) return value === 1 ? one : many
    return valueText(locale, value)
  })
}

function valueText(locale: Locale, value: Values[string]): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return value.toLocaleString(locale)
  if (typeof value === 'boolean') return String(value)
  return 'code' in value ? say(locale, value) : value.join(listJoin[locale])
}
