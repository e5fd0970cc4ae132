import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { GitStores } from '../../src/main/adapters/git/gitStores'
import type { PackReport, SnapshotStore } from '../../src/main/core/ports/snapshotStore'
import type { Result } from '../../src/shared/domain/result'
import { makeProject, seededRandom, touchFiles } from './makeProject'
import { median, type PerfLine } from './perfLine'

const workersFolder = resolve(import.meta.dirname, '../main')
const never = new AbortController().signal
const editsARound = 10

/**
 * `perf snapshot` (S9): how large a store gets over so many snapshots of ten edits each, packed whenever packing is due and at
 * the end, beside plain git's store of the same commits after `git gc`. Ends with `git fsck`.
 */
export async function perfSnapshotGrowth(print: (line: PerfLine) => void, size = 2000, rounds = 100): Promise<void> {
  const top = fs.mkdtempSync(join(tmpdir(), 'countersign-growth-'))
  const project = join(top, 'project')
  try {
    const files = makeProject(project, size)
    const opened = valueOf(await new GitStores({ workersFolder, dataFolder: join(top, 'data') }).open('w', project))
    try {
      await grow({ store: opened, folder: join(top, 'data', 'snapshots', 'w'), top, project, files, rounds, print })
    } finally {
      await opened.close()
    }
  } finally {
    fs.rmSync(top, { recursive: true, force: true })
  }
}

interface Growth {
  readonly store: SnapshotStore
  readonly folder: string
  readonly top: string
  readonly project: string
  readonly files: readonly string[]
  readonly rounds: number
  readonly print: (line: PerfLine) => void
}

async function grow(growth: Growth): Promise<void> {
  const { store, folder, project, files, rounds, print } = growth
  const random = seededRandom(9)
  await snap(store)
  const first = await timed(() => packed(store))
  const scans: number[] = []
  const packs: number[] = []
  for (let round = 0; round < rounds; round++) {
    touchFiles(project, Array.from({ length: editsARound }, () => files[Math.floor(random() * files.length)] ?? ''), `g${round}`)
    scans.push((await timed(() => snap(store))).ms)
    if (await store.isPackable()) packs.push((await timed(() => packed(store))).ms)
  }
  const last = await timed(() => packed(store))
  packs.push(last.ms)
  const [before, after] = [first.value.bytesAfter, last.value.bytesAfter]
  mustBeWhole(folder)
  const native = await nativeBytes(growth)
  const line = (name: string, value: number, unit: string, baseline: number | null, runs = 1): void =>
    print({ goal: 'S9', name, value: round1(value), unit, baseline: baseline === null ? null : round1(baseline), ratio: baseline === null ? null : Math.round((value / baseline) * 1000) / 1000, runs })
  line(`growth over ${rounds} snapshots of ${editsARound} edits, packed (beside the goal)`, megabytes(after - before), 'MB', 60)
  line('store, packed (beside plain git after gc)', megabytes(after), 'MB', megabytes(native))
  line('first snapshot, packed (beside as it was written)', megabytes(before), 'MB', megabytes(first.value.bytesBefore))
  line('packing the first snapshot', first.ms, 'ms', null)
  line('packing while it grows, longest', Math.max(...packs), 'ms', null, packs.length)
  line('snapshot with commit', median(scans), 'ms', null, rounds)
}

async function snap(store: SnapshotStore): Promise<void> {
  const taken = valueOf(await store.scan(never))
  valueOf(await store.commit(taken, { snapshotId: 's', kind: 'after-call', author: 'agent', callId: null, audit: null, atMs: 1_700_000_000_000 }))
}

async function packed(store: SnapshotStore): Promise<PackReport> {
  return valueOf(await store.pack(never))
}

/** The same commits as loose objects of plain git, then `git gc`. */
async function nativeBytes({ top, folder }: Growth): Promise<number> {
  const native = join(top, 'native')
  run(native, 'init', '-q', '--bare', '--template=')
  run(native, 'config', 'fastimport.unpackLimit', '100000000')
  const story = spawn('git', ['--git-dir', folder, 'fast-export', 'main'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const into = spawn('git', ['--git-dir', native, 'fast-import', '--quiet'], { stdio: [story.stdout, 'inherit', 'inherit'] })
  const code = await new Promise((done) => into.once('close', done))
  if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`)
  run(native, 'gc', '-q')
  return sizeOf(native)
}

function mustBeWhole(folder: string): void {
  const said = run(folder, 'fsck', '--full', '--strict', '--no-dangling').split('\n').filter((line) => line !== '' && !line.startsWith('notice: '))
  if (said.length > 0) throw new Error(`git fsck: ${said.join('\n')}`)
}

function run(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' }
  const ran = spawnSync('git', ['--git-dir', folder, ...args], { env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (ran.status !== 0) throw new Error(`git ${args[0]}: ${ran.stderr}`)
  return ran.stdout + ran.stderr
}

function sizeOf(folder: string): number {
  return fs.readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => sum + (entry.isDirectory() ? sizeOf(join(folder, entry.name)) : fs.lstatSync(join(folder, entry.name)).size), 0)
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.fault.code)
  return result.value
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startedAt = performance.now()
  const value = await work()
  return { ms: performance.now() - startedAt, value }
}

function megabytes(bytes: number): number {
  return bytes / 1e6
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}
