import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { openAuditLog } from '../../src/main/adapters/audit/auditLog'
import { loadCatalogue } from '../../src/main/adapters/model/catalogue'
import { createModelClient } from '../../src/main/adapters/model/client'
import { openNetwork } from '../../src/main/adapters/model/network'
import { createPracticeDispatcher, practiceOrigin, practiceUrl } from '../../src/main/adapters/model/practice/dispatcher'
import { openDatabase, type Database } from '../../src/main/adapters/sqlite/database'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import { runTurn } from '../../src/main/core/agent/runTurn'
import type { Turn, TurnPorts } from '../../src/main/core/agent/turnPorts'
import { makeHistory } from '../../src/main/core/context/history'
import { tokensOf } from '../../src/main/core/context/messageTokens'
import type { AuditSink } from '../../src/main/core/ports/auditSink'
import { builtinTools } from '../../src/main/core/tools/builtins'
import { defineTool, type Tool } from '../../src/main/core/tools/defineTool'
import { makeRegistry } from '../../src/main/core/tools/registry'
import { makeCompacting, type Compacting } from '../../src/main/services/compaction'
import { recordOf } from '../../src/main/services/runRecord'
import { makeSessions, type OpenSession, type Sessions } from '../../src/main/services/sessions'
import { unknownFacts } from '../../src/shared/domain/model'
import { said, succeed } from '../../src/shared/domain/result'
import { defaultSettings } from '../../src/shared/domain/settings'
import { asId, type MessageId, type TurnId } from '../../src/shared/domain/ids'
import { sessionOf, type StoredMessage } from '../support/storedMessages'
import { makeTurnWorld } from '../support/turnWorld'
import type { Print } from './index'
import { seededRandom } from './makeProject'
import { perfTurnLoop } from './perfTurnLoop'
import { median, type PerfLine, type Wanted } from './perfLine'

const root = path.resolve(import.meta.dirname, '../..')
const ids = makeIdSource(systemClock)
const choice = { provider: 'perf', model: 'm' }
const steps = 16
const warmUp = 4

/**
 * `perf turn`: L1, from a tool's result in hand to the bytes of the next request handed to the network, through the real loop,
 * database, audit log, fold, compaction check and protocol, beside JSON.stringify of that whole request; L2, the same at 2,000
 * tokens; L4, the main process's event loop meanwhile (perfTurnLoop). Size: tokens of the long history.
 */
export async function perfTurn(print: Print, size = 200_000, isWanted: Wanted = () => true): Promise<void> {
  if (isWanted('L1') || isWanted('L2')) await measureOverhead(print, size)
  if (isWanted('L4')) await perfTurnLoop(print, size)
}

async function measureOverhead(print: (line: PerfLine) => void, size: number, rounds = 5): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'countersign-turn-'))
  const database = await open(dataDir)
  const audit = await openAuditLog({ dir: path.join(dataDir, 'audit'), clock: systemClock, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null) })
  if (!audit.ok) throw new Error(audit.fault.code)
  const worlds = { long: await makeWorld(database, audit.value, size), short: await makeWorld(database, audit.value, 2_000) }
  const times = { long: [] as number[], short: [] as number[], stringify: [] as number[] }
  try {
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['long', 'short'] as const) : (['short', 'long'] as const)
      for (const which of order) {
        const { overhead, stringify } = await worlds[which].turn(`${which} ${round}`)
        times[which].push(...overhead)
        if (which === 'long') times.stringify.push(...stringify)
      }
    }
  } finally {
    await Promise.all([worlds.long.close(), worlds.short.close()])
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const [long, short, stringify] = [median(times.long), median(times.short), median(times.stringify)]
  const rounded = (value: number): number => Math.round(value * 1000) / 1000
  print({ goal: 'L1', name: `own overhead of a turn at ${size} tokens; beside JSON.stringify of the whole request`, value: rounded(long), unit: 'ms', baseline: rounded(stringify), ratio: rounded(long / stringify), runs: times.long.length })
  print({ goal: 'L2', name: `the same at ${size} tokens; beside 2000`, value: rounded(long), unit: 'ms', baseline: rounded(short), ratio: rounded(long / short), runs: times.short.length })
}

async function open(dataDir: string): Promise<Database> {
  const opened = await openDatabase({ dataDir, migrationsDir: path.join(root, 'resources/migrations'), workerFile: path.join(root, 'out/main/sqliteWorker.js'), clock: systemClock, ids })
  if (!opened.ok) throw new Error(opened.fault.code)
  return opened.value
}

interface World {
  /** One turn of some steps; the first ones warm up and are not counted. */
  turn(name: string): Promise<{ readonly overhead: readonly number[]; readonly stringify: readonly number[] }>
  close(): Promise<void>
}

/** What one turn leaves behind. */
interface Marks {
  resultAt: number
  overhead: number[]
  body: Buffer
  n: number
}

