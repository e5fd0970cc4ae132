import { z } from 'zod'
import { runTurn } from '../../src/main/core/agent/runTurn'
import { defineTool, type Tool } from '../../src/main/core/tools/defineTool'
import { said, succeed } from '../../src/shared/domain/result'
import type { AgentEvent } from '../../src/shared/domain/event'
import type { TurnEnd } from '../../src/main/core/agent/runTurn'
import { makeTurnWorld, type WorldOptions } from './turnWorld'

/** A tool of one effect that answers with a text; a text that begins with `path:` names the path it touches. */
export function tool(name: string, effect: Tool['effect'], run: (text: string) => Promise<string> | string): Tool {
  return defineTool({
    name,
    description: name,
    params: z.object({ text: z.string().default('') }),
    effect,
    paths: (args) => (args.text.startsWith('path:') ? [{ path: args.text.slice(5), use: effect === 'read' ? 'read' : 'write' }] : []),
    forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: args.text, notes: [] }, writes: [], base: {} })),
    run: async (args) => ({ status: 'ok', say: said('tool.answered'), body: await run(args.text) }),
  })
}

type Played = ReturnType<typeof makeTurnWorld> & { readonly end: TurnEnd; readonly finished: readonly Extract<AgentEvent, { readonly type: 'tool-finished' }>[] }

/** Runs one turn in a world of its own to its end. */
export async function play(options: WorldOptions, controller = new AbortController()): Promise<Played> {
  const world = makeTurnWorld(options)
  const end = await runTurn(world.turn, world.ports, controller.signal)
  const finished = world.events.flatMap((event) => (event.type === 'tool-finished' ? [event] : []))
  return { ...world, end, finished }
}
