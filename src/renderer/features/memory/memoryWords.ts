import { Ban, Check, Copy, Globe, Minus, type LucideIcon } from 'lucide-react'
import type { Memory, MemoryFate, MemoryScore, MemorySource } from '../../../shared/domain/memory'
import { webKind } from '../../../shared/domain/sourceName'
import type { TaintSource } from '../../../shared/domain/tool'
import type { SayCode } from '../../../shared/words/codes'
import type { Speaker } from '../../ui/words'

/** How an entry came to be, in words. */
export function sourceWords(source: MemorySource, say: Speaker): string {
  switch (source.kind) {
    case 'person': return say(`memory.from.${source.by}`)
    case 'agent': return say('memory.from.agent')
    case 'outside': return outsideWords(source.source, say)
  }
}

function outsideWords(source: TaintSource, say: Speaker): string {
  switch (source.kind) {
    case 'web': return say(`memory.from.${webKind(source)}`)
    case 'mcp': return say('memory.from.mcp', { server: source.server })
    case 'file': return say('memory.from.file')
  }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long ago something was, in its largest whole unit. */
export function ageWords(atMs: number, nowMs: number, say: Speaker): string {
  const ms = Math.max(0, nowMs - atMs)
  if (ms < minuteMs) return say('memory.age.now')
  if (ms < hourMs) return say('memory.age.minutes', { count: Math.floor(ms / minuteMs) })
  if (ms < dayMs) return say('memory.age.hours', { count: Math.floor(ms / hourMs) })
  return say('memory.age.days', { count: Math.floor(ms / dayMs) })
}

/** Cut, never rounded up: 0.199 must not read as the 0.20 from which an entry is injected. */
export function share(value: number): string {
  return (Math.floor(value * 100 + 1e-9) / 100).toFixed(2)
}

/** What a score is made of, as a sentence. */
export function scoreWords({ match, decay, score }: MemoryScore, { isPinned }: Memory, say: Speaker): string {
  return say('memory.score-parts', { match: share(match), decay: share(decay), score: share(score), why: say(isPinned ? 'memory.decay-pinned' : 'memory.decay') })
}

/** How the fate of an entry looks; its word is always beside. */
export const fateLooks: Readonly<Record<MemoryFate, { readonly icon: LucideIcon; readonly tone: string; readonly code: SayCode }>> = {
  injected: { icon: Check, tone: 't-ok', code: 'memory.fate.injected' },
  below: { icon: Minus, tone: 'faint', code: 'memory.fate.below' },
  outside: { icon: Globe, tone: 't-warn', code: 'memory.fate.outside' },
  budget: { icon: Ban, tone: 't-warn', code: 'memory.fate.budget' },
  duplicate: { icon: Copy, tone: 'faint', code: 'memory.fate.duplicate' },
}
