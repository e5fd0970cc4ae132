import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSnapshots } from '../../../src/main/services/snapshots'
import { asId, type SnapshotId, type TurnId } from '../../../src/shared/domain/ids'
import { git, picture, valueOf } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

const read = (world: SnapshotWorld, name: string): string => readFileSync(world.at(name), 'utf8')

const all = { leftChanges: {}, unticked: [], resolved: {} }

/** Plans and applies at once. */
async function rollBack(world: SnapshotWorld, to: SnapshotId, more: { keepUserEdits?: boolean; turnId?: string; only?: { from: SnapshotId; until: SnapshotId } } = {}) {
  const target = { to, keepUserEdits: more.keepUserEdits ?? true, ...(more.only ? { only: more.only } : {}) }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  const scope = more.turnId === undefined ? ('files' as const) : ('both' as const)
  return valueOf(await world.snapshots.apply({ target, scope, sessionId: world.sessionId, turnId: more.turnId === undefined ? null : asId<TurnId>(more.turnId), head: plan.head, ...all }))
}

test('R76 R78 a rollback of files, and its undo, byte for byte', async () => {
  const world = await openWorld()
  world.write('a', '1\n')
  world.write('gone', 'x')
  const { before } = await world.call('agent', () => {
    world.write('a', '2\n')
    world.write('made', 'y')
    rmSync(world.at('gone'))
    mkdirSync(world.at('empty'))
  })
  const changed = picture(world.scratch.project)
  const record = await rollBack(world, before)
  expect({ state: record.state, done: [...record.done].sort(), failed: record.failed }).toEqual({ state: 'applied', done: ['a', 'empty', 'gone', 'made'], failed: [] })
  expect(picture(world.scratch.project)).toEqual({ a: 'file 644 1\n', gone: 'file 644 x' })
  const undone = valueOf(await world.snapshots.undo(record.id))
  expect(undone.state).toBe('applied')
  expect(picture(world.scratch.project)).toEqual(changed)
  const again = valueOf(await world.snapshots.undo(undone.id))
  expect({ state: again.state, a: read(world, 'a') }).toEqual({ state: 'applied', a: '1\n' })
  expect((await world.story()).slice(-6)).toEqual([
    'before-rollback',
    'after-rollback you a empty gone made',
    'before-rollback',
    'after-rollback you a empty gone made',
    'before-rollback',
    'after-rollback you a empty gone made',
  ])
  expect((await world.snapshots.reading.timeline()).rollbacks.map(({ state }) => state)).toEqual(['undone', 'undone', 'applied'])
})

test('R77 what the person edited since is kept, merged, and survives the undo', async () => {
  const world = await openWorld()
  world.write('f', 'one\ntwo\nthree\n')
  const { before } = await world.call('agent', () => world.write('f', 'ONE\ntwo\nthree\n'))
  appendFileSync(world.at('f'), 'mine\n')
  world.write('todo', 'mine too')
  const plan = valueOf(await world.snapshots.plans.plan({ to: before, keepUserEdits: true }))
  expect(plan.rows.map(({ path, action, authors }) => [path, action, authors])).toEqual([
    ['f', 'merge', ['agent', 'you']],
    ['todo', 'leave', ['you']],
  ])
  const record = await rollBack(world, before)
  expect([read(world, 'f'), read(world, 'todo')]).toEqual(['one\ntwo\nthree\nmine\n', 'mine too'])
  valueOf(await world.snapshots.undo(record.id))
  expect(read(world, 'f')).toBe('ONE\ntwo\nthree\nmine\n')
})

test('R76 one single call is taken back, later calls and edits stay', async () => {
  const world = await openWorld()
  world.write('f', '1\n2\n3\n4\n5\n')
  const first = await world.call('agent', () => world.write('f', 'one\n2\n3\n4\n5\n'))
  await world.call('agent', () => world.write('f', 'one\n2\n3\n4\nfive\n'))
  await world.call('command', () => world.write('b', '1'))
  await rollBack(world, first.before, { only: { from: first.before, until: first.after } })
  expect([read(world, 'f'), read(world, 'b')]).toEqual(['1\n2\n3\n4\nfive\n', '1'])
})

