import type { McpOrigin } from '../../../shared/domain/mcp'
import { said } from '../../../shared/domain/result'
import type { ToolContent, ToolOutput } from '../../../shared/domain/tool'
import type { McpCallResult, McpPart } from '../ports/mcpConnections'

/** Where what is too large for the model is kept; both give a name in the outputs store. `keepText` gets text that its caller redacts. */
export interface ResultPorts {
  keep(bytes: Uint8Array): Promise<string>
  keepText(text: string): Promise<string>
}

/** How much of a result the model is given. */
export interface ResultLimits {
  /** Characters of text, head and tail together. */
  readonly characters: number
  /** Parts of one result; the rest is counted, not shown. */
  readonly parts: number
}

/** About 8,000 tokens of English: a page of results, not the window. */
export const resultLimits: ResultLimits = { characters: 30_000, parts: 200 }

/** What parts of a server's answer come to for the model: `body` is framed as data from outside; `outputRef` names the whole text where `body` was cut. */
export interface PartsText {
  readonly body: string
  readonly content: readonly ToolContent[]
  readonly outputRef: string | null
  readonly isEmpty: boolean
}

/** The text of parts (R49, R50), framed, cut to head and tail. Bytes are kept and listed in `content`. */
export async function textOfParts(parts: readonly McpPart[], server: string, ports: ResultPorts, limits: ResultLimits = resultLimits): Promise<PartsText> {
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : part.kind === 'resource' && part.text !== null ? [part.text] : [])).join('\n')
  const outputRef = text.length > limits.characters ? await ports.keepText(text) : null
  return { body: text.slice(0, limits.characters), content: [], outputRef, isEmpty: parts.length === 0 }
}

/** What a call of a server's tool comes to: sentence, framed text, kept content (R49). */
export async function outputOfCall(result: McpCallResult, origin: McpOrigin, ports: ResultPorts, limits: ResultLimits = resultLimits): Promise<ToolOutput> {
  const { body, content, outputRef } = await textOfParts(result.parts, origin.server, ports, limits)
  return {
    status: result.isError ? 'failed' : 'ok',
    say: said(result.isError ? 'mcp.call-failed' : 'mcp.call-done', { server: origin.server, tool: origin.tool }),
    body,
    ...(outputRef === null ? {} : { outputRef }),
    content,
    taint: { kind: 'mcp', server: origin.server },
  }
}
