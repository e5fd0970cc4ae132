import { constants } from 'node:os'
import { allProcesses, commandLine, descendants, isLive, processRow, standardTerminal, startVariable, withstands, type ProcessRow } from './processTreeTable'
import { shownCommand } from './reaper'
import type { Isolation } from './processTreeIsolation'

/** Environment variable that marks a command's processes where there is no namespace. */
export const markVariable = 'COUNTERSIGN_CALL'

/** What was started: `leader` is the process that the terminal library forked, first of its session and process group. */
export interface TreeRoot {
  readonly leader: number
  readonly isolation: Isolation
  /** Value of `markVariable` in the environment; used where there is no namespace. */
  readonly mark: string
  /** The terminal's path, for finding processes without the mark; null when there is none, and from when it is closed: the system gives its name to the next one at once. */
  readonly terminal: () => string | null
}

/** A process and what it made. */
export interface ProcessTree {
  /** The living processes, without those that only hold the tree together, each as soon as it is found. */
  members(): Iterable<ProcessRow>
  /** Those of them that no other member started: what a person would call a program. */
  programs(): readonly { readonly pid: number; readonly command: string }[]
  /** Asks most of them to end, in this very moment; `end` does the rest. */
  ask(): void
  /** Asks all to end, waits until they have, at most `graceMs`, then kills what is left. Resolves when none lives. */
  end(graceMs: number): Promise<void>
  /** The same for one member and what it made; the rest of the tree lives on. */
  endMember(pid: number, graceMs: number): Promise<void>
}

/** How long killed processes may take to vanish before we stop looking: a process in an uninterruptible wait keeps its place. */
const vanishMs = 2000
const eagerMs = 4
const longestPauseMs = 10

/** Holds on to what the leader made. Nothing is opened, so there is nothing to close. */
export function makeProcessTree(root: TreeRoot): ProcessTree {
  const members = root.isolation.kind === 'namespace' ? () => namespaceMembers(root.leader) : () => markedMembers(root)
  const leader = processRow(root.leader)
  const kill = (): readonly ProcessRow[] => {
    // The launcher and the first process are of the leader's group; the namespace ends with its first process.
    signal(-root.leader, 'SIGKILL')
    // In its first moments the leader has no group of its own yet, and nobody would hear that.
    if (leader !== null && isStill(leader)) signal(root.leader, 'SIGKILL')
    const found = root.isolation.kind === 'mark' ? [...members()] : []
    for (const { pid } of found) signal(pid, 'SIGKILL')
    return found
  }
  let isOver = false
  let askedGroup: number | null | undefined
  const ask = (): void => {
    if (askedGroup === undefined) askedGroup = askGroup(root.leader)
  }
  return {
    members,
    ask,
    programs() {
      const all = [...members()]
      const pids = new Set(all.map((row) => row.pid))
      return all.filter((row) => !pids.has(row.parent)).map(({ pid }) => ({ pid, command: shownCommand(commandLine(pid)) }))
    },
    async end(graceMs) {
      // Once it is over, its numbers may belong to others.
      if (isOver) return
      ask()
      const left = await askAndWait(members, graceMs, askedGroup ?? null)
      const held = [...holders(root.leader), ...left]
      held.push(...kill())
      // The kernel would end these with the namespace, but only when the first process comes to its own end.
      for (const { pid } of left) signal(pid, 'SIGKILL')
      // A process may have forked while it was looked for: kill until none is found and nothing that held the tree is left.
      await until(() => kill().length === 0 && !held.some(isStill), vanishMs)
      isOver = true
    },
    async endMember(pid, graceMs) {
      const known = new Map<number, ProcessRow>()
      // What loses its parent on the way no longer shows below it, so what was seen once stays known.
      const left = (): readonly ProcessRow[] => {
        const below = new Set([pid, ...[...descendants(pid)].map((row) => row.pid)])
        for (const row of members()) if (below.has(row.pid)) known.set(row.pid, row)
        return [...known.values()].filter(isStill)
      }
      await askAndWait(left, graceMs, null)
      for (const row of left()) signal(row.pid, 'SIGKILL')
      await until(() => left().length === 0, vanishMs)
    },
  }
}

