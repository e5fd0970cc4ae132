import type { LivePart } from '../../../shared/domain/event'
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
  const show = (body: LivePart['body']): void => ports.record.show(turn, step, body)
  const text = makeShown('text-delta', show, ports)
  const thinking = makeShown('thinking-delta', show, ports)
  const calls = ports.withoutKnown.live?.()
  let isRepeating = false
  for await (const part of ports.model.stream(request, signal)) {
    if (signal.aborted) break
    assembler.feed(part)
    switch (part.kind) {
      case 'text-delta':
        isRepeating = text.add(part.text)
        break
      case 'thinking-delta':
        isRepeating = thinking.add(part.text)
        break
      case 'call-piece': {
        const growing = assembler.growing()
        if (growing) show({ type: 'call-growing', ...growing, tail: calls?.part(growing.tail, growing.characters > growing.tail.length) ?? growing.tail })
        break
      }
      case 'retrying':
        show({ type: 'retrying', say: part.fault.say, attempt: part.attempt, waitMs: part.waitMs })
        break
      case 'thinking-block':
      case 'usage':
      case 'stopped':
      case 'failed':
        break
    }
    if (isRepeating) break
  }
  if (!signal.aborted) for (const one of [thinking, text]) one.end()
  return { reply: storable(assembler.result(), ports), isRepeating }
}

/** A text on its way to the screen, without registered secrets as it will be in the record; tells when it goes round in circles. */
function makeShown(type: 'text-delta' | 'thinking-delta', show: (body: LivePart['body']) => void, { withoutKnown }: Pick<TurnPorts, 'withoutKnown'>): { add(piece: string): boolean; end(): void } {
  const repeats = makeTextRepeatDetector()
  const mask = withoutKnown.live?.()
  const tell = (text: string): void => {
    if (text !== '') show({ type, text })
  }
  return {
    add(piece) {
      tell(mask?.push(piece) ?? piece)
      return repeats.add(piece)
    },
    end: () => tell(mask?.end() ?? ''),
  }
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
