import type { AttachedFile } from '../../../shared/domain/event'
import type { ModelMessage, ToolSpec } from '../../../shared/domain/model'
import type { PromptPartCost, PromptPartName } from '../../../shared/domain/promptPart'
import { withAttachments } from './attachments'
import { estimateTokens } from './estimate'
import { messageTokens, specTokens, tokensOf } from './messageTokens'
import { pictured } from './pictures'
import { promptTexts, type PromptParts } from './prompt'

/** The order in which parts are sent (R23). */
const order: readonly PromptPartName[] = ['base', 'mode', 'safety', 'tools', 'session', 'project', 'skills', 'memory', 'history', 'draft']

/** What the next request would hold. `messages` are those behind the system prompt, `draft` is the message that follows them with the `files` that go along, `skills` how many the index names. */
export interface NextRequest {
  readonly prompt: PromptParts
  readonly tools: readonly ToolSpec[]
  readonly skills: number
  readonly messages: readonly ModelMessage[]
  readonly draft: string
  readonly files: readonly AttachedFile[]
}

/** What each part of a request costs, in the order it is sent; every part is there, also at nothing. Estimated (R31), linear in what is new. */
export function promptCosts({ prompt, tools, skills, messages, draft, files }: NextRequest): readonly PromptPartCost[] {
  const texts = new Map(promptTexts(prompt).map(({ part, text }) => [part as PromptPartName, estimateTokens(text)]))
  texts.set('tools', tools.reduce((sum, tool) => sum + specTokens(tool), 0))
  texts.set('history', tokensOf(messages))
  texts.set('draft', messageTokens({ role: 'user', ...pictured(withAttachments(draft.trim(), [], files), files.flatMap(({ content }) => content)) }))
  const counts: Partial<Record<PromptPartName, number>> = { tools: tools.length, project: prompt.project.length, skills, memory: prompt.memories.length, history: messages.length }
  return order.map((part) => ({ part, tokens: texts.get(part) ?? 0, count: counts[part] ?? null }))
}
