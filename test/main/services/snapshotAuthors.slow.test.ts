import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asId, type SessionId, type SnapshotId } from '../../../src/shared/domain/ids'
import { childOf } from '../../support/childProcess'
import { migrationsDir, workerFile } from '../../support/scratchDatabase'
import { git, valueOf, workersFolder } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

const start = childOf('snapshotChild')
const nine = [...'123456789'].join('\n')
const read = (world: SnapshotWorld, name: string): string => readFileSync(world.at(name), 'utf8')

function changeLine(world: SnapshotWorld, number: number, text: string): void {
  const lines = read(world, 'shared.txt').split('\n')
  world.write('shared.txt', lines.map((line, at) => (at === number - 1 ? text : line)).join('\n'))
}

async function secondSession(world: SnapshotWorld): Promise<SessionId> {
  const id = asId<SessionId>('another-session')
  await world.database.events.append(id, [{ type: 'session-opened', workspaceId: world.snapshots.workspace.id, title: 'second', level: 'writes' }])
  return id
}

/** Takes one call back alone. */
async function undoCall(world: SnapshotWorld, only: { readonly from: SnapshotId; readonly until: SnapshotId }): Promise<readonly string[]> {
  const target = { to: only.from, only, keepUserEdits: true }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  const record = valueOf(await world.snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.head, unticked: [], leftChanges: {}, resolved: {} }))
  expect(record.failed).toEqual([])
  return plan.rows.filter(({ action }) => action !== 'leave').map(({ path }) => path)
}

test('R75 between two calls the person’s work is an entry of its own, of no session, and of no call that comes after', async () => {
  const world = await openWorld()
  const second = await secondSession(world)
  await world.call('agent', () => world.write('a', 'agent'))
  world.write('a', 'mine')
  world.write('new', 'mine')
  await world.call('command', () => world.write('b', 'made'), { sessionId: second })
  const rows = (await world.snapshots.rows()).slice(-4)
  expect(rows.map(({ kind, author, sessionId, callId }) => [kind, author, sessionId, callId !== null])).toEqual([
    ['after-call', 'agent', world.sessionId, true],
    ['drift', 'you', null, false],
    ['before-call', null, second, true],
    ['after-call', 'command', second, true],
  ])
  expect((await world.story()).slice(-3)).toEqual(['drift you a new', 'before-call', 'after-call command b'])
})

test('R75 while a program that a command left still runs, what changes is unknown; once it has ended, the person’s', async () => {
  let left = 0
  const world = await openWorld({ ports: { programsLeft: () => left } })
  await world.call('command', () => void (left = 1))
  world.write('log', '1')
  await world.call('agent', () => undefined)
  left = 0
  world.write('log', '2')
  await world.call('agent', () => undefined)
  expect((await world.story()).filter((line) => line.startsWith('drift'))).toEqual(['drift unknown log', 'drift you log'])
})

test('R75 what the person saves while a file tool runs is theirs, in a folder that the tool touched alone the tool’s', async () => {
  const world = await openWorld()
  await world.call(
    'agent',
    () => {
      world.write('src/touched/deep', '1')
      world.write('src/mine', '1')
      world.write('notes', '1')
    },
    { touched: ['src/touched'] },
  )
  expect((await world.snapshots.rows()).at(-1)?.others).toEqual([{ path: 'notes', author: 'you' }, { path: 'src/mine', author: 'you' }])
})

test('R75 the same while a program of an earlier command still runs: nobody knows whose it is', async () => {
  const world = await openWorld({ ports: { programsLeft: () => 1 } })
  await world.call('agent', () => { world.write('own', '1'); world.write('log', '1') }, { touched: ['own'] })
  expect((await world.snapshots.rows()).at(-1)?.others).toEqual([{ path: 'log', author: 'unknown' }])
})

