import type { StreamPart } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import { errorIn, webPageTitle } from './errorBody'
import { excerpt } from './faults'
import { parseJson } from './fields'
import { Reply, type ReaderParts, type StreamReader } from './reply'

/** The longest line; more is no answer of a model. */
const lineLimit = 32 << 20

/**
 * Reads JSON values, one a line (NDJSON). Any line end, blank lines, UTF-8 cut anywhere; the last line may lack its end. A line
 * that holds no JSON is passed over (`log` is told) when it does not look like any, else a piece of the answer is lost. `data: `
 * before a value is taken away: gateways re-wrap the lines as events.
 */
export function readLines(parts: ReaderParts): StreamReader {
  return new LineReader(parts)
}

class LineReader implements StreamReader {
  private readonly decoder = new TextDecoder()
  private readonly given: ReaderParts
  private readonly reply: Reply
  /** The line that is not over yet, in the pieces it came in. */
  private rest: string[] = []
  private restLength = 0
  private hasValue = false
  private odd = ''

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
    return this.takeText(this.decoder.decode(bytes, { stream: true }))
  }

  end(): readonly StreamPart[] {
    const parts = this.takeText(this.decoder.decode())
    if (!this.isDone) this.takeLine(this.rest.join(''), true)
    this.judgeOdd()
    this.given.taker.close(this.reply)
    return [...parts, ...this.reply.drain(), ...this.reply.ending(!this.hasValue && this.odd === '')]
  }

  private takeText(text: string): StreamPart[] {
    if (this.isDone || text === '') return []
    const lines = text.split(/[\r\n]/)
    const last = lines.pop() ?? ''
    for (const line of lines) {
      this.takeLine(this.rest.join('') + line, false)
      this.rest = []
      this.restLength = 0
    }
    this.rest.push(last)
    this.restLength += last.length
    if (this.restLength > lineLimit) this.reply.fail({ kind: 'protocol', say: said('model.too-big', { provider: this.given.context.provider, megabytes: lineLimit >> 20 }), canRetry: false })
    return this.reply.drain()
  }

  private takeLine(line: string, isAtEnd: boolean): void {
    const text = line.trim().replace(/^data:\s*/, '')
    if (text === '' || this.isDone) return
    if (text === '[DONE]') return void (this.reply.isDone = true)
    const value = parseJson(text)
    if (value === undefined) return this.takeOdd(text, isAtEnd)
    this.hasValue = true
    const error = errorIn(value)
    if (error) this.reply.failAs(error)
    else this.given.taker.take(value, this.reply)
  }

  private takeOdd(text: string, isAtEnd: boolean): void {
    // The last line may be cut with the stream; a broken one before it means that a piece of the answer is lost.
    if (isAtEnd && /^[[{]/.test(text)) return void (this.hasValue = true)
    this.odd = `${this.odd}\n${text}`.slice(0, 1 << 20)
    if (!/^[[{]/.test(text)) this.given.log(`skipped: ${excerpt(text)}`)
    else if (this.hasValue) this.reply.fail({ kind: 'protocol', say: said('model.malformed', { provider: this.given.context.provider, start: excerpt(text) }), canRetry: true })
  }

  /** A body without any value is a web page or something else; one JSON value over several lines is what a proxy sends. */
  private judgeOdd(): void {
    if (this.hasValue || this.odd === '' || this.reply.fault) return
    const { provider, status } = this.given.context
    const title = webPageTitle(this.odd)
    const whole = parseJson(this.odd)
    const error = errorIn(whole)
    if (error) this.reply.failAs(error)
    else if (whole !== undefined) this.given.taker.take(whole, this.reply)
    else if (title !== null) this.reply.fail({ kind: 'protocol', say: said('model.html-page', { provider, status, title }), canRetry: false })
    else this.reply.fail({ kind: 'protocol', say: said('model.not-a-stream', { provider, start: excerpt(this.odd) }), canRetry: false })
  }
}
