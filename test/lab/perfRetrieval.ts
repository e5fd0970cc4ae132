import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
// Held by this thread too: it cannot be loaded again when the first index's thread has ended.
import '@parcel/watcher'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { codeIndexOver } from '../../src/main/app/libraryIndex'
import { makeLibraryThread } from '../../src/main/app/libraryClient'
import type { CodeIndex } from '../../src/main/core/ports/codeIndex'
import type { WorkspaceId } from '../../src/shared/domain/ids'
import type { IndexState } from '../../src/shared/domain/retrieval'
import { makeProject, seededRandom } from './makeProject'
import { median, type PerfLine } from './perfLine'
import { measureQuality } from './retrievalQuality'

const workerFile = resolve(import.meta.dirname, '../main/libraryWorker.js')
const never = new AbortController().signal
const longestMs = 10 * 60 * 1000

interface Bench {
  readonly top: string
  readonly project: string
  readonly files: readonly string[]
  readonly print: (line: PerfLine) => void
}

/** `perf retrieval`: the index of a seeded project, in its thread as the app has it, beside the floor of reading and hashing in the same run. */
export async function perfRetrieval(print: (line: PerfLine) => void, size = 2000): Promise<void> {
  const top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'countersign-perf-')))
  const project = join(top, 'project')
  try {
    const files = makeProject(project, size)
    writeCode(project, files)
    const bench: Bench = { top, project, files, print }
    const floorMs = readFloor(bench)
    await withIndex(bench, async (index, open) => {
      await firstIndexing(bench, index, open, floorMs)
      await lookups(bench, index)
      await edits(bench, index)
    })
    await withIndex(bench, async (index, open) => secondStart(bench, index, open))
    await quality(print)
  } finally {
    fs.rmSync(top, { recursive: true, force: true })
  }
}

/** How good the order of the answers is on the judged queries, beside counting words. */
async function quality(print: (line: PerfLine) => void): Promise<void> {
  const measured = await measureQuality(resolve('test/fixtures/retrieval'), workerFile)
  const rounded = (value: number): number => Math.round(value * 1000) / 1000
  print({ goal: 'retrieval', name: 'order of the answers, nDCG at 10 (beside counting words)', value: rounded(measured.index), unit: 'ndcg', baseline: rounded(measured.wordCount), ratio: rounded(measured.index / measured.wordCount), runs: 1 })
}

const nouns = 'session token snapshot approval rule memory chunk stream file path user buffer index folder event call audit lane turn step'.split(' ')
const verbs = 'read write find take plan judge ask open close merge count store load send'.split(' ')

/** The seeded project's words are no programs, and grammars are slow with what is none: its code is written anew, as large as it was. */
function writeCode(project: string, files: readonly string[]): void {
  const random = seededRandom(5)
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? ''
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
  for (const file of files.filter((one) => /\.(?:tsx?|js|py)$/u.test(one))) {
    const { size } = fs.statSync(join(project, file))
    let text = ''
    while (text.length < size) {
      const name = `${pick(verbs)}${capital(pick(nouns))}${capital(pick(nouns))}`
      const lines = Array.from({ length: 2 + Math.floor(random() * 12) }, (_, at) => [`value${at}`, `${pick(verbs)}${capital(pick(nouns))}(${pick(nouns)}, ${Math.floor(random() * 1e4)})`] as const)
      text += file.endsWith('.py')
        ? `# ${capital(pick(verbs))} the ${pick(nouns)} 回滚\ndef ${name}(${pick(nouns)}):\n${lines.map(([left, right]) => `    ${left} = ${right}\n`).join('')}    return value0\n\n`
        : `/** ${capital(pick(verbs))}s the ${pick(nouns)}. 审批 */\nexport function ${name}(${pick(nouns)}) {\n${lines.map(([left, right]) => `  const ${left} = ${right}\n`).join('')}  return value0\n}\n\n`
    }
    fs.writeFileSync(join(project, file), text)
  }
}

async function withIndex({ top, project }: Bench, run: (index: CodeIndex, open: () => Promise<void>) => Promise<void>): Promise<void> {
  const data = join(top, 'data')
  fs.mkdirSync(data, { recursive: true })
  const thread = makeLibraryThread(workerFile)
  try {
    const index = codeIndexOver(thread, { cacheFile: join(data, 'cache.db'), home: join(top, 'home'), appData: data, env: {} })
    await run(index, () => index.open({ workspaceId: 'perf' as WorkspaceId, root: project }))
  } finally {
    await thread.close()
  }
}

/** Reading and hashing everything: what no index can do without. */
function readFloor({ project, files }: Bench): number {
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now()
    for (const file of files) createHash('sha256').update(fs.readFileSync(join(project, file))).digest()
    return performance.now() - startedAt
  })
  return median(times)
}

