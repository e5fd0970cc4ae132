import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asId, type CallId, type SessionId, type SnapshotId, type TurnId } from '../../../src/shared/domain/ids'
import type { CallArgs } from '../../../src/shared/domain/call'
import type { PlanRow, RollbackTarget } from '../../../src/shared/domain/rollback'
import type { Confined } from '../../../src/shared/domain/tool'
import type { RollbackRequest } from '../../../src/main/services/snapshotRollbacks'
import { openSnapshots } from '../../../src/main/services/snapshots'
import { toolFinished } from '../../support/drafts'
import { picture, valueOf } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

const read = (world: SnapshotWorld, name: string): string => readFileSync(world.at(name), 'utf8')
const keeping = (to: SnapshotId): RollbackTarget => ({ to, keepUserEdits: true })

async function apply(world: SnapshotWorld, target: RollbackTarget, more: Partial<RollbackRequest> = {}) {
  const plan = valueOf(await world.snapshots.plans.plan(target))
  return world.snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.head, unticked: [], leftChanges: {}, resolved: {}, ...more })
}

async function rowsOf(world: SnapshotWorld, target: RollbackTarget): Promise<readonly PlanRow[]> {
  return valueOf(await world.snapshots.plans.plan(target)).rows
}

/** The file in which the store keeps a content of its own. */
function objectFile(world: SnapshotWorld, oid: string): string {
  return `${world.scratch.data}/snapshots/${world.snapshots.workspace.id}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`
}

test('R76 R78 one change of a file with CRLF, BOM and no last line end goes back, to the byte, and the undo gives the bytes again', async () => {
  const world = await openWorld()
  world.write('f', '\ufeff一\r\n2\r\n3\r\n4\r\n5')
  const { before } = await world.call('agent', () => world.write('f', '\ufeff一\r\nB\r\n3\r\n4\r\nE'))
  const changed = picture(world.scratch.project)
  const record = valueOf(await apply(world, keeping(before), { leftChanges: { f: [1] } }))
  expect([record.state, read(world, 'f')]).toEqual(['applied', '\ufeff一\r\n2\r\n3\r\n4\r\nE'])
  valueOf(await world.snapshots.undo(record.id))
  expect(picture(world.scratch.project)).toEqual(changed)
})

test('R76 changes left out of a merge, and of a conflict that was resolved; with all of them left the file is', async () => {
  const world = await openWorld()
  for (const name of ['merged', 'fought', 'left']) world.write(name, '1\n2\n3\n4\n5\n')
  const { before } = await world.call('agent', () => {
    for (const name of ['merged', 'fought', 'left']) world.write(name, 'A\n2\n3\n4\nB\n')
  })
  world.write('merged', 'A\n2\nmine\n4\nB\n')
  world.write('fought', 'mine\n2\n3\n4\nB\n')
  const record = valueOf(await apply(world, keeping(before), { leftChanges: { merged: [0], fought: [1], left: [0, 1] }, resolved: { fought: 'both\n2\n3\n4\n5\n' } }))
  expect({ state: record.state, done: [...record.done].sort(), merged: read(world, 'merged'), fought: read(world, 'fought'), left: read(world, 'left') }).toEqual({
    state: 'applied', done: ['fought', 'merged'], merged: 'A\n2\nmine\n4\n5\n', fought: 'both\n2\n3\n4\nB\n', left: 'A\n2\n3\n4\nB\n',
  })
})

test('R76 changes of what is no text, and numbers that no change has: refused, nothing is written', async () => {
  const world = await openWorld()
  world.write('bin', 'a\0b')
  world.write('latin', 'x')
  writeFileSync(world.at('latin'), Buffer.from([0x68, 0xe9, 0x0a]))
  world.write('f', '1\n')
  const { before } = await world.call('agent', () => {
    for (const name of ['bin', 'latin', 'f']) world.write(name, '2\n')
  })
  const [disk, points] = [picture(world.scratch.project), (await world.snapshots.rows()).length]
  for (const [path, code] of [['bin', 'rollback.change-whole'], ['latin', 'rollback.change-whole'], ['f', 'rollback.change-unknown'], ['nowhere', 'rollback.change-whole']] as const) {
    expect(await apply(world, keeping(before), { leftChanges: { [path]: [5] } })).toMatchObject({ ok: false, fault: { code, values: { path } } })
  }
  expect([picture(world.scratch.project), (await world.snapshots.rows()).length]).toEqual([disk, points])
})

