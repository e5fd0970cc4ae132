import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { errorIn } from './errorBody'
import { excerpt } from './faults'
import { parseJson } from './fields'
import { FramedReader, looksLikeJson, unitLimit } from './frame'
import type { ReaderParts, StreamReader } from './reply'

/**
 * Reads server-sent events by the standard (R18): comments, blank lines, any line end, one optional space, data over several
 * lines. Beyond it, because servers do so: `[DONE]` is optional, the last event may lack its blank
 * line, data that is plainly no JSON is passed over (`log` is told), and a body that holds no event at all is looked at as
 * one whole answer, an error, or a web page.
 */
export function readEvents(parts: ReaderParts): StreamReader {
  return new EventReader(parts)
}

class EventReader extends FramedReader {
  private readonly parser
  /** The text so far, as long as no event came. */
  private prelude: string | null = ''
  private isAtEnd = false

  constructor(given: ReaderParts) {
    super(given)
    this.parser = createParser({
      maxBufferSize: unitLimit,
      onEvent: (event) => this.takeEvent(event),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.failTooBig()
        else if (error.line?.trimStart().startsWith('{"error"')) this.takeData(error.line, false)
      },
    })
  }

  protected takeText(text: string): void {
    if (this.prelude !== null) this.prelude = this.prelude.length > unitLimit ? null : this.prelude + text
    this.parser.feed(text)
  }

  protected takeEnd(): void {
    this.isAtEnd = true
    // Two line ends: one for a line that lacks it, one for the event.
    if (!this.isDone) this.parser.feed('\n\n')
    this.takeWhole()
  }

  protected isEmpty(): boolean {
    return this.prelude === null ? this.isDone && !this.reply.hasShown : this.prelude.trim() === ''
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
    else if (!looksLikeJson(data)) this.given.log(`skipped: ${excerpt(data)}`)
    else if (!this.isAtEnd) this.failMalformed(data)
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
    if (looksLikeJson(body)) this.takeBody(body)
    else if (!isEventText(body)) this.failForeign(body)
  }

  private takeBody(body: string): void {
    const chunks = parseData(body)
    if (!chunks) return this.failForeign(body)
    for (const chunk of chunks) this.takeChunk(chunk, false)
    if (!this.reply.hasShown && this.reply.finish === null && !this.reply.fault) this.failForeign(body)
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
