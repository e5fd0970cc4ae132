import type { StreamPart } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import { webPageTitle } from './errorBody'
import { excerpt } from './faults'
import { Reply, type ReaderParts, type StreamReader } from './reply'

/** The longest event or line; more is no answer of a model. */
export const unitLimit = 32 << 20

/** A value of JSON begins so: text that does is a piece of an answer, any other may be passed over. */
export const looksLikeJson = (text: string): boolean => /^[[{]/.test(text)

/**
 * What every reader of a stream is, whatever its units are (events, lines): bytes become text, UTF-8 cut anywhere, text becomes
 * units, and the end of the bytes ends the reply in exactly one way. Nothing is read once the reply is done.
 */
export abstract class FramedReader implements StreamReader {
  protected readonly given: ReaderParts
  protected readonly reply: Reply
  private readonly decoder = new TextDecoder()

  constructor(given: ReaderParts) {
    this.given = given
    this.reply = new Reply(given)
  }

  get isDone(): boolean {
    return this.reply.isDone
  }

  get hasFinish(): boolean {
    return this.reply.finish !== null
  }

  feed(bytes: Uint8Array): readonly StreamPart[] {
    return this.take(this.decoder.decode(bytes, { stream: true }))
  }

  end(): readonly StreamPart[] {
    const parts = this.take(this.decoder.decode())
    this.takeEnd()
    this.given.taker.close(this.reply)
    return [...parts, ...this.reply.drain(), ...this.reply.ending(this.isEmpty())]
  }

  /** Takes the units that this text completes, and keeps the rest. */
  protected abstract takeText(text: string): void
  /** The bytes are over: takes a unit that lacks its end, and looks at a body that held none. */
  protected abstract takeEnd(): void
  /** Whether not one byte of an answer came. */
  protected abstract isEmpty(): boolean

  protected failTooBig(): void {
    this.reply.fail({ kind: 'protocol', say: said('model.too-big', { provider: this.given.context.provider, megabytes: unitLimit >> 20 }), canRetry: false })
  }

  /** A piece of the answer is lost. */
  protected failMalformed(text: string): void {
    this.reply.fail({ kind: 'protocol', say: said('model.malformed', { provider: this.given.context.provider, start: excerpt(text) }), canRetry: true })
  }

  /** A body that is no stream: a web page, or something else. */
  protected failForeign(body: string): void {
    const { provider, status } = this.given.context
    const title = webPageTitle(body)
    this.reply.fail({ kind: 'protocol', say: title === null ? said('model.not-a-stream', { provider, start: excerpt(body) }) : said('model.html-page', { provider, status, title }), canRetry: false })
  }

  private take(text: string): readonly StreamPart[] {
    if (this.isDone || text === '') return []
    this.takeText(text)
    return this.reply.drain()
  }
}