test('R75 what last changed before a command began is the person’s, though the command’s own scan did not see it', async () => {
  const late: { write: (() => void) | null } = { write: null }
  const world: SnapshotWorld = await openWorld({
    ports: {
      append: async (sessionId, drafts) => {
        // After the scan before the call, and before the call begins.
        if (late.write && drafts.some((one) => one.type === 'snapshot-taken' && one.kind === 'before-call')) {
          late.write()
          await new Promise((resolve) => setTimeout(resolve, 60))
        }
        return world.database.events.append(sessionId, drafts)
      },
    },
  })
  late.write = () => world.write('early', 'mine')
  await world.call('command', () => world.write('made', 'by it'))
  const row = (await world.snapshots.rows()).at(-1)
  expect({ author: row?.author, others: row?.others, story: (await world.story()).at(-1) }).toEqual({ author: 'command', others: [{ path: 'early', author: 'you' }], story: 'after-call command early made' })
})

test('R75 case c09: two sessions take turns in one file; undoing the calls of one leaves the other’s', async () => {
  const world = await openWorld()
  const second = await secondSession(world)
  world.write('shared.txt', nine)
  const one = [
    await world.call('agent', () => {
      world.write('a.txt', 'a')
      changeLine(world, 1, 'one')
    }),
  ]
  await world.call('agent', () => {
    world.write('b.txt', 'b')
    changeLine(world, 9, 'nine')
  }, { sessionId: second })
  one.push(await world.call('agent', () => changeLine(world, 4, 'four')))
  const touched: (readonly string[])[] = []
  for (const call of one.reverse()) touched.push(await undoCall(world, { from: call.before, until: call.after }))
  expect({ touched, a: existsSync(world.at('a.txt')), b: read(world, 'b.txt'), shared: read(world, 'shared.txt') }).toEqual({
    touched: [['shared.txt'], ['shared.txt', 'a.txt']],
    a: false,
    b: 'b',
    shared: [...'12345678', 'nine'].join('\n'),
  })
})

test('R75 R97 case c09: the same with two processes at the same time; no call claims what the other’s did', { timeout: 60_000 }, async () => {
  const world = await openWorld()
  world.write('shared.txt', nine)
  await world.snapshots.take()
  const child = start({ project: world.scratch.project, data: world.scratch.data, workersFolder, migrationsDir, workerFile, job: 'calls', name: 'other', times: 4, line: 9 })
  await child.line('call 0')
  const mine: { before: SnapshotId; after: SnapshotId }[] = []
  for (let time = 0; time < 4; time++) {
    mine.push(await world.call('agent', () => {
      world.write(`own-${time}`, '1')
      changeLine(world, 1 + time * 2, `own ${time}`)
    }))
  }
  await child.ended
  const rows = (await world.snapshots.reading.timeline()).rows
  const wrote = rows.filter(({ kind }) => kind === 'after-call').map(({ sessionId, changed }) => `${sessionId === world.sessionId ? 'own' : 'other'} ${changed.map(({ path }) => path.replace(/\d$/, '')).join()}`)
  expect([...new Set(wrote)].sort()).toEqual(['other other-,shared.txt', 'own own-,shared.txt'])
  expect({ all: wrote.length, drift: rows.filter(({ kind }) => kind === 'drift').length }).toEqual({ all: 8, drift: 1 })
  for (const { before, after } of mine.reverse()) await undoCall(world, { from: before, until: after })
  expect(read(world, 'shared.txt')).toBe([...'12345678', 'other 3'].join('\n'))
  expect([0, 1, 2, 3].map((time) => [existsSync(world.at(`own-${time}`)), existsSync(world.at(`other-${time}`))])).toEqual(Array.from({ length: 4 }, () => [false, true]))
})

test('case c21: after a commit, twenty changed files and another branch outside of the app, a point is what was there just before, and the person’s repository is as it was', async () => {
  const world = await openWorld()
  const own = (args: readonly string[]): string => git(args, {}, world.scratch.project)
  const state = (): object => ({ head: own(['symbolic-ref', 'HEAD']), at: own(['rev-parse', 'HEAD']), refs: own(['for-each-ref']), index: readFileSync(world.at('.git/index'), 'latin1') })
  own(['init', '-q', '-b', 'main', '.'])
  for (let i = 0; i < 20; i++) world.write(`f${i}`, `old ${i}\n`)
  own(['add', '-A'])
  own(['commit', '-qm', '1'])
  await world.call('agent', () => world.write('made', '1'))
  own(['checkout', '-qb', 'other'])
  for (let i = 0; i < 20; i++) world.write(`f${i}`, `new ${i}\n`)
  own(['commit', '-qam', '2'])
  const theirs = state()
  const { before } = await world.call('agent', () => world.write('f3', 'agent\n'))
  const target = { to: before, keepUserEdits: true }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  valueOf(await world.snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.head, unticked: [], leftChanges: {}, resolved: {} }))
  expect(Array.from({ length: 20 }, (_, i) => read(world, `f${i}`))).toEqual(Array.from({ length: 20 }, (_, i) => `new ${i}\n`))
  expect(state()).toEqual(theirs)
})