async function firstIndexing({ files, top, print }: Bench, index: CodeIndex, open: () => Promise<void>, floorMs: number): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const asked: number[] = []
  const startedAt = performance.now()
  delay.enable()
  await open()
  const ready = isReady(index)
  let isDone = false
  void ready.then(() => (isDone = true))
  // Questions asked while it works: they must not wait for it.
  while (!isDone) {
    asked.push(await timed(() => index.lookup({ queries: ['session token'], perList: 20 }, never)))
    await pause(100)
  }
  await ready
  delay.disable()
  const took = performance.now() - startedAt
  print(line(`index ${files.length} files (beside reading and hashing them)`, took, floorMs, 1))
  print(line('longest delay of the main thread meanwhile (beside its timer)', delay.max / 1e6, 5, 1))
  print(line('p99 delay of the main thread meanwhile (beside its timer)', delay.percentile(99) / 1e6, 5, 1))
  print(line('lookup while indexing, p50', at(asked, 0.5), null, asked.length))
  print(line('lookup while indexing, p99', at(asked, 0.99), null, asked.length))
  print({ goal: 'retrieval', name: 'size of the cache', value: round(fs.statSync(join(top, 'data', 'cache.db')).size / 1e6), unit: 'MB', baseline: null, ratio: null, runs: 1 })
}

async function lookups({ print, project, files }: Bench, index: CodeIndex): Promise<void> {
  const random = seededRandom(3)
  const words = ['session', 'token', '快照', '回滚', 'approve', 'buffer_120', 'stream', 'path', '审批', 'snapshotApprove', 'file_7']
  const base: number[] = []
  const times: number[] = []
  for (let round = 0; round < 60; round++) {
    const query = Array.from({ length: 1 + Math.floor(random() * 4) }, () => words[Math.floor(random() * words.length)]).join(' ')
    times.push(await timed(() => index.lookup({ queries: [query], perList: 50 }, never)))
  }
  const some = files.slice(0, 200).map((file) => fs.readFileSync(join(project, file), 'utf8'))
  for (let round = 0; round < 5; round++) base.push((timedNow(() => some.filter((text) => text.includes('session'))) * files.length) / some.length)
  print(line('lookup of 50 places, p50 (beside looking through all text in memory for one word)', at(times, 0.5), median(base), times.length))
  print(line('lookup of 50 places, p99', at(times, 0.99), null, times.length))
}

/** From the writing of a file until its new word is found: the watcher's own batching of some 50 ms is in it. */
async function edits({ print, project, files }: Bench, index: CodeIndex): Promise<void> {
  const texts = files.filter((file) => /\.(?:ts|py)$/u.test(file))
  const times: number[] = []
  for (let round = 0; round < 10; round++) {
    const word = `freshword${String.fromCharCode(97 + round)}qz`
    await pause(400)
    const startedAt = performance.now()
    fs.appendFileSync(join(project, texts[(round * 37) % texts.length] ?? ''), `\n${word}\n`)
    while ((await index.lookup({ queries: [word], perList: 1 }, never)).lists[0]?.hits.length !== 1) {
      if (performance.now() - startedAt > 10_000) throw new Error('the edit was not found')
      await pause(2)
    }
    times.push(performance.now() - startedAt)
  }
  print(line('an edit is found after, median (beside the goal)', median(times), 200, times.length))
  print(line('an edit is found after, longest (beside the goal)', Math.max(...times), 200, times.length))
}

async function secondStart({ print, project, files }: Bench, index: CodeIndex, open: () => Promise<void>): Promise<void> {
  const floor = timedNow(() => files.map((file) => fs.lstatSync(join(project, file), { bigint: true })))
  const took = await timed(async () => {
    await open()
    await isReady(index)
  })
  print(line('second start, nothing changed (beside asking every file for its times)', took, floor, 1))
}

function isReady(index: CodeIndex): Promise<void> {
  return new Promise((done, failed) => {
    const limit = setTimeout(() => failed(new Error(`not ready: ${JSON.stringify(index.state())}`)), longestMs)
    const look = ({ phase, waiting, files }: IndexState): void => {
      if (phase === 'failed') failed(new Error(JSON.stringify(index.state())))
      if (phase !== 'ready' || waiting > 0 || files === 0) return
      clearTimeout(limit)
      end()
      done()
    }
    const end = index.onState(look)
    look(index.state())
  })
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

function timedNow(run: () => unknown): number {
  const startedAt = performance.now()
  run()
  return performance.now() - startedAt
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}

function at(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
}

function line(name: string, value: number, baseline: number | null, runs: number): PerfLine {
  return { goal: 'retrieval', name, value: round(value), unit: 'ms', baseline: baseline === null ? null : round(baseline), ratio: baseline === null ? null : Math.round((value / baseline) * 1000) / 1000, runs }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
