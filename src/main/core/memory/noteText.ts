import type { Memory } from '../../../shared/domain/memory'
import { showHidden } from '../mcp/hiddenText'

/**
 * An entry as it stands in the prompt behind its number: scope, day and text. Nothing in it is hidden from a person who reads along,
 * and its further lines are indented so that none can be taken for another entry or a heading.
 */
export function noteText({ text, scope }: Pick<Memory, 'text' | 'scope'>, day: string): string {
  return `(${scope === 'project' ? 'this project' : 'general'}, ${day}) ${showHidden(text).split('\n').join('\n   ')}`
}
