import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { historyFor } from '../../../src/main/core/context/history'
import { resender } from '../../../src/main/services/sessionResend'
import { makeSessions } from '../../../src/main/services/sessions'
import type { Runs } from '../../../src/main/services/runs'
import { openSnapshots } from '../../../src/main/services/snapshots'
import { applyEvent, emptyChat, visibleItems } from '../../../src/shared/domain/chatView'
import { asId, type SnapshotId, type TurnId } from '../../../src/shared/domain/ids'
import { fail, succeed } from '../../../src/shared/domain/result'
import { turnBegun, turnEnded } from '../../support/drafts'
import { valueOf } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

/** A session of five turns over real snapshots; what a prompt stores is what runs store. */
async function fiveTurns(world: SnapshotWorld) {
  const sessions = makeSessions({ events: world.database.events, clock: world.ports.clock, ids: world.ports.ids })
  for (const turn of [1, 2, 3, 4, 5]) {
    await sessions.append(world.sessionId, turnBegun(`t${turn}`, `message ${turn}`))
    await world.call('agent', () => world.write('f', `${turn}\n`), { turnId: `t${turn}` })
    await sessions.refresh(world.sessionId)
    await sessions.append(world.sessionId, [turnEnded(`t${turn}`)])
  }
  let refused = false
  const prompt: Runs['prompt'] = async (id, text, options = {}) => {
    if (refused) return fail('model.no-provider')
    await sessions.append(id, [...(options.before?.() ?? []), ...turnBegun('t6', text), turnEnded('t6')])
    return succeed({ turnId: asId<TurnId>('t6'), ended: new Promise(() => undefined) })
  }
  const resend = resender({ sessions, runs: () => ({ prompt }), current: () => ({ workspace: world.snapshots.workspace, snapshots: world.snapshots }) })
  const events = () => world.database.events.read(world.sessionId)
  const seqOf = async (text: string): Promise<number> => (await events()).find((event) => event.type === 'user-message-added' && event.text === text)?.seq ?? 0
  return { sessions, resend: async (text: string, as: string) => resend(world.sessionId, { messageSeq: await seqOf(text), text: as }), events, refuse: (is: boolean) => (refused = is) }
}

/** The same messages on screen and for the model. */
async function said(world: SnapshotWorld): Promise<readonly string[]> {
  const events = await world.database.events.read(world.sessionId)
  const sent = historyFor(events, '').flatMap((message) => (message.role === 'user' && message.text.startsWith('message') ? [message.text] : []))
  const shown = visibleItems(events.reduce(applyEvent, emptyChat(world.sessionId))).flatMap((item) => (item.kind === 'user' ? [item.text] : []))
  expect(shown).toEqual(sent)
  return sent
}