test('case c22: of two checkouts of one repository, neither is offered the other’s points nor can roll back to them', async () => {
  const first = await openWorld()
  const own = (args: readonly string[]): string => git(args, {}, first.scratch.project)
  own(['init', '-q', '-b', 'main', '.'])
  first.write('f', 'main\n')
  own(['add', '-A'])
  own(['commit', '-qm', '1'])
  const other = join(first.scratch.top, 'project.wt')
  own(['worktree', 'add', '-q', '-b', 'other', other])
  writeFileSync(join(other, 'f'), 'wt\n')
  const second = await openWorld({ scratch: { ...first.scratch, project: other } })
  const { before } = await second.call('agent', () => second.write('f', 'wt2\n'))
  await second.close()
  expect((await first.snapshots.reading.timeline()).rows.map(({ kind }) => kind)).toEqual(['opened'])
  const unknown = { ok: false, fault: { code: 'snapshot.unknown', values: { id: before } } }
  expect([await first.snapshots.plans.plan({ to: before, keepUserEdits: true }), await first.snapshots.reading.changes(before, null), await first.snapshots.reading.paths(before, '')]).toEqual([unknown, unknown, unknown])
  expect([read(first, 'f'), readFileSync(join(other, 'f'), 'utf8')]).toEqual(['main\n', 'wt2\n'])
})

test('R75 a file that is renamed while the program looks away is a deletion and a new file, both the person’s', async () => {
  const world = await openWorld()
  await world.call('agent', () => world.write('old', 'text\n'))
  renameSync(world.at('old'), world.at('new'))
  await world.call('command', () => undefined)
  expect((await world.snapshots.reading.timeline()).rows.at(-3)).toMatchObject({ kind: 'drift', author: 'you', changed: [{ path: 'new', change: 'added' }, { path: 'old', change: 'deleted' }] })
})

test('R77 R79 a point that lost an object stands in no way of an earlier one; what changed around it may be the person’s and is kept', async () => {
  const world = await openWorld()
  const first = await world.call('agent', () => { world.write('d/a', '1'); world.write('e', '1') })
  await world.call('agent', () => world.write('d/a', '2'))
  const broken = (await world.snapshots.rows()).at(-1)
  await world.call('agent', () => world.write('d/a', '3'))
  await world.call('agent', () => world.write('e', '2'))
  // As after a start, when nothing is known of any point.
  await world.close()
  const again = await openWorld({ scratch: world.scratch, isRecorded: false })
  const tree = broken?.tree ?? ''
  const file = join(again.scratch.data, 'snapshots', again.snapshots.workspace.id, 'objects', tree.slice(0, 2), tree.slice(2))
  renameSync(file, `${file}.away`)
  const plan = valueOf(await again.snapshots.plans.plan({ to: first.after, keepUserEdits: true }))
  const without = valueOf(await again.snapshots.plans.plan({ to: first.after, keepUserEdits: false }))
  const itself = await again.snapshots.plans.plan({ to: broken?.id ?? first.after, keepUserEdits: true })
  renameSync(`${file}.away`, file)
  expect(plan.rows.map(({ path, action, authors }) => [path, action, authors])).toEqual([['e', 'revert', ['agent']], ['d/a', 'leave', ['unknown']]])
  expect(without.rows.map(({ path, action }) => [path, action])).toEqual([['d/a', 'revert'], ['e', 'revert']])
  expect(itself).toMatchObject({ ok: false, fault: { code: 'snapshot.object-missing' } })
})
