import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { AuditAnchor } from '../../../../src/shared/domain/audit'
import { callEntries, openLog } from '../../../support/auditWorld'

const filesIn = (dir: string) => readdirSync(dir).filter((name) => name.endsWith('.jsonl')).sort()
const entriesIn = (dir: string) => filesIn(dir).flatMap((name) => readFileSync(path.join(dir, name), 'utf8').trimEnd().split('\n')).map((line) => JSON.parse(line) as { entry: number; fact: string; chain: string; args?: unknown })

async function filled(calls: number, options: Parameters<typeof openLog>[1] = {}) {
  const log = await openLog(undefined, { maxFileBytes: 2000, ...options })
  for (let number = 0; number < calls; number += 1) for (const draft of callEntries(`c${number}`)) await log.append(draft)
  return log
}

test('R68: the oldest files go whole when all are too large; the log says what went, and the chain is checked from there', async () => {
  const log = await filled(7, { maxFileBytes: 1000, keepBytes: 3000 })
  const files = filesIn(log.dir)
  expect(files[0]).not.toBe('audit-000001.jsonl')
  const left = entriesIn(log.dir)
  const pruned = left.filter(({ fact }) => fact === 'log-pruned').at(-1)
  expect(pruned?.args).toMatchObject({ ends: [{ entries: (left[0]?.entry ?? 0) - 1 }] })
  expect(await log.verify()).toEqual({ ok: true, entries: left.length, signed: 0, startsAt: left[0]?.entry })
  // Anchors of what went say nothing any more; those of what is left still count.
  const gone: AuditAnchor = { entries: 2, chain: 'a'.repeat(64) }
  const wrong: AuditAnchor = { entries: left[3]?.entry ?? 0, chain: 'a'.repeat(64) }
  expect(await (await openLog(log.dir, { anchors: () => Promise.resolve([gone, { entries: null, chain: 'b'.repeat(64) }]) })).verify()).toMatchObject({ ok: true })
  expect(await (await openLog(log.dir, { anchors: () => Promise.resolve([wrong]) })).verify()).toMatchObject({ ok: false, firstBroken: wrong.entries })
})

test('R68: files nobody wrote to for 90 days go at the next start; the newest stays', async () => {
  const log = await filled(8)
  const old = filesIn(log.dir)
  for (const name of old) utimesSync(path.join(log.dir, name), 1, 1)
  const again = await openLog(log.dir, { clock: { nowMs: () => 91 * 86_400_000 } })
  const left = filesIn(log.dir)
  expect(old.at(-1)).toBe(left[0])
  expect(entriesIn(log.dir).map(({ fact }) => fact)).toContain('log-pruned')
  expect(await again.verify()).toMatchObject({ ok: true })
})

test('R68: files that somebody else removed are not taken for removed by the app', async () => {
  const log = await filled(7, { maxFileBytes: 1000, keepBytes: 3000 })
  const [first = ''] = filesIn(log.dir)
  const kept = readFileSync(path.join(log.dir, first), 'utf8').split('\n').slice(1).join('\n')
  writeFileSync(path.join(log.dir, first), kept)
  expect(await (await openLog(log.dir)).verify()).toMatchObject({ ok: false, firstBroken: 1 })
})

test('R68: a tail that was cut, in the database too, shows against what a snapshot knows', async () => {
  const log = await filled(3)
  const lines = entriesIn(log.dir)
  const anchor: AuditAnchor = { entries: 9, chain: lines[8]?.chain ?? '' }
  const loose: AuditAnchor = { entries: null, chain: lines[8]?.chain ?? '' }
  const cut = async (keep: number, anchors: readonly AuditAnchor[]) => {
    const folder = await openLog()
    writeFileSync(path.join(folder.dir, 'audit-000001.jsonl'), filesIn(log.dir).map((name) => readFileSync(path.join(log.dir, name), 'utf8')).join('').split('\n').slice(0, keep).map((line) => `${line}\n`).join(''))
    return (await openLog(folder.dir, { anchors: () => Promise.resolve(anchors) })).verify()
  }
  expect(await cut(6, [])).toMatchObject({ ok: true })
  expect(await cut(6, [anchor])).toMatchObject({ ok: false, firstBroken: 7 })
  expect(await cut(6, [loose])).toMatchObject({ ok: false, firstBroken: 7 })
  expect(await cut(10, [anchor, loose])).toMatchObject({ ok: true })
})