describe('b07 R96: an earlier message is edited and sent again', () => {
  test('what followed it goes with the new message; the screen and what the model is sent agree; files stay', async () => {
    const world = await openWorld()
    const { resend } = await fiveTurns(world)
    valueOf(await resend('message 2', 'message 2, but shorter'))
    expect(await said(world)).toEqual(['message 1', 'message 2, but shorter'])
    const { rollbacks } = await world.snapshots.reading.timeline()
    expect(rollbacks).toMatchObject([{ scope: 'conversation', state: 'applied' }])
    expect(world.audit.filter(({ fact }) => fact === 'rolled-back')).toMatchObject([{ outcome: 'applied' }])
  })

  test('R78: undoing what it took back is neither offered nor done while the new message stands, and is once that is rolled back', async () => {
    const world = await openWorld()
    const { sessions, resend } = await fiveTurns(world)
    valueOf(await resend('message 2', 'message 2, but shorter'))
    const resent = (await world.snapshots.reading.timeline()).rollbacks[0]?.id ?? asId('')
    expect((await world.snapshots.reading.timeline()).undoable).toBeUndefined()
    expect(await world.snapshots.undo(resent)).toEqual(fail('rollback.said-since'))
    expect(await said(world)).toEqual(['message 1', 'message 2, but shorter'])
    const [point] = await world.snapshots.rows()
    const back = valueOf(await world.snapshots.apply({ target: { to: point?.id ?? asId(''), keepUserEdits: true }, scope: 'conversation', sessionId: world.sessionId, turnId: asId('t6'), head: '', leftChanges: {}, unticked: [], resolved: {} }))
    await sessions.refresh(world.sessionId)
    expect([await said(world), (await world.snapshots.reading.timeline()).undoable]).toEqual([['message 1'], back.id])
    valueOf(await world.snapshots.undo(resent))
    expect(await said(world)).toEqual(['message 1', 'message 2', 'message 3', 'message 4', 'message 5'])
    expect([(await world.snapshots.reading.timeline()).undoable, await world.snapshots.undo(back.id)]).toEqual([undefined, fail('rollback.said-since')])
  })

  test('with a store that fails nothing goes, and the caller is told; with a working one it then works', async () => {
    const world = await openWorld()
    const { resend, events } = await fiveTurns(world)
    const before = await events()
    const store = join(world.scratch.data, 'snapshots', world.snapshots.workspace.id)
    // As root nothing is unwritable: a file where the folder was.
    renameSync(store, `${store}-away`)
    writeFileSync(store, '')
    const refused = await resend('message 2', 'message 2, but shorter').finally(() => {
      rmSync(store)
      renameSync(`${store}-away`, store)
    })
    expect(refused.ok).toBe(false)
    expect(await events()).toEqual(before)
    expect(await said(world)).toHaveLength(5)
    valueOf(await resend('message 2', 'message 2, but shorter'))
    expect(await said(world)).toEqual(['message 1', 'message 2, but shorter'])
  })

  test('where the message cannot be stored nothing goes either, and the rollback never was', async () => {
    const world = await openWorld()
    const { resend, refuse } = await fiveTurns(world)
    refuse(true)
    expect(await resend('message 2', 'x')).toMatchObject({ ok: false, fault: { code: 'model.no-provider' } })
    expect(await said(world)).toHaveLength(5)
    expect((await world.snapshots.reading.timeline()).rollbacks.filter(({ state }) => state !== 'undone')).toEqual([])
  })

  test('killed after the message was stored, the next start knows that the conversation went back', async () => {
    const world = await openWorld()
    const { sessions, events } = await fiveTurns(world)
    const rollbackId = asId<Parameters<typeof world.snapshots.undo>[0]>('killed')
    const [point] = await world.snapshots.rows()
    await world.database.timeline.addRollback({ id: rollbackId, workspaceId: world.snapshots.workspace.id, plan: { target: { to: point?.id ?? asId(''), keepUserEdits: true }, head: '', rows: [], notCovered: [] }, scope: 'conversation', sessionId: world.sessionId, turnId: asId('t5'), state: 'planned', done: [], failed: [], beforeSnapshot: point?.id ?? null, afterSnapshot: null, undoOf: null, atMs: 1 })
    const from = (await events()).find((event) => 'turnId' in event && event.turnId === 't5')?.seq ?? 0
    await sessions.append(world.sessionId, [{ type: 'rolled-back', rollbackId, scope: 'conversation', hidden: { fromSeq: from, toSeq: from }, paths: [], failed: [] }, ...turnBegun('t6'), turnEnded('t6')])
    await world.snapshots.close()
    const again = valueOf(await openSnapshots(world.snapshots.workspace, world.ports, { isRecorded: false }))
    expect((await world.database.timeline.rollback(rollbackId))?.state).toBe('applied')
    expect(await again.undo(rollbackId)).toEqual(fail('rollback.said-since'))
    await again.close()
  })
})

test('b10: restoring twice, also at once, is restoring once, after a restart too', async () => {
  const world = await openWorld()
  const { events } = await fiveTurns(world)
  const rows = await world.snapshots.rows()
  const target = { to: rows.filter(({ kind }) => kind === 'before-call')[3]?.id ?? asId<SnapshotId>(''), keepUserEdits: false }
  const head = valueOf(await world.snapshots.plans.plan(target)).head
  const restore = () => world.snapshots.apply({ target, scope: 'both', sessionId: world.sessionId, turnId: asId('t4'), head, leftChanges: {}, unticked: [], resolved: {} })
  const done = await Promise.all([restore(), restore()])
  expect(done.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await said(world)).toEqual(['message 1', 'message 2', 'message 3'])
  const restarted = (await events()).reduce(applyEvent, emptyChat(world.sessionId))
  expect(visibleItems(restarted).filter((item) => item.kind === 'user')).toHaveLength(3)
})
