import type { Speaker } from '../../ui/words'

/** The time of a moment of today; with its day, of another. */
export function whenText(atMs: number, say: Speaker, nowMs = Date.now()): string {
  return timeWith(atMs, say, nowMs, false)
}

/** The same to the second. */
export function exactTime(atMs: number, say: Speaker, nowMs = Date.now()): string {
  return timeWith(atMs, say, nowMs, true)
}

/** Making one takes longer than using it, and a list of moments uses thousands. */
const formats = new Map<string, Intl.DateTimeFormat>()

function timeWith(atMs: number, { locale }: Speaker, nowMs: number, hasSeconds: boolean): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString()
  const key = `${locale} ${isToday} ${hasSeconds}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...(isToday ? {} : { month: 'short', day: 'numeric' }), hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...(hasSeconds ? { second: '2-digit' } : {}) })
  formats.set(key, format)
  return format.format(atMs)
}
