import type { AgentEvent } from '../../shared/domain/event'
import { asId, type RollbackId, type SessionId, type SnapshotId, type TurnId } from '../../shared/domain/ids'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { PlanRow, RollbackPlan, RollbackRecord, RollbackScope, RollbackTarget } from '../../shared/domain/rollback'
import type { Snapshot, SnapshotRow } from '../../shared/domain/snapshot'
import { findUnfinishedTurn } from '../core/agent/unfinishedTurn'
import { stepsOf, type RestoreStep } from '../core/ports/snapshotStore'
import { StorageFault } from '../core/ports/storageFault'
import { undoMixes } from '../core/sessions/branch'
import { decideRows, textsToDecide, type RowDecisions } from '../core/snapshot/decideRows'
import { inSlices } from './memoryPlan'
import { RollbackMarks } from './rollbackMarks'
import { never, type SnapshotPorts } from './snapshotPorts'
import { planAgainst, planClock } from './snapshotPlanner'
import { headOf, holdsSame, type SnapshotRecorder, type Teller } from './snapshotRecorder'
import { readTexts } from './snapshotTexts'

/** What the person agreed to: the plan's head, and what they changed about its rows. */
export interface RollbackRequest extends RowDecisions {
  readonly target: RollbackTarget
  readonly scope: RollbackScope
  readonly sessionId: SessionId | null
  readonly turnId: TurnId | null
  readonly head: string
}

/** A conversation that gives way to a message, and the moment it does. */
export interface Replacement {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly point: Snapshot
}

/** A person sees no more of its progress than this. */
const progressMs = 100

/** Carries out rollbacks of one workspace through a journal: planned, applying, then applied or partly (R78). */
export class SnapshotRollbacks {
  readonly #recorder: SnapshotRecorder
  readonly #ports: SnapshotPorts

  constructor(recorder: SnapshotRecorder, ports: SnapshotPorts) {
    this.#recorder = recorder
    this.#ports = ports
  }

