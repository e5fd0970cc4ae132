import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeBlobStore } from '../../src/main/adapters/blobs/blobStore'
import { makeCommandRunner } from '../../src/main/adapters/pty/commandRunner'
import type { CommandRunner } from '../../src/main/core/ports/commandRunner'
import type { PerfLine } from './perfLine'

/** `N` becomes a number that only this round uses: so its processes are found without any help of what is measured. */
const trees = {
  plain: 'sleep N1 & (setsid sleep N2 &) ; (sleep N3 | cat) & echo up; wait',
  stubborn: 'trap "" INT TERM; sleep N1 & (setsid sleep N2 &) ; (sleep N3 | cat) & echo up; wait',
  'plain, env -i': 'sleep N1 & (env -i setsid sleep N2 &) ; (sleep N3 | cat) & echo up; wait',
  'stubborn, env -i': 'trap "" INT TERM; sleep N1 & (env -i setsid sleep N2 &) ; (sleep N3 | cat) & echo up; wait',
  flood: "sleep N1 & (setsid sleep N2 &) ; yes 'the quick brown fox jumps over the lazy dog 0123456789 abcdefghijklmnopqrstu'",
} as const
type TreeName = keyof typeof trees

interface Round {
  /** From Esc until no process is left; null when some never ended. */
  readonly goneMs: number | null
  /** The same for the command's process group: without the detached process, and without the two that hold a command of ours together. */
  readonly groupGoneMs: number | null
  /** When the asking was over: from Esc until the first process was killed; null when none was. */
  readonly killedMs: number | null
  readonly survivors: number
  readonly shownAfter: number
}

/**
 * Cancelling, goals C1 to C4 of the performance plan. Strategies alternate: the product's runner, and the two simple ones
 * they are measured against.
 */
