import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SnapshotStore, SnapshotStores } from '../../../src/main/core/ports/snapshotStore'
import { asId, type SessionId, type SnapshotId } from '../../../src/shared/domain/ids'
import { succeed } from '../../../src/shared/domain/result'
import type { Snapshot } from '../../../src/shared/domain/snapshot'
import { joinTimeline, type Timeline } from '../../../src/shared/ipc/timelineViews'
import { storesIn, valueOf } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

/** The real stores, with some of their answers put in others' place. */
function storesWith(world: SnapshotWorld, change: (store: SnapshotStore) => Partial<SnapshotStore>): SnapshotStores {
  const real = storesIn(world.scratch.data)
  return {
    open: async (...args) => {
      const store = valueOf(await real.open(...args))
      const changed = change(store)
      return succeed(new Proxy(store, {
        get(_, name: keyof SnapshotStore) {
          const own: unknown = changed[name] ?? store[name]
          return typeof own === 'function' ? (own.bind(store) as unknown) : own
        },
      }))
    },
  }
}

/** A second look at the same project, as after a start. */
async function again(world: SnapshotWorld, change: (store: SnapshotStore) => Partial<SnapshotStore>): Promise<SnapshotWorld> {
  await world.close()
  return openWorld({ scratch: world.scratch, isRecorded: false, ports: { stores: storesWith(world, change) } })
}

/** Adds points as if calls had changed the folder from one of two moments to the other and back, many times. */
async function addMany(world: SnapshotWorld, count: number, [even, odd]: readonly [Snapshot, Snapshot]): Promise<readonly SnapshotId[]> {
  const ids = Array.from({ length: count }, (_, at) => asId<SnapshotId>(`many-${at}`))
  await Promise.all(ids.map((id, at) => world.database.timeline.addSnapshot({ ...(at % 2 === 0 ? even : odd), id, kind: 'after-call', author: 'agent', parent: ids[at - 1] ?? odd.id, atMs: odd.atMs + at + 1 })))
  return ids
}

async function pairOf(world: SnapshotWorld): Promise<readonly [Snapshot, Snapshot]> {
  world.write('a', '1\n')
  await world.call('agent', () => world.write('a', '2\n'))
  const [even, odd] = (await world.snapshots.list()).slice(-2)
  if (!even || !odd) throw new Error('no points')
  return [even, odd]
}

async function readAll(world: SnapshotWorld, known?: Timeline): Promise<{ readonly whole: Timeline; readonly sizes: readonly number[] }> {
  const sizes: number[] = []
  for (let whole = known; ; ) {
    const last = whole?.rows.at(-1)?.id
    const answer = await world.snapshots.reading.timeline(last)
    sizes.push(answer.rows.length)
    whole = whole ? joinTimeline(whole, answer) : answer
    if (answer.isWhole) return { whole, sizes }
  }
}

test('R79 a long past is read in pages, then only what came since, each point once and with what it changed', { timeout: 60_000 }, async () => {
  const world = await openWorld()
  const ids = await addMany(world, 2200, await pairOf(world))
  const { whole, sizes } = await readAll(world)
  expect(sizes).toEqual([500, 500, 500, 500, whole.rows.length - 2000])
  expect(whole.rows.map(({ id }) => id).slice(-2200)).toEqual(ids)
  expect(whole.rows.slice(-2200).every(({ changed, changes, lines }) => changes === 1 && changed[0]?.path === 'a' && lines?.added === 1)).toBe(true)
  await world.call('agent', () => world.write('b', '1\n'))
  const later = await readAll(world, whole)
  expect(later.sizes).toEqual([2])
  expect(later.whole.rows.map(({ id }) => id)).toEqual((await world.snapshots.rows()).map(({ id }) => id))
  expect(later.whole.rows.at(-1)).toMatchObject({ changed: [{ path: 'b', change: 'added' }], changes: 1, lines: { added: 1, removed: 0 } })
})

test('R79 what a point changed is found out once and kept: no start compares again', async () => {
  const first = await openWorld()
  first.write('a', '1\n')
  await first.call('agent', () => first.write('a', '2\n'))
  const { rows } = await first.snapshots.reading.timeline()
  let asked = 0
  const second = await again(first, (store) => ({ diff: (...args) => { asked++; return store.diff(...args) }, compare: (...args) => { asked++; return store.compare(...args) } }))
  expect({ rows: (await second.snapshots.reading.timeline()).rows, asked }).toEqual({ rows, asked: 0 })
})

