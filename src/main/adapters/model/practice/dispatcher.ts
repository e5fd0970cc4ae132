import { Dispatcher } from 'undici'

/** The origin of the practice model. `.invalid` belongs to nobody, so a mistake cannot send a request anywhere. */
export const practiceOrigin = 'http://practice.invalid'
/** Its base address, as for every provider. */
export const practiceUrl = `${practiceOrigin}/v1`
/** The name it lists. */
export const practiceModel = 'scripted-tutor'

/** What the tutor answers to the body of a chat request. */
export type PracticeAnswer = (body: unknown) => { readonly text: string; readonly call: { readonly id: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> } | null }

/**
 * Serves the practice model inside the app: no port, no socket. The adapter talks to it as to any provider, in the same bytes,
 * and it streams as one: small pieces, `paceMs` apart.
 */
export function createPracticeDispatcher(answer: PracticeAnswer, paceMs = 14): Dispatcher {
  return new PracticeDispatcher(answer, paceMs)
}

class PracticeDispatcher extends Dispatcher {
  private readonly answer: PracticeAnswer
  private readonly paceMs: number
  private readonly open = new Set<Exchange>()

  constructor(answer: PracticeAnswer, paceMs: number) {
    super()
    this.answer = answer
    this.paceMs = paceMs
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new Exchange(handler, this.paceMs, () => this.open.delete(exchange))
    this.open.add(exchange)
    // Never inside the caller's own call: a real connection does not answer there either.
    setImmediate(() => exchange.start(this.respond(options)))
    return true
  }

  override close(): Promise<void>
  override close(callback: () => void): void
  override close(callback?: () => void): Promise<void> | void {
    return this.destroy(null, callback ?? (() => undefined))
  }

  override destroy(...args: readonly unknown[]): Promise<void> {
    for (const exchange of this.open) exchange.abort(new Error('closed'))
    for (const argument of args) if (typeof argument === 'function') (argument as () => void)()
    return Promise.resolve()
  }

  private respond(options: Dispatcher.DispatchOptions): Response {
    if (options.method === 'GET' && options.path.endsWith('/models')) return whole(200, { object: 'list', data: [{ id: practiceModel, object: 'model' }] })
    if (options.method !== 'POST' || !options.path.endsWith('/chat/completions')) return whole(404, { error: { message: `no such path: ${options.path}` } })
    return { status: 200, type: 'text/event-stream', pieces: streamPieces(this.answer(readBody(options.body))) }
  }
}

interface Response {
  readonly status: number
  readonly type: string
  readonly pieces: readonly string[]
}

/** One answer under way, as the adapter sees it. */
class Exchange implements Dispatcher.DispatchController {
  aborted = false
  paused = false
  reason: Error | null = null
  private rest: readonly string[] = []
  private timer: NodeJS.Timeout | undefined
  private readonly handler: Dispatcher.DispatchHandler
  private readonly paceMs: number
  private readonly over: () => void

  constructor(handler: Dispatcher.DispatchHandler, paceMs: number, over: () => void) {
    this.handler = handler
    this.paceMs = paceMs
    this.over = over
  }

  start(response: Response): void {
    this.handler.onRequestStart?.(this, {})
    if (this.aborted) return
    this.rest = response.pieces
    this.handler.onResponseStart?.(this, response.status, { 'content-type': response.type }, '')
    this.next()
  }

  abort(reason: Error): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    clearTimeout(this.timer)
    this.over()
    this.handler.onResponseError?.(this, reason)
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    if (!this.paused) return
    this.paused = false
    this.next()
  }

  private next(): void {
    if (this.aborted || this.paused) return
    const [piece, ...rest] = this.rest
    this.rest = rest
    if (piece === undefined) {
      this.over()
      return this.handler.onResponseEnd?.(this, {})
    }
    this.handler.onResponseData?.(this, Buffer.from(piece))
    this.timer = setTimeout(() => this.next(), this.paceMs)
  }
}

function whole(status: number, body: unknown): Response {
  return { status, type: 'application/json', pieces: [JSON.stringify(body)] }
}

function readBody(body: Dispatcher.DispatchOptions['body']): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '') as unknown
  } catch {
    return null
  }
}

/** A few characters a piece, then the call's arguments, then the end, as providers stream. */
function streamPieces(answer: ReturnType<PracticeAnswer>): readonly string[] {
  const chunk = (delta: Readonly<Record<string, unknown>>, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'practice', object: 'chat.completion.chunk', model: practiceModel, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const { text, call } = answer
  return [
    chunk({ role: 'assistant', content: '' }),
    ...split(text, 5).map((content) => chunk({ content })),
    ...(call ? [chunk({ tool_calls: [{ index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] })] : []),
    ...(call ? split(JSON.stringify(call.args), 16).map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })) : []),
    chunk({}, call ? 'tool_calls' : 'stop') + 'data: [DONE]\n\n',
  ]
}

function split(text: string, size: number): readonly string[] {
  const characters = [...text]
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) => characters.slice(at * size, (at + 1) * size).join(''))
}
