/**
 * A fake model provider: a local HTTP server on 127.0.0.1 and a random port that answers from a script of steps, and records
 * what it was asked. It speaks the protocol of the path it is asked at: OpenAI's chat completions, Anthropic's messages or
 * Ollama's chat (`server.origin` is the base address of the latter two).
 *
 *   const server = await startFakeModelServer({
 *     steps: [
 *       reply({ text: 'I look.', calls: [{ name: 'read_file', args: { path: 'a.txt' } }] }),   // answers the 1st request
 *       reply({ text: 'Done.', usage: { input: 900, output: 12 } }),                           // answers the 2nd
 *       (request) => reply({ text: `You sent ${request.messages.length} messages.` }),         // a step may look at the request
 *     ],
 *   })
 *   ... point a provider at server.baseUrl (ends in /v1; any key), model 'fake-model' ...
 *   server.requests[1].messages      // what was sent: assert pairing, order, truncation
 *   await server.close()
 *
 * - `steps` may also be one function `(request, n) => step` (n counts from 0), for scripts that follow the state of the talk.
 * - `server.add(...)` puts further steps at the end. A request beyond the last step gets a 400 that says so.
 * - Other steps: `rawStream(bytes)` (the exact bytes of a case), `httpAnswer(status, body)`, `rateLimited(seconds)`, `htmlPage()`.
 * - Any step may be spoiled: `{ ...reply({...}), stallAfter: 40 }` sends 40 bytes of the body, then holds the connection
 *   until the client leaves or `server.release()` is called; `dropAfter: 40` cuts the connection there; `cuts` or
 *   `bytewise` split the network pieces; `delayMs` waits before the first byte; `pieceDelayMs` between pieces.
 * - The body is cut into network pieces at random points from `seed` (default 1), so that no test leans on whole lines.
 * - A body that breaks the rules of its protocol (fakeModelServerWire.ts, pairing.ts) is answered with 400, as real providers do;
 *   off with `isStrict: false`. Faults by a number: fakeModelServerFaults.ts.
 * - GET /v1/models and /api/tags list `models`; /api/show tells their window and `capabilities`. Nothing leaves the machine, no clock and no random is used beyond the seed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { contentTypes, protocolOf, replyText, requestProblems, type FakeProtocol } from './fakeModelServerWire'
import type { WireMessage } from './pairing'

/** One call in a scripted reply. `args` is sent as JSON; `argumentsText` sends that very text instead. */
export interface FakeCall {
  readonly name: string
  readonly args?: Readonly<Record<string, unknown>>
  readonly argumentsText?: string
  /** Default `call_<request>_<n>`. */
  readonly id?: string
}

/** A scripted reply. `finish` defaults to tool_calls or stop; null leaves the finish reason out (a cut stream). */
export interface FakeReply {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly FakeCall[]
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number }
  readonly finish?: string | null
  /** Extra raw lines before the end: `data: {"error":...}` and the like. Each is sent with a blank line after it. */
  readonly extra?: readonly string[]
  /** Without the `[DONE]` line. */
  readonly noDone?: boolean
  /** Sends every call with index 0, as some gateways do. */
  readonly repeatIndex?: boolean
}

/** How the bytes of a step go out. */
export interface Spoil {
  readonly delayMs?: number
  readonly pieceDelayMs?: number
  readonly stallAfter?: number
  readonly dropAfter?: number
  readonly bytewise?: boolean
  readonly cuts?: readonly number[]
}

export type FakeStep = Spoil & { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: (n: number, protocol?: FakeProtocol) => Uint8Array }
export type FakeScript = (request: RecordedRequest, n: number) => FakeStep | Promise<FakeStep>