async function makeWorld(database: Database, audit: AuditSink, tokens: number): Promise<World> {
  const sessions = makeSessions({ events: database.events, clock: systemClock, ids })
  const session = await sessions.create((await database.timeline.workspace('/lab', 'lab')).id, 'perf', 'writes')
  await sessions.append(session.id, sessionOf(conversation(tokens)).drafts.slice(1))
  const marks: Marks = { resultAt: 0, overhead: [], body: Buffer.alloc(0), n: 0 }
  const network = openNetwork({})
  const client = createModelClient({ catalogue: await loadCatalogue(path.join(root, 'resources')), network, inProcess: { [practiceOrigin]: timed(marks) }, endpoint: () => Promise.resolve({ baseUrl: practiceUrl, key: null }), stallMs: () => Promise.resolve(30_000) })
  const ports: TurnPorts = { ...makeTurnWorld({ tools: [], replies: [] }).ports, model: client, tools: makeRegistry([...builtinTools, look(marks)]), audit, clock: systemClock, ids }
  const compacting = compactingFor(session, sessions, ports)
  return {
    async turn(name) {
      Object.assign(marks, { resultAt: 0, overhead: [], n: 0 })
      const turnId = asId<TurnId>(name)
      await sessions.append(session.id, [{ type: 'user-message-added', turnId, messageId: asId<MessageId>(name), text: 'go on' }, { type: 'turn-started', turnId, choice, level: 'writes' }])
      const turn: Turn = { sessionId: session.id, turnId, choice, level: 'writes', maxSteps: 50, step: 0 }
      const record = recordOf(session, turn, { sessions, queues: { deliver: () => Promise.resolve(0) }, history: (...asked) => compacting.prepare(...asked) })
      const end = await runTurn(turn, { ...ports, record }, new AbortController().signal)
      if (end.reason !== 'done' || marks.overhead.length < steps) throw new Error(`the turn ended as ${end.reason}: ${end.say.code}`)
      return { overhead: marks.overhead.slice(warmUp), stringify: stringifyTimes(marks.body) }
    },
    close: () => network.close(),
  }
}

function compactingFor(session: OpenSession, sessions: Sessions, ports: TurnPorts): Compacting {
  const history = makeHistory()
  let taken = 0
  return makeCompacting({
    ...ports, sessions, prompts: { summary: '', merge: '' }, isFitMemory: () => false, isDevelopment: true, log: () => undefined,
    context() {
      for (; taken < session.events.length; taken += 1) {
        const event = session.events[taken]
        if (event) history.add(event)
      }
      return Promise.resolve({ history, systemText: 'You are an agent.', repairs: history.takeRepairs(), memoryFault: null })
    },
    facts: () => Promise.resolve({ ...unknownFacts, windowTokens: 1_000_000 }),
    settings: () => Promise.resolve(defaultSettings.compaction),
  })
}

/** The network: notes when the bytes are handed over; the model that answers does not look at them. */
function timed(marks: Marks): Dispatcher {
  const inner = createPracticeDispatcher(() => {
    marks.n += 1
    return marks.n <= steps ? { text: '', call: { id: `p${marks.n}`, name: 'look', args: { n: marks.n } } } : { text: 'Done.', call: null }
  }, 0)
  const dispatch = inner.dispatch.bind(inner)
  return Object.assign(inner, {
    dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      if (marks.resultAt > 0) marks.overhead.push(performance.now() - marks.resultAt)
      if (options.body) marks.body = Buffer.from(options.body as Uint8Array)
      return dispatch({ ...options, body: '{}' }, handler)
    },
  })
}

/** What making a whole request anew takes, as often as it was made from what is kept. Not in between: its garbage would be ours to sweep. */
function stringifyTimes(body: Buffer): readonly number[] {
  const whole: unknown = JSON.parse(body.toString('utf8'))
  return Array.from({ length: steps - warmUp }, () => {
    const beganAt = performance.now()
    const bytes = Buffer.from(JSON.stringify(whole))
    const took = performance.now() - beganAt
    if (bytes.length !== body.length) throw new Error('another request was written')
    return took
  })
}

/** A read whose result is in hand at once. */
function look(marks: Marks): Tool {
  return defineTool({
    name: 'look', description: 'Looks.', params: z.object({ n: z.number() }), effect: 'read', paths: () => [],
    forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base: {} })),
    run: ({ n }) => {
      const body = `${n} `.repeat(1_000)
      marks.resultAt = performance.now()
      return Promise.resolve({ status: 'ok', say: said('tool.answered'), body })
    },
  })
}

const words = 'const return await import function the file change error build test run value 读取 文件 修改 测试 运行 快照 回滚 审批 内存 函数'.split(' ')

/** A conversation of about so many tokens: questions, calls and results of some hundred to nine thousand characters. */
export function conversation(tokens: number): readonly StoredMessage[] {
  const random = seededRandom(3)
  const text = (length: number): string => {
    let made = ''
    while (made.length < length) made += `${words[Math.floor(random() * words.length)]}${random() < 0.1 ? ';\n' : ' '}`
    return made
  }
  const messages: StoredMessage[] = []
  for (let n = 0, sum = 0; sum < tokens; n += 1) {
    const id = `h${n}`
    const more: readonly StoredMessage[] = [
      { role: 'user', content: text(400) },
      { role: 'assistant', content: text(300), tool_calls: [{ id, function: { name: 'read_file', arguments: JSON.stringify({ path: 'src/a.ts', q: text(60) }) } }] },
      { role: 'tool', tool_call_id: id, content: text(Math.min(200 + random() * 9_000, Math.max(200, (tokens - sum) * 2))) },
      { role: 'assistant', content: text(200) },
    ]
    sum += tokensOf(more.map((message) => ({ role: 'user', text: String(message.content) })))
    messages.push(...more)
  }
  return messages
}
