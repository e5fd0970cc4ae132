import type { AssembledReply, ModelRequest } from '../../../shared/domain/model'
import type { CancelSignal } from '../ports/cancelSignal'
import { makeAssembler } from '../stream/assemble'
import { makeTextRepeatDetector } from './repeatDetector'
import type { Turn, TurnPorts } from './turnPorts'

/** A reply, and whether it was cut short here because its text went round in circles (R3). */
export interface ReadReply {
  readonly reply: AssembledReply
  readonly isRepeating: boolean
}

/**
 * Sends one request and puts the reply together while showing its pieces. After a cancel nothing more is shown (C3).
 * Arguments that grow are shown per call; they are not stored until the reply is whole.
 */
export async function readReply(request: ModelRequest, turn: Turn, step: number, ports: TurnPorts, signal: CancelSignal): Promise<ReadReply> {
  const assembler = makeAssembler(`call_${step}`)
  const repeats = makeTextRepeatDetector()
  const thoughts = makeTextRepeatDetector()
  for await (const part of ports.model.stream(request, signal)) {
    if (signal.aborted) break
    assembler.feed(part)
    switch (part.kind) {
      case 'text-delta':
        ports.record.show(turn, step, { type: 'text-delta', text: part.text })
        if (repeats.add(part.text)) return { reply: storable(assembler.result(), ports), isRepeating: true }
        break
      case 'thinking-delta':
        ports.record.show(turn, step, { type: 'thinking-delta', text: part.text })
        if (thoughts.add(part.text)) return { reply: storable(assembler.result(), ports), isRepeating: true }
        break
      case 'call-piece': {
        const growing = assembler.growing()
        if (growing) ports.record.show(turn, step, { type: 'call-growing', ...growing })
        break
      }
      case 'retrying':
        ports.record.show(turn, step, { type: 'retrying', say: part.fault.say, attempt: part.attempt, waitMs: part.waitMs })
        break
      case 'thinking-block':
      case 'usage':
      case 'stopped':
      case 'failed':
        break
    }
  }
  return { reply: storable(assembler.result(), ports), isRepeating: false }
}

/**
 * A registered secret that the model repeats is in no record; a call that holds one is not run (`prepareCall`). Thinking goes
 * back unchanged or not at all, and only beside the very text it stood with.
 */
function storable(reply: AssembledReply, { withoutKnown }: Pick<TurnPorts, 'withoutKnown'>): AssembledReply {
  const calls = reply.calls.map((call) => ({ ...call, argumentsText: withoutKnown(call.argumentsText) }))
  const text = withoutKnown(reply.text)
  const isAsSent = text === reply.text && textsOf(reply.thinking).every((one) => withoutKnown(one) === one)
  return { ...reply, text, reasoning: withoutKnown(reply.reasoning), thinking: isAsSent ? reply.thinking : [], calls }
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
