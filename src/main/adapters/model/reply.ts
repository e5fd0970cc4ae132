import type { ModelFault, StreamPart, Usage } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import type { ProtocolEntry } from './catalogue'
import { faultOfErrorBody, type FaultContext } from './faults'
import type { ProviderError } from './errorBody'

/** Turns the bytes of one answer into stream parts. */
export interface StreamReader {
  /** The parts that these bytes complete. A reader that is done gives no more. */
  feed(bytes: Uint8Array): readonly StreamPart[]
  /** What is left when the bytes are over: usage if there was any, and exactly one `stopped` or `failed`. */
  end(): readonly StreamPart[]
  /** The mark of the end came, or an error: nothing after it counts. */
  readonly isDone: boolean
  /** The provider said why the model stopped: only usage can follow. */
  readonly hasFinish: boolean
}

/** Reads the values of a stream in the way of one protocol. Fields that are absent, null or of a strange type are as if they were not there (R21). */
export interface ChunkTaker {
  take(chunk: unknown, reply: Reply): void
  /** The bytes are over, or a fault came: gives what was kept back. */
  close(reply: Reply): void
}

export interface ReaderParts {
  readonly taker: ChunkTaker
  readonly finishReasons: ProtocolEntry['finishReasons']
  readonly context: FaultContext & { readonly status: number }
  /** Told about odd things that were passed over. */
  log(note: string): void
}

export type ByteReader = (parts: ReaderParts) => StreamReader

/** One answer, as far as it has come. */
export class Reply {
  isDone = false
  hasShown = false
  finish: string | null = null
  fault: ModelFault | null = null
  private usage: Usage | null = null
  private parts: StreamPart[] = []
  private readonly given: Pick<ReaderParts, 'finishReasons' | 'context'>

  constructor(given: Pick<ReaderParts, 'finishReasons' | 'context'>) {
    this.given = given
  }

  /** Text that came in one network piece is shown in one piece. */
  add(part: StreamPart): void {
    this.hasShown = true
    const last = this.parts.at(-1)
    if (last && last.kind === part.kind && (part.kind === 'text-delta' || part.kind === 'thinking-delta') && 'text' in last) this.parts[this.parts.length - 1] = { kind: part.kind, text: last.text + part.text }
    else this.parts.push(part)
  }

  addText(kind: 'text-delta' | 'thinking-delta', text: unknown): void {
    if (typeof text === 'string' && text !== '') this.add({ kind, text })
  }

  /** What is known so far; later figures come in place of earlier ones. */
  count(usage: Usage | null): void {
    this.usage = usage ?? this.usage
  }

  counted(): Usage | null {
    return this.usage
  }

  fail(fault: ModelFault): void {
    this.fault ??= fault
    this.isDone = true
  }

  failAs(error: ProviderError): void {
    this.fail(faultOfErrorBody(error, this.given.context))
  }

  drain(): StreamPart[] {
    const { parts } = this
    this.parts = []
    return parts
  }

  /** Usage, and the one part that ends it all. `isEmpty`: not one byte of an answer came. */
  ending(isEmpty: boolean): readonly StreamPart[] {
    const { context } = this.given
    const usage: readonly StreamPart[] = this.usage ? [{ kind: 'usage', usage: this.usage }] : []
    return [...usage, this.stop(isEmpty, context)]
  }

  private stop(isEmpty: boolean, context: ReaderParts['context']): StreamPart {
    if (this.fault) return { kind: 'failed', fault: this.fault }
    if (this.finish === null) {
      const fault: ModelFault = isEmpty ? { kind: 'empty', say: said('model.empty-answer', { provider: context.provider, status: context.status }), canRetry: true } : { kind: 'cut', say: said('turn.incomplete'), canRetry: true }
      return { kind: 'failed', fault }
    }
    const meaning = this.given.finishReasons[this.finish.toLowerCase()]
    if (meaning === 'failed') return { kind: 'failed', fault: { kind: 'server', say: said('model.finish-error', { provider: context.provider, reason: this.finish }), canRetry: true } }
    return { kind: 'stopped', reason: meaning ?? 'other' }
  }
}