test('R79 of very many changed files a row names a hundred and says how many there are; a comparison lists five thousand', { timeout: 60_000 }, async () => {
  const world = await openWorld()
  const { before } = await world.call('command', () => {
    for (let i = 0; i < 5200; i++) world.write(`d${i % 50}/f${String(i).padStart(4, '0')}`, 'x\n')
  })
  const row = (await world.snapshots.reading.timeline()).rows.at(-1)
  expect([row?.changed.length, row?.changes, row?.lines]).toEqual([100, 5200, null])
  for (const after of [row?.id ?? null, null]) {
    const { changes, count } = valueOf(await world.snapshots.reading.changes(before, after))
    expect([changes.length, count, changes[199]?.lines, changes[200]?.lines]).toEqual([5000, 5200, { added: 1, removed: 0 }, null])
  }
})

test('R79 R80 a point counts what it would have to hold, and its list is read only where it is needed', async () => {
  const world = await openWorld()
  world.write('.gitignore', 'secret\n')
  world.write('secret', 's')
  world.write('.git/config', '')
  await world.call('agent', () => undefined)
  const row = (await world.snapshots.reading.timeline()).rows.at(-1)
  expect([row?.unheld, row && 'skipped' in row]).toEqual([0, false])
  expect((await world.snapshots.list()).at(-1)?.skipped).toEqual([{ path: '.git', reason: 'repository' }, { path: 'secret', reason: 'ignored' }])
})

test('R79 a point that lost an object is told broken and hides no other; whole ones are asked about once', async () => {
  const first = await openWorld()
  first.write('d/a', '1')
  const { before } = await first.call('agent', () => first.write('d/a', '2'))
  await first.call('agent', () => first.write('b', '3'))
  const head = (await first.snapshots.rows()).find(({ id }) => id === before)
  const asked: number[] = []
  const second = await again(first, () => ({
    missing: (moments) => {
      asked.push(moments.length)
      return Promise.resolve(moments.map(({ tree }) => (tree === head?.tree ? { objects: 2, files: 1, paths: ['d/a'] } : { objects: 0, files: 0, paths: [] })))
    },
  }))
  const file = join(second.scratch.data, 'snapshots', second.snapshots.workspace.id, 'objects', head?.tree.slice(0, 2) ?? '', head?.tree.slice(2) ?? '')
  renameSync(file, `${file}.away`)
  const { rows } = await second.snapshots.reading.timeline()
  renameSync(`${file}.away`, file)
  expect(rows.map(({ kind, changes, missing }) => [kind, changes, missing])).toEqual([['opened', 0, 0], ['drift', 0, 2], ['before-call', 0, 2], ['after-call', 0, 0], ['before-call', 0, 0], ['after-call', 1, 0]])
  expect(rows.map(({ lost, lostFiles }) => [lost, lostFiles])).toEqual([[undefined, undefined], [['d/a'], 1], [['d/a'], 1], [undefined, undefined], [undefined, undefined], [undefined, undefined]])
  await second.snapshots.reading.timeline(rows.at(-1)?.id)
  await second.snapshots.reading.timeline()
  expect(asked).toEqual([4, 1])
  // With the object there again, what was not known is found out.
  expect((await second.snapshots.reading.timeline()).rows.map(({ changes }) => changes)).toEqual([0, 1, 0, 1, 0, 1])
})

test('R79 a content found lost while the program runs makes every point broken that holds it, and only these', async () => {
  const world = await openWorld()
  const { after } = await world.call('agent', () => world.write('d/a', 'only here'))
  await world.call('agent', () => world.write('d/a', 'something else'))
  const [change] = valueOf(await world.snapshots.reading.changes(null, after)).changes.filter(({ path }) => path === 'd/a')
  const oid = change?.after?.oid ?? ''
  const file = join(world.scratch.data, 'snapshots', world.snapshots.workspace.id, 'objects', oid.slice(0, 2), oid.slice(2))
  const { rows: whole } = await world.snapshots.reading.timeline()
  expect(whole.every(({ missing }) => missing === 0)).toBe(true)
  renameSync(file, `${file}.away`)
  expect(await world.snapshots.reading.file(oid)).toEqual({ ok: false, fault: { code: 'snapshot.object-missing', values: { object: oid } } })
  const { rows } = await world.snapshots.reading.timeline(whole.at(-1)?.id)
  renameSync(`${file}.away`, file)
  expect(rows.map(({ kind, missing }) => [kind, missing])).toEqual([['opened', 0], ['before-call', 0], ['after-call', 1], ['before-call', 1], ['after-call', 0]])
})

