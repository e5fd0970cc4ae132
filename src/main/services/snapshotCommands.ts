import { asId, type RollbackId, type SnapshotId } from '../../shared/domain/ids'
import { fail, type Result, type Said } from '../../shared/domain/result'
import type { RollbackPlan, RollbackRecord, RollbackTarget } from '../../shared/domain/rollback'
import type { Snapshot } from '../../shared/domain/snapshot'
import { say, type Locale } from '../../shared/words/say'
import { oneAuthor } from '../core/snapshot/authors'
import type { Snapshots } from './snapshots'

/** What a command prints: lines of JSON in order, and its exit code. A fault is one line in words. */
export type CommandOutput = { readonly lines: readonly object[]; readonly exitCode: 0 | 1 } | { readonly fault: Said }

/** `snapshot take` */
export async function takeSnapshot(snapshots: Snapshots): Promise<CommandOutput> {
  const took = await snapshots.take()
  if (!took.ok) return took
  const { snapshot, taken } = took.value
  return done([{ ...lineOf(snapshot), tree: snapshot.tree, commit: snapshot.commit, seen: taken.seen, hashed: taken.hashed, ms: Math.round(taken.tookMs) }])
}

/** `snapshot list`: newest last. */
export async function listSnapshots(snapshots: Snapshots): Promise<CommandOutput> {
  return done((await snapshots.list()).map(lineOf))
}

/** What `snapshot plan` and `snapshot restore` are given. */
interface RestoreOptions {
  readonly to: string
  readonly path?: string
  readonly keepUserEdits: boolean
}

/** `snapshot plan`: writes nothing. */
export async function planRestore(snapshots: Snapshots, options: RestoreOptions, locale: Locale): Promise<CommandOutput> {
  const plan = await planOf(snapshots, targetOf(snapshots, options))
  if (!plan.ok) return plan
  return done(plan.value.rows.map(({ path, action, authors, reason }) => ({ path, action, author: oneAuthor(authors), authors, reason: say(locale, reason) })))
}

/** `snapshot restore` */
export async function restoreSnapshot(snapshots: Snapshots, options: RestoreOptions, locale: Locale): Promise<CommandOutput> {
  const target = targetOf(snapshots, options)
  const plan = await planOf(snapshots, target)
  if (!plan.ok) return plan
  const applied = await snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.value.head, unticked: [], leftChanges: {}, resolved: {} })
  if (!applied.ok) return applied
  const record = applied.value
  const conflicts = record.plan.rows.filter(({ action }) => action === 'conflict').map(({ path }) => path)
  const { done: written, failed } = outcomeOf(record, locale)
  return { lines: [{ done: written, failed, conflicts, undoId: record.id }], exitCode: failed.length === 0 ? 0 : 1 }
}

/** `snapshot undo` */
export async function undoRestore(snapshots: Snapshots, undoId: string, locale: Locale): Promise<CommandOutput> {
  const undone = await snapshots.undo(asId<RollbackId>(undoId))
  if (!undone.ok) return undone
  const { done: written, failed } = outcomeOf(undone.value, locale)
  const conflicts = undone.value.plan.rows.filter(({ action }) => action === 'conflict').map(({ path, reason }) => ({ path, reason: say(locale, reason) }))
  return { lines: [{ done: written, failed: [...failed, ...conflicts] }], exitCode: failed.length + conflicts.length === 0 ? 0 : 1 }
}

/** `snapshot diff`: without `to`, against the disk. */
export async function diffSnapshots(snapshots: Snapshots, at: string, to: string | null): Promise<CommandOutput> {
  const changes = await snapshots.reading.authoredChanges(asId<SnapshotId>(at), to === null ? null : asId<SnapshotId>(to))
  return changes.ok ? done(changes.value.map(({ path, change, author }) => ({ path, change, author }))) : changes
}

/** `snapshot stats` */
export async function showSnapshotStats(snapshots: Snapshots): Promise<CommandOutput> {
  const stats = await snapshots.stats()
  if (!stats.ok) return stats
  const { bytes, objects, taken } = stats.value
  return done([{ bytes, objects, seen: taken.seen, hashed: taken.hashed, skipped: taken.skipped.length, ms: Math.round(taken.tookMs) }])
}

function done(lines: readonly object[]): CommandOutput {
  return { lines, exitCode: 0 }
}

function lineOf({ id, atMs, kind, author, callId, files, skipped }: Snapshot): object {
  return { id, atMs, kind, author, ...(callId === null ? {} : { callId }), files, skipped }
}

/** A path that neither the moment nor the disk has is a misspelled one. */
async function planOf(snapshots: Snapshots, target: RollbackTarget): Promise<Result<RollbackPlan>> {
  const plan = await snapshots.plans.plan(target)
  const [path] = target.paths ?? []
  if (!plan.ok || path === undefined || plan.value.rows.length > 0) return plan
  const held = await snapshots.reading.paths(target.to, path)
  if (!held.ok) return held
  return held.value.some((one) => one.path === path || one.path.startsWith(`${path}/`)) ? plan : fail('rollback.no-such-path', { path })
}

/** A path is taken relative to the project, whether it was given so or absolute, and however it is spelled; the project itself is all of it. */
function targetOf(snapshots: Snapshots, { to, path, keepUserEdits }: RestoreOptions): RollbackTarget {
  const base = { to: asId<SnapshotId>(to), keepUserEdits }
  if (path === undefined) return base
  const root = snapshots.workspace.root
  const relative = plainPath(path === root || path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path)
  return relative === '' && path !== '' ? base : { ...base, paths: [relative] }
}

function plainPath(path: string): string {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

/** Rows that could not even be tried are among what failed: what was asked for is not there. */
function outcomeOf(record: RollbackRecord, locale: Locale): { readonly done: readonly string[]; readonly failed: readonly { path: string; reason: string }[] } {
  return { done: record.done, failed: record.failed.map(({ path, reason }) => ({ path, reason: say(locale, reason) })) }
}
