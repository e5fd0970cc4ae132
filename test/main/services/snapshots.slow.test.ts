import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSnapshots } from '../../../src/main/services/snapshots'
import type { MutatingCall } from '../../../src/main/core/ports/callSnapshots'
import { asId, type CallId, type SnapshotId, type TurnId } from '../../../src/shared/domain/ids'
import { git, makeScratch, valueOf } from '../../support/sideRepository'
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

test('R75 a snapshot before and after every call, the person’s own work between them as an entry of its own', async () => {
  const world = await openWorld()
  world.write('a', '1')
  await world.call('agent', () => world.write('a', '2'))
  world.write('mine', 'by hand')
  await world.call('command', () => world.write('b', '1'))
  expect(await world.story()).toEqual(['opened', 'drift you a', 'before-call', 'after-call agent a', 'drift you mine', 'before-call', 'after-call command b'])
})

test('R75 what a command moves is the command’s work, though the times of what is in a folder do not move with it', async () => {
  const world = await openWorld()
  for (const name of ['old/a', 'old/deep/b']) world.write(name, name)
  await new Promise((resolve) => setTimeout(resolve, 60))
  const call = await world.call('command', () => renameSync(world.at('old'), world.at('moved')))
  const row = (await world.snapshots.rows()).at(-1)
  expect({ author: row?.author, others: row?.others }).toEqual({ author: 'command', others: [] })
  const plan = valueOf(await world.snapshots.plans.plan({ to: call.before, keepUserEdits: true }))
  expect(plan.rows.map(({ path, action }) => `${action} ${path}`).sort()).toEqual(['delete moved/a', 'delete moved/deep/b', 'recreate old/a', 'recreate old/deep/b'])
})

test('R75 unchanged: an entry, but no new commit and no object', async () => {
  const world = await openWorld()
  world.write('a', '1')
  utimesSync(world.at('a'), 1, 1)
  await world.call('command', () => undefined)
  const before = valueOf(await world.snapshots.stats())
  await world.call('command', () => undefined)
  const after = valueOf(await world.snapshots.stats())
  const rows = await world.snapshots.rows()
  expect({ objects: after.objects - before.objects, commits: new Set(rows.slice(-4).map(({ commit }) => commit)).size }).toEqual({ objects: 0, commits: 1 })
})

test('R94 readings at the same moment, on a start with a history, list every entry once', async () => {
  const scratch = makeScratch()
  onTestFinished(() => scratch.remove())
  const first = await openWorld({ scratch })
  await first.call('agent', () => first.write('a', '1'))
  const story = await first.story()
  await first.close()
  const again = await openWorld({ scratch, isRecorded: false })
  await Promise.all([again.story(), again.story(), again.snapshots.rows()])
  expect(await again.story()).toEqual(story)
})

test('R74 commits carry the audit’s head, and events name the entry and its paths', async () => {
  const world = await openWorld()
  world.write('b', '1')
  const { after } = await world.call('agent', () => world.write('a', '2'))
  const row = (await world.snapshots.rows()).find(({ id }) => id === after)
  const store = `${world.scratch.data}/snapshots/${world.snapshots.workspace.id}`
  expect(git(['--git-dir', store, 'log', '-1', '--format=%B', row?.commit ?? ''])).toContain('Countersign-Audit: audit-chain')
  const events = (await world.database.events.read(world.sessionId)).filter(({ type }) => type === 'snapshot-taken')
  expect(events.map((event) => event.type === 'snapshot-taken' && [event.kind, event.author, event.paths])).toEqual([
    ['drift', 'you', ['b']],
    ['before-call', null, []],
    ['after-call', 'agent', ['a']],
  ])
})

test('what a file tool did not touch, or what changed before a command began, is the person’s', async () => {
  const world = await openWorld()
  await world.call(
    'agent',
    () => {
      world.write('touched', '1')
      world.write('saved-meanwhile', '1')
    },
    { touched: ['touched'] },
  )
  const row = (await world.snapshots.rows()).at(-1)
  expect({ author: row?.author, others: row?.others }).toEqual({ author: 'agent', others: [{ path: 'saved-meanwhile', author: 'you' }] })
})

