import type { AssembledReply, ModelCall, ModelFault, StopReason, StreamPart, ThinkingBlock, Usage } from '../../../shared/domain/model'
import type { GrowingCall } from '../../../shared/domain/event'
import { said } from '../../../shared/domain/result'
import { joinCalls, makeCallJoiner, type CallPiece, type JoinedCall } from './joinCalls'

/** Puts one reply together from its parts. */
export interface Assembler {
  /** Takes the next part. Parts after `stopped` or `failed` change nothing. */
  feed(part: StreamPart): void
  /** The call that the last piece went to, as far as it has come; null before the first piece. */
  growing(): GrowingCall | null
  /**
   * The reply so far. `complete` only when the stream stopped as it should: not cut, not failed, not filtered, not cut at
   * the output limit inside its calls, and with something in it. Calls keep the text the provider sent (R91); what their
   * arguments mean is decided by `parseArguments`.
   */
  result(): AssembledReply
}

/**
 * An assembler for one reply. A call that came without an id gets `PREFIX_N`, and one whose id another call of the reply has
 * gets a number behind it, so that each result finds its call; give a prefix of its own to each step of a turn.
 */
export function makeAssembler(prefix = 'call'): Assembler {
  let text = ''
  let reasoning = ''
  const thinking: ThinkingBlock[] = []
  let usage: Usage | null = null
  let end: { readonly stop: StopReason | null; readonly fault: ModelFault | null } | null = null
  const pieces: CallPiece[] = []
  const shown = makeCallJoiner('labels')

  function take(part: StreamPart): void {
    switch (part.kind) {
      case 'text-delta':
        text += part.text
        break
      case 'thinking-delta':
        reasoning += part.text
        break
      case 'thinking-block':
        thinking.push(part.block)
        break
      case 'call-piece':
        // Some providers put an empty one beside every piece of text.
        if (!part.id && !part.name && !part.argumentsText) break
        pieces.push(part)
        shown.add(part)
        break
      case 'usage':
        usage = part.usage
        break
      case 'retrying':
        break
      case 'stopped':
        end = { stop: part.reason, fault: null }
        break
      case 'failed':
        end = { stop: null, fault: part.fault }
        break
    }
  }

  return {
    feed(part) {
      if (end === null) take(part)
    },
    growing() {
      const latest = shown.latest()
      return latest && { index: latest.index, name: latest.call.name, tail: latest.tail, characters: latest.call.argumentsText.length }
    },
    result() {
      const calls = withIds(joinCalls(pieces), prefix)
      return { text, reasoning, thinking, calls, usage, ...judge(end, text, reasoning, calls) }
    },
  }
}

type Judged = Pick<AssembledReply, 'status' | 'stop' | 'fault'>

function judge(end: { readonly stop: StopReason | null; readonly fault: ModelFault | null } | null, text: string, reasoning: string, calls: readonly ModelCall[]): Judged {
  if (end === null) return { status: 'incomplete', stop: null, fault: null }
  if (end.fault) return { status: isBrokenOff(end.fault) ? 'incomplete' : 'error', stop: null, fault: end.fault }
  const { stop } = end
  const isBare = text.trim() === '' && calls.length === 0
  switch (stop) {
    case 'length':
      // Whether the limit fell between two calls or inside one cannot be known: none of them counts.
      return calls.length > 0 || (isBare && reasoning === '') ? { status: 'incomplete', stop, fault: null } : complete(stop)
    case 'filtered':
      return { status: 'error', stop, fault: { kind: 'refused', say: said('turn.refused'), canRetry: false } }
    case 'tool-calls':
      if (calls.length === 0 && !isBare) return { status: 'incomplete', stop, fault: { kind: 'protocol', say: said('model.lost-calls'), canRetry: true } }
      return isBare ? empty(stop) : complete(stop)
    case 'other':
      if (calls.length > 0) return { status: 'incomplete', stop, fault: { kind: 'protocol', say: said('model.unknown-stop'), canRetry: true } }
      return isBare ? empty(stop) : complete(stop)
    default:
      return isBare ? empty(stop) : complete(stop)
  }
}

function complete(stop: StopReason | null): Judged {
  return { status: 'complete', stop, fault: null }
}

function empty(stop: StopReason | null): Judged {
  return { status: 'error', stop, fault: { kind: 'empty', say: said('turn.empty'), canRetry: true } }
}

/** The answer was on its way; everything else is an answer that never was one. */
function isBrokenOff(fault: ModelFault): boolean {
  return fault.kind === 'cut' || fault.kind === 'stalled'
}

function withIds(calls: readonly JoinedCall[], prefix: string): readonly ModelCall[] {
  const taken = new Set<string>()
  return calls.map((call, at) => {
    const base = call.id === '' ? `${prefix}_${at + 1}` : call.id
    let id = base
    for (let n = 2; taken.has(id) || (id !== call.id && calls.some((other) => other.id === id)); n++) id = `${base}_${n}`
    taken.add(id)
    return { providerCallId: id, name: call.name, argumentsText: call.argumentsText }
  })
}