/** A request as it came. `closed` resolves when its connection or answer ended, with true when the client left first. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly bodyText: string
  readonly body: Readonly<Record<string, unknown>>
  readonly messages: readonly (WireMessage & Readonly<Record<string, unknown>>)[]
  readonly closed: Promise<boolean>
}

export interface FakeModelOptions {
  readonly steps?: readonly (FakeStep | FakeScript)[] | FakeScript
  readonly models?: readonly Readonly<Record<string, unknown>>[]
  readonly seed?: number
  readonly isStrict?: boolean
}

export interface FakeModelServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly port: number
  /** Chat requests in order of arrival. */
  readonly requests: readonly RecordedRequest[]
  /** Requests for the list of models, and any other path. */
  readonly otherRequests: readonly RecordedRequest[]
  add(...steps: readonly (FakeStep | FakeScript)[]): void
  /** Resolves when the n-th chat request (from 1) has come. */
  waitForRequest(n: number): Promise<RecordedRequest>
  /** Lets stalled answers go on. */
  release(): void
  openSockets(): number
  close(): Promise<void>
}

/** A streamed reply. */
export function reply(what: FakeReply): FakeStep {
  return { status: 200, headers: {}, body: (n, protocol = 'openai') => encode(replyText(protocol, what, n)) }
}

/** The exact bytes of one stream. */
export function rawStream(bytes: Uint8Array | string, spoil: Spoil = {}): FakeStep {
  const body = typeof bytes === 'string' ? encode(bytes) : bytes
  return { ...spoil, status: 200, headers: { 'content-type': 'text/event-stream' }, body: () => body }
}

/** A whole HTTP answer. Objects are sent as JSON. */
export function httpAnswer(status: number, body: string | Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}): FakeStep {
  const isText = typeof body === 'string'
  return { status, headers: { 'content-type': isText ? 'text/plain' : 'application/json', ...headers }, body: () => encode(isText ? body : JSON.stringify(body)) }
}

/** 429 with Retry-After. */
export function rateLimited(seconds: number): FakeStep {
  return httpAnswer(429, { error: { message: 'Rate limit reached' } }, { 'retry-after': String(seconds) })
}

/** The page a proxy or a captive portal shows instead of an answer. */
export function htmlPage(status = 502): FakeStep {
  return httpAnswer(status, '<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>', { 'content-type': 'text/html; charset=utf-8' })
}

/** Starts the server. */
export async function startFakeModelServer(options: FakeModelOptions = {}): Promise<FakeModelServer> {
  const fake = new Fake(options)
  await fake.listen()
  return fake
}

class Fake implements FakeModelServer {
  readonly requests: RecordedRequest[] = []
  readonly otherRequests: RecordedRequest[] = []
  private readonly steps: (FakeStep | FakeScript)[]
  private readonly follow: FakeScript | null
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private readonly waiting: { readonly n: number; readonly go: (request: RecordedRequest) => void }[] = []
  private stalled: (() => void)[] = []
  private readonly random: () => number
  private readonly options: FakeModelOptions

