import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import git from 'isomorphic-git'
import { GitStores } from '../../src/main/adapters/git/gitStores'
import type { SnapshotStore, TakenTree } from '../../src/main/core/ports/snapshotStore'
import type { HeldFiles } from '../../src/shared/domain/snapshot'
import { makeProject, seededRandom, touchFiles } from './makeProject'
import { median, type PerfLine } from './perfLine'

const workersFolder = resolve(import.meta.dirname, '../main')
const never = new AbortController().signal

/** One way of taking and restoring snapshots, measured beside another. */
interface Way {
  readonly first: () => Promise<string>
  readonly snap: () => Promise<string>
  readonly restore: (tree: string) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * `perf snapshot` (S1, S2, S3, S6, S7, S8): snapshots and restores of a seeded project beside plain git in the same run, round
 * by round in turn. Every tree id must be the same; the library alone is measured up to 5,000 files, where it takes seconds.
 */
export async function perfSnapshot(print: (line: PerfLine) => void, size = 2000, rounds = 7): Promise<void> {
  const top = fs.mkdtempSync(join(tmpdir(), 'countersign-perf-'))
  const project = join(top, 'project')
  try {
    const files = makeProject(project, size)
    for (const file of files) fs.readFileSync(join(project, file))
    await measure({ top, project, files, rounds, print })
  } finally {
    fs.rmSync(top, { recursive: true, force: true })
  }
}

interface Bench {
  readonly top: string
  readonly project: string
  readonly files: readonly string[]
  readonly rounds: number
  readonly print: (line: PerfLine) => void
}

async function measure(bench: Bench): Promise<void> {
  const { files, project, print, rounds } = bench
  const pick = picker(files)
  const [ours, native] = await firstSnapshots(bench)
  await ours.snap()
  const times = { none: pairs(), touched: pairs() }
  for (let round = 0; round < rounds; round++) {
    touchFiles(project, pick(10), `r${round}`)
    await pause()
    await inTurn(round, ours, native, times.touched)
    await inTurn(round, ours, native, times.none)
  }
  print(line('S1', 'nothing changed', times.none, 'git add -A + write-tree'))
  print(line('S1', 'nothing changed, against the stat floor', { ours: times.none.ours, base: statFloor(project, files, rounds) }, 'lstatSync of every file, one thread'))
  print(line('S2', '10 files touched', times.touched, 'git add -A + write-tree + commit'))
  await restores({ ...bench, goal: 'S6', count: 10 }, ours, native, pick)
  if (files.length >= 2000) await restores({ ...bench, goal: 'S7', count: 1000 }, ours, native, pick)
  if (files.length <= 5000) await besideLibrary(bench, ours, pick, times)
  await ours.close()
  await native.close()
}

/** S3, three stores each; the last pair stays open. */
async function firstSnapshots({ top, project, print }: Bench): Promise<readonly [Way, Way]> {
  const times = pairs()
  for (let round = 0; ; round++) {
    const ours = await ourWay(project, join(top, `ours${round}`))
    const native = nativeWay(project, join(top, `native${round}`))
    const trees = await inTurn(round, { ...ours, snap: ours.first }, { ...native, snap: native.first }, times)
    if (round === 2) {
      print(line('S3', 'first snapshot', times, 'git add -A + write-tree + commit'))
      print({ goal: 'S3', name: 'peak resident memory of this process', value: round1(process.resourceUsage().maxRSS / 1024), unit: 'MB', baseline: null, ratio: null, runs: 1 })
      return [ours, native]
    }
    if (trees === '') throw new Error('no tree')
    await ours.close()
    await native.close()
  }
}

async function restores(bench: Bench & { readonly goal: string; readonly count: number }, ours: Way, native: Way, pick: (count: number) => readonly string[]): Promise<void> {
  const { files, project, print, goal, count } = bench
  const times = pairs()
  let moved = 0
  for (let round = 0; round < 6; round++) {
    const way = round % 2 === 0 ? ours : native
    const before = await way.snap()
    const changed = new Set(pick(count))
    touchFiles(project, [...changed], `x${round}`)
    await pause()
    await way.snap()
    const stamps = files.filter((file) => !changed.has(file)).map((file) => fs.lstatSync(join(project, file)).mtimeMs)
    const startedAt = performance.now()
    await way.restore(before)
    ;(round % 2 === 0 ? times.ours : times.base).push(performance.now() - startedAt)
    if (round % 2 === 0) moved += files.filter((file) => !changed.has(file)).filter((file, index) => fs.lstatSync(join(project, file)).mtimeMs !== stamps[index]).length
    await pause()
    if ((await way.snap()) !== before) throw new Error(`${goal}: the restored tree is another`)
  }
  print(line(goal, `restore ${count} files`, times, 'git reset --hard'))
  if (goal === 'S6') print({ goal, name: 'untouched files with a moved time', value: moved, unit: 'files', baseline: 0, ratio: null, runs: 3 })
}

/** S8: isomorphic-git alone (statusMatrix, add, remove, commit), few rounds: it is slow. */
async function besideLibrary({ top, project, print, files }: Bench, ours: Way, pick: (count: number) => readonly string[], times: { none: Pairs; touched: Pairs }): Promise<void> {
  const library = libraryWay(project, join(top, 'library'))
  await library.first()
  const base = { none: [] as number[], touched: [] as number[] }
  for (let round = 0; round < 3; round++) {
    touchFiles(project, pick(10), `l${round}`)
    await pause()
    base.touched.push(await timed(() => library.snap()))
    base.none.push(await timed(() => library.snap()))
  }
  print(line('S8', '10 files touched', { ours: times.touched.ours, base: base.touched }, 'isomorphic-git statusMatrix'))
  print(line('S8', 'nothing changed', { ours: times.none.ours, base: base.none }, 'isomorphic-git statusMatrix'))
  if (files.length > 2500) return
  await ours.snap()
  for (const file of pick(500)) fs.rmSync(join(project, file))
  await pause()
  const removed = { ours: [await timed(() => ours.snap())], base: [await timed(() => library.snap())] }
  print(line('S8', '500 files removed', removed, 'isomorphic-git statusMatrix'))
}

export async function ourWay(project: string, dataFolder: string): Promise<Way> {
  const opened = await new GitStores({ workersFolder, dataFolder }).open('w', project)
  if (!opened.ok) throw new Error(opened.fault.code)
  const store = opened.value
  const moments = new Map<string, HeldFiles>()
  let last: TakenTree | null = null
  const snap = async (): Promise<string> => {
    const taken = await scanned(store)
    if (taken.tree !== last?.tree || taken.side !== last.side) await store.commit(taken, { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1_700_000_000_000 })
    last = taken
    moments.set(taken.tree, taken)
    return taken.tree
  }
  return {
    first: snap,
    snap,
    async restore(tree) {
      const target = moments.get(tree)
      if (!target || !last) throw new Error('no such moment')
      // What the disk holds is known from the last scan, as git knows it from its index; each path is checked before it is written.
      const steps = (await store.diff(target, last)).map(({ path, before: to, after: from }) => ({ path, to, from }))
      await store.restore(steps, target, (path, outcome) => {
        if (!outcome.ok) throw new Error(`${path}: ${outcome.fault.code}`)
      })
    },
    close: () => store.close(),
  }
}

async function scanned(store: SnapshotStore): Promise<TakenTree> {
  const taken = await store.scan(never)
  if (!taken.ok) throw new Error(taken.fault.code)
  return taken.value
}

export function nativeWay(project: string, folder: string): Way {
  const env = { ...process.env, GIT_DIR: folder, GIT_WORK_TREE: project, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C', GIT_AUTHOR_NAME: 'b', GIT_AUTHOR_EMAIL: 'b@x', GIT_COMMITTER_NAME: 'b', GIT_COMMITTER_EMAIL: 'b@x' }
  const run = (...args: readonly string[]): string => {
    const ran = spawnSync('git', args, { env, cwd: project, maxBuffer: 1 << 28, encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(`git ${args[0]}: ${ran.stderr}`)
    return ran.stdout.trim()
  }
  let head: { readonly tree: string; readonly commit: string } | null = null
  const commits = new Map<string, string>()
  const snapNow = (): string => {
    run('add', '-A', '.')
    const tree = run('write-tree')
    if (tree !== head?.tree) {
      const commit = run('commit-tree', tree, '-m', 's', ...(head ? ['-p', head.commit] : []))
      run('update-ref', 'HEAD', commit)
      head = { tree, commit }
      commits.set(tree, commit)
    }
    return tree
  }
  const snap = (): Promise<string> => Promise.resolve(snapNow())
  return {
    first() {
      run('init', '-q')
      run('config', 'gc.auto', '0')
      run('config', 'core.fsmonitor', 'false')
      return snap()
    },
    snap,
    restore(tree) {
      const commit = commits.get(tree) ?? ''
      run('reset', '-q', '--hard', commit)
      head = { tree, commit }
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}

function libraryWay(project: string, folder: string): Way {
  const base = { fs, dir: project, gitdir: folder }
  const author = { name: 'b', email: 'b@x', timestamp: 1_700_000_000, timezoneOffset: 0 }
  const commit = async (cache: object): Promise<string> => {
    const oid = await git.commit({ ...base, cache, message: 's', author, committer: author })
    return (await git.readCommit({ ...base, oid })).commit.tree
  }
  return {
    async first() {
      await git.init({ ...base, defaultBranch: 'main' })
      const cache = {}
      await git.add({ ...base, cache, filepath: '.' })
      return commit(cache)
    },
    async snap() {
      const cache = {}
      const rows = await git.statusMatrix({ ...base, cache })
      const changed = rows.filter(([, , work, stage]) => work === 2 && stage !== 2).map(([path]) => path)
      if (changed.length > 0) await git.add({ ...base, cache, filepath: changed })
      for (const [path, , work, stage] of rows) if (work === 0 && stage !== 0) await git.remove({ ...base, cache, filepath: path })
      return changed.length > 0 || rows.some(([, , work, stage]) => work === 0 && stage !== 0) ? commit(cache) : ''
    },
    restore: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

interface Pairs {
  readonly ours: number[]
  readonly base: number[]
}

export function pairs(): Pairs {
  return { ours: [], base: [] }
}

/** Both ways once, the order turned each round. Different trees end the run: a wrong snapshot is not a fast one. */
export async function inTurn(round: number, ours: Pick<Way, 'snap'>, base: Pick<Way, 'snap'>, times: Pairs): Promise<string> {
  const trees: string[] = []
  const take = async (way: Pick<Way, 'snap'>, into: number[]): Promise<void> => {
    const startedAt = performance.now()
    trees.push(await way.snap())
    into.push(performance.now() - startedAt)
  }
  const both = [() => take(ours, times.ours), () => take(base, times.base)]
  for (const one of round % 2 === 0 ? both : both.reverse()) await one()
  if (trees[0] !== trees[1]) throw new Error(`the trees differ: ${trees.join(' and ')}`)
  return trees[0] ?? ''
}

function statFloor(project: string, files: readonly string[], rounds: number): number[] {
  const paths = files.map((file) => join(project, file))
  return Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    for (const path of paths) fs.lstatSync(path, { bigint: true })
    return performance.now() - startedAt
  })
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

/** Long enough that no file counts as changed within the tick of the last look. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 60))
}

function picker(files: readonly string[]): (count: number) => readonly string[] {
  const random = seededRandom(7)
  return (count) => {
    const some = new Set<string>()
    while (some.size < Math.min(count, files.length)) some.add(files[Math.floor(random() * files.length)] ?? '')
    return [...some].filter((file) => file !== '')
  }
}

export function line(goal: string, name: string, { ours, base }: Pairs, baseline: string): PerfLine {
  const [value, against] = [median(ours), median(base)]
  return { goal, name: `${name} (beside ${baseline})`, value: round1(value), unit: 'ms', baseline: round1(against), ratio: Math.round((value / against) * 1000) / 1000, runs: ours.length }
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}
