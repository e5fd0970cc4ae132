import type { McpToolDefinition } from '../../../shared/domain/mcp'
import type { SchemaLimits } from '../../../shared/domain/schemaLimits'
import { cleanSchema, type CleanSchema } from './cleanSchema'
import { cleanText, cutText } from './cleanText'

/** A server's tool as the model is sent it. `restore`: arguments under the names that the server knows (the same object where none was renamed). */
export interface CleanTool extends CleanSchema {
  readonly description: string
}

/**
 * A tool's definition in the form that a provider takes (R52): the description without hidden characters and within its length, the
 * schema cleaned. The definition may be anything that came over the wire. Never throws, changes nothing it is given; the original
 * schema still judges the arguments (`argumentsOf`).
 */
export function cleanTool(definition: McpToolDefinition, limits: SchemaLimits): CleanTool {
  const given: { readonly description?: unknown; readonly title?: unknown } = definition
  const words = [given.description, given.title].map((each) => (typeof each === 'string' ? cleanText(each) : '')).find((each) => each !== '') ?? ''
  return { description: cutText(words, limits.maxDescription), ...cleanSchema(definition.inputSchema, limits) }
}
