import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { diffSnapshots, listSnapshots, planRestore, restoreSnapshot, showSnapshotStats, takeSnapshot, undoRestore, type CommandOutput } from '../../../src/main/services/snapshotCommands'
import { openWorld } from '../../support/snapshotWorld'

function linesOf(output: CommandOutput): readonly Record<string, unknown>[] {
  if ('fault' in output) throw new Error(JSON.stringify(output.fault))
  return output.lines as readonly Record<string, unknown>[]
}

test('R79 the snapshot commands print the lines they promise', async () => {
  const world = await openWorld({ isRecorded: false })
  const { snapshots } = world
  world.write('a', '1\n')
  world.write('node_modules/x', 'x')
  mkdirSync(world.at('.git'))
  const [taken] = linesOf(await takeSnapshot(snapshots))
  expect(taken).toMatchObject({ id: expect.any(String), kind: 'manual', files: 1, seen: 3, hashed: 1 })
  const { after } = await world.call('agent', () => world.write('a', '2\n'))
  world.write('b', '1\n')

  const list = linesOf(await listSnapshots(snapshots))
  expect(list.map(({ kind, author, callId }) => [kind, author, typeof callId])).toEqual([
    ['manual', null, 'undefined'],
    ['before-call', null, 'string'],
    ['after-call', 'agent', 'string'],
  ])
  expect(Object.keys(list[2] ?? {})).toEqual(['id', 'atMs', 'kind', 'author', 'callId', 'files', 'skipped'])
  expect(list[0]?.['skipped']).toEqual([
    { path: '.git', reason: 'repository' },
    { path: 'node_modules', reason: 'ignored' },
  ])

  const id = String(taken?.['id'])
  expect(linesOf(await diffSnapshots(snapshots, id, after))).toEqual([{ path: 'a', change: 'modified', author: 'agent' }])
  expect(linesOf(await diffSnapshots(snapshots, id, null))).toEqual([
    { path: 'a', change: 'modified', author: 'agent' },
    { path: 'b', change: 'added', author: 'you' },
  ])
  expect(linesOf(await planRestore(snapshots, { to: id, keepUserEdits: true }, 'en'))).toEqual([
    { path: 'a', action: 'revert', author: 'agent', authors: ['agent'], reason: 'Goes back to what it was.' },
    { path: 'b', action: 'leave', author: 'you', authors: ['you'], reason: 'Only you changed it.' },
  ])
  expect(linesOf(await planRestore(snapshots, { to: id, keepUserEdits: false, path: `${world.scratch.project}/b` }, 'zh-CN'))).toEqual([{ path: 'b', action: 'delete', author: 'you', authors: ['you'], reason: '你此后的改动也会撤回。' }])

  const restored = await restoreSnapshot(snapshots, { to: id, keepUserEdits: true }, 'en')
  expect(restored).toEqual({ lines: [{ done: ['a'], failed: [], conflicts: [], undoId: expect.any(String) }], exitCode: 0 })
  expect([readFileSync(world.at('a'), 'utf8'), existsSync(world.at('b'))]).toEqual(['1\n', true])
  const undoId = String(linesOf(restored)[0]?.['undoId'])
  expect(await undoRestore(snapshots, undoId, 'en')).toEqual({ lines: [{ done: ['a'], failed: [] }], exitCode: 0 })
  expect(readFileSync(world.at('a'), 'utf8')).toBe('2\n')
  expect(linesOf(await showSnapshotStats(snapshots))).toEqual([{ bytes: expect.any(Number), objects: expect.any(Number), seen: expect.any(Number), hashed: expect.any(Number), skipped: 2, ms: expect.any(Number) }])
})