  /** Refused when the disk is no longer what the plan was made for, or the conversation's turn runs. The lane is the caller's. */
  async apply(request: RollbackRequest): Promise<Result<RollbackRecord>> {
    if (await this.#isTalking(request)) return fail('rollback.turn-running')
    if (request.scope === 'conversation') return this.#start(request, { target: request.target, head: request.head, rows: [], notCovered: [] }, null)
    const teller = tellerOf(request)
    const taken = await this.#recorder.scanAndNoteDrift(never, teller)
    if (!taken.ok) return taken
    const plan = await planAgainst(taken.value, request.target, this.#recorder)
    if (!plan.ok) return plan
    if (plan.value.head !== request.head) return fail('rollback.head-moved')
    const texts = await readTexts(textsToDecide(plan.value.rows, request), this.#recorder.store)
    const rows = await inSlices(decideRows(plan.value.rows, request, texts), planClock)
    if (!rows.ok) return rows
    const before = await this.#recorder.add(taken.value, { kind: 'before-rollback', author: null, sessionId: request.sessionId, teller })
    return before.ok ? this.#start(request, { ...plan.value, rows: rows.value }, null, before.value.id) : before
  }

  /** Takes a rollback back: what it wrote, and only that; what changed since is merged. */
  async undo(id: RollbackId): Promise<Result<RollbackRecord>> {
    const record = await this.#ports.timeline.rollback(id)
    if (record?.workspaceId !== this.#recorder.workspace.id) return fail('rollback.unknown', { id })
    if (record.state === 'undone') return fail('rollback.undone-already')
    if (record.state === 'planned' || record.state === 'applying') return fail('rollback.not-finished')
    const base = { scope: record.scope, sessionId: record.sessionId, turnId: record.turnId }
    if (await this.#isTalking(base)) return fail('rollback.turn-running')
    if (await this.#wouldMix(record)) return fail('rollback.said-since')
    const { beforeSnapshot, afterSnapshot } = record
    if (record.scope === 'conversation') return this.#start(base, { ...record.plan, rows: [] }, record)
    if (beforeSnapshot === null || afterSnapshot === null || record.done.length === 0) return fail('rollback.nothing-to-undo')
    const target = { to: beforeSnapshot, only: { from: beforeSnapshot, until: afterSnapshot }, paths: record.done, keepUserEdits: true }
    const taken = await this.#recorder.scanAndNoteDrift(never, tellerOf(base))
    if (!taken.ok) return taken
    const plan = await planAgainst(taken.value, target, this.#recorder)
    if (!plan.ok) return plan
    const before = await this.#recorder.add(taken.value, { kind: 'before-rollback', author: null, sessionId: base.sessionId, teller: tellerOf(base) })
    return before.ok ? this.#start(base, plan.value, record, before.value.id) : before
  }

  /** The moment a conversation is taken back at for a message that is said anew; fails where the snapshots cannot be written. The lane is the caller's. */
  async pointBefore(teller: Teller): Promise<Result<Snapshot>> {
    const taken = await this.#recorder.scanAndNoteDrift(never, teller)
    return taken.ok ? this.#recorder.add(taken.value, { kind: 'before-rollback', author: null, sessionId: teller.sessionId, teller, isProof: true }) : taken
  }

  /**
   * Takes the conversation back for a message that stands in its place. `store` keeps the message and the event that hides, both
   * or neither; where it fails, nothing was taken back.
   */
  async replace<Value>({ sessionId, turnId, point }: Replacement, store: (id: RollbackId) => Promise<Result<Value>>): Promise<Result<Value>> {
    const plan: RollbackPlan = { target: { to: point.id, keepUserEdits: true }, head: headOf(point), rows: [], notCovered: [] }
    const record = await this.#add({ scope: 'conversation', sessionId, turnId }, plan, null, point.id)
    const stored = await store(record.id)
    const ended: RollbackRecord = { ...record, state: stored.ok ? 'applied' : 'undone' }
    if (stored.ok) await this.#tellAudit(ended)
    await this.#ports.timeline.updateRollback(ended)
    return stored
  }

  /** Rollbacks that a killed process left: those that had begun to write are finished, the others never happened. The lane is the caller's. */
  async finishLeftOver(): Promise<void> {
    for (const record of await this.#ports.timeline.rollbacks(this.#recorder.workspace.id)) {
      if (record.state === 'planned') await this.#ports.timeline.updateRollback({ ...record, state: await this.#stateOfPlanned(record) })
      if (record.state === 'applying') await this.#carryOut(record, { isLeftOver: true })
    }
  }

  /** Whether a killed process left one. */
  async hasLeftOver(): Promise<boolean> {
    const rows = await this.#ports.timeline.rollbackRows(this.#recorder.workspace.id)
    return rows.some(({ state }) => state === 'planned' || state === 'applying')
  }

  /** One that took a conversation back together with a message is done when that is stored, whatever came after. */
  async #stateOfPlanned(record: RollbackRecord): Promise<RollbackRecord['state']> {
    return record.sessionId !== null && (await this.#isTold(record, record.sessionId)) ? 'applied' : 'undone'
  }

  async #start(
    base: Pick<RollbackRequest, 'scope' | 'sessionId' | 'turnId'>,
    plan: RollbackPlan,
    undoOf: RollbackRecord | null,
    beforeSnapshot: SnapshotId | null = null,
  ): Promise<Result<RollbackRecord>> {
    const record = await this.#add(base, plan, undoOf, beforeSnapshot)
    const applying: RollbackRecord = { ...record, state: 'applying' }
    await this.#ports.timeline.updateRollback(applying)
    return this.#carryOut(applying)
  }

  async #add(base: Pick<RollbackRequest, 'scope' | 'sessionId' | 'turnId'>, plan: RollbackPlan, undoOf: RollbackRecord | null, beforeSnapshot: SnapshotId | null): Promise<RollbackRecord> {
    const record: RollbackRecord = {
      id: asId<RollbackId>(this.#ports.ids.next()),
      workspaceId: this.#recorder.workspace.id,
      plan,
      scope: base.scope,
      sessionId: base.sessionId,
      turnId: base.turnId,
      state: 'planned',
      done: [],
      // What the plan could not do did not happen either: it is told with what failed.
      failed: plan.rows.filter(({ action }) => action === 'cannot').map(({ path, reason }) => ({ path, reason })),
      beforeSnapshot,
      afterSnapshot: null,
      undoOf: undoOf?.id ?? null,
      atMs: this.#ports.clock.nowMs(),
    }
    await this.#ports.timeline.addRollback(record)
    return record
  }

  /** Writes what is not written yet. Runs to its end whatever happens to a single path. */
  async #carryOut(record: RollbackRecord, { isLeftOver }: { readonly isLeftOver: boolean } = { isLeftOver: false }): Promise<Result<RollbackRecord>> {
    const written = await this.#write(record)
    if (!written.ok) return written
    const { done, failed, afterSnapshot } = written.value
    const undone = record.undoOf === null ? null : await this.#ports.timeline.rollback(record.undoOf)
    // Said while the files went back: then they are as before, and the conversation stays.
    const isMixed = undone !== null && (await this.#wouldMix(undone))
    const isWhole = !isMixed && failed.length === 0 && record.plan.rows.every(({ action }) => action !== 'conflict' && action !== 'cannot')
    const ended: RollbackRecord = { ...record, done, failed, afterSnapshot, state: isWhole ? 'applied' : 'partly' }
    await this.#tellSession(ended)
    // A killed process may have told it and not come to the end of the journal.
    if (!isLeftOver || !(await this.#ports.audit.hasRollback(ended.id))) await this.#tellAudit(ended)
    // Before its own state: once that is stored, no start looks at this rollback again.
    if (isWhole && undone) await this.#ports.timeline.updateRollback({ ...undone, state: 'undone' })
    await this.#ports.timeline.updateRollback(ended)
    return succeed(ended)
  }

  async #write(record: RollbackRecord): Promise<Result<Pick<RollbackRecord, 'done' | 'failed' | 'afterSnapshot'>>> {
    const { done, failed } = { done: [...record.done], failed: [...record.failed] }
    if (record.scope === 'conversation') return succeed({ done, failed, afterSnapshot: null })
    const shape = await this.#shapeOf(record)
    const settled = new Set([...done, ...failed.map(({ path }) => path)])
    const marks = new RollbackMarks(record.id, this.#ports.timeline)
    const steps = stepsOf(record.plan.rows).filter(({ path }) => !settled.has(path))
    const tell = this.#progressOf(settled.size, settled.size + steps.length)
    const settle = (path: string, outcome: Result<null>): void => {
      settled.add(path)
      if (outcome.ok) done.push(path)
      else failed.push({ path, reason: outcome.fault })
      marks.add({ path, outcome })
      tell(settled.size)
    }
    const why = shape ? await this.#restore(steps, shape, settle) : said('snapshot.unknown', { id: record.plan.target.to })
    if (why !== null) for (const { path } of steps) if (!settled.has(path)) settle(path, { ok: false, fault: why })
    await marks.stored()
    const taken = await this.#recorder.store.scan(never)
    if (!taken.ok) return taken
    // Killed just after the entry was made, and nothing has changed since: it is the entry.
    const last = (await this.#recorder.rows()).at(-1)
    if (last?.kind === 'after-rollback' && holdsSame(last, taken.value)) return succeed({ done, failed, afterSnapshot: last.id })
    const after = await this.#recorder.add(taken.value, { kind: 'after-rollback', author: 'you', sessionId: record.sessionId, teller: tellerOf(record) })
    return after.ok ? succeed({ done, failed, afterSnapshot: after.value.id }) : after
  }

  /** Tells how far it is, but not for every path. */
  #progressOf(begun: number, total: number): (done: number) => void {
    let toldAtMs = -Infinity
    const tell = (done: number): void => {
      const nowMs = this.#ports.clock.nowMs()
      if (done < total && nowMs - toldAtMs < progressMs) return
      toldAtMs = nowMs
      this.#ports.onRollback?.({ done, total })
    }
    tell(begun)
    return tell
  }

  /** Why it could not go on. A moment that is lost stays so: a journal that waited for it would keep the project closed for ever. */
  async #restore(steps: readonly RestoreStep[], shape: SnapshotRow, settle: (path: string, outcome: Result<null>) => void): Promise<Said | null> {
    try {
      await this.#recorder.store.restore(steps, shape, settle)
      return null
    } catch (error) {
      if (error instanceof StorageFault && error.fault.code === 'snapshot.object-missing') return error.fault
      throw error
    }
  }

  /** The moment that says how folders are to be. */
  async #shapeOf({ plan: { target } }: RollbackRecord): Promise<SnapshotRow | undefined> {
    const id = target.only?.from ?? target.to
    return (await this.#recorder.rows()).find((row) => row.id === id)
  }

  /** The conversation goes back only when all files did. */
  async #tellSession(record: RollbackRecord): Promise<void> {
    const { sessionId, done, failed, scope, id } = record
    if (sessionId !== null && !(await this.#isTold(record, sessionId))) {
      const isWhole = record.state === 'applied'
      const event =
        record.undoOf !== null && isWhole
          ? ({ type: 'rollback-undone', rollbackId: id, undoneId: record.undoOf } as const)
          : ({ type: 'rolled-back', rollbackId: id, scope, hidden: isWhole ? await this.#hiddenBy(record, sessionId) : null, paths: done, failed: failed.map(({ path }) => path) } as const)
      await this.#ports.append(sessionId, [event])
    }
  }

  async #tellAudit(record: RollbackRecord): Promise<void> {
    const { sessionId, done, failed, scope, id } = record
    await this.#ports.audit.append({
      fact: 'rolled-back',
      atMs: this.#ports.clock.nowMs(),
      actor: 'person',
      outcome: record.state,
      args: { rollbackId: id, to: record.plan.target.to, scope, ...(record.undoOf === null ? {} : { undoOf: record.undoOf }), failed: failed.map(({ path }) => path) },
      changed: changedBy(record.plan.rows, done),
      ...(sessionId === null ? {} : { sessionId }),
      ...(record.afterSnapshot === null ? {} : { snapshotId: record.afterSnapshot }),
    })
  }

  /** A finished rollback that was killed before its state was stored has told already. */
  async #isTold({ id }: RollbackRecord, sessionId: SessionId): Promise<boolean> {
    const events = await this.#ports.events.read(sessionId)
    return events.some((event) => (event.type === 'rolled-back' || event.type === 'rollback-undone') && event.rollbackId === id)
  }

  /** Whether a turn of the conversation that would go back is open, in whatever process. */
  async #isTalking({ scope, sessionId }: Pick<RollbackRequest, 'scope' | 'sessionId'>): Promise<boolean> {
    return scope !== 'files' && sessionId !== null && findUnfinishedTurn(await this.#ports.events.read(sessionId)) !== null
  }

  /** Whether undoing it would show a conversation that never took place. */
  async #wouldMix({ id, scope, sessionId }: RollbackRecord): Promise<boolean> {
    return scope !== 'files' && sessionId !== null && undoMixes(await this.#ports.events.read(sessionId), id)
  }

  /** From the turn's first event to the last there is; a turn that began while the files went back is not a part of it. */
  async #hiddenBy({ scope, turnId, undoOf }: RollbackRecord, sessionId: SessionId): Promise<{ fromSeq: number; toSeq: number } | null> {
    if (scope === 'files' || turnId === null || undoOf !== null) return null
    const events = await this.#ports.events.read(sessionId)
    const first = events.find((event) => 'turnId' in event && event.turnId === turnId)
    const begun = findUnfinishedTurn(events)
    const last = begun === null ? events.at(-1) : events.filter((event) => event.seq < firstOf(begun.turnId, events)).at(-1)
    return first && last ? { fromSeq: first.seq, toSeq: last.seq } : null
  }
}

function firstOf(turnId: TurnId, events: readonly AgentEvent[]): number {
  return events.find((event) => 'turnId' in event && event.turnId === turnId)?.seq ?? 0
}

function tellerOf({ sessionId, turnId }: Pick<RollbackRequest, 'sessionId' | 'turnId'>): Teller | null {
  return sessionId === null ? null : { sessionId, turnId, step: null }
}

/** By git's ids of their contents. */
function changedBy(rows: readonly PlanRow[], done: readonly string[]): { path: string; before: string | null; after: string | null }[] {
  const written = new Set(done)
  return rows.filter(({ path }) => written.has(path)).map(({ path, from, to, action }) => ({ path, before: from?.oid ?? null, after: action === 'merge' ? null : (to?.oid ?? null) }))
}
