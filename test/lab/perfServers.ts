import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FakeModelServer } from '../support/fakeModelServer'

export const serverCount = 50
const toolsOfEach = 20
export const toolCount = serverCount * toolsOfEach
const patienceMs = 120_000

/** Evaluates in the page, where `host` is the bridge; promises are waited for. */
export type AskPage = (expression: string) => Promise<unknown>

/** From the prompt to the model's first request: before any server runs, and when all do. */
export interface PromptTimes {
  readonly firstMs: number
  readonly laterMs: number
}

/** A small server, so that what is measured is the app: tools with the words and schemas of real ones. */
const server = `
import readline from 'node:readline'
const ok = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
const name = process.argv[2]
const text = (words) => ({ type: 'string', description: words })
const tools = Array.from({ length: ${toolsOfEach} }, (_, at) => ({
  name: 'find_' + name + '_' + at,
  description: 'Finds records of ' + name + ' by a query, newest first, and gives their titles, owners and states, at most fifty at a time.',
  inputSchema: { type: 'object', required: ['query'], properties: { query: text('Words that are looked for in titles and texts'), owner: text('Only records of this person'), state: { type: 'string', enum: ['open', 'closed', 'all'] }, limit: { type: 'integer', minimum: 1, maximum: 50 } } },
}))
const answers = {
  initialize: (m) => ({ protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version: '1' } }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
}
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const m = JSON.parse(line)
  if (answers[m.method]) ok(m.id, answers[m.method](m))
})
`

/** A data folder whose mcp.json names all servers; their tools are known from their first run on. */
export function prepareServers(dataDir: string): void {
  mkdirSync(dataDir, { mode: 0o700, recursive: true })
  const file = path.join(dataDir, 'server.mjs')
  writeFileSync(file, server)
  const names = Array.from({ length: serverCount }, (_, at) => `server-${at + 1}`)
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command: process.execPath, args: [file, name] }]))
  writeFileSync(path.join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers }, null, 2))
}

/** Sends two messages in a new session, the second when every server runs and lists its tools. */
export async function timePrompts(ask: AskPage, model: FakeModelServer): Promise<PromptTimes> {
  const sessionId = JSON.stringify(await ask('host.sessionCreate({}).then(({ id }) => id)'))
  const prompt = async (turn: number): Promise<number> => {
    const came = model.waitForRequest(model.requests.length + 1)
    const sentAt = performance.now()
    if ((await ask(`host.sessionPrompt({ sessionId: ${sessionId}, text: 'hello' }).then(({ ok }) => ok)`)) !== true) throw new Error('the message was not taken')
    await came
    const ms = performance.now() - sentAt
    await until(ask, `host.sessionRead({ sessionId: ${sessionId}, fromSeq: 1 }).then((events) => events.filter(({ type }) => type === 'turn-ended').length === ${turn})`)
    return ms
  }
  const firstMs = await prompt(1)
  // Known servers start with their first call; here all are to run.
  await ask('host.mcpRead({}).then(({ servers }) => Promise.all(servers.filter(({ state }) => state.kind === "idle").map(({ name }) => host.mcpStart({ name })))).then(() => true)')
  await until(ask, `host.mcpRead({}).then(({ servers }) => servers.every(({ state, tools }) => state.kind === 'ready' && tools === ${toolsOfEach}))`)
  return { firstMs, laterMs: await prompt(2) }
}

async function until(ask: AskPage, expression: string): Promise<void> {
  const untilMs = Date.now() + patienceMs
  while ((await ask(expression)) !== true) {
    if (Date.now() > untilMs) throw new Error(`this never became true: ${expression}`)
    await sleep(100)
  }
}
