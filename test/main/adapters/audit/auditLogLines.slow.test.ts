import { createHash, createHmac } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditJob } from '../../../support/children/auditChild'
import { childOf } from '../../../support/childProcess'
import { scratchFolder } from '../../../support/scratchDatabase'
import { openAuditLog, type AuditLog, type AuditLogOptions } from '../../../../src/main/adapters/audit/auditLog'
import type { AuditDraft, AuditHead } from '../../../../src/shared/domain/audit'

const startChild = childOf('auditChild')
const asked: AuditDraft = { fact: 'asked', atMs: 5, actor: 'agent', sessionId: 's', turnId: 't', callId: 'c', tool: 'write_file', args: { path: 'a', content: 'x' } }

async function openLog(dir: string, options: Partial<AuditLogOptions> = {}): Promise<AuditLog> {
  const opened = await openAuditLog({ dir, clock: { nowMs: () => 77 }, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null), ...options })
  if (!opened.ok) throw new Error(opened.fault.code)
  return opened.value
}

const dirIn = (folder = scratchFolder()) => path.join(folder, 'audit')
const filesIn = (dir: string) => readdirSync(dir).filter((name) => name.endsWith('.jsonl')).map((name) => path.join(dir, name))
const linesIn = (dir: string) => filesIn(dir).flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** As a stranger would check it, with nothing but SHA-256. */
function isChained(lines: readonly string[]): boolean {
  let prev = '0'.repeat(64)
  return lines.every((line) => {
    const { chain } = JSON.parse(line) as { chain: string }
    const body = line.replace(/,"chain":"[0-9a-f]{64}"(,"mac":"[0-9a-f]{64}")?\}$/, '}')
    const fits = chain === sha256(prev + sha256(body))
    prev = chain
    return fits
  })
}

describe('R68: an entry', () => {
  test('is one JSON line, numbered and chained, that anybody can check', async () => {
    const dir = dirIn()
    const log = await openLog(dir)
    expect(log.head()).toBe(null)
    const first = await log.append(asked)
    const second = await log.append({ fact: 'decided', atMs: 6, actor: 'person', outcome: 'allow' })
    const lines = linesIn(dir)
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { entry: 1, ...asked, form: 2, prev: '0'.repeat(64), chain: first.chain },
      { entry: 2, fact: 'decided', atMs: 6, actor: 'person', outcome: 'allow', form: 2, prev: first.chain, chain: second.chain },
    ])
    expect(isChained(lines)).toBe(true)
    expect(log.head()).toEqual({ entries: 2, chain: second.chain })
    expect(await log.verify()).toEqual({ ok: true, entries: 2, signed: 0 })
  })

  test('carries a mac, and a keyed hash of the unredacted arguments, where there is a key', async () => {
    const dir = dirIn()
    const macKey = Buffer.from('a key')
    const log = await openLog(dir, { macKey, redact: (text) => text.replaceAll('hunter2', '[redacted:password]') })
    const head = await log.append({ ...asked, args: { text: 'hunter2' } })
    const [entry] = linesIn(dir).map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entry).toMatchObject({
      args: { text: '[redacted:password]' },
      argsDigest: createHmac('sha256', macKey).update('{"text":"hunter2"}').digest('hex'),
      mac: createHmac('sha256', macKey).update(head.chain).digest('hex'),
    })
    expect(await log.verify()).toEqual({ ok: true, entries: 1, signed: 1 })
    expect(await (await openLog(dir)).verify()).toEqual({ ok: true, entries: 1, signed: 0 })
    expect(await (await openLog(dir, { macKey: Buffer.from('another key') })).verify()).toEqual({ ok: false, entries: 1, firstBroken: 1, signed: 0 })
  })

  test('holds no secret in any of its texts, nor one that is known by its name only', async () => {
    const dir = dirIn()
    // As the redactor works: registered values anywhere, and `name: value` pairs by name.
    const redact = (text: string) => text.replaceAll('sk-secret', '[redacted:key]').replace(/(password: ).+/, '$1[redacted:password]')
    const log = await openLog(dir, { redact })
    await log.append({
      ...asked, outcome: 'used sk-secret', say: 'said sk-secret', changed: [{ path: 'a/sk-secret', before: null, after: 'f'.repeat(64) }],
      args: { list: ['x sk-secret y', { password: 'hunter2', 'name sk-secret': 1 }], deep: { text: 'sk-secret' }, number: 5, nothing: null },
    })
    const text = linesIn(dir).join()
    expect(text).not.toContain('sk-secret')
    expect(text).not.toContain('hunter2')
    expect(JSON.parse(text)).toMatchObject({ args: { list: ['x [redacted:key] y', { password: '[redacted:password]', 'name [redacted:key]': 1 }], number: 5, nothing: null }, changed: [{ after: 'f'.repeat(64) }] })
  })

  test('cuts very long texts, names their length and binds the whole by a hash', async () => {
    const dir = dirIn()
    const log = await openLog(dir)
    const content = 'x'.repeat(100_000)
    await log.append({ ...asked, args: { content } })
    const [entry] = linesIn(dir).map((line) => JSON.parse(line) as { args: { content: string } })
    expect(entry?.args.content).toBe(`${'x'.repeat(16_384)}… [cut: 100000 characters, SHA-256 ${createHash('sha256').update(content).digest('hex')}]`)
    expect(await log.verify()).toMatchObject({ ok: true })
  })
})

