import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openAuditLog, type AuditLog, type AuditLogOptions } from '../../../../src/main/adapters/audit/auditLog'
import type { AuditJob } from '../../../support/children/auditChild'
import { childOf } from '../../../support/childProcess'
import { scratchFolder } from '../../../support/scratchDatabase'

const startChild = childOf('auditChild')

async function openLog(dir: string, options: Partial<AuditLogOptions> = {}): Promise<AuditLog> {
  const opened = await openAuditLog({ dir, clock: { nowMs: () => 77 }, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null), ...options })
  if (!opened.ok) throw new Error(opened.fault.code)
  return opened.value
}

test('R97: kill -9 while appending, 20 times: every acknowledged entry is there and the chain is whole', async () => {
  const dir = path.join(scratchFolder(), 'audit')
  let entries = 0
  for (let round = 0; round < 20; round += 1) {
    const child = startChild({ dir, name: `round ${round}`, times: 100_000, maxFileBytes: 3_000 } satisfies AuditJob)
    await child.line('open')
    await Promise.race([child.line(`acknowledged ${entries + 1}`), child.line(`acknowledged ${entries + 2}`)])
    await new Promise((resolve) => setTimeout(resolve, (round * 17) % 40))
    child.process.kill('SIGKILL')
    await child.ended
    const log = await openLog(dir)
    const last = Math.max(0, ...child.lines.flatMap((line) => Number(/^acknowledged (\d+)$/.exec(line)?.[1] ?? 0)))
    entries = log.head()?.entries ?? 0
    expect(entries).toBeGreaterThanOrEqual(last)
    expect(await log.verify()).toMatchObject({ ok: true })
  }
  expect(readdirSync(dir).filter((name) => name.endsWith('.jsonl')).length).toBeGreaterThan(1)
}, 60_000)

test('R97: three processes append at once and are killed again and again: one chain, with every acknowledged entry', async () => {
  const dir = path.join(scratchFolder(), 'audit')
  const log = await openLog(dir, { maxFileBytes: 30_000 })
  const acknowledged: string[] = []
  let isOver = false

  async function killedAgainAndAgain(name: string): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      const child = startChild({ dir, name: `${name}-${round}`, times: 100_000, maxFileBytes: 30_000 } satisfies AuditJob)
      await child.line('open')
      await new Promise((resolve) => setTimeout(resolve, 60 + ((round * 37 + name.charCodeAt(0) * 13) % 90)))
      child.process.kill('SIGKILL')
      await child.ended
      acknowledged.push(...child.lines.filter((line) => line.startsWith('acknowledged ')))
    }
  }

  const ours = (async () => {
    while (!isOver) {
      acknowledged.push(`acknowledged ${(await log.append({ fact: 'asked', atMs: 1, actor: 'agent' })).entries}`)
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  })()
  await Promise.all(['a', 'b', 'c'].map(killedAgainAndAgain))
  isOver = true
  await ours
  const verdict = await log.verify()
  expect(verdict).toMatchObject({ ok: true })
  // A number that two were given would be a fork; one beyond the end a lost entry.
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  expect(Math.max(...acknowledged.map((line) => Number(line.split(' ')[1])))).toBeLessThanOrEqual(verdict.entries)
}, 60_000)