test('case c09: undo of one session’s turn loses nothing of another’s', async () => {
  const world = await openWorld()
  world.write('shared.txt', [...'123456789'].join('\n'))
  const first = await world.call('agent', () => {
    world.write('a.txt', 'a')
    world.write('shared.txt', ['one', ...'23456789'].join('\n'))
  })
  await world.call('agent', () => {
    world.write('b.txt', 'b')
    world.write('shared.txt', ['one', ...'2345678', 'nine'].join('\n'))
  })
  const only = { from: first.before, until: first.after }
  const plan = valueOf(await world.snapshots.plans.plan({ to: first.before, only, keepUserEdits: true }))
  expect(plan.rows.map(({ path, action }) => [path, action])).toEqual([
    ['shared.txt', 'merge'],
    ['a.txt', 'delete'],
  ])
  await rollBack(world, first.before, { only })
  expect({ a: existsSync(world.at('a.txt')), b: read(world, 'b.txt'), shared: read(world, 'shared.txt') }).toEqual({ a: false, b: 'b', shared: [...'12345678', 'nine'].join('\n') })
})

test('R78 the conversation goes back with the files from the turn on, and comes again with the undo', async () => {
  const world = await openWorld()
  await world.database.events.append(world.sessionId, [{ type: 'user-message-added', turnId: asId('turn-0'), messageId: asId('m0'), text: 'before' }])
  await world.database.events.append(world.sessionId, [{ type: 'user-message-added', turnId: asId('turn-1'), messageId: asId('m1'), text: 'hello' }])
  const { before } = await world.call('agent', () => world.write('a', '2'), { turnId: 'turn-1' })
  const record = await rollBack(world, before, { turnId: 'turn-1' })
  const event = (await world.database.events.read(world.sessionId)).find(({ type }) => type === 'rolled-back')
  expect(event).toMatchObject({ rollbackId: record.id, scope: 'both', hidden: { fromSeq: 3, toSeq: expect.any(Number) }, paths: ['a'], failed: [] })
  const undone = valueOf(await world.snapshots.undo(record.id))
  expect((await world.database.events.read(world.sessionId)).at(-1)).toMatchObject({ type: 'rollback-undone', rollbackId: undone.id, undoneId: record.id })
})

test('R76 R84 the conversation of a turn that runs is not taken back from under it, nor a later turn with an earlier one', async () => {
  const world = await openWorld()
  world.write('a', '1')
  const choice = { provider: 'p', model: 'm' }
  const begin = (turn: string) => world.database.events.append(world.sessionId, [
    { type: 'user-message-added', turnId: asId<TurnId>(turn), messageId: asId(turn), text: 'go' },
    { type: 'turn-started', turnId: asId<TurnId>(turn), choice, level: 'writes' },
  ])
  await begin('turn-1')
  const { before } = await world.call('agent', () => world.write('a', '2'), { turnId: 'turn-1' })
  const target = { to: before, keepUserEdits: true }
  const apply = async (scope: 'both' | 'conversation') => world.snapshots.apply({ target, scope, sessionId: world.sessionId, turnId: asId<TurnId>('turn-1'), head: valueOf(await world.snapshots.plans.plan(target)).head, ...all })
  for (const scope of ['both', 'conversation'] as const) expect(await apply(scope)).toEqual({ ok: false, fault: { code: 'rollback.turn-running', values: {} } })
  expect(read(world, 'a')).toBe('2')

  const ended = await world.database.events.append(world.sessionId, [{ type: 'turn-ended', turnId: asId<TurnId>('turn-1'), step: 1, reason: 'done', say: { code: 'turn.done', values: {} }, text: '', tokens: { input: 0, output: 0 }, auditHead: null }])
  const append: typeof world.ports.timeline.addRollback = async (record) => {
    await world.ports.timeline.addRollback(record)
    await begin('turn-2')
  }
  const between = valueOf(await openSnapshots(world.snapshots.workspace, { ...world.ports, timeline: { ...world.ports.timeline, addRollback: append } }, { isRecorded: false }))
  const record = valueOf(await between.apply({ target, scope: 'both', sessionId: world.sessionId, turnId: asId<TurnId>('turn-1'), head: valueOf(await between.plans.plan(target)).head, ...all }))
  const event = (await world.database.events.read(world.sessionId)).find((one) => one.type === 'rolled-back')
  expect({ text: read(world, 'a'), hidden: event?.type === 'rolled-back' && event.hidden?.toSeq, undo: await between.undo(record.id) }).toEqual({ text: '1', hidden: (ended[0]?.seq ?? 0) + 1, undo: { ok: false, fault: { code: 'rollback.turn-running', values: {} } } })
  await between.close()
})