test('R78 a rollback with changes left out that was killed halfway is finished from its journal', async () => {
  const world = await openWorld()
  world.write('f', '1\n2\n3\n')
  const { before } = await world.call('agent', () => world.write('f', 'A\n2\nC\n'))
  const stop = new Error('killed')
  const killed = valueOf(await openSnapshots(world.snapshots.workspace, { ...world.ports, timeline: { ...world.ports.timeline, updateRollback: async (record) => {
    await world.ports.timeline.updateRollback(record)
    throw stop
  } } }, { isRecorded: false }))
  const target = keeping(before)
  const { head } = valueOf(await killed.plans.plan(target))
  await expect(killed.apply({ target, scope: 'files', sessionId: null, turnId: null, head, unticked: [], leftChanges: { f: [0] }, resolved: {} })).rejects.toBe(stop)
  await killed.close()
  expect(read(world, 'f')).toBe('A\n2\nC\n')
  const again = valueOf(await openSnapshots(world.snapshots.workspace, world.ports, { isRecorded: false }))
  expect([read(world, 'f'), (await world.ports.timeline.rollbacks(world.snapshots.workspace.id)).map(({ state }) => state)]).toEqual(['A\n2\n3\n', ['applied']])
  await again.close()
})

test('R78 a rollback tells how many of its paths are settled, from none to all, and an undo too', async () => {
  const told: string[] = []
  const world = await openWorld({ ports: { onRollback: ({ done, total }) => told.push(`${done}/${total}`) } })
  for (const name of ['a', 'b', 'c']) world.write(name, '1\n')
  const { before } = await world.call('agent', () => {
    for (const name of ['a', 'b', 'c']) world.write(name, '2\n')
  })
  const record = valueOf(await apply(world, keeping(before), { unticked: ['b'] }))
  expect([told[0], told.at(-1), new Set(told).size === told.length]).toEqual(['0/2', '2/2', true])
  valueOf(await world.snapshots.undo(record.id))
  expect(told.slice(-1)).toEqual(['2/2'])
})

test('R77 R78 a conflict that nobody resolved is not applied: partly, and the conversation stays; left out on purpose it is no fault', async () => {
  const world = await openWorld()
  await world.database.events.append(world.sessionId, [{ type: 'user-message-added', turnId: asId('turn-1'), messageId: asId('m1'), text: 'go' }])
  for (const name of ['a', 'f']) world.write(name, '1\n')
  const { before } = await world.call('agent', () => {
    for (const name of ['a', 'f']) world.write(name, '2\n')
  })
  world.write('f', '3\n')
  const conversation = { scope: 'both', sessionId: world.sessionId, turnId: asId<TurnId>('turn-1') } as const
  const half = valueOf(await apply(world, keeping(before), conversation))
  expect([half.state, half.done, read(world, 'f')]).toEqual(['partly', ['a'], '3\n'])
  const last = async () => (await world.database.events.read(world.sessionId)).findLast(({ type }) => type === 'rolled-back')
  expect(await last()).toMatchObject({ hidden: null, paths: ['a'] })
  const whole = valueOf(await apply(world, keeping(before), { ...conversation, unticked: ['f'] }))
  expect([whole.state, read(world, 'f')]).toEqual(['applied', '3\n'])
  expect(await last()).toMatchObject({ hidden: { fromSeq: 2 } })
})

test('R77 a conflict takes what was there, whole: a binary file, a deletion', async () => {
  const world = await openWorld()
  world.write('bin', '\u00001')
  const { before } = await world.call('agent', () => {
    world.write('bin', '\u00002')
    world.write('made', 'a\n')
  })
  world.write('bin', '\u00003')
  world.write('made', 'a\nmine\n')
  const record = valueOf(await apply(world, keeping(before), { takeEarlier: ['bin', 'made'] }))
  expect([record.state, read(world, 'bin'), existsSync(world.at('made'))]).toEqual(['applied', '\u00001', false])
  valueOf(await world.snapshots.undo(record.id))
  expect([read(world, 'bin'), read(world, 'made')]).toEqual(['\u00003', 'a\nmine\n'])
})

