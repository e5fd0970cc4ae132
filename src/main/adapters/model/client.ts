import { unknownFacts, type ModelChoice, type ModelFacts, type ModelFault, type ModelRequest, type StreamPart } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { ModelClient } from '../../core/ports/modelClient'
import type { WakeNews } from '../../core/ports/wakeNews'
import type { ProviderEndpoint } from '../../core/ports/providerProbe'
import type { Catalogue } from './catalogue'
import { reach, type InProcess, type Reached } from './endpoint'
import { faultOfError, faultOfStatus, isNetworkGone, type FaultContext } from './faults'
import { openHttp, readText, type HttpAnswer, type HttpEnd, type HttpRead } from './http'
import type { Network } from './network'
import { errorInBody } from './errorBody'
import { hasPictures, withPictures, type PictureSource } from './pictures'
import type { BodyAsk } from './protocol'
import type { StreamReader } from './reply'
import { pause, retryAfterMs, usualRetries, waitBefore, type RetryPolicy } from './retry'
import { rooms } from './rooms'
import { makeWays, type Way, type Ways } from './way'

/** What the client is made of. */
export interface ModelClientParts {
  readonly catalogue: Catalogue
  readonly network: Network
  readonly inProcess: InProcess
  /** How to reach the provider of a choice; null when it is not set up. */
  endpoint(provider: string): Promise<ProviderEndpoint | null>
  /** Silence after which a stream counts as stalled (R20), asked before each request. */
  stallMs(): Promise<number>
  /** Left out where nothing tells of a sleep of the system. */
  readonly onWake?: WakeNews | undefined
  /** How long the other end may be silent after one. */
  readonly wakePatienceMs?: number
  readonly retries?: RetryPolicy
  /** Without it, a notice stands in place of every picture. */
  readonly pictures?: PictureSource
  /** What is known of a model; nothing when left out. */
  facts?(choice: ModelChoice): Promise<ModelFacts>
  /** Told about odd things that were passed over. */
  log?(note: string): void
}

/** After the provider said why the model stopped, only usage can follow; a server that keeps the line open is not waited for. */
const afterFinishMs = 1500
/** An answer that is over is read to its end, so that the connection can be used again. */
const tailMs = 500
const errorBytes = 64 << 10
/** Networks are back some seconds after the lid is opened. */
const wakePatienceMs = 15_000

/** Makes the one client for all providers; the choice in a request says which. Every provider goes through this code, which knows no protocol. */
export function createModelClient(parts: ModelClientParts): ModelClient {
  const ways = makeWays(parts.catalogue)
  return {
    stream: (request, signal) => streamWithRetries(request, signal, parts, ways),
  }
}

interface Attempt {
  fault: ModelFault | null
  hasShown: boolean
  /** The words of a server that takes the request otherwise. */
  refusal: string | null
}

/** Fields that a server may refuse one after the other. */
const relaxTimes = 4

async function* streamWithRetries(request: ModelRequest, signal: CancelSignal, parts: ModelClientParts, ways: Ways): AsyncGenerator<StreamPart, void, undefined> {
  const endpoint = await parts.endpoint(request.choice.provider)
  if (!endpoint) return yield failed({ kind: 'protocol', say: said('model.no-provider', { provider: request.choice.provider }), canRetry: false })
  const { model } = request.choice
  const stallMs = await parts.stallMs()
  const facts = await factsFor(request, rooms[ways.of(endpoint, model).protocol].usesFacts, parts)
  const messages = await withPictures(request, parts.pictures, facts.seesImages === true && ways.of(endpoint, model).quirks.images !== 'none')
  let relaxed = 0
  for (let retry = 1; ; ) {
    if (signal.aborted) return
    const attempt: Attempt = { fault: null, hasShown: false, refusal: null }
    const way = ways.of(endpoint, model)
    // Found anew for each try: connections of before a sleep are not used any more.
    const reached = reach(endpoint, way.quirks, parts.network, parts.inProcess)
    if (!reached.ok) return yield failed(reached.fault)
    const { value: to } = reached
    for await (const batch of sendOnce({ ask: { ...request, messages, way, facts }, way, to, stallMs, signal }, parts, attempt)) {
      for (const part of batch) {
        if (signal.aborted) return
        yield part
      }
    }
    if (signal.aborted || !attempt.fault) return
    const changes = attempt.refusal !== null && relaxed++ < relaxTimes ? rooms[way.protocol].relax(attempt.refusal, way.quirks) : null
    if (changes) {
      ways.learn(endpoint, changes)
      continue
    }
    const waitMs = attempt.hasShown ? null : waitBefore(retry, attempt.fault, parts.retries ?? usualRetries, Math.random())
    if (waitMs === null) return yield failed(attempt.fault)
    yield { kind: 'retrying', fault: attempt.fault, attempt: retry++, waitMs }
    await pause(waitMs, signal)
  }
}

/** A provider that is slow to list its models holds up no request that says nothing of them. */
async function factsFor(request: ModelRequest, isTold: boolean, parts: ModelClientParts): Promise<ModelFacts> {
  return (isTold || hasPictures(request) ? await parts.facts?.(request.choice) : null) ?? unknownFacts
}

