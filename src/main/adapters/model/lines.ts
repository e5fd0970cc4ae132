import { errorIn } from './errorBody'
import { excerpt } from './faults'
import { parseJson } from './fields'
import { FramedReader, looksLikeJson, unitLimit } from './frame'
import type { ReaderParts, StreamReader } from './reply'

/**
 * Reads JSON values, one a line (NDJSON). Any line end, blank lines; the last line may lack its end. A line that holds no JSON is
 * passed over (`log` is told) when it does not look like any, else a piece of the answer is lost. `data: ` before a value is taken
 * away: gateways re-wrap the lines as events.
 */
export function readLines(parts: ReaderParts): StreamReader {
  return new LineReader(parts)
}

class LineReader extends FramedReader {
  /** The line that is not over yet, in the pieces it came in. */
  private rest: string[] = []
  private restLength = 0
  private hasValue = false
  private odd = ''

  protected takeText(text: string): void {
    const lines = text.split(/[\r\n]/)
    const last = lines.pop() ?? ''
    for (const line of lines) {
      this.takeLine(this.rest.join('') + line, false)
      this.rest = []
      this.restLength = 0
    }
    this.rest.push(last)
    this.restLength += last.length
    if (this.restLength > unitLimit) this.failTooBig()
  }

  protected takeEnd(): void {
    this.takeLine(this.rest.join(''), true)
    this.judgeOdd()
  }

  protected isEmpty(): boolean {
    return !this.hasValue && this.odd === ''
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
    if (isAtEnd && looksLikeJson(text)) return void (this.hasValue = true)
    this.odd = `${this.odd}\n${text}`.slice(0, 1 << 20)
    if (!looksLikeJson(text)) this.given.log(`skipped: ${excerpt(text)}`)
    else if (this.hasValue) this.failMalformed(text)
  }

  /** A body without any value is a web page or something else; one JSON value over several lines is what a proxy sends. */
  private judgeOdd(): void {
    if (this.hasValue || this.odd === '' || this.reply.fault) return
    const whole = parseJson(this.odd)
    const error = errorIn(whole)
    if (error) this.reply.failAs(error)
    else if (whole !== undefined) this.given.taker.take(whole, this.reply)
    else this.failForeign(this.odd)
  }
}
