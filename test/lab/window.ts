import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { reply, startFakeModelServer, type FakeReply, type FakeStep, type Spoil } from '../support/fakeModelServer'
import type { LabCommand } from './index'
import { putTranscript } from './transcript'

const root = path.resolve(import.meta.dirname, '../..')

/** A step of a script: a reply, and how its bytes go out. */
type ScriptStep = FakeReply & Spoil

const builtIn: readonly ScriptStep[] = [
  { text: 'I look at the folder.', calls: [{ name: 'list_files', args: { path: '.' } }] },
  { text: 'And I write a note.', calls: [{ name: 'write_file', args: { path: 'note.txt', content: 'From the fake model.\n' } }] },
  { text: 'That was the script of `npm run dev:fake`.' },
]

/**
 * `window fake [SCRIPT.json] [--project DIR]`: the app with the fake model server, which answers from a list of steps, over and over.
 * `window replay FILE.jsonl`: draws a transcript. Both on data of their own, which are gone afterwards.
 */
export const windowCommand: LabCommand = async ([name, ...args]) => {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-window-')))
  const [data, made] = [path.join(base, 'data'), path.join(base, 'project')]
  mkdirSync(data, { mode: 0o700 })
  mkdirSync(made)
  try {
    if (name === 'fake') await fake(args, data, made)
    else if (name === 'replay' && args[0] !== undefined) {
      await putTranscript(path.resolve(args[0]), data, made)
      await runApp(data, made, {})
    } else throw usage('window fake [SCRIPT.json] [--project DIR], or window replay FILE.jsonl')
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function fake(args: readonly string[], data: string, made: string): Promise<void> {
  const { values, positionals: [script] } = parseArgs({ args: [...args], allowPositionals: true, options: { project: { type: 'string' } } })
  const project = values.project === undefined ? made : path.resolve(values.project)
  const steps = script === undefined ? builtIn : stepsOf(readFileSync(script, 'utf8'))
  const server = await startFakeModelServer({ steps: (_request, n) => stepOf(steps[n % steps.length] ?? {}) })
  try {
    await runApp(data, project, { COUNTERSIGN_PROVIDER_URL: server.baseUrl, COUNTERSIGN_PROVIDER_KEY: 'fake', COUNTERSIGN_MODEL: 'fake-model' })
  } finally {
    await server.close()
  }
}

function stepsOf(text: string): readonly ScriptStep[] {
  const steps: unknown = JSON.parse(text)
  if (!Array.isArray(steps) || steps.length === 0) throw usage('a script is a list of steps: [{"text": "Hello."}]')
  return steps as readonly ScriptStep[]
}

function stepOf({ delayMs, pieceDelayMs, stallAfter, dropAfter, bytewise, cuts, ...said }: ScriptStep): FakeStep {
  const spoil = Object.fromEntries(Object.entries({ delayMs, pieceDelayMs, stallAfter, dropAfter, bytewise, cuts }).filter(([, value]) => value !== undefined)) as Spoil
  return { ...reply(said), ...spoil }
}

/** Until the person closes it. */
function runApp(dataDir: string, project: string, provider: Readonly<Record<string, string>>): Promise<void> {
  const program = process.env['ELECTRON_EXEC_PATH']
  if (!program) throw usage('no Electron here: npm run setup')
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const { ELECTRON_RUN_AS_NODE: _node, NODE_OPTIONS: _options, ...env } = process.env
  const child = spawn(program, [...sandbox, root], { stdio: 'inherit', env: { ...env, COUNTERSIGN_DATA_DIR: dataDir, COUNTERSIGN_OPEN: project, ...provider } })
  const stop = (): void => void child.kill()
  // The data goes also when the terminal ends it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve())
  })
}

function usage(sentence: string): Error {
  return Object.assign(new Error(sentence), { name: 'LabUsage' })
}
