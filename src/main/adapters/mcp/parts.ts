import type { McpCallResult, McpPart } from '../../core/ports/mcpConnections'
import { isObject, listOf, textOf, type Json } from './messages'

/** A tool's answer in neutral form; nothing of it is lost because it does not fit a schema. */
export function callResultOf(result: Json): McpCallResult {
  const { content, structuredContent, isError, toolResult } = result
  // The form of protocol 2024-10-07.
  const old = content === undefined && toolResult !== undefined ? [textPart(toolResult)] : []
  // The specification wants an object here; a list or a number says as much.
  const bare = structuredContent === undefined || structuredContent === null || isObject(structuredContent) ? [] : [textPart(structuredContent)]
  return { isError: isError === true, parts: [...blocksOf(content).map(partOf), ...old, ...bare], structured: isObject(structuredContent) ? structuredContent : null }
}

/** Content is a list of blocks; some servers send one block, or a text. */
function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return isObject(content) ? [content] : listOf(content)
}

function textPart(value: unknown): McpPart {
  return { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** What `resources/read` gave. */
export function contentsOf(result: Json): readonly McpPart[] {
  return listOf(result['contents']).map((one) => (isObject(one) ? resourceOf(one) : unknownPart(one)))
}

/** The messages of a prompt; one with several parts becomes several. */
export function promptMessagesOf(result: Json): readonly { readonly role: 'user' | 'assistant'; readonly part: McpPart }[] {
  return listOf(result['messages']).flatMap((message) => {
    if (!isObject(message)) return []
    const role = message['role'] === 'assistant' ? ('assistant' as const) : ('user' as const)
    return blocksOf(message['content']).map((part) => ({ role, part: partOf(part) }))
  })
}

/** One content block of the protocol. A block that lacks what its kind needs is as good as unknown. */
export function partOf(block: unknown): McpPart {
  if (!isObject(block)) return unknownPart(block)
  const { type, text, data, resource, uri } = block
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text }
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return { kind: type, mimeType: textOf(block['mimeType']) || 'application/octet-stream', bytes: bytesOf(data) }
  if (type === 'resource' && isObject(resource)) return resourceOf(resource)
  if (type === 'resource_link' && typeof uri === 'string') {
    return { kind: 'link', uri, name: textOf(block['name']), title: textOf(block['title']), description: textOf(block['description']), mimeType: textOf(block['mimeType']) || null }
  }
  return unknownPart(block)
}

function resourceOf(resource: Json): McpPart {
  const { uri, mimeType, text, blob } = resource
  return { kind: 'resource', uri: textOf(uri), mimeType: textOf(mimeType) || null, text: typeof text === 'string' ? text : null, bytes: typeof blob === 'string' ? bytesOf(blob) : null }
}

function unknownPart(block: unknown): McpPart {
  return { kind: 'unknown', type: isObject(block) ? textOf(block['type']).slice(0, 100) : '' }
}

function bytesOf(base64: string): Uint8Array {
  // Plain bytes and not a Buffer: a small one would keep a larger block alive, and others compare them by value.
  return Uint8Array.from(Buffer.from(base64, 'base64'))
}