interface Sending {
  readonly ask: BodyAsk
  readonly way: Way
  readonly to: Reached
  readonly stallMs: number
  readonly signal: CancelSignal
}

/** One try. Parts come in the batches the network gave; a fault is left in `attempt` for the caller to judge. */
async function* sendOnce(sending: Sending, parts: ModelClientParts, attempt: Attempt): AsyncGenerator<readonly StreamPart[], void, undefined> {
  const { ask, way, to, signal, stallMs } = sending
  const room = rooms[way.protocol]
  const context: FaultContext = { ...to.context, model: ask.choice.model }
  const opened = await openHttp({
    dispatcher: to.dispatcher,
    method: 'POST',
    url: new URL(`${to.base}/${way.quirks.chatPath}`),
    headers: { ...to.headers, 'content-type': 'application/json', accept: room.accept },
    body: room.body(ask),
    stallMs,
    wake: parts.onWake && { onWake: parts.onWake, patienceMs: parts.wakePatienceMs ?? wakePatienceMs },
    signal,
  })
  if (opened.kind !== 'answer') {
    attempt.fault = faultOfEnd(opened, context)
    return
  }
  const { answer } = opened
  let isWhole = false
  try {
    if (answer.status < 200 || answer.status >= 300) {
      attempt.fault = await faultOfAnswer(answer, context)
      if (answer.status === 400 || answer.status === 422) attempt.refusal = JSON.stringify(attempt.fault.say)
      return
    }
    const reader = room.reader({ taker: room.taker(way), finishReasons: way.finishReasons, context: { ...context, status: answer.status }, log: (note) => parts.log?.(note) })
    yield* readAnswer(answer, reader, { ...sending, context }, attempt)
    isWhole = attempt.fault === null && !signal.aborted
  } finally {
    // Also when nobody wants the rest of the parts any more.
    if (isWhole) void readTail(answer)
    else answer.close()
  }
}

async function* readAnswer(answer: HttpAnswer, reader: StreamReader, { signal, context }: Sending & { readonly context: FaultContext }, attempt: Attempt): AsyncGenerator<readonly StreamPart[], void, undefined> {
  let end: HttpEnd | null = null
  while (!reader.isDone) {
    const read = reader.hasFinish ? await soon(answer) : await answer.read()
    if (signal.aborted) return
    if (read.kind !== 'bytes') {
      end = read.kind === 'end' ? null : read
      break
    }
    const batch = reader.feed(read.bytes)
    attempt.hasShown ||= batch.length > 0
    if (batch.length > 0) yield batch
  }
  const batch = reader.end()
  const last = batch.at(-1)
  if (last?.kind === 'failed') attempt.fault = end && !reader.isDone ? brokenOff(end, last.fault, attempt, context) : last.fault
  attempt.hasShown ||= batch.some((part) => part.kind === 'text-delta' || part.kind === 'thinking-delta' || part.kind === 'call-piece')
  const rest = attempt.fault ? batch.slice(0, -1) : batch
  if (rest.length > 0) yield rest
}

/**
 * A connection that broke inside the answer: cut when something was shown, else the network's own fault. Where the network itself
 * went away, it is as if the stream had fallen silent (R112).
 */
function brokenOff(end: HttpEnd, cut: ModelFault, attempt: Attempt, context: FaultContext): ModelFault {
  if (end.kind !== 'broken' || !attempt.hasShown) return faultOfEnd(end, context)
  const fault = faultOfError(end.error, context)
  return isNetworkGone(end.error) ? { kind: 'stalled', say: fault.say, canRetry: true } : cut
}

function faultOfEnd(end: HttpEnd, context: FaultContext): ModelFault {
  switch (end.kind) {
    case 'broken':
      return faultOfError(end.error, context)
    case 'stalled':
    case 'cancelled':
      return { kind: 'stalled', say: said('model.stalled', { provider: context.provider, seconds: Math.round((end.kind === 'stalled' ? end.silentMs : 0) / 1000) }), canRetry: true }
  }
}

async function faultOfAnswer(answer: HttpAnswer, context: FaultContext): Promise<ModelFault> {
  const header = (name: string): string | undefined => answer.header(name)
  const wait = retryAfterMs(header, Date.now())
  const location = answer.header('location')
  const error = errorInBody(await readText(answer, errorBytes))
  return faultOfStatus({ status: answer.status, error, ...(wait === undefined ? {} : { retryAfterMs: wait }), ...(location === undefined ? {} : { location }) }, context)
}

/** The next read, or the end when it does not come soon. */
async function soon(answer: HttpAnswer): Promise<HttpRead> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<HttpRead>((resolve) => (timer = setTimeout(() => resolve({ kind: 'end' }), afterFinishMs)))
  const read = await Promise.race([answer.read(), late])
  clearTimeout(timer)
  return read
}

async function readTail(answer: HttpAnswer): Promise<void> {
  const timer = setTimeout(() => answer.close(), tailMs)
  while ((await answer.read()).kind === 'bytes');
  clearTimeout(timer)
}

function failed(fault: ModelFault): StreamPart {
  return { kind: 'failed', fault }
}
