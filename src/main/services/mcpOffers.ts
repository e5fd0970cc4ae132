import type { AgentEvent } from '../../shared/domain/event'
import type { CallId } from '../../shared/domain/ids'
import type { ModelChoice } from '../../shared/domain/model'
import type { SchemaLimits } from '../../shared/domain/schemaLimits'
import { isDeferred } from '../core/mcp/deferral'
import { originKey } from '../core/mcp/toolNames'
import type { Tool } from '../core/tools/defineTool'
import type { Offer, ToolSource } from '../core/tools/registry'
import { makeSessionFlow, type SessionFlow } from './mcpFlow'
import type { McpServersPorts } from './mcpPorts'
import type { CallPlace, McpQuestions } from './mcpQuestions'
import type { McpResources } from './mcpResources'
import type { McpRoster } from './mcpRoster'
import { atMost } from './mcpTiming'
import { makeSessionTools, type KnownTool, type McpCatalogue } from './mcpTools'
import type { OpenSession } from './sessions'

/** The tools of servers as sessions are offered them. */
export interface McpOffers {
  toolsFor(session: OpenSession): Promise<ToolSource>
}

interface OfferParts {
  readonly ports: McpServersPorts
  readonly roster: McpRoster
  readonly catalogue: McpCatalogue
  readonly questions: McpQuestions
  readonly resources: Pick<McpResources, 'read' | 'of'>
}

/** What belongs to one session as long as it is loaded. */
interface Kept {
  readonly flow: SessionFlow
  readonly tool: (known: KnownTool, limits: SchemaLimits) => Tool
  /** Tools that a search found, by `originKey`. */
  readonly found: Set<string>
  limits: SchemaLimits
}

/** Fewer tokens than this are no tenth of any window. */
const alwaysSent = 400

/** Makes it. */
export function makeMcpOffers({ ports, roster, catalogue, questions }: OfferParts): McpOffers {
  const sessions = new WeakMap<OpenSession, Kept>()
  const keptFor = (session: OpenSession): Kept => {
    const known = sessions.get(session)
    if (known) return known
    const flow = makeSessionFlow(session)
    const tool = makeSessionTools({ ports, roster, catalogue, questions, flow, placeOf: ({ callId }) => placeOf(session, callId) })
    const made: Kept = { flow, tool, found: new Set(), limits: ports.schemaLimits('') }
    sessions.set(session, made)
    return made
  }

  /** Starts what is idle; who was never seen is waited for, and a list that is being read again. */
  const awake = async (): Promise<void> => {
    const waits: Promise<unknown>[] = []
    for (const { name } of roster.servers()) {
      const life = roster.mayRun(name) ? roster.life(name) : undefined
      if (!life) continue
      const isKnown = roster.register.tools(name).size > 0
      life.want()
      if (!isKnown && life.state().kind === 'starting') waits.push(atMost(life.settled(), ports.times.firstSightMs))
      if (life.state().kind === 'ready') waits.push(atMost(life.settled(), ports.times.relistMs))
    }
    await Promise.all(waits)
  }
  const isTooMuch = async (tools: readonly KnownTool[], limits: SchemaLimits, choice: ModelChoice): Promise<boolean> => {
    const tokens = tools.reduce((sum, tool) => sum + catalogue.tokensOf(tool, limits), 0)
    return tokens > alwaysSent && isDeferred(tokens, (await ports.facts(choice)).windowTokens)
  }

  return {
    async toolsFor(session) {
      await roster.load()
      const own = keptFor(session)
      const offered = async ({ level, choice }: Offer): Promise<readonly Tool[]> => {
        if (level === 'read-only') return []
        await awake()
        own.limits = ports.schemaLimits(choice.provider)
        const usable = catalogue.usable()
        const sent = (await isTooMuch(usable, own.limits, choice)) ? usable.filter(({ origin }) => own.found.has(originKey(origin))) : usable
        return sent.map((known) => own.tool(known, own.limits))
      }
      return {
        offered,
        get(name) {
          const known = catalogue.usable().find(({ origin }) => catalogue.registered(origin) === name)
          return known && own.tool(known, own.limits)
        },
      }
    },
  }
}

/** Where in the session a call was made, and the model that its turn uses. */
function placeOf(session: OpenSession, callId: CallId): CallPlace {
  const called = session.events.findLast((event) => event.type === 'tool-called' && event.callId === callId)
  const turn = session.events.findLast((event): event is Extract<AgentEvent, { type: 'turn-started' }> => event.type === 'turn-started')
  if (called?.type !== 'tool-called' || !turn) throw new Error(`a call that was never recorded: ${callId}`)
  return { sessionId: session.id, turnId: called.turnId, step: called.step, choice: turn.choice }
}
