import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { composeHost } from '../../src/main/app/compose'
import { endedSessionOf } from '../support/storedMessages'
import { makeProject } from './makeProject'
import type { PerfLine } from './perfLine'
import { conversation } from './perfTurn'

const root = path.resolve(import.meta.dirname, '../..')
const files = 20_000
const calls = 12

/** A provider in a process of its own: some steps that write a file each, then an end. */
const provider = `
import http from 'node:http'
let n = 0
const line = (body) => 'data: ' + JSON.stringify(body) + '\\n\\n'
const server = http.createServer((request, response) => {
  if (request.method === 'GET') { response.setHeader('content-type', 'application/json'); return response.end('{"object":"list","data":[{"id":"m","context_window":1000000}]}') }
  request.resume().on('end', () => {
    n += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let i = 0; i < 100; i++) response.write(line({ choices: [{ index: 0, delta: { content: ' word' + i } }] }))
    if (n % ${calls + 1} !== 0) response.write(line({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'w' + n, type: 'function', function: { name: 'write_file', arguments: JSON.stringify({ path: 'made/' + n + '.txt', content: 'x'.repeat(2000) }) } }] } }] }))
    response.write(line({ choices: [{ index: 0, delta: {}, finish_reason: n % ${calls + 1} !== 0 ? 'tool_calls' : 'stop' }] }))
    response.end('data: [DONE]\\n\\n')
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.resume().on('end', () => process.exit(0))
`

/** L4: how long the main process's event loop is held during a turn over a long history, each step with its two snapshots of 20,000 files. */
export async function perfTurnLoop(print: (line: PerfLine) => void, tokens: number): Promise<void> {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-turn-loop-')))
  const child = spawn(process.execPath, ['--input-type=module', '-e', provider], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    makeProject(path.join(top, 'project'), files)
    writeFileSync(path.join(top, 'project', 'README.md'), 'perf\n')
    await measure(print, { top, tokens, baseUrl: `http://127.0.0.1:${await portOf(child)}/v1` })
  } finally {
    child.stdin?.end()
    await new Promise((over) => child.once('exit', over))
    rmSync(top, { recursive: true, force: true })
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((port) => child.stdout?.once('data', (bytes: Buffer) => port(Number(bytes.toString('utf8')))))
}

async function measure(print: (line: PerfLine) => void, { top, tokens, baseUrl }: { readonly top: string; readonly tokens: number; readonly baseUrl: string }): Promise<void> {
  const home = path.join(top, 'home')
  mkdirSync(home, { recursive: true })
  const host = await composeHost({
    dataFolder: path.join(top, 'data'), dataFolderSetBy: null, workersFolder: path.join(root, 'out/main'), resourcesFolder: path.join(root, 'resources'), home, env: { PATH: process.env['PATH'], HOME: home }, platform: process.platform,
    locale: () => 'en', keychain: null, openAddress: null, recordsOpening: true, indexesAtOpening: false, given: { baseUrl, model: 'm' }, chosenModel: null, log: () => undefined,
  })
  try {
    const opened = await host.openWorkspace(path.join(top, 'project'))
    if (!opened.ok) throw new Error(opened.fault.code)
    const session = await host.createSession('perf', 'commands')
    await host.sessions.append(session.id, endedSessionOf(conversation(tokens)).slice(1))
    await turn(host, session.id)
    const watch = monitorEventLoopDelay({ resolution: 1 })
    watch.enable()
    for (let n = 0; n < 2; n++) await turn(host, session.id)
    watch.disable()
    const ms = (nanoseconds: number): number => Math.round(nanoseconds / 1e4) / 100
    const line = (name: string, value: number): void => print({ goal: 'L4', name: `${name} of the main process’s event loop in a turn at ${tokens} tokens with snapshots of ${files} files`, value, unit: 'ms', baseline: null, ratio: null, runs: 2 * calls })
    line('p99', ms(watch.percentile(99)))
    line('longest hold', ms(watch.max))
  } finally {
    await host.close()
  }
}

async function turn(host: Awaited<ReturnType<typeof composeHost>>, id: Parameters<typeof host.runs.prompt>[0]): Promise<void> {
  const started = await host.runs.prompt(id, 'Write some files')
  if (!started.ok) throw new Error(started.fault.code)
  const end = await started.value.ended
  if (end.reason !== 'done') throw new Error(`the turn ended as ${end.reason}: ${end.say.code}`)
}
