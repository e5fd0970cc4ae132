import type { AuditRow } from '../../../shared/ipc/views'
import type { SealKind } from '../../ui/marks'
import type { Speaker } from '../../ui/words'

/** Who decided, as the seal that stands for it everywhere. */
export function sealOfRow({ by }: Pick<AuditRow, 'by'>, say: Speaker): { readonly kind: SealKind; readonly word: string } | null {
  switch (by.decision) {
    case 'waiting': return { kind: 'waiting', word: say('session.seal.waiting') }
    case 'denied': return { kind: 'refused', word: say(by.actor === 'policy' ? 'session.seal.policy' : 'session.seal.denied') }
    case 'skipped': return { kind: 'refused', word: say('session.seal.skipped') }
    case 'none': return null
    case 'allowed': return allowedBy(by, say)
  }
}

function allowedBy({ actor, ruleId }: AuditRow['by'], say: Speaker): { readonly kind: SealKind; readonly word: string } {
  if (actor === 'person') return { kind: 'signed', word: say('session.seal.signed') }
  if (actor === 'rule' && ruleId !== null && /^\d+$/.test(ruleId)) return { kind: 'rule', word: say('audit.who.rule', { rule: ruleId }) }
  return { kind: 'rule', word: say(`audit.by.${actor}`) }
}

/** 14:09:41 today; with the day before that. */
export function clockText(atMs: number, say: Speaker, nowMs: number): string {
  const time = new Intl.DateTimeFormat(say.locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false }).format(atMs)
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString()
  return isToday ? time : `${new Intl.DateTimeFormat(say.locale, { month: '2-digit', day: '2-digit' }).format(atMs)} ${time}`
}

/** With thousandths, as steps of a call follow each other. */
export function exactClock(atMs: number, say: Speaker): string {
  return new Intl.DateTimeFormat(say.locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hour12: false }).format(atMs)
}

/** A chain value in groups of four, the first half of it: enough to compare by eye. */
export function hashText(hash: string): string {
  return (hash.slice(0, 32).match(/.{4}/g) ?? []).join(' ')
}

/** How a row stands to the break of the chain. */
export function breakOf(entry: number, firstBroken: number | null): 'first' | 'after' | null {
  if (firstBroken === null || entry < firstBroken) return null
  return entry === firstBroken ? 'first' : 'after'
}
