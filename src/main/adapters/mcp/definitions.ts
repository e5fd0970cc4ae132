import type { McpToolDefinition } from '../../../shared/domain/mcp'
import type { McpListedPrompt, McpListedResource } from '../../core/ports/mcpConnections'
import { cutTo, mostOf, sizeOf } from './bounds'
import { isObject, listOf, textOf, type Json } from './messages'

/** More than any form that a person could fill in. */
const mostArguments = 100

/**
 * One tool of a list. An odd one is kept as far as it can be used: without a schema it takes any object, and so does one whose
 * schemas are larger than what is looked at. Words that are too long are cut. What was left out is used nowhere.
 * @returns null where there is no usable name, and for one that runs as a task alone, which this app does not offer
 */
export function toolOf(value: unknown): McpToolDefinition | null {
  if (!isObject(value) || !hasName(value)) return null
  if (isObject(value['execution']) && value['execution']['taskSupport'] === 'required') return null
  const { title, description, inputSchema, outputSchema, annotations } = value
  const isTooLarge = sizeOf([inputSchema, outputSchema, annotations]) === null
  const isTooLong = textOf(title).length > mostOf.name || textOf(description).length > mostOf.description
  return {
    name: textOf(value['name']),
    ...(typeof title === 'string' ? { title: cutTo(title, mostOf.name) } : {}),
    description: cutTo(textOf(description), mostOf.description),
    inputSchema: isObject(inputSchema) && !isTooLarge ? inputSchema : { type: 'object', properties: {} },
    ...(isObject(outputSchema) && !isTooLarge ? { outputSchema } : {}),
    ...(isObject(annotations) && !isTooLarge ? { annotations } : {}),
    ...(isTooLarge || isTooLong ? { isCut: true as const } : {}),
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
  // An address that is cut is another one.
  if (uri === '' || uri.length > mostOf.address) return null
  const words = (field: string, most: number): string => cutTo(textOf(value[field]), most)
  return { uri, name: words('name', mostOf.name), title: words('title', mostOf.name), description: words('description', mostOf.name), mimeType: words('mimeType', mostOf.name) || null }
}

/** One prompt of a list; null where there is no usable name. */
export function promptOf(value: unknown): McpListedPrompt | null {
  if (!isObject(value) || !hasName(value)) return null
  const given = listOf(value['arguments'])
  if (given.length > mostArguments) return null
  const args = given.flatMap((one) => (isObject(one) && hasName(one) ? [{ name: textOf(one['name']), description: cutTo(textOf(one['description']), mostOf.name), isRequired: one['required'] === true }] : []))
  return { name: textOf(value['name']), title: cutTo(textOf(value['title']), mostOf.name), description: cutTo(textOf(value['description']), mostOf.name), args }
}

function hasName({ name }: Json): boolean {
  return typeof name === 'string' && name !== '' && name.length <= mostOf.name
}
