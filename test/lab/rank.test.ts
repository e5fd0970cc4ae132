import { expect, test } from 'vitest'
import { rankLab } from './rank'

test('R37 R38 R39: lab rank orders mixed entries by the formula, and leaves other projects out', async () => {
  const at = '2026-03-02T12:00:00Z'
  const now = Date.parse(at)
  const hour = 3_600_000
  const entries = [
    { id: 'zh', text: '回滚前先拍快照', scope: 'general', atMs: now - 48 * hour },
    { id: 'mixed', text: 'user_name 字段不能为空，回滚时保留', scope: 'project', project: '/nowhere/here', atMs: now - 12 * hour },
    { id: 'pinned', text: 'tests run before a rollback 👍', scope: 'general', atMs: 0, pinned: true },
    { id: 'other', text: '回滚 user_name', scope: 'project', project: '/nowhere/else', atMs: now },
    { id: 'nothing', text: 'unrelated', scope: 'general', atMs: now },
  ]
  const rows: Record<string, unknown>[] = []
  await rankLab(['--project', '/nowhere/here', '--at', at, '--query', '回滚 user_name testing 👍', '--window', '200000'], { bytes: () => Buffer.from(JSON.stringify(entries)) }, (row) => rows.push(row as Record<string, unknown>))
  expect(rows.map(({ id, match, decay, score, injected }) => [id, match, decay, score, injected])).toEqual([
    ['pinned', 0.5, 1, 0.5, true],
    ['mixed', 0.5, 0.75, 0.375, true],
    ['zh', 0.25, 0.5, 0.125, false],
    ['nothing', 0, 1, 0, false],
  ])
})

test('lab rank says what it takes', async () => {
  const input = { bytes: () => Buffer.from('[]') }
  for (const args of [[], ['--project', '/a', '--at', 'now', '--query', 'q'], ['--project', '/a', '--at', '2026-01-01', '--query', 'q', '--window', '0'], ['--what']]) {
    await expect(rankLab(args, input, () => undefined)).rejects.toMatchObject({ name: 'LabUsage' })
  }
})