test('R79 when a file cannot be read because its object is lost, all points are looked at anew, from the first on', async () => {
  const world = await openWorld()
  await world.call('agent', () => world.write('a', 'text\n'))
  const { rows } = await world.snapshots.reading.timeline()
  const last = rows.at(-1)?.id
  expect((await world.snapshots.reading.timeline(last)).after).toBe(last)
  const lost = '1'.repeat(40)
  expect(await world.snapshots.reading.file(lost)).toMatchObject({ ok: false, fault: { code: 'snapshot.object-missing' } })
  expect(await world.snapshots.reading.timeline(last)).toMatchObject({ after: null, rows: { length: rows.length } })
  await world.snapshots.reading.file(lost)
  expect((await world.snapshots.reading.timeline(last)).after).toBe(last)
})

test('R80 points that were let go, in whatever process, are gone from the timeline, which says how many and until when', async () => {
  const world = await openWorld()
  for (const text of ['1', '2', '3']) await world.call('agent', () => world.write('a', text))
  const { rows } = await world.snapshots.reading.timeline()
  const gone = rows.slice(0, 3)
  const other = await openWorld({ scratch: world.scratch, isRecorded: false })
  await other.database.timeline.forgetSnapshots(world.snapshots.workspace.id, gone.map(({ id }) => id))
  const after = await world.snapshots.reading.timeline(rows.at(-1)?.id)
  expect({ after: after.after, rows: after.rows.map(({ id, parent }) => [id, parent]), forgotten: after.forgotten }).toEqual({
    after: null,
    rows: rows.slice(3).map(({ id }, at) => [id, at === 0 ? null : rows[at + 2]?.id]),
    forgotten: { points: 3, untilMs: gone.at(-1)?.atMs },
  })
  expect(await world.snapshots.plans.plan({ to: gone[0]?.id ?? asId(''), keepUserEdits: true })).toMatchObject({ ok: false, fault: { code: 'snapshot.unknown' } })
  await world.call('agent', () => world.write('a', '4'))
  expect((await world.snapshots.reading.timeline()).rows.map(({ kind }) => kind)).toEqual(['before-call', 'after-call', 'before-call', 'after-call', 'before-call', 'after-call'])
})

test('R79 what is on disk and in no point yet', async () => {
  const world = await openWorld()
  world.write('a', '1\n')
  await world.call('agent', () => undefined)
  expect(valueOf(await world.snapshots.reading.now())).toEqual({ changes: [], count: 0 })
  world.write('a', '1\n2\n')
  rmSync(world.at('gone'), { force: true })
  for (let i = 0; i < 230; i++) world.write(`many/${String(i).padStart(3, '0')}`, 'x')
  const { changes, count } = valueOf(await world.snapshots.reading.now())
  expect([changes.length, count, changes[0]?.path, changes[0]?.lines]).toEqual([200, 231, 'a', { added: 1, removed: 0 }])
  expect((await world.story()).at(-1)).toBe('after-call agent')
})

test('R79 the past of one path: of all sessions, each author, deletion and return, and a name that is no UTF-8', async () => {
  const world = await openWorld()
  await world.database.events.append(asId<SessionId>('second'), [{ type: 'session-opened', workspaceId: world.snapshots.workspace.id, title: 's', level: 'writes' }])
  await world.call('agent', () => world.write('a', '1\n'))
  world.write('a', '2\n')
  await world.call('command', () => world.write('b', '1'), { sessionId: asId<SessionId>('second') })
  await world.call('agent', () => { world.write('a', '3\n'); world.write('c', '1') }, { touched: ['c'], sessionId: asId<SessionId>('second') })
  await world.call('command', () => renameSync(world.at('a'), world.at('z')))
  const strange = Buffer.concat([Buffer.from(`${world.scratch.project}/n`), Buffer.from([0xe9])])
  await world.call('command', () => writeFileSync(strange, 'x'))
  const told = async (path: string) => valueOf(await world.snapshots.reading.history(path)).map(({ kind, author, sessionId, entry }) => [kind, author, sessionId === null ? null : sessionId === 'second' ? 2 : 1, entry !== null])
  const expected = [
    ['after-call', 'command', 1, false],
    ['after-call', 'you', 2, true],
    ['drift', 'you', null, true],
    ['after-call', 'agent', 1, true],
  ]
  expect(await told('a')).toEqual(expected)
  // The same when the rows' summaries say where to look.
  await world.snapshots.reading.timeline()
  expect([await told('a'), await told('z'), await told('n\udce9'), await told('nobody'), await told('')]).toEqual([expected, [['after-call', 'command', 1, true]], [['after-call', 'command', 1, true]], [], []])
})

