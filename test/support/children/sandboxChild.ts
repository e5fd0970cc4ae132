import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeOverlays } from '../../../src/main/adapters/sandbox/overlay'
import { makeSandbox } from '../../../src/main/adapters/sandbox/sandbox'
import { makeTrialRunner, type TrialRunnerParts } from '../../../src/main/adapters/sandbox/trialRunner'
import * as names from '../../../src/main/core/policy/protectedNames'
import { succeed } from '../../../src/shared/domain/result'
import { makeOutsideWorld } from '../outsideWorld'
import { attacks } from '../sandboxAttacks'

/**
 * The sandbox as another user: tells what it found, what every attack printed and did, and what a trial saw. `hang` holds a project
 * and waits to be killed.
 */
export interface SandboxJob {
  readonly mode: 'attacks' | 'hang'
  readonly base?: string
}

const job = JSON.parse(process.argv[2] ?? '{}') as SandboxJob
const say = (line: unknown): void => void process.stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
const base = job.base ?? realpathSync(mkdtempSync(path.join(tmpdir(), 'sandbox-child-')))
const [home, data, root] = ['home', 'data', 'project'].map((name) => path.join(base, name)) as [string, string, string]
for (const folder of [home, data, root, path.join(home, '.ssh'), path.join(home, '.aws'), path.join(root, '.vscode'), path.join(root, 'nested/inner'), path.join(root, '.github'), path.join(root, 'src/old')]) mkdirSync(folder, { recursive: true })
for (const file of [path.join(home, '.ssh/id_ed25519'), path.join(home, '.aws/credentials'), path.join(home, '.bash_history'), path.join(data, 'secret'), path.join(root, '.vscode/settings.json'), path.join(root, 'plain'), path.join(root, 'src/old/file')]) writeFileSync(file, 'private')
for (const folder of ['.', 'nested/inner']) spawnSync('git', ['init', '-q', folder], { cwd: root })

const overlays = makeOverlays(data)
const sandbox = makeSandbox({ platform: 'linux', home, dataFolder: data, source: process.env, searchPath: () => Promise.resolve(['/usr/bin']), names, nowMs: () => Date.now(), canTry: () => overlays.canTry() })
const use = { root, cwd: root, network: false, lifted: [] }

if (job.mode === 'hang') {
  say({ report: await sandbox.report() })
  await sandbox.launcher(use)
  say('held')
  setInterval(() => {}, 1000)
} else {
  await attackAll()
  await tryOut()
  chmodSync(path.join(root, 'closed'), 0o700)
  rmSync(base, { recursive: true, force: true })
}

async function attackAll(): Promise<void> {
  say({ report: await sandbox.report(), userId: process.getuid?.() })
  const outside = await makeOutsideWorld(data)
  for (const [name, command] of attacks) {
    const launch = await sandbox.launcher(use)
    if (!launch.ok) throw new Error(JSON.stringify(launch.fault))
    const text = await run(launch.value.argv, command, outside.variables)
    await launch.value.done()
    say({ name, escaped: text.split('\n').filter((line) => line.includes('ESCAPED')), damage: outside.damage(), started: text.includes('began') })
  }
  say({ left: readdirSync(root).filter((name) => name.startsWith('.')).sort() })
  outside.close()
}

async function tryOut(): Promise<void> {
  const commands: TrialRunnerParts['commands'] = {
    async startHeldBy(hold, start) {
      const text = await run(hold.argv, start.command, {})
      await hold.done()
      const end = { exitCode: 0, endSignal: null, isTimedOut: false, isCancelled: false, text, totalBytes: 0, outputRef: null, leftRunning: [], confined: 'sandbox', hints: [] } as const
      return succeed({ pid: 1, write: () => {}, resize: () => {}, leave: () => {}, ended: Promise.resolve(end) })
    },
    endAllOf: () => Promise.resolve(),
  }
  const trials = makeTrialRunner({ overlays, sandbox, commands, home, newId: () => 'trial', nowMs: () => Date.now() })
  const command = 'id -u; echo more >> plain; rm -r src && mkdir src && echo new > src/new; mkdir -p closed && echo x > closed/in && chmod 500 closed; echo x > .mcp.json'
  const trial = await trials.run({ callId: 'call', command, cwd: root, timeoutMs: null, confinement: { kind: 'sandboxed', root, network: false, lifted: [] } }, () => {}, new AbortController().signal)
  if (!trial.ok) return say({ trial: trial.fault })
  say({ trial: trial.value.files.map(({ change, path: place }) => `${change} ${place}`), as: trial.value.end.text.split('\n').includes(String(process.getuid?.())), refused: trial.value.refused })
  const faults: string[] = []
  const kept = await trial.value.keep(() => Promise.resolve(succeed(null)), (place, outcome) => void (outcome.ok || faults.push(place)))
  await trial.value.discard()
  say({ kept: kept.ok, faults, names: readdirSync(path.join(root, 'src')), trials: readdirSync(path.join(data, 'trials')) })
}

function run(argv: readonly string[], command: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const [file = '', ...options] = argv
  return new Promise((resolve) => {
    const child = spawn(file, [...options, 'bash', '--noprofile', '--norc', '-c', `echo began; { ${command}\n} 2>&1`], { cwd: root, env: { PATH: process.env['PATH'], HOME: home, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece.toString()))
    child.on('close', () => resolve(text))
  })
}