test('while a program of a command still runs, nobody knows who changed a file', async () => {
  let left = 0
  const world = await openWorld({ ports: { programsLeft: () => left } })
  await world.call('command', () => undefined)
  left = 1
  world.write('log', '1')
  await world.call('agent', () => undefined)
  expect((await world.story()).filter((line) => line.startsWith('drift'))).toEqual(['drift unknown log'])
})

test('R84 after a call that a crash cut short, its changes are its own entry, of an unknown author, and go back with it', async () => {
  const world = await openWorld()
  const call: MutatingCall = { callId: asId<CallId>('c1'), sessionId: world.sessionId, turnId: asId<TurnId>('t'), step: 1, author: 'command', touches: null }
  await world.snapshots.enter(call, new AbortController().signal)
  world.write('half', '1')
  const again = await openWorld({ scratch: world.scratch, ports: { lane: { enter: () => Promise.resolve(() => Promise.resolve()) } } })
  await again.call('agent', () => undefined)
  expect((await again.story()).filter((line) => line.includes('unknown') || line.startsWith('drift'))).toEqual(['after-call unknown half'])
  const [from, until] = (await again.snapshots.rows()).filter((row) => row.callId === call.callId)
  expect([from?.kind, until?.kind, until?.sessionId, await again.snapshots.endOf(call.callId)]).toEqual(['before-call', 'after-call', world.sessionId, until?.id])
  if (!from || !until) throw new Error('no beginning or no end')
  const plan = valueOf(await again.snapshots.plans.plan({ to: from.id, only: { from: from.id, until: until.id }, keepUserEdits: true }))
  expect(plan.rows.map(({ path, action, authors }) => [path, action, authors])).toEqual([['half', 'delete', ['unknown']]])
})

test('R84 the end of a call that a crash cut short is taken where nothing was recorded since; one that left nothing has none', async () => {
  const world = await openWorld()
  const begin = (id: string): MutatingCall => ({ callId: asId<CallId>(id), sessionId: world.sessionId, turnId: asId<TurnId>('t'), step: 1, author: 'command', touches: null })
  const lane = { enter: () => Promise.resolve(() => Promise.resolve()) }
  await world.snapshots.enter(begin('c1'), new AbortController().signal)
  world.write('half', '1')
  const again = await openWorld({ scratch: world.scratch, isRecorded: false, ports: { lane } })
  const end = await again.snapshots.endOf(asId<CallId>('c1'))
  expect([end, (await again.story()).at(-1)]).toEqual([(await again.snapshots.rows()).at(-1)?.id, 'after-call unknown half'])
  await again.snapshots.enter(begin('c2'), new AbortController().signal)
  expect(await again.snapshots.endOf(asId<CallId>('c2'))).toBe(null)
})

test('case c21: a snapshot shows what is there now', async () => {
  const world = await openWorld()
  for (let i = 0; i < 20; i++) world.write(`f${i}`, 'old')
  await world.call('agent', () => world.write('g', '1'))
  for (let i = 0; i < 20; i++) world.write(`f${i}`, 'new')
  const { before } = await world.call('agent', () => world.write('f3', 'agent'))
  await rollBack(world, before)
  expect(Array.from({ length: 20 }, (_, i) => read(world, `f${i}`)).every((text) => text === 'new')).toBe(true)
})

test('case c22: two checkouts never see each other’s snapshots', async () => {
  const world = await openWorld()
  world.write('f', 'main\n')
  await world.call('agent', () => world.write('f', 'main 2\n'))
  const other = `${world.scratch.project}.wt`
  mkdirSync(other)
  const workspace = await world.database.timeline.workspace(other, 'wt')
  const opened = valueOf(await openSnapshots(workspace, world.ports, { isRecorded: false }))
  expect(await opened.rows()).toEqual([])
  await opened.close()
})

