import { spawn, type ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { loadCatalogue } from '../../src/main/adapters/model/catalogue'
import { createModelClient } from '../../src/main/adapters/model/client'
import { openNetwork, type Network } from '../../src/main/adapters/model/network'
import { readReply } from '../../src/main/core/agent/readReply'
import type { Turn, TurnPorts } from '../../src/main/core/agent/turnPorts'
import type { LivePart } from '../../src/shared/domain/event'
import { asId, type SessionId, type TurnId } from '../../src/shared/domain/ids'
import { median, type PerfLine } from './perfLine'

const resources = resolve(import.meta.dirname, '../../resources')

/** A provider in a process of its own, so that only the reader's time is counted: N deltas, all at once or `every` ms apart. */
const provider = `
import http from 'node:http'
const event = (i) => 'data: ' + JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: ' token' + i }, finish_reason: null }] }) + '\\n\\n'
const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n'
const server = http.createServer((request, response) => {
  const [, deltas, every] = /^\\/(\\d+)\\/(\\d+)\\//.exec(request.url).map(Number)
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let i = 0
    if (every === 0) { while (i < deltas) response.write(event(i++)); return response.end(end) }
    const timer = setInterval(() => { response.write(event(i++)); if (i >= deltas) { clearInterval(timer); response.end(end) } }, every)
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.resume().on('end', () => process.exit(0))
`

/** `perf stream` (L3): processor time for a stream of deltas through client, assembler and push, beside "fetch, bytes only" in the same run. */
export async function perfStream(print: (line: PerfLine) => void, deltas = 1000, rounds = 15): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', provider], { stdio: ['pipe', 'pipe', 'inherit'] })
  const network = openNetwork({})
  try {
    const port = await readPort(child)
    await compare('all at once', `http://127.0.0.1:${port}/${deltas}/0`, { deltas, rounds, streams: 10, network }, print)
    await compare('1 ms apart', `http://127.0.0.1:${port}/${deltas}/1`, { deltas, rounds: 3, streams: 1, network }, print)
  } finally {
    await network.close()
    child.stdin?.end()
    await new Promise((over) => child.once('exit', over))
  }
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((port, fail) => {
    child.stdout?.once('data', (bytes: Buffer) => port(Number(bytes.toString('utf8'))))
    child.once('error', fail)
  })
}

interface Plan {
  readonly deltas: number
  readonly rounds: number
  /** Streams a measurement, so that its length is far above the clock's grain. */
  readonly streams: number
  readonly network: Network
}

async function compare(name: string, baseUrl: string, plan: Plan, print: (line: PerfLine) => void): Promise<void> {
  const product = await makeReader(baseUrl, plan)
  const floor = (): Promise<void> => readBytes(`${baseUrl}/chat/completions`)
  await product()
  await floor()
  const pairs: { readonly ours: number; readonly bytes: number }[] = []
  for (let round = 0; round < plan.rounds; round++) {
    const isOursFirst = round % 2 === 0
    const first = await cpuMs(isOursFirst ? product : floor, plan.streams)
    const second = await cpuMs(isOursFirst ? floor : product, plan.streams)
    pairs.push(isOursFirst ? { ours: first, bytes: second } : { ours: second, bytes: first })
  }
  const ours = median(pairs.map((pair) => pair.ours))
  const bytes = median(pairs.map((pair) => pair.bytes))
  const rounded = (value: number): number => Math.round(value * 1000) / 1000
  print({ goal: 'L3', name: `${plan.deltas} deltas through the loop, ${name}; beside fetch, bytes only`, value: rounded(ours), unit: 'ms CPU', baseline: rounded(bytes), ratio: rounded(ours / bytes), runs: plan.rounds })
}

async function makeReader(baseUrl: string, { deltas, network }: Plan): Promise<() => Promise<void>> {
  const client = createModelClient({ catalogue: await loadCatalogue(resources), network, inProcess: {}, endpoint: () => Promise.resolve({ baseUrl, key: null }), stallMs: () => Promise.resolve(30_000) })
  const request = { choice: { provider: 'perf', model: 'm' }, messages: [{ role: 'user' as const, text: 'go' }], tools: [] }
  const turn: Turn = { sessionId: asId<SessionId>('s'), turnId: asId<TurnId>('t'), choice: request.choice, level: 'writes', maxSteps: 1, step: 0 }
  return async () => {
    const pushed: LivePart[] = []
    const show: TurnPorts['record']['show'] = (of, step, body) => void pushed.push({ sessionId: of.sessionId, turnId: of.turnId, step, seq: 1, part: pushed.length + 1, atMs: Date.now(), body })
    // Reading a reply takes the model, the pushing and the hiding of secrets from the ports, nothing else.
    const ports = { model: client, record: { show }, withoutKnown: (text: string) => text } as unknown as TurnPorts
    const { reply } = await readReply(request, turn, 1, ports, new AbortController().signal)
    if (reply.status !== 'complete' || !reply.text.endsWith(` token${deltas - 1}`) || pushed.length === 0) throw new Error('the stream was not read as it should be')
  }
}

async function readBytes(url: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: '{}' })
  let size = 0
  if (answer.body) for await (const bytes of answer.body) size += (bytes as Uint8Array).length
  if (size === 0) throw new Error('the provider sent nothing')
}

async function cpuMs(work: () => Promise<void>, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < times; n++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}
