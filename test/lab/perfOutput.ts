import { spawn as spawnProcess } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { spawn } from 'node-pty'
import { makeBlobStore } from '../../src/main/adapters/blobs/blobStore'
import { makeCommandRunner } from '../../src/main/adapters/pty/commandRunner'
import { makeOutputThread } from '../../src/main/adapters/pty/outputThread'
import { median, type PerfLine } from './perfLine'

/** One command's output read by a process that does nothing else. */
interface OutputRun {
  readonly ms: number
  readonly peakMb: number
  readonly pieces: number
  /** The most that waited for the disk. */
  readonly queueMb: number
  readonly loopP99Ms: number
  readonly totalBytes: number
}

type Reader = 'ours' | 'thrown away'
const readerVariable = 'PERF_OUTPUT_READER'
/** The product's own worker, as built beside the lab. */
const workerFile = path.resolve(import.meta.dirname, '../main/outputWorker.js')

/**
 * `perf output` (O1, O2): a command that prints a lot, through the product's runner with its head and tail, its copy on disk
 * and its pieces for the screen, beside a bare terminal whose output is thrown away. Each reading in a process of its own, in turn.
 */
export async function perfOutput(print: (line: PerfLine | OutputRun) => void, megabytes = 100, rounds = 5): Promise<void> {
  const measured = process.env[readerVariable]
  if (measured !== undefined) return print(await readOnce(measured === 'ours', megabytes))
  const runs: Record<Reader, OutputRun[]> = { ours: [], 'thrown away': [] }
  for (let round = 0; round < rounds; round++) {
    for (const reader of round % 2 === 0 ? (['thrown away', 'ours'] as const) : (['ours', 'thrown away'] as const)) runs[reader].push(await inOwnProcess(reader))
  }
  const middle = (reader: Reader, of: (run: OutputRun) => number): number => median(runs[reader].map(of))
  const compare = (goal: string, name: string, unit: string, of: (run: OutputRun) => number): void => {
    const [value, baseline] = [middle('ours', of), middle('thrown away', of)]
    print({ goal, name, value: rounded(value), unit, baseline: rounded(baseline), ratio: rounded(value / baseline), runs: rounds })
  }
  const alone = (goal: string, name: string, unit: string, value: number): void => print({ goal, name, value: rounded(value), unit, baseline: null, ratio: null, runs: rounds })
  compare('O1', `${megabytes} MB of output, p50 (baseline: pty, thrown away)`, 'ms', ({ ms }) => ms)
  compare('O1', 'peak resident memory (baseline: pty, thrown away)', 'MB', ({ peakMb }) => peakMb)
  alone('O1', 'peak resident memory over the baseline', 'MB', middle('ours', ({ peakMb }) => peakMb) - middle('thrown away', ({ peakMb }) => peakMb))
  alone('O2', 'pieces for the screen', '1/s', middle('ours', ({ pieces, ms }) => (pieces / ms) * 1000))
  alone('O2', 'longest queue', 'MB', Math.max(...runs.ours.map(({ queueMb }) => queueMb)))
  compare('L4', 'event loop delay while it runs, p99', 'ms', ({ loopP99Ms }) => loopP99Ms)
}

/** The same command line again in a new process, which sees by a variable that it is the one to be measured. */
async function inOwnProcess(reader: Reader): Promise<OutputRun> {
  const child = spawnProcess(process.execPath, process.argv.slice(1), { env: { ...process.env, [readerVariable]: reader }, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(text) as OutputRun
}

async function readOnce(isOurs: boolean, megabytes: number): Promise<OutputRun> {
  const command = `yes 'the quick brown fox jumps over the lazy dog 0123456789 abcdefghijklmnopqrstu' | head -c ${megabytes}000000`
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  const startedAt = performance.now()
  const read = isOurs ? await readOurs(command) : await readBare(command)
  const ms = performance.now() - startedAt
  delay.disable()
  return { ...read, ms, peakMb: process.resourceUsage().maxRSS / 1024, loopP99Ms: delay.percentile(99) / 1e6 }
}

async function readOurs(command: string): Promise<Pick<OutputRun, 'pieces' | 'queueMb' | 'totalBytes'>> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'perf-output-')))
  let queueBytes = 0
  const outputs = path.join(folder, 'outputs')
  const spool = makeBlobStore(outputs)
  const thread = makeOutputThread({ workerFile, folder: outputs, spool, known: () => [], onWaiting: (waiting) => (queueBytes = Math.max(queueBytes, waiting)) })
  const runner = makeCommandRunner({ spool, source: process.env, thread })
  let pieces = 0
  try {
    const started = await runner.start({ callId: 'perf', command, cwd: folder, timeoutMs: null, confinement: { kind: 'outside' } }, () => void pieces++, new AbortController().signal)
    if (!started.ok) throw new Error(started.fault.code)
    const { totalBytes, outputRef } = await started.value.ended
    if (outputRef === null) throw new Error('the output was not kept')
    return { pieces, queueMb: queueBytes / 1e6, totalBytes }
  } finally {
    await runner.closeAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function readBare(command: string): Promise<Pick<OutputRun, 'pieces' | 'queueMb' | 'totalBytes'>> {
  const terminal = spawn('bash', ['-c', command], { cols: 120, rows: 30, encoding: null })
  let totalBytes = 0
  terminal.onData((piece) => {
    totalBytes += piece.length
  })
  await new Promise((resolve) => terminal.onExit(resolve))
  return { pieces: 0, queueMb: 0, totalBytes }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
