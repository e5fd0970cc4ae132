import type { z } from 'zod'
import type { ApprovalPreview } from '../../../shared/domain/approval'
import type { CallArgs } from '../../../shared/domain/call'
import type { McpChange, McpOrigin } from '../../../shared/domain/mcp'
import { fail, said, succeed, type Said } from '../../../shared/domain/result'
import type { ToolOutput } from '../../../shared/domain/tool'
import type { Verdict } from '../../../shared/domain/verdict'
import type { CancelSignal } from '../ports/cancelSignal'
import type { Tool, ToolContext } from '../tools/defineTool'

/** How a server's tool is at this moment: its words as the server gives them, and what is no longer as it was accepted (R54). */
export interface McpToolNow {
  readonly description: string
  readonly change: McpChange | null
  /** False once the tool, its server or the server in this folder was switched off, or the server lists it no more. */
  readonly isOn: boolean
}

/**
 * A server's tool as the servers' service knows it. `name`, `description`, `schema` and `params` are made of the accepted
 * definition; `now` is asked again at every look, without waiting. What `notes` and `refuses` say must depend on nothing but
 * the arguments and what is known at the moment, or the gate asks again and again.
 */
export interface McpToolSource {
  readonly origin: McpOrigin
  /** As registered: `mcp__server__tool`, cleaned (R47). */
  readonly name: string
  readonly description: string
  /** JSON Schema as the model is sent it, cleaned (R52). */
  readonly schema: Readonly<Record<string, unknown>>
  /** Checks the arguments by the original schema, and gives them as the server wants them. */
  readonly params: z.ZodType<CallArgs>
  readonly effect: 'execute' | 'network'
  now(): McpToolNow
  /**
   * Starts the server where it does not run, and waits until it is known what it lists; why it cannot be used, null when it
   * can. Asked before the person is: a card shows the tool as it is now, and no card is shown for a server that is not there.
   */
  ready(signal: CancelSignal): Promise<Said | null>
  /** What the person should know of these arguments: text of another server in them, warnings of the scan. */
  notes(args: CallArgs): readonly Said[]
  /** Why a rule of the server forbids this call; null when none does. Nobody can approve it. */
  refuses(args: CallArgs): Said | null
  call(args: CallArgs, context: ToolContext): Promise<ToolOutput>
  /** Accepts exactly the definition of `hash`, and no other. Resolves when that is stored. */
  accept(hash: string): Promise<void>
}

/**
 * Makes a server's tool one like every other: it goes through the same gate, journal and record.
 *
 * A definition that is not the accepted one needs a person, whatever level or rule there is; who allows the call has seen
 * the difference, and with it that definition is accepted before the call runs. When it changes once more in between, the
 * gate asks again, or the call ends unrun (R54). Annotations of the server say nothing here: they are its own word.
 * The preview is whole and untouched, hidden characters too: the card makes them visible.
 */
export function makeMcpTool(source: McpToolSource): Tool {
  const { origin } = source
  return {
    name: source.name,
    description: source.description,
    params: source.params,
    schema: source.schema,
    origin,
    effect: source.effect,
    paths: () => [],
    verdict: (args) => verdictOf(source, args),
    async forecast(args, { signal }) {
      const fault = await source.ready(signal)
      if (fault !== null) return { ok: false, fault }
      const { description, change, isOn } = source.now()
      if (!isOn) return fail('mcp.tool-off', { ...origin })
      return succeed({ preview: { kind: 'mcp', origin, description, text: JSON.stringify(args, null, 2), change, notes: source.notes(args) }, writes: [], base: {} })
    },
    run: (args, context) => runCall(source, args, context),
  }
}

function verdictOf(source: McpToolSource, args: CallArgs): Verdict {
  const { change, isOn } = source.now()
  if (!isOn) return { kind: 'deny', reason: said('mcp.tool-off', { ...source.origin }) }
  const refusal = source.refuses(args)
  if (refusal !== null) return { kind: 'deny', reason: refusal }
  if (change !== null) return { kind: 'ask', reason: said('mcp.tool-changed', { ...source.origin }) }
  return { kind: 'allowable', reason: said('guard.nothing-against') }
}

async function runCall(source: McpToolSource, args: CallArgs, context: ToolContext): Promise<ToolOutput> {
  const notRun: ToolOutput = { status: 'failed', say: said('mcp.changed-meanwhile', { ...source.origin }) }
  const shown = hashShown(context.shown)
  if (pendingHash(source) !== shown) return notRun
  if (shown !== null) await source.accept(shown)
  // While that was stored, the server may have changed it once more.
  if (pendingHash(source) !== null || !source.now().isOn) return notRun
  if (context.signal.aborted) return { status: 'cancelled', say: said('tool.cancelled') }
  const output = await source.call(args, context)
  // Of a call that was called off nothing of the server is read.
  return output.status === 'cancelled' ? output : { ...output, taint: { kind: 'mcp', server: source.origin.server } }
}

function hashShown(preview: ApprovalPreview | null): string | null {
  return preview?.kind === 'mcp' ? (preview.change?.hash ?? null) : null
}

function pendingHash(source: McpToolSource): string | null {
  return source.now().change?.hash ?? null
}
