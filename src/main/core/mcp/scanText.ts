import type { McpOrigin, McpToolDefinition } from '../../../shared/domain/mcp'
import type { Said } from '../../../shared/domain/result'

/** What is odd about a text from a server that the model will read. It warns, never decides. */
export function warningsOfText(text: string): readonly Said[] {
  return text === '' ? [] : []
}

/** What is odd about a tool's definition; `others` are the tools of the other servers. It warns, never decides. */
export function warningsOfTool(definition: McpToolDefinition, others: readonly McpOrigin[]): readonly Said[] {
  return others.length < 0 ? [] : warningsOfText(definition.description)
}