test('R78 what was typed for a link becomes a file, and leads nowhere', async () => {
  const world = await openWorld()
  symlinkSync('target', world.at('l'))
  const { before } = await world.call('agent', () => {
    rmSync(world.at('l'))
    world.write('l', 'agent\n')
  })
  world.write('l', 'mine\n')
  expect(await rowsOf(world, keeping(before))).toMatchObject([{ path: 'l', action: 'conflict', to: { mode: '120000' } }])
  valueOf(await apply(world, keeping(before), { resolved: { l: '/etc' } }))
  expect(picture(world.scratch.project)['l']).toBe('file 644 /etc')
})

test('R77 a preview counts the lines that are written, of merges too', async () => {
  const world = await openWorld()
  world.write('f', '1\n2\n3\n')
  world.write('gone', '1\n2\n')
  world.write('bin', '\u00001')
  world.write('m', '1\n2\n3\n')
  const { before } = await world.call('agent', () => {
    world.write('f', '1\nX\nY\n3\n')
    rmSync(world.at('gone'))
    world.write('made', '1\n')
    world.write('bin', '\u00002')
    world.write('m', 'A\n2\n3\n')
  })
  world.write('m', 'A\n2\nmine\n')
  world.write('mine', 'x')
  const { plan, lines } = valueOf(await world.snapshots.plans.preview(keeping(before)))
  expect(plan.rows.map(({ path, action }, at) => [path, action, lines[at]])).toEqual([
    ['m', 'merge', { added: 1, removed: 1 }],
    ['bin', 'revert', null],
    ['f', 'revert', { added: 1, removed: 2 }],
    ['gone', 'recreate', { added: 2, removed: 0 }],
    ['made', 'delete', { added: 0, removed: 1 }],
    ['mine', 'leave', null],
  ])
})

test('R77 a conflict comes in parts, a merge decided, anything else is refused', async () => {
  const world = await openWorld()
  for (const name of ['f', 'm', 'r']) world.write(name, '1\n2\n3\n')
  const { before } = await world.call('agent', () => {
    for (const name of ['f', 'm', 'r']) world.write(name, 'A\n2\n3\n')
  })
  world.write('f', 'mine\n2\n3\n')
  world.write('m', 'A\n2\nmine\n')
  const show = (path: string) => world.snapshots.plans.conflict(keeping(before), path)
  expect(valueOf(await show('f'))).toEqual({ earlier: '1\n2\n3\n', disk: 'mine\n2\n3\n', parts: [{ kind: 'conflict', earlier: '1\n', base: 'A\n', disk: 'mine\n' }, { kind: 'same', text: '2\n3\n' }] })
  expect(valueOf(await show('m')).parts).toEqual([{ kind: 'same', text: '1\n2\nmine\n' }])
  for (const path of ['r', 'nowhere']) expect(await show(path)).toEqual({ ok: false, fault: { code: 'rollback.no-conflict', values: { path } } })
  expect(await world.snapshots.plans.conflict(keeping(asId('nothing')), 'f')).toMatchObject({ ok: false, fault: { code: 'snapshot.unknown' } })
})

/** Writes a call into the journal as the loop does, at a moment of the world's clock. */
async function journal(world: SnapshotWorld, sessionId: SessionId, call: { id: string; tool: string; effect: 'execute' | 'network' | 'write'; args: CallArgs; confined?: Confined; isLost?: boolean }): Promise<void> {
  const callId = asId<CallId>(call.id)
  const nowMs = world.ports.clock.nowMs()
  await world.database.events.append(sessionId, call.isLost ? [] : [{ ...toolFinished('turn-1', call.id), ...(call.confined ? { confined: call.confined } : {}) }], [
    { to: 'intent', call: { callId, providerCallId: call.id, sessionId, turnId: asId('turn-1'), step: 1, index: 0, tool: call.tool, effect: call.effect, proposed: '{}' } },
    { to: 'approved', callId, approved: call.args, argsHash: 'h', decidedBy: 'person', ruleId: null, decidedAtMs: nowMs },
    { to: 'started', callId, effective: call.args, startedAtMs: nowMs, beforeSnapshot: asId('any'), writes: [] },
  ])
  // So that no two moments are the same.
  await new Promise((resolve) => setTimeout(resolve, 5))
}

