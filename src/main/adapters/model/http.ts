import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { WakeNews } from '../../core/ports/wakeNews'

/** One request. The clock of silence starts when it is sent and starts again with every byte that comes. */
export interface HttpAsk {
  readonly dispatcher: Dispatcher
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** After this long without a byte the request ends as `stalled`. Comments and keep-alives are bytes. */
  readonly stallMs: number
  /** After a sleep of the system the other end may have gone without a word (R112): then the next byte has only so long to come. */
  readonly wake?: { readonly onWake: WakeNews; readonly patienceMs: number } | undefined
  readonly signal: CancelSignal
}

/** Why there is no answer, or no more of it. */
export type HttpEnd = { readonly kind: 'cancelled' } | { readonly kind: 'stalled'; readonly silentMs: number } | { readonly kind: 'broken'; readonly error: Error }

/** What one read of a body gave: bytes (all that came since the last read), the proper end, or an end before it. */
export type HttpRead = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'end' } | HttpEnd

export interface HttpAnswer {
  readonly status: number
  header(name: string): string | undefined
  /** One read at a time. */
  read(): Promise<HttpRead>
  /** Closes the socket when the answer is not at its end. Call it always. */
  close(): void
}

/** Bytes that may wait unread before the sender is held back. */
const waitingBytes = 1 << 20

/**
 * Sends a request and resolves when the status and headers are there, or with the reason why not. Never rejects. On cancel
 * the socket is closed at once, and a waiting read ends.
 */
export function openHttp(ask: HttpAsk): Promise<{ readonly kind: 'answer'; readonly answer: HttpAnswer } | HttpEnd> {
  return new Exchange(ask).opened
}

/** Reads a whole body, at most `limitBytes` of it. */
export async function readText(answer: HttpAnswer, limitBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const read = await answer.read()
    if (read.kind !== 'bytes') break
    text += decoder.decode(read.bytes, { stream: true })
    size += read.bytes.length
    if (size >= limitBytes) break
  }
  answer.close()
  return text + decoder.decode()
}

class Exchange implements Dispatcher.DispatchHandler, HttpAnswer {
  readonly opened: Promise<{ readonly kind: 'answer'; readonly answer: HttpAnswer } | HttpEnd>
  status = 0
  private headers: Readonly<Record<string, string | string[] | undefined>> = {}
  private controller: Dispatcher.DispatchController | null = null
  private decoder: Transform | null = null
  private waiting: Uint8Array[] = []
  private size = 0
  private isWaking = false
  private end: Exclude<HttpRead, { readonly kind: 'bytes' }> | null = null
  private reader: ((read: HttpRead) => void) | null = null
  private open: (opened: { readonly kind: 'answer'; readonly answer: HttpAnswer } | HttpEnd) => void = () => undefined
  private silence: NodeJS.Timeout | undefined
  private hasWoken = false
  private readonly stallMs: number
  private readonly stopListening: (() => void) | undefined
  private readonly signal: CancelSignal
  private readonly onAbort = (): void => this.stop({ kind: 'cancelled' })

  constructor(ask: HttpAsk) {
    this.opened = new Promise((resolve) => (this.open = resolve))
    this.signal = ask.signal
    this.stallMs = ask.stallMs
    this.allowSilence(ask.stallMs)
    const { wake } = ask
    this.stopListening = wake?.onWake(() => {
      if (this.end) return
      this.hasWoken = true
      this.allowSilence(Math.min(wake.patienceMs, ask.stallMs))
    })
    ask.signal.addEventListener('abort', this.onAbort, { once: true })
    if (ask.signal.aborted) this.stop({ kind: 'cancelled' })
    else this.send(ask)
  }

  private send({ dispatcher, url, method, headers, body }: HttpAsk): void {
    try {
      // The exchange has its own clock; undici's would cut a model that thinks for five minutes.
      dispatcher.dispatch({ origin: url.origin, path: `${url.pathname}${url.search}`, method, headers: { ...headers }, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 }, this)
    } catch (error) {
      this.stop({ kind: 'broken', error: asError(error) })
    }
  }

  header(name: string): string | undefined {
    const value = this.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  read(): Promise<HttpRead> {
    const ready = this.take()
    return ready ? Promise.resolve(ready) : new Promise((resolve) => (this.reader = resolve))
  }

  close(): void {
    this.stop({ kind: 'end' })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.end) controller.abort(new Error('closed'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    if (this.end || status < 200) return
    this.heard()
    this.status = status
    this.headers = headers
    this.decoder = decoderFor(this.header('content-encoding'))
    this.decoder?.on('data', (bytes: Buffer) => this.add(bytes))
    this.decoder?.on('error', (error) => this.stop({ kind: 'broken', error }))
    this.decoder?.on('end', () => this.settle({ kind: 'end' }))
    this.open({ kind: 'answer', answer: this })
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.end) return
    this.heard()
    if (this.decoder) this.decoder.write(bytes)
    else this.add(bytes)
  }

  onResponseEnd(): void {
    if (this.decoder) this.decoder.end()
    else this.settle({ kind: 'end' })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle({ kind: 'broken', error })
  }

  private allowSilence(silentMs: number): void {
    clearTimeout(this.silence)
    this.silence = setTimeout(() => this.stop({ kind: 'stalled', silentMs }), silentMs)
  }

  private heard(): void {
    if (this.hasWoken) this.allowSilence(this.stallMs)
    else this.silence?.refresh()
    this.hasWoken = false
  }

  private add(bytes: Uint8Array): void {
    this.waiting.push(bytes)
    this.size += bytes.length
    if (this.size > waitingBytes) this.controller?.pause()
    this.wake()
  }

  /** Everything that came goes to the reader in one piece, so that many small network pieces cost one turn. */
  private take(): HttpRead | null {
    const [first, ...more] = this.waiting
    if (!first) return this.end
    const bytes = more.length === 0 ? first : Buffer.concat(this.waiting, this.size)
    this.waiting = []
    this.size = 0
    if (this.controller?.paused) this.controller.resume()
    return { kind: 'bytes', bytes }
  }

  /** The reader is woken once the network has handed over all it had, not at its first piece. */
  private wake(): void {
    if (!this.reader || this.isWaking) return
    this.isWaking = true
    setImmediate(() => {
      this.isWaking = false
      const reader = this.reader
      const read = reader && this.take()
      if (!reader || !read) return
      this.reader = null
      reader(read)
    })
  }

  /** Ends the exchange from our side; what has come but was not read is dropped. */
  private stop(end: Exclude<HttpRead, { readonly kind: 'bytes' }>): void {
    if (this.end) return
    this.waiting = []
    this.settle(end)
    this.decoder?.destroy()
    this.controller?.abort(new Error(end.kind))
  }

  private settle(end: Exclude<HttpRead, { readonly kind: 'bytes' }>): void {
    if (this.end) return
    this.end = end
    clearTimeout(this.silence)
    this.stopListening?.()
    this.signal.removeEventListener('abort', this.onAbort)
    this.open(end.kind === 'end' ? { kind: 'broken', error: new Error('closed') } : end)
    const reader = this.reader
    if (!reader || this.waiting.length > 0) return
    this.reader = null
    reader(end)
  }
}

function decoderFor(encoding: string | undefined): Transform | null {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress()
    default:
      return null
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
