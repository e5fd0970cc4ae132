import { z } from 'zod'
import { fail, said, succeed, type Result } from '../../../shared/domain/result'
import { defineTool, type Tool } from '../tools/defineTool'
import { escapeHidden } from './hiddenText'

/** Servers of the opened folder that are trusted and were never started. */
export interface StartSource {
  servers(): readonly string[]
  /** How the server would be started, one fact a line; null for one that does not wait. */
  startText(server: string): string | null
  /** Starts it; resolves when its tools are known. Rejects with a `StorageFault`. */
  start(server: string): Promise<Result<{ readonly tools: readonly string[] }>>
}

/**
 * Makes `start_server`: the first start of a server that the opened folder brings, which only a person may allow (R43).
 * Afterwards it is as every other server.
 */
export function makeStartTool(source: StartSource): Tool {
  return defineTool({
    name: 'start_server',
    description: 'Start an MCP server of the project, so that its tools can be called from the next step on. The user is asked first. The servers that can be started are named in the parameter.',
    params: z.object({ server: z.string().trim().min(1).max(200).describe('Name of the server.') }),
    effect: 'execute',
    paths: () => [],
    verdict: ({ server }) => ({ kind: 'ask', reason: said('trust.server-starts', { server }) }),
    forecast: ({ server }) => {
      const text = source.startText(server)
      if (text === null) return Promise.resolve(fail('trust.server-unknown', { server, servers: source.servers() }))
      return Promise.resolve(succeed({ preview: { kind: 'arguments', text: escapeHidden(text), notes: [] }, writes: [], base: {} }))
    },
    async run({ server }) {
      const started = await source.start(server)
      if (!started.ok) return { status: 'failed', say: started.fault }
      return { status: 'ok', say: said('trust.server-started', { server, tools: started.value.tools }) }
    },
  })
}
