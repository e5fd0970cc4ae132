import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeProject, seededRandom, touchFiles } from './makeProject'
import { inTurn, line, pairs, round1, type Pairs } from './pairs'
import type { PerfLine, Wanted } from './perfLine'
import { perfSnapshotGrowth } from './perfSnapshotGrowth'
import { perfSnapshotInGit } from './perfSnapshotInGit'
import { perfSnapshotMessage } from './perfSnapshotMessage'
import { firstAlone, measureAlone } from './snapshotAlone'
import { libraryWay, nativeWay, ourWay, type Way } from './snapshotWays'
import { StatFloor } from './statFloor'

/** The library holds all contents at once, and takes seconds for each look. */
const libraryMost = 20_000

/**
 * `perf snapshot` (S1 to S9, R13): snapshots and restores of a seeded project beside plain git in the same run,
 * round by round in turn. Every tree id must be the same; the library alone, a project that is in git
 * (S5) and the store's growth (S9; 1,000 snapshots with 20,000 files, 100 with fewer) are measured up to 20,000 files.
 */
export async function perfSnapshot(print: (line: PerfLine) => void, size = 2000, isWanted: Wanted = () => true): Promise<void> {
  if (await measureAlone()) return
  const top = fs.mkdtempSync(join(tmpdir(), 'countersign-perf-'))
  const project = join(top, 'project')
  try {
    const files = makeProject(project, size)
    for (const file of files) fs.readFileSync(join(project, file))
    if (['S1', 'S2', 'S3', 'S6', 'S7', 'S8', 'R13'].some(isWanted)) await measure({ top, project, files, rounds: size > 50_000 ? 5 : 7, print, isWanted })
  } finally {
    fs.rmSync(top, { recursive: true, force: true })
  }
  if (isWanted('S4')) await perfSnapshotMessage(print, size)
  if (size > libraryMost) return
  if (isWanted('S5')) await perfSnapshotInGit(print, size)
  if (isWanted('S9')) await perfSnapshotGrowth(print, size, size >= libraryMost ? 1000 : 100)
}

interface Bench {
  readonly top: string
  readonly project: string
  readonly files: readonly string[]
  readonly rounds: number
  readonly print: (line: PerfLine) => void
  readonly isWanted: Wanted
}

async function measure(bench: Bench): Promise<void> {
  const { files, project, print, isWanted } = bench
  const rounds = ['S1', 'S2', 'S8'].some(isWanted) ? bench.rounds : 1
  const pick = picker(files)
  if (isWanted('S3') || isWanted('R13') || (isWanted('S8') && files.length <= libraryMost)) await alone(bench)
  const [ours, native] = await firstSnapshots(bench)
  await ours.snap()
  const times = { none: pairs(), touched: pairs() }
  const floor = { one: [] as number[], two: [] as number[] }
  const statFloor = new StatFloor(files.map((file) => join(project, file)))
  for (let round = 0; round < rounds; round++) {
    touchFiles(project, pick(10), `r${round}`)
    await pause()
    await inTurn(round, ours, native, times.touched)
    await inTurn(round, ours, native, times.none)
    floor.one.push(statFloor.inOneThread())
    floor.two.push(await statFloor.inTwoThreads())
  }
  await statFloor.end()
  print(line('S1', 'nothing changed', times.none, 'git add -A + write-tree'))
  print(line('S1', 'nothing changed, against the stat floor', { ours: times.none.ours, base: floor.one }, 'lstatSync of every file, one thread'))
  print(line('S1', 'nothing changed, against the stat floor', { ours: times.none.ours, base: floor.two }, 'lstatSync of every file, two threads'))
  print(line('S2', '10 files touched', times.touched, 'git add -A + write-tree + commit'))
  if (isWanted('S2')) await byHints(bench, ours, native, pick)
  if (isWanted('S6')) await restores({ ...bench, goal: 'S6', count: 10 }, ours, native, pick)
  if (files.length >= 2000 && isWanted('S7')) await restores({ ...bench, goal: 'S7', count: 1000 }, ours, native, pick)
  if (files.length <= libraryMost && isWanted('S8')) await besideLibrary(bench, ours, pick, times)
  await ours.close()
  await native.close()
}

/** S2 where hints are allowed: after a while of quiet the folders are watched, and a look at everything begins it. */
async function byHints({ files, project, print, rounds }: Bench, ours: Way, native: Way, pick: (count: number) => readonly string[]): Promise<void> {
  await pause(2500 + files.length / 20)
  await ours.snap()
  const times = { none: pairs(), touched: pairs() }
  for (let round = 0; round < rounds; round++) {
    touchFiles(project, pick(10), `h${round}`)
    await pause()
    await inTurn(round, { ...ours, snap: ours.snapHeard }, native, times.touched)
    await inTurn(round, { ...ours, snap: ours.snapHeard }, native, times.none)
  }
  print(line('S2', '10 files touched, hints allowed', times.touched, 'git add -A + write-tree + commit'))
  print(line('S2', 'nothing changed, hints allowed', times.none, 'git add -A + write-tree'))
}

