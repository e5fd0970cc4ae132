import { z } from 'zod'
import type { ModelChoice, ToolSpec } from '../../../shared/domain/model'
import type { AskingLevel } from '../../../shared/domain/session'
import type { Tool } from './defineTool'

/** For whom tools are offered: the level of the turn, and the model that has to hold them in its window. */
export interface Offer {
  readonly level: AskingLevel
  readonly choice: ModelChoice
  /** Only what is known at this moment: nothing is started and nothing waited for. */
  readonly isNow?: true
}

/** Tools that come and go while a session runs (R48). */
export interface ToolSource {
  get(name: string): Tool | undefined
  /** The tools of the moment in a stable order. Waits, bounded, for lists that are being read again; never rejects. */
  offered(offer: Offer): Promise<readonly Tool[]>
}

/** The tools of a session, by name. */
export interface ToolRegistry {
  get(name: string): Tool | undefined
  /** As the model sees them, in a fixed order for prefix caching (R23). `read-only` offers only tools that read (R64). */
  specs(offer: Offer): Promise<readonly ToolSpec[]>
}

/** A registry over the given tools, and behind them those of a source; two given tools of one name are a bug. */
export function makeRegistry(tools: readonly Tool[], source?: ToolSource): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  if (byName.size !== tools.length) throw new Error('two tools have one name')
  return {
    get: (name) => byName.get(name) ?? source?.get(name),
    async specs(offer) {
      const more = (await source?.offered(offer)) ?? []
      return [...tools, ...more.filter((tool) => !byName.has(tool.name))].filter((tool) => offer.level !== 'read-only' || (tool.effect === 'read' && !tool.isHiddenReadOnly)).map(specOf)
    },
  }
}

/** A tool as the model sees it; the same object for the same tool, so that what was made of it can be kept. */
export function specOf(tool: Tool): ToolSpec {
  const known = made.get(tool)
  if (known) return known
  const spec = { name: tool.name, description: tool.description, parameters: tool.schema ?? schemaOf(tool) }
  made.set(tool, spec)
  return spec
}

const made = new WeakMap<Tool, ToolSpec>()

function schemaOf(tool: Tool): Readonly<Record<string, unknown>> {
  const { $schema: _unused, ...parameters } = z.toJSONSchema(tool.params, { io: 'input' })
  return parameters
}
