import { z } from 'zod'
import type { ToolSpec } from '../../../shared/domain/model'
import type { AskingLevel } from '../../../shared/domain/session'
import type { Tool } from './defineTool'

/** The tools of a session, by name. */
export interface ToolRegistry {
  get(name: string): Tool | undefined
  /** As the model sees them, in a fixed order for prefix caching (R23). `read-only` offers only tools that read (R64). */
  specs(level: AskingLevel): readonly ToolSpec[]
}

/** A registry over the given tools; two of one name are a bug. */
export function makeRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  if (byName.size !== tools.length) throw new Error('two tools have one name')
  const specs = tools.map((tool) => ({ tool, spec: specOf(tool) }))
  return {
    get: (name) => byName.get(name),
    specs: (level) => specs.filter(({ tool }) => level !== 'read-only' || tool.effect === 'read').map(({ spec }) => spec),
  }
}

function specOf(tool: Tool): ToolSpec {
  const { $schema: _unused, ...parameters } = z.toJSONSchema(tool.params, { io: 'input' })
  return { name: tool.name, description: tool.description, parameters }
}