test('R77 what was sent out since the target is named, of all sessions of the folder, redacted and in one line', async () => {
  const world = await openWorld()
  const other = asId<SessionId>('another-session')
  await world.database.events.append(other, [{ type: 'session-opened', workspaceId: world.snapshots.workspace.id, title: 'o', level: 'writes' }])
  const command = (id: string, text: string, more: object = {}) => ({ id, tool: 'run_command', effect: 'execute' as const, args: { command: text, ...more } })
  await journal(world, world.sessionId, { ...command('c0', 'git push'), confined: 'none' })
  const { before, after } = await world.call('agent', () => world.write('a', '1'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  await journal(world, world.sessionId, { ...command('c1', 'git push'), confined: 'sandbox' })
  await journal(world, world.sessionId, { ...command('c2', 'npm publish\n  --token hunter2', { network: true }), confined: 'network' })
  await journal(world, other, { ...command('c3', `git push ${'x'.repeat(300)}`), isLost: true })
  await journal(world, world.sessionId, { id: 'c4', tool: 'mcp__mail__send', effect: 'network', args: { to: 'x' } })
  await journal(world, world.sessionId, { id: 'c5', tool: 'fetch_url', effect: 'network', args: { url: 'https://example.com' } })
  const { sent, sentCount } = valueOf(await world.snapshots.plans.preview(keeping(before)))
  expect(sent.map(({ callId, sessionId, tool, label }) => [callId, sessionId, tool, label])).toEqual([
    ['c2', world.sessionId, 'run_command', 'npm publish --token •••'],
    ['c3', other, 'run_command', `git push ${'x'.repeat(190)}…`],
    ['c4', world.sessionId, 'mcp__mail__send', 'mcp__mail__send'],
  ])
  expect(sentCount).toBe(3)
  // Of one call alone, only what that one did.
  expect(valueOf(await world.snapshots.plans.preview({ to: before, only: { from: before, until: after }, keepUserEdits: true }))).toMatchObject({ sent: [], sentCount: 0 })
})

test('R78 a path whose content is lost cannot be rolled back, says so beforehand, and the others are; a lost folder fails the whole plan', async () => {
  const world = await openWorld()
  for (const name of ['kept', 'lost', 'fought']) world.write(name, `${name} 1\n`)
  const { before } = await world.call('agent', () => {
    for (const name of ['kept', 'lost', 'fought']) world.write(name, `${name} 2\n`)
  })
  world.write('fought', 'mine\n')
  const wanted = await rowsOf(world, keeping(before))
  const away = wanted.filter(({ path }) => path !== 'kept').map(({ to }) => objectFile(world, to?.oid ?? ''))
  for (const file of away) renameSync(file, `${file}.away`)
  expect((await rowsOf(world, keeping(before))).map(({ path, action, reason }) => [path, action, reason.code])).toEqual([
    ['fought', 'cannot', 'rollback.cannot-lost'],
    ['lost', 'cannot', 'rollback.cannot-lost'],
    ['kept', 'revert', 'rollback.reverted'],
  ])
  const record = valueOf(await apply(world, keeping(before)))
  expect([record.state, record.done, record.failed.map(({ path }) => path), read(world, 'lost')]).toEqual(['partly', ['kept'], ['fought', 'lost'], 'lost 2\n'])
  for (const file of away) renameSync(`${file}.away`, file)
  const tree = (await world.snapshots.rows()).find(({ id }) => id === before)?.tree ?? ''
  renameSync(objectFile(world, tree), `${objectFile(world, tree)}.away`)
  const again = valueOf(await openSnapshots(world.snapshots.workspace, world.ports, { isRecorded: false }))
  expect(await again.plans.plan(keeping(before))).toEqual({ ok: false, fault: { code: 'snapshot.object-missing', values: { object: tree } } })
  await again.close()
  renameSync(`${objectFile(world, tree)}.away`, objectFile(world, tree))
})