test('R78 a path that cannot be written: partly, listed, the others done, the conversation as it was', async () => {
  const world = await openWorld()
  await world.database.events.append(world.sessionId, [{ type: 'user-message-added', turnId: asId('turn-1'), messageId: asId('m1'), text: 'hello' }])
  world.write('a', 'a1')
  world.write('b', 'b1')
  const { before } = await world.call('agent', () => {
    world.write('a', 'a2')
    world.write('b', 'b2')
  })
  const target = { to: before, keepUserEdits: true }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  const store = `${world.scratch.data}/snapshots/${world.snapshots.workspace.id}`
  const lost = plan.rows.find(({ path }) => path === 'a')?.to?.oid ?? ''
  rmSync(`${store}/objects/${lost.slice(0, 2)}/${lost.slice(2)}`)
  const record = valueOf(await world.snapshots.apply({ target, scope: 'both', sessionId: world.sessionId, turnId: asId('turn-1'), head: plan.head, ...all }))
  expect({ state: record.state, done: record.done, failed: record.failed.map(({ path, reason }) => [path, reason.code]) }).toEqual({ state: 'partly', done: ['b'], failed: [['a', 'rollback.cannot-lost']] })
  expect((await world.database.events.read(world.sessionId)).at(-1)).toMatchObject({ type: 'rolled-back', hidden: null, failed: ['a'] })
  expect(world.audit.at(-1)).toMatchObject({ fact: 'rolled-back', outcome: 'partly', actor: 'person' })
  // The store is to be whole for the check at the end.
  git(['--git-dir', store, 'hash-object', '-w', '--stdin'], {}, undefined, 'a1')
})

test('R77 a plan is refused when files moved after it, and while a call runs', async () => {
  const world = await openWorld()
  world.write('a', '1')
  const { before } = await world.call('agent', () => world.write('a', '2'))
  const target = { to: before, keepUserEdits: true }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  world.write('a', '3')
  const request = { target, scope: 'files', sessionId: null, turnId: null, head: plan.head, ...all } as const
  expect(await world.snapshots.apply(request)).toMatchObject({ ok: false, fault: { code: 'rollback.head-moved' } })
  await world.call('agent', async () => {
    expect(await world.snapshots.apply(request)).toMatchObject({ ok: false, fault: { code: 'rollback.call-running' } })
  })
  expect(read(world, 'a')).toBe('3')
})

test('R77 unticked rows are left, and a conflict is written as the person resolved it', async () => {
  const world = await openWorld()
  for (const name of ['a', 'b', 'c']) world.write(name, '1\n')
  const { before } = await world.call('agent', () => {
    for (const name of ['a', 'b', 'c']) world.write(name, '2\n')
  })
  world.write('c', '3\n')
  const target = { to: before, keepUserEdits: true }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  expect(plan.rows[0]).toMatchObject({ path: 'c', action: 'conflict', reason: { code: 'rollback.conflict-lines' } })
  const record = valueOf(await world.snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.head, leftChanges: {}, unticked: ['b'], resolved: { c: '1 and 3\n' } }))
  expect([record.state, read(world, 'a'), read(world, 'b'), read(world, 'c')]).toEqual(['applied', '1\n', '2\n', '1 and 3\n'])
})

test('case c06: what the person changed is named before, and there again after the undo', async () => {
  const world = await openWorld()
  world.write('notes.md', 'n1\n')
  world.write('a.txt', 'a\n')
  const { before } = await world.call('agent', () => world.write('a.txt', 'b\n'))
  world.write('notes.md', 'user text\n')
  world.write('todo.md', 't\n')
  const plan = valueOf(await world.snapshots.plans.plan({ to: before, keepUserEdits: false }))
  expect(plan.rows.map(({ path, authors }) => [path, authors.join()])).toEqual([
    ['a.txt', 'agent'],
    ['notes.md', 'you'],
    ['todo.md', 'you'],
  ])
  const record = await rollBack(world, before, { keepUserEdits: false })
  expect([read(world, 'notes.md'), existsSync(world.at('todo.md'))]).toEqual(['n1\n', false])
  valueOf(await world.snapshots.undo(record.id))
  expect([read(world, 'notes.md'), read(world, 'todo.md')]).toEqual(['user text\n', 't\n'])
})

test('R80 what was ignored at the target is not deleted when the rule has gone since', async () => {
  const world = await openWorld()
  world.write('.gitignore', '*.log\n')
  world.write('old.log', 'precious')
  const { before } = await world.call('agent', () => {
    world.write('.gitignore', '')
    world.write('new.log', 'x')
  })
  const plan = valueOf(await world.snapshots.plans.plan({ to: before, keepUserEdits: false }))
  expect(plan.rows.map(({ path, action }) => [path, action])).toEqual([
    ['.gitignore', 'revert'],
    ['new.log', 'leave'],
    ['old.log', 'leave'],
  ])
  await rollBack(world, before, { keepUserEdits: false })
  expect(read(world, 'old.log')).toBe('precious')
})
