import type { AgentEvent } from './event'
import type { ModelChoice } from './model'

/** The model that the person chose for a session; null: it follows the one for new sessions. */
export function pickedModel(events: readonly AgentEvent[]): ModelChoice | null {
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at]
    if (event?.type === 'model-changed') return event.choice
  }
  return null
}

/** The model of a turn's next request: the one it began with, or what the person chose since (R91). */
export function modelOfTurn(events: readonly AgentEvent[], { turnId, choice }: { readonly turnId: string; readonly choice: ModelChoice }): ModelChoice {
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at]
    if (event?.type === 'model-changed') return event.choice
    if (event?.type === 'turn-started' && event.turnId === turnId) return choice
  }
  return choice
}
