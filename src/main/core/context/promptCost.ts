import type { ModelMessage, ToolSpec } from '../../../shared/domain/model'
import type { PromptPartCost, PromptPartName } from '../../../shared/domain/promptPart'
import { estimateTokens } from './estimate'
import { promptTexts, type PromptParts } from './prompt'

/** The order in which parts are sent (R23). */
const order: readonly PromptPartName[] = ['base', 'mode', 'safety', 'tools', 'session', 'project', 'skills', 'memory', 'history', 'draft']

/** What the next request would hold. `messages` are those behind the system prompt, `draft` is the message that follows them, `skills` how many the index names. */
export interface NextRequest {
  readonly prompt: PromptParts
  readonly tools: readonly ToolSpec[]
  readonly skills: number
  readonly messages: readonly ModelMessage[]
  readonly draft: string
}

/** What each part of a request costs, in the order it is sent; every part is there, also at nothing. Estimated (R31), linear in what is new. */
export function promptCosts({ prompt, tools, skills, messages, draft }: NextRequest): readonly PromptPartCost[] {
  const texts = new Map(promptTexts(prompt).map(({ part, text }) => [part as PromptPartName, estimateTokens(text)]))
  texts.set('tools', tools.reduce((sum, tool) => sum + kept(tool, specText), 0))
  texts.set('history', messages.reduce((sum, message) => sum + kept(message, messageText), 0))
  texts.set('draft', estimateTokens(draft.trim()))
  const counts: Partial<Record<PromptPartName, number>> = { tools: tools.length, project: prompt.project.length, skills, memory: prompt.memories.length, history: messages.length }
  return order.map((part) => ({ part, tokens: texts.get(part) ?? 0, count: counts[part] ?? null }))
}

/** Specs and messages that did not change are the same objects, and cost their length once. */
const known = new WeakMap<object, number>()

function kept<Thing extends object>(thing: Thing, textOf: (thing: Thing) => string): number {
  const before = known.get(thing)
  if (before !== undefined) return before
  const tokens = estimateTokens(textOf(thing))
  known.set(thing, tokens)
  return tokens
}

function specText(spec: ToolSpec): string {
  return JSON.stringify(spec)
}

function messageText(message: ModelMessage): string {
  if (message.role !== 'assistant') return message.text
  return [message.text, message.reasoning ?? '', ...(message.calls ?? []).flatMap((call) => [call.name, call.argumentsText])].join('\n')
}