test('R68: the log goes on where it ended, over restarts and files; each further file begins with the last chain value', async () => {
  const dir = dirIn()
  for (let round = 0; round < 4; round += 1) {
    const log = await openLog(dir, { maxFileBytes: 2000 })
    for (let index = 0; index < 5; index += 1) await log.append({ ...asked, args: { text: '行\u2028 '.repeat(20) } })
  }
  const files = filesIn(dir)
  expect(files.length).toBeGreaterThan(3)
  expect(isChained(linesIn(dir))).toBe(true)
  const firsts = files.slice(1).map((file) => JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '') as unknown)
  expect(firsts).toMatchObject(files.slice(1).map((_, index) => ({ fact: 'log-rotated', actor: 'app', outcome: path.basename(files[index] ?? '') })))
  const lines = linesIn(dir).length
  expect(await (await openLog(dir)).verify()).toEqual({ ok: true, entries: lines, signed: 0 })
  expect(statSync(files[0] ?? '').mode & 0o777).toBe(0o600)
  expect(statSync(dir).mode & 0o777).toBe(0o700)
})

describe('R68: a last line that a crash left torn', () => {
  async function torn(tail: (line: string) => string) {
    const dir = dirIn()
    const log = await openLog(dir)
    await log.append(asked)
    await log.append(asked)
    const [file = ''] = filesIn(dir)
    const [first = '', second = ''] = linesIn(dir)
    writeFileSync(file, `${first}\n${tail(second)}`)
    return { dir, first, second }
  }

  test('is dropped, and that is recorded', async () => {
    const { dir, first } = await torn((line) => line.slice(0, 40))
    const log = await openLog(dir)
    const lines = linesIn(dir)
    expect(lines[0]).toBe(first)
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ entry: 2, fact: 'torn-line-dropped', actor: 'app', atMs: 77, outcome: '40 bytes' })
    expect(await log.verify()).toMatchObject({ ok: true, entries: 2 })
  })

  test('is kept when only its line end is missing', async () => {
    const { dir, first, second } = await torn((line) => line)
    const log = await openLog(dir)
    await log.append(asked)
    expect(linesIn(dir).slice(0, 2)).toEqual([first, second])
    expect(await log.verify()).toMatchObject({ ok: true, entries: 3 })
  })

  test('does not spoil the entries of another process that goes on meanwhile', async () => {
    const dir = dirIn()
    const log = await openLog(dir)
    await log.append(asked)
    appendFileSync(filesIn(dir)[0] ?? '', '{"entry":2,"atMs":5,"fa')
    await log.append(asked)
    expect(linesIn(dir).map((line) => (JSON.parse(line) as { fact: string }).fact)).toEqual(['asked', 'torn-line-dropped', 'asked'])
    expect(await log.verify()).toMatchObject({ ok: true, entries: 3 })
  })
})