test('R79 of a path that changed very often, the newest five hundred moments', { timeout: 60_000 }, async () => {
  const world = await openWorld()
  const ids = await addMany(world, 1200, await pairOf(world))
  const moments = valueOf(await world.snapshots.reading.history('a'))
  expect(moments.map(({ id }) => id)).toEqual(ids.slice(-500).reverse())
})

test('R79 files of a point by a part of their name', async () => {
  const world = await openWorld()
  for (const name of ['src/Client.ts', 'src/server.ts', '文档/说明.md']) world.write(name, 'x')
  const { before } = await world.call('agent', () => rmSync(world.at('src/Client.ts')))
  const names = async (at: SnapshotId, query: string) => valueOf(await world.snapshots.reading.paths(at, query)).map(({ path }) => path)
  expect([await names(before, 'client'), await names(before, '说明'), await names(before, 'nothing')]).toEqual([['src/Client.ts'], ['文档/说明.md'], []])
  expect(await world.snapshots.reading.paths(asId('nobody'), '')).toEqual({ ok: false, fault: { code: 'snapshot.unknown', values: { id: 'nobody' } } })
})

test('R80 what the last scan left out', async () => {
  const world = await openWorld()
  world.write('node_modules/x', 'x')
  await world.call('agent', () => undefined)
  expect(valueOf(await world.snapshots.reading.uncovered())).toEqual({ skipped: [{ path: 'node_modules', reason: 'ignored' }], count: 1 })
})

test('R79 the lines of a file’s difference say who made them, up to what is on disk', async () => {
  const world = await openWorld()
  world.write('f', 'one\ntwo\nthree\nfour\n')
  world.write('bin', '\0')
  const { before } = await world.call('agent', () => world.write('f', 'ONE\ntwo\nthree\nfour\n'))
  const start = before
  world.write('f', 'ONE\ntwo\nmine\nthree\nfour\n')
  const { after } = await world.call('command', () => world.write('f', 'ONE\ntwo\nmine\nthree\n'))
  world.write('f', 'ONE\ntwo\nmine\nthree\nlast\n')
  const authors = (path: string, a: SnapshotId, b: SnapshotId | null) => world.snapshots.reading.authors(path, a, b).then(valueOf)
  const upToCall = { before: ['agent', null, null, 'command'], after: ['agent', null, 'you', null] }
  expect(await authors('f', start, after)).toEqual(upToCall)
  expect(await authors('f', after, start)).toEqual({ before: upToCall.after, after: upToCall.before })
  expect(await authors('f', start, null)).toEqual({ before: ['agent', null, null, 'command'], after: ['agent', null, 'you', null, 'you'] })
  expect(await authors('none', start, null)).toEqual({ before: [], after: [] })
  expect(await authors('bin', start, null)).toBe(null)
  expect(await world.snapshots.reading.authors('f', asId('nobody'), null)).toEqual({ ok: false, fault: { code: 'snapshot.unknown', values: { id: 'nobody' } } })
})

test('R79 what a rollback put back is whose it was; a text that is too long tells nothing', async () => {
  const world = await openWorld()
  world.write('f', 'one\ntwo\n')
  const { before, after } = await world.call('agent', () => world.write('f', 'one\nagent\ntwo\n'))
  const target = { to: before, keepUserEdits: true }
  const head = valueOf(await world.snapshots.plans.plan(target)).head
  const record = valueOf(await world.snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head, unticked: [], leftChanges: {}, resolved: {} }))
  expect(valueOf(await world.snapshots.reading.authors('f', before, null))).toEqual({ before: [null, null], after: [null, null] })
  valueOf(await world.snapshots.undo(record.id))
  expect(valueOf(await world.snapshots.reading.authors('f', before, null))).toEqual({ before: [null, null], after: [null, 'agent', null] })
  world.write('f', 'x\n'.repeat(20_001))
  expect(valueOf(await world.snapshots.reading.authors('f', after, null))).toBe(null)
  world.write('f', 'x'.repeat(2_000_001))
  expect(valueOf(await world.snapshots.reading.authors('f', after, null))).toBe(null)
  expect(readdirSync(world.scratch.project)).toEqual(['f'])
})