test('R79 a snapshot or rollback that does not exist is a sentence', async () => {
  const { snapshots } = await openWorld({ isRecorded: false })
  const unknown = { fault: { code: 'snapshot.unknown', values: { id: 'nobody' } } }
  expect(await planRestore(snapshots, { to: 'nobody', keepUserEdits: true }, 'en')).toMatchObject(unknown)
  expect(await restoreSnapshot(snapshots, { to: 'nobody', keepUserEdits: true }, 'en')).toMatchObject(unknown)
  expect(await diffSnapshots(snapshots, 'nobody', null)).toMatchObject(unknown)
  expect(await undoRestore(snapshots, 'nobody', 'en')).toMatchObject({ fault: { code: 'rollback.unknown' } })
})

test('R78 conflicts are listed apart, and left as they are; without keeping edits there is none', async () => {
  const world = await openWorld({ isRecorded: false })
  world.write('a', '1\n')
  const [taken] = linesOf(await takeSnapshot(world.snapshots))
  await world.call('agent', () => world.write('a', '2\n'))
  world.write('a', '3\n')
  const to = String(taken?.['id'])
  expect(await restoreSnapshot(world.snapshots, { to, keepUserEdits: true }, 'en')).toMatchObject({ lines: [{ done: [], failed: [], conflicts: ['a'] }], exitCode: 0 })
  expect(readFileSync(world.at('a'), 'utf8')).toBe('3\n')
  expect(await restoreSnapshot(world.snapshots, { to, keepUserEdits: false }, 'en')).toMatchObject({ lines: [{ done: ['a'], failed: [], conflicts: [] }], exitCode: 0 })
  rmSync(world.at('a'))
})

// Only root can stop being root; elsewhere the person who runs the tests has no folder they may not write.
test.runIf(process.getuid?.() === 0)('R78 case c01: a folder that may not be written: its file is listed, the others are restored, and a second restore succeeds', async () => {
  const { chmodSync, chownSync } = await import('node:fs')
  const { execFileSync } = await import('node:child_process')
  const world = await openWorld({ isRecorded: false })
  for (const name of ['ro/f', 'a', 'z']) world.write(name, '1\n')
  chmodSync(world.at('ro'), 0o555)
  const [taken] = linesOf(await takeSnapshot(world.snapshots))
  const to = String(taken?.['id'])
  for (const name of ['ro/f', 'a', 'z']) world.write(name, '2\n')
  execFileSync('chown', ['-R', '65534:65534', world.scratch.top])
  chmodSync(world.scratch.top, 0o755)
  // One's own would be opened for the time of the restore.
  chownSync(world.at('ro'), 0, 0)
  const restore = async (): Promise<CommandOutput> => {
    process.seteuid?.(65534)
    try {
      return await restoreSnapshot(world.snapshots, { to, keepUserEdits: false }, 'en')
    } finally {
      process.seteuid?.(0)
    }
  }
  expect(await restore()).toEqual({ lines: [{ done: ['a', 'z'], failed: [{ path: 'ro/f', reason: expect.stringContaining('does not permit') }], conflicts: [], undoId: expect.any(String) }], exitCode: 1 })
  chownSync(world.at('ro'), 65534, 65534)
  expect(await restore()).toMatchObject({ lines: [{ failed: [] }], exitCode: 0 })
  expect(['ro/f', 'a', 'z'].map((name) => readFileSync(world.at(name), 'utf8'))).toEqual(['1\n', '1\n', '1\n'])
})

test('R76 a path that is nowhere is a fault, one that did not change is not', async () => {
  const world = await openWorld({ isRecorded: false })
  world.write('sub/a', '1\n')
  const [taken] = linesOf(await takeSnapshot(world.snapshots))
  const to = String(taken?.['id'])
  const asked = (path: string): Promise<CommandOutput> => planRestore(world.snapshots, { to, path, keepUserEdits: true }, 'en')
  expect([await asked('sub/a'), await asked('sub'), await asked('sub/b')]).toEqual([{ lines: [], exitCode: 0 }, { lines: [], exitCode: 0 }, { fault: { code: 'rollback.no-such-path', values: { path: 'sub/b' } }, ok: false }])
  expect(await restoreSnapshot(world.snapshots, { to, path: 'sbu', keepUserEdits: true }, 'en')).toMatchObject({ fault: { code: 'rollback.no-such-path' } })
})
