import type { Compaction } from '../../../shared/domain/compaction'
import type { ModelMessage } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import { say } from '../../../shared/words/say'
import { framedSummary } from '../mcp/frame'

/**
 * What stands for the old turns. The summary is framed as data: a model wrote it of a conversation that may hold text from
 * outside, and the person's own words are the ones that count. Skills stand in it by name alone (R58).
 */
export function summaryMessage({ summary, summarisedMessages, pinned }: Pick<Compaction, 'summary' | 'summarisedMessages' | 'pinned'>, skills: readonly string[]): ModelMessage {
  const lines = [say('en', said('model.summary', { messages: summarisedMessages })), framedSummary(summary)]
  if (skills.length > 0) lines.push(say('en', said('model.summary-skills', { skills: skills.map((name) => JSON.stringify(name)).join(', ') })))
  if (pinned.length > 0) lines.push(say('en', said('model.summary-pinned')))
  return { role: 'user', text: lines.join('\n\n') }
}