test('case c25: an ignore rule that came later hides nothing of the person’s from being kept', async () => {
  const world = await openWorld()
  world.write('.gitignore', '*.log\n')
  world.write('a.txt', 'a\n')
  const { before } = await world.call('agent', () => {
    world.write('.gitignore', '*.log\nprivate/\n')
    world.write('a.txt', 'b\n')
  })
  world.write('private/id', 'key\n')
  const record = await rollBack(world, before, { keepUserEdits: false })
  expect([record.state, read(world, 'a.txt'), read(world, 'private/id')]).toEqual(['applied', 'a\n', 'key\n'])
})

test('R80 what a call could not undo is known before it is approved', async () => {
  const world = await openWorld()
  world.write('.gitignore', 'secret\n')
  world.write('secret', 's')
  await world.call('agent', () => undefined)
  expect(await world.snapshots.coverageOf(['a', 'src/b'])).toEqual({ kind: 'full', skipped: [] })
  expect(await world.snapshots.coverageOf(['a', 'secret'])).toEqual({ kind: 'partial', skipped: [{ path: 'secret', reason: 'ignored' }] })
  expect(await world.snapshots.coverageOf(['secret'])).toEqual({ kind: 'none', skipped: [{ path: 'secret', reason: 'ignored' }] })
  expect(await world.snapshots.coverageOf(null)).toEqual({ kind: 'partial', skipped: [{ path: 'secret', reason: 'ignored' }] })
})

test('R80 home and system folders are refused before anything is made', async () => {
  const world = await openWorld()
  const workspace = await world.database.timeline.workspace('/home/somebody', 'home')
  expect(await openSnapshots(workspace, world.ports, { isRecorded: true })).toMatchObject({ ok: false, fault: { code: 'snapshot.root-home' } })
  expect(existsSync(`${world.scratch.data}/snapshots/${workspace.id}`)).toBe(false)
})

test('R79 any two points, or a point and the disk, are compared; a file is shown as it was', async () => {
  const world = await openWorld()
  world.write('a', 'one\n')
  const first = await world.call('agent', () => world.write('a', 'one\ntwo\n'))
  const second = await world.call('agent', () => world.write('b', 'b\n'))
  world.write('a', '')
  expect(valueOf(await world.snapshots.reading.changes(first.before, second.after)).changes.map(({ path, change, lines }) => [path, change, lines])).toEqual([
    ['a', 'modified', { added: 1, removed: 0 }],
    ['b', 'added', { added: 1, removed: 0 }],
  ])
  const [change] = valueOf(await world.snapshots.reading.changes(second.after, null)).changes
  expect([change?.path, change?.lines]).toEqual(['a', { added: 0, removed: 2 }])
  expect(valueOf(await world.snapshots.reading.file(change?.before?.oid ?? ''))).toEqual({ text: 'one\ntwo\n', sizeBytes: 8 })
})

test('R79 a point with a missing object says that it cannot be restored', async () => {
  const world = await openWorld()
  world.write('d/a', '1')
  const { before } = await world.call('agent', () => world.write('d/a', '2'))
  const row = (await world.snapshots.rows()).find(({ id }) => id === before)
  const tree = row?.tree ?? ''
  const file = `${world.scratch.data}/snapshots/${world.snapshots.workspace.id}/objects/${tree.slice(0, 2)}/${tree.slice(2)}`
  const bytes = readFileSync(file)
  rmSync(file)
  expect(await world.snapshots.plans.plan({ to: before, keepUserEdits: true })).toEqual({ ok: false, fault: { code: 'snapshot.object-missing', values: { object: tree } } })
  writeFileSync(file, bytes)
})

test('R80 what is not held is known before anything was scanned', async () => {
  const world = await openWorld({ isRecorded: false })
  world.write('node_modules/x', 'x')
  expect(await world.snapshots.coverageOf(null)).toEqual({ kind: 'partial', skipped: [{ path: 'node_modules', reason: 'ignored' }] })
})