describe('R68: tampering shows', () => {
  async function twenty() {
    const dir = dirIn()
    const log = await openLog(dir, { maxFileBytes: 2500 })
    let head: AuditHead | null = null
    for (let index = 0; index < 20; index += 1) head = await log.append({ ...asked, atMs: index })
    return { dir, head, lines: linesIn(dir) }
  }

  /** The same lines in one file: what is said of them must not depend on where a file ends. */
  function rewrite(lines: readonly string[]): string {
    const dir = dirIn()
    mkdirSync(dir)
    writeFileSync(path.join(dir, 'audit-000001.jsonl'), lines.map((line) => `${line}\n`).join(''))
    return dir
  }

  test('any change, removal, doubling or swap of lines breaks the chain at that entry', async () => {
    const { lines } = await twenty()
    const at = fc.integer({ min: 0, max: lines.length - 1 })
    await fc.assert(
      fc.asyncProperty(at, at, fc.constantFrom('change', 'remove', 'double', 'swap'), fc.nat(), async (one, other, how, place) => {
        const changed = [...lines]
        const line = lines[one] ?? ''
        if (how === 'change') {
          const index = place % line.length
          changed[one] = `${line.slice(0, index)}${line[index] === '0' ? '1' : '0'}${line.slice(index + 1)}`
        }
        if (how === 'remove') changed.splice(one, 1)
        if (how === 'double') changed.splice(one, 0, line)
        if (how === 'swap') [changed[one], changed[other]] = [lines[other] ?? '', line]
        fc.pre(changed.join() !== lines.join())
        const isCutTail = how === 'remove' && one === lines.length - 1
        const expected = how === 'swap' ? Math.min(one, other) + 1 : how === 'double' ? one + 2 : one + 1
        const verdict = await (await openLog(rewrite(changed))).verify()
        expect(verdict.firstBroken).toBe(isCutTail ? undefined : expected)
      }),
      { numRuns: 60 },
    )
  })

  test('a cut tail, a rewritten one and a removed log show against the head that the database knows', async () => {
    const { dir, head, lines } = await twenty()
    const knownHead = () => Promise.resolve(head)
    expect(await (await openLog(dir, { knownHead })).verify()).toEqual({ ok: true, entries: lines.length, signed: 0 })
    const cut = await openLog(rewrite(lines.slice(0, -3)), { knownHead })
    expect(await cut.verify()).toMatchObject({ ok: false, firstBroken: lines.length - 2 })
    // Whoever cuts and writes on gets a whole chain of the right length, but not the chain value.
    for (let index = 0; index < 3; index += 1) await cut.append(asked)
    expect(await cut.verify()).toMatchObject({ ok: false, entries: lines.length, firstBroken: lines.length })
    expect(await (await openLog(dirIn(), { knownHead })).verify()).toEqual({ ok: false, entries: 0, firstBroken: 1, signed: 0 })
  })

  test('a removed file shows, wherever it stood', async () => {
    for (const which of [0, 1, -1]) {
      const { dir, head } = await twenty()
      rmSync(filesIn(dir).at(which) ?? '')
      expect((await (await openLog(dir, { knownHead: () => Promise.resolve(head) })).verify()).ok).toBe(false)
    }
  })

  test('a tail that is cut while the app runs stays visible for ever', async () => {
    const { dir, lines } = await twenty()
    const log = await openLog(dir, { maxFileBytes: 2500 })
    const newest = filesIn(dir).at(-1) ?? ''
    const kept = readFileSync(newest, 'utf8').trimEnd().split('\n').slice(0, -1)
    writeFileSync(newest, kept.map((line) => `${line}\n`).join(''))
    await log.append(asked)
    expect(await log.verify()).toMatchObject({ ok: false, firstBroken: lines.length })
    expect(await (await openLog(dir)).verify()).toMatchObject({ ok: false, firstBroken: lines.length })
  })
})