/** The launcher's only child is the first process of the namespace; whatever loses its parent in there becomes its child. */
function* namespaceMembers(leader: number): Generator<ProcessRow> {
  for (const row of descendants(leader)) if (row.parent !== leader) yield row
}

/** The leader and what it started itself: the launcher and the first process, or the first process and the command. */
function holders(leader: number): readonly ProcessRow[] {
  const found = [processRow(leader)].filter(isLive)
  for (const row of descendants(leader)) {
    if (row.parent !== leader) break
    found.push(row)
  }
  return found
}

function markedMembers(root: TreeRoot): readonly ProcessRow[] {
  const known = new Set([...descendants(root.leader)].map((row) => row.pid))
  const terminal = root.terminal()
  const belongs = (row: ProcessRow): boolean =>
    known.has(row.pid) ||
    row.session === root.leader ||
    startVariable(row.pid, markVariable) === root.mark ||
    (terminal !== null && standardTerminal(row.pid) === terminal)
  // Our own process has the terminal's other side open.
  const others = allProcesses().filter((pid) => pid !== root.leader && pid !== process.pid)
  return others.map(processRow).filter(isLive).filter(belongs)
}

/**
 * Asks the whole group of the leader at once, which is the fastest way to most of a tree; its number, or null when that would
 * end those that hold the tree together, and with them everything, before it could answer.
 */
function askGroup(leader: number): number | null {
  if (!withstands(leader, constants.signals.SIGTERM)) return null
  signal(-leader, 'SIGTERM')
  return leader
}

/**
 * Each process is asked once, also one that appears meanwhile; a stopped one is woken so that it can answer.
 * @param askedGroup a process group that has been asked already
 * @returns those that had not ended when it was last looked
 */
async function askAndWait(members: () => Iterable<ProcessRow>, graceMs: number, askedGroup: number | null): Promise<readonly ProcessRow[]> {
  const asked = new Set<number>()
  let isFirst = true
  let left: ProcessRow[] = []
  await until(() => {
    left = []
    for (const row of members()) {
      left.push(row)
      if (asked.has(row.pid)) continue
      asked.add(row.pid)
      if (!isFirst || row.group !== askedGroup) signal(row.pid, 'SIGTERM')
      if (row.state === 'T') signal(row.pid, 'SIGCONT')
    }
    isFirst = false
    return left.length === 0
  }, graceMs)
  return left
}

/**
 * Ends what an earlier run of the app left behind: processes with a mark whose app no longer lives. With a namespace there
 * are none, since it ends with the app.
 * @param isAppLive tells whether the app that made a mark still lives
 */
export function endStrays(isAppLive: (mark: string) => boolean): void {
  for (const pid of allProcesses()) {
    const mark = startVariable(pid, markVariable)
    if (mark !== null && !isAppLive(mark)) signal(pid, 'SIGKILL')
  }
}

function isStill(row: ProcessRow): boolean {
  const now = processRow(row.pid)
  return isLive(now) && now.startedAt === row.startedAt
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself, which is what was wanted.
  }
}

/**
 * Looks again and again until it is so or the time is over: at first in every turn of the event loop, then after pauses that
 * grow with the time and with what looking costs, so that the machine is left to those who are to end.
 */
async function until(isSo: () => boolean, limitMs: number): Promise<void> {
  const startedAt = performance.now()
  for (let isFirst = true; ; isFirst = false) {
    const lookedAt = performance.now()
    // Not once more when the time is over: what follows then is not to be late.
    if (!isFirst && lookedAt - startedAt >= limitMs) return
    if (isSo()) return
    const now = performance.now()
    const passedMs = now - startedAt
    if (passedMs >= limitMs) return
    const pauseMs = Math.min(Math.max(1, now - lookedAt, passedMs / 4), longestPauseMs, limitMs - passedMs)
    await new Promise<void>((resolve) => {
      if (passedMs < eagerMs) setImmediate(resolve)
      else setTimeout(resolve, pauseMs)
    })
  }
}
