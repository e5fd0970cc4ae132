import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { ModelFault, StreamPart, Usage } from '../../../../shared/domain/model'
import { said } from '../../../../shared/domain/result'
import type { Quirks } from '../catalogue'
import { excerpt, faultOfErrorBody, type FaultContext } from '../faults'
import { errorIn, webPageTitle } from './errorBody'
import { readChunk } from './readChunk'

/** Turns the bytes of one answer into stream parts. */
export interface StreamReader {
  /** The parts that these bytes complete. A reader that is done gives no more. */
  feed(bytes: Uint8Array): readonly StreamPart[]
  /** What is left when the bytes are over: usage if there was any, and exactly one `stopped` or `failed`. */
  end(): readonly StreamPart[]
  /** `[DONE]` came, or an error: nothing after it counts. */
  readonly isDone: boolean
  /** The provider said why the model stopped: only usage can follow. */
  readonly hasFinish: boolean
}

/** The longest event; more is no answer of a model. */
const eventLimit = 32 << 20

/**
 * Reads server-sent events by the standard (R18): comments, blank lines, any line end, one optional space, data over several
 * lines, UTF-8 cut anywhere. Beyond it, because servers do so: `[DONE]` is optional, the last event may lack its blank
 * line, data that is plainly no JSON is passed over (`log` is told), and a body that holds no event at all is looked at as
 * one whole answer, an error, or a web page.
 */
export function makeStreamReader(quirks: Quirks, context: FaultContext & { readonly status: number }, log: (note: string) => void): StreamReader {
  return new Reader(quirks, context, log)
}

class Reader implements StreamReader {
  isDone = false
  private readonly decoder = new TextDecoder()
  private readonly parser
  private readonly quirks: Quirks
  private readonly context: FaultContext & { readonly status: number }
  private readonly log: (note: string) => void
  private parts: StreamPart[] = []
  private usage: Usage | null = null
  private finish: string | null = null
  private fault: ModelFault | null = null
  private hasShown = false
  /** The text so far, as long as no event came. */
  private prelude: string | null = ''
  private isAtEnd = false

  constructor(quirks: Quirks, context: FaultContext & { readonly status: number }, log: (note: string) => void) {
    this.quirks = quirks
    this.context = context
    this.log = log
    this.parser = createParser({
      maxBufferSize: eventLimit,
      onEvent: (event) => this.takeEvent(event),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.fail({ kind: 'protocol', say: said('model.too-big', { provider: context.provider, megabytes: eventLimit >> 20 }), canRetry: false })
        else if (error.line?.trimStart().startsWith('{"error"')) this.takeData(error.line, false)
      },
    })
  }

  get hasFinish(): boolean {
    return this.finish !== null
  }

  feed(bytes: Uint8Array): readonly StreamPart[] {
    return this.takeText(this.decoder.decode(bytes, { stream: true }))
  }

  end(): readonly StreamPart[] {
    this.isAtEnd = true
    // Two line ends: one for a line that lacks it, one for the event.
    const parts = [...this.takeText(`${this.decoder.decode()}\n\n`), ...this.takeWhole()]
    if (this.usage) parts.push({ kind: 'usage', usage: this.usage })
    parts.push(this.ending())
    return parts
  }

  private takeText(text: string): StreamPart[] {
    if (this.isDone || text === '') return []
    if (this.prelude !== null) this.prelude = this.prelude.length > eventLimit ? null : this.prelude + text
    this.parser.feed(text)
    const { parts } = this
    this.parts = []
    return parts
  }

  private takeEvent(event: EventSourceMessage): void {
    if (!this.isDone) this.takeData(event.data.trim(), event.event === 'error')
  }

  private takeData(data: string, isError: boolean): void {
    if (data === '') return
    if (data === '[DONE]') {
      this.prelude = null
      this.isDone = true
      return
    }
    const chunks = parseData(data)
    if (chunks) {
      this.prelude = null
      for (const chunk of chunks) this.takeChunk(chunk, isError)
    } else if (isError) this.fail(faultOfErrorBody({ message: data, code: '', status: null }, this.context))
    // The last event may be cut with the stream; a broken one before it means that a piece of the answer is lost.
    else if (!/^[[{]/.test(data)) this.log(`skipped: ${excerpt(data)}`)
    else if (!this.isAtEnd) this.fail({ kind: 'protocol', say: said('model.malformed', { provider: this.context.provider, start: excerpt(data) }), canRetry: true })
  }

  private takeChunk(chunk: unknown, isError: boolean): void {
    if (chunk === doneMark) {
      this.isDone = true
      return
    }
    const error = errorIn(chunk) ?? (isError ? { message: JSON.stringify(chunk), code: '', status: null } : null)
    if (error) return this.fail(faultOfErrorBody(error, this.context))
    const facts = readChunk(chunk, this.quirks.reasoningFields)
    for (const part of facts.parts) this.addPart(part)
    this.hasShown ||= facts.parts.length > 0
    this.finish = facts.finish ?? this.finish
    this.usage = facts.usage ?? this.usage
  }

  /** Text that came in one network piece is shown in one piece. */
  private addPart(part: StreamPart): void {
    const last = this.parts.at(-1)
    if (last && last.kind === part.kind && (part.kind === 'text-delta' || part.kind === 'thinking-delta') && 'text' in last) this.parts[this.parts.length - 1] = { kind: part.kind, text: last.text + part.text }
    else this.parts.push(part)
  }

  /** A body without any event: a server that answered in one piece, an error, a web page. */
  private takeWhole(): readonly StreamPart[] {
    const body = this.prelude?.trim() ?? ''
    if (body === '' || this.fault) return []
    const title = webPageTitle(body)
    if (title !== null) this.fail({ kind: 'protocol', say: said('model.html-page', { provider: this.context.provider, status: this.context.status, title }), canRetry: false })
    else if (/^[[{]/.test(body)) this.takeBody(body)
    else if (!isEventText(body)) this.failForeign(body)
    const { parts } = this
    this.parts = []
    return parts
  }

  private takeBody(body: string): void {
    const chunks = parseData(body)
    if (!chunks) return this.failForeign(body)
    for (const chunk of chunks) this.takeChunk(chunk, false)
    if (this.parts.length === 0 && this.finish === null && !this.fault) this.failForeign(body)
  }

  private failForeign(body: string): void {
    this.fail({ kind: 'protocol', say: said('model.not-a-stream', { provider: this.context.provider, start: excerpt(body) }), canRetry: false })
  }

  private fail(fault: ModelFault): void {
    this.fault ??= fault
    this.isDone = true
  }

  private ending(): StreamPart {
    if (this.fault) return { kind: 'failed', fault: this.fault }
    if (this.finish === null) {
      const isEmpty = this.prelude === null ? this.isDone && !this.hasShown : this.prelude.trim() === ''
      return { kind: 'failed', fault: isEmpty ? { kind: 'empty', say: said('model.empty-answer', { provider: this.context.provider, status: this.context.status }), canRetry: true } : { kind: 'cut', say: said('turn.incomplete'), canRetry: true } }
    }
    const meaning = this.quirks.finishReasons[this.finish.toLowerCase()]
    if (meaning === 'failed') return { kind: 'failed', fault: { kind: 'server', say: said('model.finish-error', { provider: this.context.provider, reason: this.finish }), canRetry: true } }
    return { kind: 'stopped', reason: meaning ?? 'other' }
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Lines of the event-stream form: comments and known fields. */
function isEventText(body: string): boolean {
  return body.split(/\r\n|\r|\n/).every((line) => line === '' || /^(?::|(?:data|event|id|retry)(?::|$))/.test(line))
}
