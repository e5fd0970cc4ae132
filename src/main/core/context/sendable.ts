import { parseArguments } from '../stream/parseArguments'

/**
 * Arguments text that every provider accepts back: the text itself when it is a JSON object, what was read from it when it
 * was repaired (R7), `{}` when it cannot be read. The record keeps the original (R91).
 */
export function sendableArguments(argumentsText: string): string {
  const parsed = parseArguments(argumentsText)
  if (!parsed.ok) return '{}'
  return parsed.value.repair === null && argumentsText.trim().startsWith('{') ? argumentsText : JSON.stringify(parsed.value.args)
}

/** The name under which a call without one is sent back; no tool has it. */
export const namelessTool = 'unknown_tool'