/** S3, R13: the first snapshot in a process of its own, as it is in the app, and the library's in another. */
async function alone({ top, project, files, print }: Bench): Promise<void> {
  const ours = await firstAlone('ours', project, join(top, 'alone'))
  const library = files.length <= libraryMost ? await firstAlone('library', project, join(top, 'library')) : null
  const part = (value: number, base: number | undefined): Pick<PerfLine, 'value' | 'baseline' | 'ratio'> => ({ value: round1(value), baseline: base === undefined ? null : round1(base), ratio: base === undefined ? null : Math.round((value / base) * 1000) / 1000 })
  print({ goal: 'S3', name: 'first snapshot, peak resident memory of its process (beside isomorphic-git add + commit)', unit: 'MB', runs: 1, ...part(ours.peakMb, library?.peakMb) })
  print({ goal: 'R13', name: 'first snapshot, 99 of 100 waits of the main thread are under (beside nothing done)', unit: 'ms', runs: 1, ...part(ours.held.p99Ms, ours.idle.p99Ms) })
  print({ goal: 'R13', name: 'first snapshot, longest wait of the main thread (beside nothing done)', unit: 'ms', runs: 1, ...part(ours.held.maxMs, ours.idle.maxMs) })
}

/** S3, a few stores each; the last pair stays open. */
async function firstSnapshots({ top, project, files, print, isWanted }: Bench): Promise<readonly [Way, Way]> {
  const times = pairs()
  const last = files.length > 50_000 || !isWanted('S3') ? 0 : 2
  for (let round = 0; ; round++) {
    const ours = await ourWay(project, join(top, `ours${round}`))
    const native = nativeWay(project, join(top, `native${round}`))
    await inTurn(round, { ...ours, snap: ours.first }, { ...native, snap: native.first }, times)
    if (round === last) {
      print(line('S3', 'first snapshot', times, 'git add -A + write-tree + commit'))
      return [ours, native]
    }
    await ours.close()
    await native.close()
  }
}

async function restores(bench: Bench & { readonly goal: string; readonly count: number }, ours: Way, native: Way, pick: (count: number) => readonly string[]): Promise<void> {
  const { files, project, print, goal, count } = bench
  const times = pairs()
  let moved = 0
  for (let round = 0; round < (count > 100 ? 6 : 14); round++) {
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
  if (goal === 'S6') print({ goal, name: 'untouched files with a moved time', value: moved, unit: 'files', baseline: 0, ratio: null, runs: times.ours.length })
}

/** S8: isomorphic-git alone (statusMatrix, add, remove, commit), few rounds: it is slow. */
async function besideLibrary({ top, project, print, files }: Bench, ours: Way, pick: (count: number) => readonly string[], times: { none: Pairs; touched: Pairs }): Promise<void> {
  const library = libraryWay(project, join(top, 'library'))
  // Its first snapshot was taken when memory was measured, and a restore is behind it.
  await library.snap()
  const base = { none: [] as number[], touched: [] as number[] }
  for (let round = 0; round < 3; round++) {
    touchFiles(project, pick(10), `l${round}`)
    await pause()
    base.touched.push(await timed(() => library.snap()))
    base.none.push(await timed(() => library.snap()))
  }
  print(line('S8', '10 files touched', { ours: times.touched.ours, base: base.touched }, 'isomorphic-git statusMatrix'))
  print(line('S8', 'nothing changed', { ours: times.none.ours, base: base.none }, 'isomorphic-git statusMatrix'))
  const once = async (name: string, change: () => void): Promise<void> => {
    await ours.snap()
    change()
    await pause()
    print(line('S8', name, { ours: [await timed(() => ours.snap())], base: [await timed(() => library.snap())] }, 'isomorphic-git statusMatrix'))
  }
  const folder = folderOf(files, 500)
  await once(`a folder of ${filesIn(files, folder)} files renamed`, () => fs.renameSync(join(project, folder), join(project, 'renamed')))
  const left = picker(files.filter((file) => !file.startsWith(`${folder}/`)))
  await once('500 files removed', () => left(500).forEach((file) => fs.rmSync(join(project, file))))
}

/** The folder that holds closest to so many files. */
function folderOf(files: readonly string[], count: number): string {
  const folders = new Set(files.flatMap((file) => file.split('/').slice(0, -1).map((_, i, names) => names.slice(0, i + 1).join('/'))))
  const far = (folder: string): number => Math.abs(filesIn(files, folder) - count)
  return [...folders].reduce((best, folder) => (far(folder) < far(best) ? folder : best))
}

function filesIn(files: readonly string[], folder: string): number {
  return files.filter((file) => file.startsWith(`${folder}/`)).length
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

/** Long enough that no file counts as changed within the tick of the last look. */
function pause(ms = 60): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function picker(files: readonly string[]): (count: number) => readonly string[] {
  const random = seededRandom(7)
  return (count) => {
    const some = new Set<string>()
    while (some.size < Math.min(count, files.length)) some.add(files[Math.floor(random() * files.length)] ?? '')
    return [...some].filter((file) => file !== '')
  }
}