test('R68: under a lock that is kept, an entry goes to the file that has the name now, not to one that was open', async () => {
  const dir = dirIn()
  const log = await openLog(dir)
  await log.append(asked)
  const [file = ''] = filesIn(dir)
  const [first = ''] = linesIn(dir)
  // As an editor or a backup puts a copy in its place.
  renameSync(file, `${file}.old`)
  writeFileSync(file, `${first}\n`)
  await log.append(asked)
  expect(linesIn(dir)).toHaveLength(2)
  expect(await log.verify()).toEqual({ ok: true, entries: 2, signed: 0 })
  rmSync(file)
  const head = await log.append(asked)
  expect(linesIn(dir).map((line) => (JSON.parse(line) as { entry: number }).entry)).toEqual([3])
  expect(head.entries).toBe(3)
  expect((await log.verify()).ok).toBe(false)
})

test('R97: two processes that append at once do not corrupt the chain, also over the end of a file', async () => {
  const dir = dirIn()
  const log = await openLog(dir, { maxFileBytes: 20_000 })
  const jobs: AuditJob[] = ['a', 'b'].map((name) => ({ dir, name, times: 60, maxFileBytes: 20_000 }))
  const children = jobs.map((job) => startChild(job))
  for (let index = 0; index < 60; index += 1) await log.append(asked)
  expect((await Promise.all(children.map((child) => child.ended))).map((end) => end.code)).toEqual([0, 0])
  const acknowledged = children.flatMap((child) => child.lines.filter((line) => line.startsWith('acknowledged')))
  expect(new Set(acknowledged).size).toBe(2 * 120)
  const facts = linesIn(dir).map((line) => (JSON.parse(line) as { fact: string }).fact)
  expect(facts.filter((fact) => fact === 'asked')).toHaveLength(2 * 120 + 60)
  expect(await log.verify()).toEqual({ ok: true, entries: facts.length, signed: 0 })
})

test('R68: an export holds every line as it stands, can be checked by itself, and is recorded', async () => {
  const dir = dirIn()
  const log = await openLog(dir, { maxFileBytes: 1000 })
  for (let index = 0; index < 6; index += 1) await log.append(asked)
  const file = path.join(scratchFolder(), 'export.jsonl')
  const before = linesIn(dir)
  expect(await log.exportTo(file)).toBe(before.length)
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(before)
  expect(isChained(before)).toBe(true)
  expect(JSON.parse(linesIn(dir).at(-1) ?? '')).toMatchObject({ fact: 'export-made', actor: 'person', outcome: file })
  const nowhere = path.join(file, 'below-a-file')
  await expect(log.exportTo(nowhere)).rejects.toMatchObject({ fault: { code: 'audit.not-exported', values: { file: nowhere } } })
})

test('a log that cannot be written is a fault in words', async () => {
  const folder = scratchFolder()
  writeFileSync(path.join(folder, 'audit'), '')
  const opened = await openAuditLog({ dir: path.join(folder, 'audit'), clock: { nowMs: () => 1 }, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null) })
  expect(opened).toMatchObject({ ok: false, fault: { code: 'audit.unusable', values: { file: path.join(folder, 'audit') } } })
})

test('R97 who shows the number of entries is told when they are written, and sees them', async () => {
  const log = await openLog(dirIn())
  const heads: unknown[] = []
  const stop = log.onGrowth(() => heads.push(log.head()?.entries))
  await Promise.all([log.append(asked), log.append(asked)])
  await log.append(asked)
  stop()
  await log.append(asked)
  expect([heads.at(-1), heads.length <= 3, log.head()?.entries]).toEqual([3, true, 4])
})

test('R78 a rollback that was told is found again, by its own line alone, in the file before the newest too', async () => {
  const dir = dirIn()
  const log = await openLog(dir, { maxFileBytes: 500 })
  const told = (id: string): AuditDraft => ({ fact: 'rolled-back', atMs: 5, actor: 'person', outcome: 'applied', args: { rollbackId: id } })
  await log.append({ ...asked, args: { rollbackId: 'r1', text: 'r1' } })
  expect(await log.hasRollback('r1')).toBe(false)
  await log.append(told('r1'))
  await log.append(told('r2'))
  expect(filesIn(dir)).toHaveLength(2)
  const other = await openLog(dir)
  expect(await Promise.all(['r1', 'r2', 'r', 'r3'].map((id) => other.hasRollback(id)))).toEqual([true, true, false, false])
})