export async function perfCancel(print: (line: PerfLine) => void, rounds = 9): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'perf-cancel-')))
  const runner = makeCommandRunner({ spool: makeBlobStore(path.join(folder, 'outputs')), source: process.env })
  try {
    await cancelOurs(runner, folder, 'plain') // the first one finds out what the system gives
    const results = new Map<string, Round[]>()
    for (let round = 0; round < rounds; round++) {
      for (const tree of Object.keys(trees) as TreeName[]) {
        keep(results, `ours ${tree}`, await cancelOurs(runner, folder, tree))
        keep(results, `kill ${tree}`, await cancelBySignal(tree, 'SIGKILL', true))
        keep(results, `term ${tree}`, await cancelBySignal(tree, 'SIGTERM', false))
      }
    }
    report(results, print)
  } finally {
    await runner.closeAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

function keep(results: Map<string, Round[]>, name: string, round: Round): void {
  results.set(name, [...(results.get(name) ?? []), round])
}

function report(results: ReadonlyMap<string, Round[]>, print: (line: PerfLine) => void): void {
  const of = (name: string): readonly Round[] => results.get(name) ?? []
  const line = (goal: string, name: string, unit: string, value: number, baseline: number | null): void =>
    print({ goal, name, value: rounded(value), unit, baseline: baseline === null ? null : rounded(baseline), ratio: baseline === null || baseline === 0 ? null : rounded(value / baseline), runs: of('ours plain').length })
  const times = (name: string): readonly number[] => of(name).flatMap(({ goneMs }) => (goneMs === null ? [] : [goneMs]))
  const alive = (name: string): number => of(name).reduce((sum, { survivors }) => sum + survivors, 0)

  for (const tree of Object.keys(trees)) {
    line('C1', `survivors 150 ms after Esc, ${tree} (baseline: SIGKILL to the group + marker sweep)`, 'processes', alive(`ours ${tree}`), alive(`kill ${tree}`))
    line('C1', `survivors 150 ms after Esc, ${tree} (baseline: SIGTERM to the group)`, 'processes', alive(`ours ${tree}`), alive(`term ${tree}`))
    line('C1', `longest time from Esc to all gone, ${tree}`, 'ms', at(times(`ours ${tree}`), 1), null)
  }
  const afterGrace = of('ours stubborn').flatMap(({ goneMs, killedMs }) => (goneMs === null || killedMs === null ? [] : [goneMs - killedMs]))
  const kills = times('kill stubborn')
  line('C2', 'end of the grace to all gone, p50 (baseline: SIGKILL to the group + marker sweep)', 'ms', at(afterGrace, 0.5), at(kills, 0.5))
  line('C2', 'end of the grace to all gone, p99 (baseline: SIGKILL to the group + marker sweep)', 'ms', at(afterGrace, 0.99), at(kills, 0.99))
  line('C3', 'Esc during a flood of output to all gone, p50 (baseline: idle)', 'ms', at(times('ours flood'), 0.5), at(times('ours plain'), 0.5))
  line('C3', 'pieces shown after Esc during a flood', 'pieces', of('ours flood').reduce((sum, { shownAfter }) => sum + shownAfter, 0), null)
  const groups = (name: string): readonly number[] => of(name).flatMap(({ groupGoneMs }) => (groupGoneMs === null ? [] : [groupGoneMs]))
  line('C4', 'Esc to the end of the process group, nothing stubborn, p50 (baseline: SIGTERM to the group)', 'ms', at(groups('ours plain'), 0.5), at(groups('term plain'), 0.5))
  line('C4', 'Esc to all gone, nothing stubborn, with the detached process and those that hold the command, p50', 'ms', at(times('ours plain'), 0.5), null)
}

async function cancelOurs(runner: CommandRunner, cwd: string, tree: TreeName): Promise<Round> {
  const number = roundNumber()
  const stop = new AbortController()
  let shownAfter = 0
  const onOutput = (): void => {
    if (stop.signal.aborted) shownAfter++
  }
  const started = await runner.start({ callId: `perf-${number}`, command: treeOf(tree, number), cwd, timeoutMs: null, confinement: { kind: 'outside' } }, onOutput, stop.signal)
  if (!started.ok) throw new Error(started.fault.code)
  const leader = started.value.pid
  const all = [leader, ...(await appeared(number)).filter((pid) => pid !== leader)]
  const group = all.filter((pid) => pid !== leader && parentOf(pid) !== leader && groupOf(pid) === leader)
  const round = await measure(all, group, () => stop.abort())
  await started.value.ended
  return { ...round, shownAfter }
}

async function cancelBySignal(tree: TreeName, name: NodeJS.Signals, isSwept: boolean): Promise<Round> {
  const number = roundNumber()
  const mark = `perf-${number}`
  const child = spawn('bash', ['-c', treeOf(tree, number)], { env: { ...process.env, PERF_MARK: mark }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.resume()
  const all = await appeared(number)
  const round = await measure(all, all.filter((pid) => groupOf(pid) === child.pid), () => {
    kill(-(child.pid ?? 0), name)
    if (isSwept) for (const pid of processes()) if (environmentOf(pid).includes(mark)) kill(pid, 'SIGKILL')
  })
  for (const pid of processes().filter((one) => commandOf(one).includes(String(number)))) kill(pid, 'SIGKILL')
  await ending(child)
  return { ...round, shownAfter: 0 }
}

async function measure(pids: readonly number[], group: readonly number[], cancel: () => void): Promise<Omit<Round, 'shownAfter'>> {
  const kills = noteKills()
  const startedAt = performance.now()
  cancel()
  await Promise.resolve()
  let left = pids.filter(isAlive)
  let groupGoneMs: number | null = null
  for (;;) {
    const passedMs = performance.now() - startedAt
    if (!left.some((pid) => group.includes(pid))) groupGoneMs ??= passedMs
    if (left.length === 0 || passedMs >= 150) {
      const killedAt = kills.end()
      return { goneMs: left.length === 0 ? passedMs : null, groupGoneMs, killedMs: killedAt === null ? null : killedAt - startedAt, survivors: left.length }
    }
    // Not spinning through the whole grace: whoever is measured has to run in this very thread.
    const isWaiting = passedMs > 10 && kills.first() === null
    await new Promise((resolve) => (isWaiting ? setTimeout(resolve, 1) : setImmediate(resolve)))
    left = left.filter(isAlive)
  }
}

/** Notes when this process first sends SIGKILL; `end` gives that time and stops noting. */
function noteKills(): { first(): number | null; end(): number | null } {
  const send = process.kill.bind(process)
  let first: number | null = null
  process.kill = (pid, name) => {
    if (name === 'SIGKILL') first ??= performance.now()
    return send(pid, name)
  }
  return {
    first: () => first,
    end() {
      process.kill = send
      return first
    },
  }
}

/** The round's processes once all of its sleeps run: those that carry its number, and the shells above them. */
async function appeared(number: number): Promise<readonly number[]> {
  const wanted = [1, 2].map((digit) => `sleep ${number}${digit}`)
  for (let tries = 0; tries < 500; tries++) {
    const lines = processes().map((pid) => [pid, commandOf(pid)] as const)
    if (wanted.every((want) => lines.some(([, line]) => line === want))) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return processes().filter((pid) => pid !== process.pid && commandOf(pid).includes(String(number)))
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('the processes to cancel did not appear')
}

function treeOf(tree: TreeName, number: number): string {
  return trees[tree].replace(/N(\d)/g, `${number}$1`)
}

const roundNumber = (): number => randomInt(100_000, 1_000_000)
const processes = (): readonly number[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)
const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
const environmentOf = (pid: number): string => read(`/proc/${pid}/environ`)

function isAlive(pid: number): boolean {
  const [state] = statOf(pid)
  return state !== undefined && state !== 'Z' && state !== 'X'
}

const parentOf = (pid: number): number => Number(statOf(pid)[1])
const groupOf = (pid: number): number => Number(statOf(pid)[2])

/** State, parent and so on; empty for a process that is gone. */
function statOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // gone already
  }
}

async function ending(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve))
  child.stdout?.destroy()
  child.stderr?.destroy()
}

/** The value below which the share `part` of the values lies. */
function at(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

const rounded = (value: number): number => Math.round(value * 100) / 100
