import type { McpToolDefinition } from '../../../shared/domain/mcp'
import type { McpListedPrompt, McpListedResource } from '../../core/ports/mcpConnections'
import { isObject, listOf, textOf, type Json } from './messages'

/** Longer than any name that a person or a model could use. */
const longestName = 1000

/**
 * One tool of a list. An odd one is kept as far as it can be used: without a schema it takes any object.
 * @returns null where there is no usable name, and for one that runs as a task alone, which this app does not offer
 */
export function toolOf(value: unknown): McpToolDefinition | null {
  if (!isObject(value) || !hasName(value)) return null
  if (isObject(value['execution']) && value['execution']['taskSupport'] === 'required') return null
  const { title, description, inputSchema, outputSchema, annotations } = value
  return {
    name: textOf(value['name']),
    ...(typeof title === 'string' ? { title } : {}),
    description: textOf(description),
    inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object', properties: {} },
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
  }
}

/** One resource of a list; null without an address. */
export function resourceOf(value: unknown): McpListedResource | null {
  return isObject(value) ? listed(value, 'uri') : null
}

/** One template of a list; its address is the template. */
export function templateOf(value: unknown): McpListedResource | null {
  return isObject(value) ? listed(value, 'uriTemplate') : null
}

function listed(value: Json, key: 'uri' | 'uriTemplate'): McpListedResource | null {
  const uri = textOf(value[key])
  if (uri === '') return null
  return { uri, name: textOf(value['name']), title: textOf(value['title']), description: textOf(value['description']), mimeType: textOf(value['mimeType']) || null }
}

/** One prompt of a list; null where there is no usable name. */
export function promptOf(value: unknown): McpListedPrompt | null {
  if (!isObject(value) || !hasName(value)) return null
  const args = listOf(value['arguments']).flatMap((one) => (isObject(one) && hasName(one) ? [{ name: textOf(one['name']), description: textOf(one['description']), isRequired: one['required'] === true }] : []))
  return { name: textOf(value['name']), title: textOf(value['title']), description: textOf(value['description']), args }
}

function hasName({ name }: Json): boolean {
  return typeof name === 'string' && name !== '' && name.length <= longestName
}
