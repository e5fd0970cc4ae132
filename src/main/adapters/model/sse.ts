import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { StreamPart } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import { errorIn, webPageTitle } from './errorBody'
import { excerpt } from './faults'
import { parseJson } from './fields'
import { Reply, type ReaderParts, type StreamReader } from './reply'

/** The longest event; more is no answer of a model. */
const eventLimit = 32 << 20

/**
 * Reads server-sent events by the standard (R18): comments, blank lines, any line end, one optional space, data over several
 * lines, UTF-8 cut anywhere. Beyond it, because servers do so: `[DONE]` is optional, the last event may lack its blank
 * line, data that is plainly no JSON is passed over (`log` is told), and a body that holds no event at all is looked at as
 * one whole answer, an error, or a web page.
 */
export function readEvents(parts: ReaderParts): StreamReader {
  return new EventReader(parts)
}

class EventReader implements StreamReader {
  private readonly decoder = new TextDecoder()
  private readonly parser
  private readonly given: ReaderParts
  private readonly reply: Reply
  /** The text so far, as long as no event came. */
  private prelude: string | null = ''
  private isAtEnd = false

  constructor(given: ReaderParts) {
    this.given = given
    this.reply = new Reply(given)
    this.parser = createParser({
      maxBufferSize: eventLimit,
      onEvent: (event) => this.takeEvent(event),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.reply.fail({ kind: 'protocol', say: said('model.too-big', { provider: given.context.provider, megabytes: eventLimit >> 20 }), canRetry: false })
        else if (error.line?.trimStart().startsWith('{"error"')) this.takeData(error.line, false)
      },
    })
  }

  get isDone(): boolean {
    return this.reply.isDone
  }

  get hasFinish(): boolean {
    return this.reply.finish !== null
  }

  feed(bytes: Uint8Array): readonly StreamPart[] {
    return this.takeText(this.decoder.decode(bytes, { stream: true }))
  }

  end(): readonly StreamPart[] {
    this.isAtEnd = true
    // Two line ends: one for a line that lacks it, one for the event.
    const parts = this.takeText(`${this.decoder.decode()}\n\n`)
    this.takeWhole()
    this.given.taker.close(this.reply)
    const isEmpty = this.prelude === null ? this.isDone && !this.reply.hasShown : this.prelude.trim() === ''
    return [...parts, ...this.reply.drain(), ...this.reply.ending(isEmpty)]
  }

  private takeText(text: string): StreamPart[] {
    if (this.isDone || text === '') return []
    if (this.prelude !== null) this.prelude = this.prelude.length > eventLimit ? null : this.prelude + text
    this.parser.feed(text)
    return this.reply.drain()
  }

  private takeEvent(event: EventSourceMessage): void {
    if (!this.isDone) this.takeData(event.data.trim(), event.event === 'error')
  }

  private takeData(data: string, isError: boolean): void {
    if (data === '') return
    if (data === '[DONE]') {
      this.prelude = null
      this.reply.isDone = true
      return
    }
    const chunks = parseData(data)
    if (chunks) {
      this.prelude = null
      for (const chunk of chunks) this.takeChunk(chunk, isError)
    } else if (isError) this.reply.failAs({ message: data, code: '', status: null })
    // The last event may be cut with the stream; a broken one before it means that a piece of the answer is lost.
    else if (!/^[[{]/.test(data)) this.given.log(`skipped: ${excerpt(data)}`)
    else if (!this.isAtEnd) this.reply.fail({ kind: 'protocol', say: said('model.malformed', { provider: this.given.context.provider, start: excerpt(data) }), canRetry: true })
  }

  private takeChunk(chunk: unknown, isError: boolean): void {
    if (this.isDone) return
    if (chunk === doneMark) {
      this.reply.isDone = true
      return
    }
    const error = errorIn(chunk) ?? (isError ? { message: JSON.stringify(chunk), code: '', status: null } : null)
    if (error) this.reply.failAs(error)
    else this.given.taker.take(chunk, this.reply)
  }

  /** A body without any event: a server that answered in one piece, an error, a web page. */
  private takeWhole(): void {
    const body = this.prelude?.trim() ?? ''
    if (body === '' || this.reply.fault) return
    const title = webPageTitle(body)
    const { provider, status } = this.given.context
    if (title !== null) this.reply.fail({ kind: 'protocol', say: said('model.html-page', { provider, status, title }), canRetry: false })
    else if (/^[[{]/.test(body)) this.takeBody(body)
    else if (!isEventText(body)) this.failForeign(body)
  }

  private takeBody(body: string): void {
    const chunks = parseData(body)
    if (!chunks) return this.failForeign(body)
    for (const chunk of chunks) this.takeChunk(chunk, false)
    if (!this.reply.hasShown && this.reply.finish === null && !this.reply.fault) this.failForeign(body)
  }

  private failForeign(body: string): void {
    this.reply.fail({ kind: 'protocol', say: said('model.not-a-stream', { provider: this.given.context.provider, start: excerpt(body) }), canRetry: false })
  }
}

const doneMark = Symbol('done')

/** One JSON value, or one a line where a server forgot the blank lines between events; null for anything else. */
function parseData(data: string): readonly unknown[] | null {
  const whole = parseJson(data)
  if (whole !== undefined) return [whole]
  if (!data.includes('\n')) return null
  const lines = data.split('\n').map((line) => (line.trim() === '[DONE]' ? doneMark : parseJson(line)))
  return lines.includes(undefined) ? null : lines
}

/** Lines of the event-stream form: comments and known fields. */
function isEventText(body: string): boolean {
  return body.split(/\r\n|\r|\n/).every((line) => line === '' || /^(?::|(?:data|event|id|retry)(?::|$))/.test(line))
}