test('the first snapshot tells how far it is and that it is done, or why it failed', async () => {
  const told: { isDone: boolean; fault: string | null }[] = []
  const world = await openWorld({ ports: { onProgress: ({ isDone, fault }) => void told.push({ isDone, fault: fault?.code ?? null }) }, isRecorded: false })
  for (let i = 0; i < 1200; i++) world.write(`f${i}`, '')
  world.snapshots.beginRecording()
  await world.call('agent', () => undefined)
  // News comes by time, so how often is the machine's affair.
  expect([told.length > 1, new Set(told.slice(0, -1).map(({ isDone }) => isDone)), told.at(-1)]).toEqual([true, new Set([false]), { isDone: true, fault: null }])
  rmSync(world.scratch.project, { recursive: true })
  world.snapshots.beginRecording()
  await world.snapshots.undo(asId('nobody'))
  expect(told.at(-1)).toEqual({ isDone: true, fault: 'snapshot.root-gone' })
})

test('R80 the first snapshot gives way to a message, and is whole before a call changes anything', async () => {
  const world = await openWorld({ isRecorded: false })
  for (let i = 0; i < 300; i++) world.write(`f${i}`, `${i}`)
  const goOn = world.snapshots.giveWay()
  world.snapshots.beginRecording()
  let isEntered = false
  const call = world.call('agent', () => ((isEntered = true), world.write('f1', 'changed')))
  await new Promise((done) => setTimeout(done, 200))
  expect([isEntered, await world.story()]).toEqual([false, []])
  goOn()
  await call
  expect(await world.story()).toEqual(['opened', 'before-call', 'after-call agent f1'])
})

test('R80 the first snapshot begins a moment after the opening, when no message is on its way, and at once for a call', async () => {
  const world = await openWorld({ isRecorded: false })
  world.write('a', '1')
  const goOn = world.snapshots.giveWay()
  world.snapshots.beginRecording(20)
  await new Promise((done) => setTimeout(done, 100))
  expect(await world.story()).toEqual([])
  goOn()
  await vi.waitFor(async () => expect(await world.story()).toEqual(['opened']), 5000)
  world.snapshots.beginRecording(3_600_000)
  await world.call('agent', () => world.write('a', '2'))
  expect(await world.story()).toEqual(['opened', 'opened', 'before-call', 'after-call agent a'])
  world.snapshots.beginRecording(3_600_000)
  await world.snapshots.close()
})

test('the first snapshot can be stopped: it says so, keeps no point, and the next call takes its own (R80)', async () => {
  const told: { isDone: boolean; fault: string | null }[] = []
  const world = await openWorld({ ports: { onProgress: ({ isDone, fault }) => void told.push({ isDone, fault: fault?.code ?? null }) }, isRecorded: false })
  world.write('a', '1')
  world.snapshots.beginRecording()
  world.snapshots.cancelFirst()
  await world.call('agent', () => world.write('a', '2'))
  // Undo began with the call: that it had not begun is over.
  expect([told.filter(({ isDone }) => isDone), await world.story()]).toEqual([[{ isDone: true, fault: 'snapshot.cancelled' }, { isDone: true, fault: null }], ['before-call', 'after-call agent a']])
})

test('a call whose snapshot fails gets the reason and must not run; the lane is free again', async () => {
  const world = await openWorld()
  await world.call('agent', () => world.write('a', '1'))
  rmSync(world.scratch.project, { recursive: true })
  const call: MutatingCall = { callId: asId<CallId>('c1'), sessionId: world.sessionId, turnId: asId<TurnId>('t'), step: 1, author: 'agent', touches: null }
  const entered = await world.snapshots.enter(call, new AbortController().signal)
  expect(entered).toEqual({ ok: false, fault: { code: 'snapshot.failed', values: { why: { code: 'snapshot.root-gone', values: { path: world.scratch.project } } } } })
  mkdirSync(world.scratch.project)
  await world.call('agent', () => world.write('a', '2'))
})

