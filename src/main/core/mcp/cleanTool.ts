import type { McpToolDefinition } from '../../../shared/domain/mcp'
import type { SchemaLimits } from '../../../shared/domain/schemaLimits'

/** A server's tool as the model is sent it. */
export interface CleanTool {
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Arguments under the names that the server knows; what is not renamed stays as it is. */
  restore(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** A tool's definition in the form that a provider takes (R52). Never throws, changes nothing it is given. */
export function cleanTool(definition: McpToolDefinition, limits: SchemaLimits): CleanTool {
  return { description: definition.description.slice(0, limits.maxDescription), schema: { properties: {}, ...definition.inputSchema, type: 'object' }, restore: (args) => args }
}
