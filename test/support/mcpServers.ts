import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { McpAnswer, McpEnd, McpEndpoint, McpEvents, McpQuestion, McpStart } from '../../src/main/core/ports/mcpConnections'
import type { McpLogLine } from '../../src/shared/domain/mcp'

const packages = createRequire(import.meta.url)
const entryOf = (name: string): string => path.join(path.dirname(packages.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js')

/** The folder of the cases with small servers, each `NAME.mjs`. */
export const casesF = path.join(import.meta.dirname, '../cases/F')

/** A program of this node as an endpoint. */
export function nodeServer(args: readonly string[], cwd = casesF, env: Readonly<Record<string, string>> = {}): McpEndpoint & { readonly kind: 'stdio' } {
  return { kind: 'stdio', command: process.execPath, args, cwd, env: { PATH: process.env['PATH'] ?? '', ...env } }
}

/** The reference server that has everything of the protocol, over stdio. */
export function everythingServer(): McpEndpoint & { readonly kind: 'stdio' } {
  return nodeServer([entryOf('server-everything'), 'stdio'])
}

/** The reference server for files below one folder, over stdio. */
export function filesystemServer(folder: string): McpEndpoint & { readonly kind: 'stdio' } {
  return nodeServer([entryOf('server-filesystem'), folder])
}

/** The text of a small server, for a file of its own. */
export function programOf(body: string): string {
  return `${beginning}\n${body}`
}

/** A small server without packages: `body` is put behind what every case of F begins with (`send`, `ok`, `tool`, `on`, `H`). */
export function fakeServer(body: string): McpEndpoint & { readonly kind: 'stdio' } {
  return nodeServer(['--input-type=module', '-e', programOf(body)])
}

const beginning = `
import readline from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const ok = (id, result) => send({ jsonrpc: '2.0', id, result })
const tool = (name, extra = {}) => ({ name, description: name, inputSchema: { type: 'object', properties: {} }, ...extra })
const text = (text) => ({ content: [{ type: 'text', text }] })
const handlers = {}
const on = (method, handler) => (handlers[method] = handler)
on('initialize', (m) => ok(m.id, { protocolVersion: m.params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'fake', version: '1' } }))
on('ping', (m) => ok(m.id, {}))
const answers = new Map()
let asked = 1000
const ask = (method, params) => new Promise((resolve) => { answers.set(++asked, resolve); send({ jsonrpc: '2.0', id: asked, method, params }) })
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const m = JSON.parse(line)
  if (m.method === undefined) return answers.get(m.id)?.(m)
  if (handlers[m.method]) handlers[m.method](m)
  else if (m.id !== undefined) send({ jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'no' } })
})
`

/** A server at an address of this machine. */
export interface AddressServer {
  readonly url: string
  readonly origin: string
  close(): Promise<void>
}

/** The reference server over Streamable HTTP or the older SSE, on a free port. */
export async function everythingAt(mode: 'streamableHttp' | 'sse', port?: number): Promise<AddressServer> {
  const chosen = port ?? (await freePort())
  const child = spawn(process.execPath, [entryOf('server-everything'), mode], { env: { ...process.env, PORT: String(chosen) }, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let printed = ''
    child.stderr.on('data', (bytes: Buffer) => {
      printed += bytes.toString('utf8')
      if (printed.includes(`port ${chosen}`)) resolve()
    })
    void ended.then(() => reject(new Error(`the server ended: ${printed}`)))
  })
  const origin = `http://127.0.0.1:${chosen}`
  return {
    origin,
    url: `${origin}/${mode === 'sse' ? 'sse' : 'mcp'}`,
    close() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

/** A listener of one's own at an address of this machine. */
export async function listenAt(listener: RequestListener): Promise<AddressServer> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: `${origin}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The JSON of a request. */
export async function bodyOf(request: IncomingMessage): Promise<{ readonly id?: number; readonly method?: string; readonly params?: Record<string, unknown> }> {
  let text = ''
  for await (const bytes of request) text += String(bytes)
  return text === '' ? {} : (JSON.parse(text) as { id?: number; method?: string; params?: Record<string, unknown> })
}

/** Answers a request with JSON. */
export function answerJson(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(value === null ? '' : JSON.stringify(value))
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise<void>((resolve) => probe.close(() => resolve()))
  return port
}

/** What a connection told, in order. */
export interface ToldEvents extends McpEvents {
  readonly lines: McpLogLine[]
  readonly told: string[]
  readonly questions: McpQuestion[]
  readonly ends: McpEnd[]
}

/** Listens and writes down; questions are answered by `answer`. */
export function listenTo(answer: (question: McpQuestion) => McpAnswer | Promise<McpAnswer> = () => ({ kind: 'refused' })): ToldEvents {
  const lines: McpLogLine[] = []
  const told: string[] = []
  const questions: McpQuestion[] = []
  const ends: McpEnd[] = []
  return {
    lines, told, questions, ends,
    log: (line) => void lines.push(line),
    toolsChanged: () => void told.push('tools'),
    resourcesChanged: () => void told.push('resources'),
    resourceUpdated: (uri) => void told.push(uri),
    promptsChanged: () => void told.push('prompts'),
    question(question) {
      questions.push(question)
      return Promise.resolve(answer(question))
    },
    closed: (end) => void ends.push(end),
  }
}

/** A start with times that are long enough on a busy machine. */
export function startOf(endpoint: McpEndpoint, rest: Partial<McpStart> = {}): McpStart {
  return { name: 'one', endpoint, root: null, handshakeMs: 20_000, callMs: 15_000, ceilingMs: 60_000, offersSampling: false, offersElicitation: false, ...rest }
}

/** A signal that nobody gives. */
export const never = new AbortController().signal