  constructor(options: FakeModelOptions) {
    this.options = options
    this.random = seeded(options.seed ?? 1)
    this.steps = typeof options.steps === 'function' ? [] : [...(options.steps ?? [])]
    this.follow = typeof options.steps === 'function' ? options.steps : null
    this.server = createServer((request, response) => void this.answer(request, response).catch((error: unknown) => response.destroy(error as Error)))
    this.server.on('connection', (socket) => {
      socket.setNoDelay(true)
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get baseUrl(): string {
    return `${this.origin}/v1`
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve))
  }

  add(...steps: readonly (FakeStep | FakeScript)[]): void {
    this.steps.push(...steps)
  }

  waitForRequest(n: number): Promise<RecordedRequest> {
    const there = this.requests[n - 1]
    return there ? Promise.resolve(there) : new Promise((go) => this.waiting.push({ n, go }))
  }

  release(): void {
    const waiting = this.stalled
    this.stalled = []
    for (const go of waiting) go()
  }

  openSockets(): number {
    return this.sockets.size
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.release()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await record(request, response)
    const protocol = protocolOf(recorded.path)
    if (!protocol) return this.answerOther(recorded, response)
    const n = this.requests.push(recorded) - 1
    for (const waiter of this.waiting.filter((one) => one.n === n + 1)) waiter.go(recorded)
    const problems = this.options.isStrict === false ? [] : requestProblems(protocol, recorded.body)
    if (problems.length > 0) return this.send(httpAnswer(400, { error: { message: `pairing: ${problems.join('; ')}`, type: 'invalid_request_error' } }), n, response)
    const step = this.follow ?? this.steps[n]
    if (!step) return this.send(httpAnswer(400, { error: { message: `the script of the fake model server has no step ${n + 1}` } }), n, response)
    await this.send(typeof step === 'function' ? await step(recorded, n) : step, n, response, protocol)
  }

  private async answerOther(recorded: RecordedRequest, response: ServerResponse): Promise<void> {
    this.otherRequests.push(recorded)
    const models = this.options.models ?? [{ id: 'fake-model', object: 'model', context_window: 200_000 }]
    await this.send(otherAnswer(recorded, models), 0, response)
  }

  private async send(step: FakeStep, n: number, response: ServerResponse, protocol: FakeProtocol = 'openai'): Promise<void> {
    if (step.delayMs) await delay(step.delayMs)
    const bytes = step.body(n, protocol)
    response.writeHead(step.status, { 'content-type': contentTypes[protocol], ...step.headers })
    response.flushHeaders()
    const end = Math.min(step.dropAfter ?? bytes.length, step.stallAfter ?? bytes.length, bytes.length)
    await this.sendPieces(bytes.subarray(0, end), step, response)
    if (step.dropAfter !== undefined) return void response.socket?.resetAndDestroy()
    if (step.stallAfter !== undefined) {
      await new Promise<void>((go) => this.stalled.push(go))
      await this.sendPieces(bytes.subarray(end), step, response)
    }
    response.end()
  }

  private async sendPieces(bytes: Uint8Array, step: FakeStep, response: ServerResponse): Promise<void> {
    for (const piece of split(bytes, this.cutsFor(bytes.length, step))) {
      if (response.destroyed) return
      if (!response.write(piece)) await new Promise<void>((resolve) => void response.once('drain', resolve).once('close', resolve))
      // A turn of the event loop a piece, so that the reader sees them apart.
      await (step.pieceDelayMs ? delay(step.pieceDelayMs) : new Promise(setImmediate))
    }
  }

  private cutsFor(length: number, step: FakeStep): readonly number[] {
    if (step.bytewise) return Array.from({ length }, (_, at) => at)
    if (step.cuts) return step.cuts
    const cuts: number[] = []
    for (let at = 0; at < length; at += 1 + Math.floor(this.random() * 200)) cuts.push(at)
    return cuts
  }
}

function otherAnswer({ path, body }: RecordedRequest, models: readonly Readonly<Record<string, unknown>>[]): FakeStep {
  if (/\/models(?:\?|$)/.test(path)) return httpAnswer(200, { object: 'list', data: models })
  if (path === '/api/version') return httpAnswer(200, { version: '0.20.0' })
  if (path === '/api/tags') return httpAnswer(200, { models: models.map((one) => ({ name: one['id'], model: one['id'] })) })
  const model = path === '/api/show' ? models.find((one) => one['id'] === body['model']) : undefined
  if (model) return httpAnswer(200, { capabilities: model['capabilities'] ?? ['completion', 'tools'], model_info: { 'general.architecture': 'fake', 'fake.context_length': model['context_window'] } })
  return httpAnswer(404, { error: { message: `no such path: ${path}` } })
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const closed = new Promise<boolean>((resolve) => response.once('close', () => resolve(!response.writableFinished)))
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const bodyText = Buffer.concat(pieces).toString('utf8')
  const body = readObject(bodyText)
  const messages = Array.isArray(body['messages']) ? (body['messages'] as RecordedRequest['messages']) : []
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, bodyText, body, messages, closed }
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function split(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const edges = [...new Set([0, ...cuts.filter((cut) => cut > 0 && cut < bytes.length), bytes.length])].sort((a, b) => a - b)
  return edges.slice(1).map((to, at) => bytes.subarray(edges[at], to))
}

/** mulberry32: the same seed gives the same cuts on every machine. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