test('a call after which no snapshot can be taken has run: the session is told, and the changes show with the next', async () => {
  const world = await openWorld()
  const call: MutatingCall = { callId: asId<CallId>('c1'), sessionId: world.sessionId, turnId: asId<TurnId>('t'), step: 1, author: 'command', touches: null }
  const stay = await world.snapshots.enter(call, new AbortController().signal)
  rmSync(world.scratch.project, { recursive: true })
  expect(stay?.ok && (await stay.value.leave())).toBe(null)
  const told = (await world.database.events.read(world.sessionId)).at(-1)
  expect(told).toMatchObject({ type: 'note-added', say: { code: 'snapshot.after-failed', values: { why: { code: 'snapshot.root-gone' } } } })
  mkdirSync(world.scratch.project)
  world.write('made', '1')
  await world.call('agent', () => undefined)
  expect((await world.story()).filter((line) => line.includes('unknown') || line.startsWith('drift'))).toEqual(['after-call unknown made'])
})

test('a call that is cancelled while it waits for the lane takes no snapshot', async () => {
  const world = await openWorld()
  await world.call('agent', async () => {
    const controller = new AbortController()
    const call: MutatingCall = { callId: asId<CallId>('c9'), sessionId: world.sessionId, turnId: asId<TurnId>('t'), step: 1, author: 'agent', touches: null }
    const waiting = world.snapshots.enter(call, controller.signal)
    controller.abort()
    expect(await waiting).toBe(null)
  })
  expect((await world.story()).filter((line) => line === 'before-call').length).toBe(1)
})

test('DATA: trees chain: what one call leaves is what the next finds, unless an entry stands between', async () => {
  const world = await openWorld()
  for (let i = 0; i < 4; i++) {
    await world.call('agent', () => world.write('a', String(i)))
    if (i % 2 === 0) world.write('mine', String(i))
  }
  const rows = await world.snapshots.rows()
  rows.forEach((row, index) => {
    const next = rows[index + 1]
    if (row.kind === 'after-call' && next?.kind === 'before-call') expect([next.tree, next.side]).toEqual([row.tree, row.side])
    if (index > 0) expect(row.parent).toBe(rows[index - 1]?.id)
  })
  expect(lstatSync(world.at('a')).isFile()).toBe(true)
})

test('R80 why undo stopped is told and read, the card says it before approval, and it goes on by itself when the reason is gone', async () => {
  const told: (string | null)[] = []
  const world = await openWorld({ isRecorded: false, ports: { retryMs: 20, onProgress: ({ isDone, fault }) => isDone && void told.push(fault?.code ?? null) } })
  await world.call('agent', () => world.write('a', '1'))
  rmSync(world.scratch.project, { recursive: true })
  const call: MutatingCall = { callId: asId<CallId>('c1'), sessionId: world.sessionId, turnId: asId<TurnId>('t'), step: 1, author: 'agent', touches: null }
  expect(await world.snapshots.enter(call, new AbortController().signal)).toMatchObject({ ok: false, fault: { code: 'snapshot.failed' } })
  expect([told, (await world.snapshots.reading.timeline()).stopped?.code, (await world.snapshots.coverageOf(['a'])).fault?.code]).toEqual([['snapshot.root-gone'], 'snapshot.root-gone', 'snapshot.root-gone'])
  // At once, since it may be tried at any moment.
  const anew = `${world.scratch.project}-anew`
  mkdirSync(anew)
  writeFileSync(join(anew, 'b'), '2')
  renameSync(anew, world.scratch.project)
  await vi.waitFor(() => expect(told).toEqual(['snapshot.root-gone', null]), { timeout: 10_000 })
  expect([(await world.snapshots.reading.timeline()).stopped, (await world.snapshots.coverageOf(['a'])).fault, (await world.story()).at(-1)]).toEqual([undefined, undefined, 'drift you a b'])
})
