import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld, type HeadlessWorld } from '../../support/headlessRun'
import { rawOpen } from '../../support/scratchDatabase'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A turn that was approved: a write and a command. */
async function lived(): Promise<HeadlessWorld> {
  const world = makeHeadlessWorld({ 'a.txt': 'a\n' })
  closing.push(() => world.remove())
  const model = await startFakeModelServer({ steps: [reply({ calls: [{ name: 'write_file', args: { path: 'b.txt', content: 'b' } }] }), reply({ calls: [{ name: 'run_command', args: { command: "echo '</script>' token=hunter2hunter2 && echo c > c.txt" } }] }), reply({ text: 'Done.' })] })
  closing.push(() => model.close())
  const allow = world.approvals({ default: 'allow', rules: [{ tool: '*', answer: 'allow' }] })
  const done = await world.run(['run', '--project', world.project, '--prompt', 'Go', '--base-url', model.baseUrl, '--approvals', allow])
  expect({ code: done.code, words: done.words }).toEqual({ code: 0, words: '' })
  return world
}

const logOf = ({ data }: HeadlessWorld): string => path.join(data, 'audit', readdirSync(path.join(data, 'audit')).find((name) => name.endsWith('.jsonl')) ?? '')
const linesOf = (world: HeadlessWorld): readonly string[] => readFileSync(logOf(world), 'utf8').trimEnd().split('\n')
const verify = async (world: HeadlessWorld) => (await world.run(['audit', 'verify'])).lines

test('R68: the lines of a call say who, what, where it ran, what it changed and which commit holds that', async () => {
  const world = await lived()
  const entries = linesOf(world).map((line) => JSON.parse(line) as Record<string, unknown>)
  const finished = entries.filter(({ fact }) => fact === 'finished')
  expect(finished.map((entry) => [entry['tool'], entry['effect'], entry['outcome'], typeof entry['snapshotId'], /^[0-9a-f]{40}$/.test(String(entry['commit']))])).toEqual([['write_file', 'write', 'ok', 'string', true], ['run_command', 'execute', 'ok', 'string', true]])
  expect(finished[1]).toMatchObject({ exitCode: 0, confined: expect.stringMatching(/^(sandbox|none)$/) as unknown })
  expect(finished[0]).toMatchObject({ changed: [{ path: 'b.txt', before: null }] })
  expect(entries.some(({ fact, actor }) => fact === 'decided' && actor === 'person')).toBe(true)
  expect(JSON.stringify(entries)).not.toContain('hunter2hunter2')
})

test('R68: verify says what it always says; a tail that was cut shows against the snapshots when the database was cut too', async () => {
  const world = await lived()
  const lines = linesOf(world)
  expect(await verify(world)).toEqual([{ ok: true, entries: lines.length }])
  const database = rawOpen(path.join(world.data, 'countersign.db'), false)
  database.exec('DELETE FROM audit_head')
  database.close()
  // The first call's entries and everything after are gone, in the log and where the database knew of them.
  writeFileSync(logOf(world), lines.slice(0, 2).map((line) => `${line}\n`).join(''))
  expect(await verify(world)).toEqual([{ ok: false, entries: 2, firstBroken: 3 }])
  // Without the snapshots nobody could tell.
  rmSync(path.join(world.data, 'snapshots'), { recursive: true })
  expect(await verify(world)).toEqual([{ ok: true, entries: 2 }])
})

test('R68 R96: a part of the record, and a session with its record, are checked with nothing but the file; a changed one shows', async () => {
  const world = await lived()
  const session = String((JSON.parse(linesOf(world).find((line) => line.includes('"sessionId"')) ?? '{}') as { readonly sessionId?: string }).sessionId)
  const file = (name: string) => path.join(world.data, name)
  const check = async (name: string) => (await world.run(['audit', 'verify', '--file', file(name)])).lines
  const of = linesOf(world).filter((line) => line.includes(`"sessionId":"${session}"`)).length
  for (const name of ['part.jsonl', 'part.html']) {
    expect((await world.run(['audit', 'export', '--file', file(name), '--session', session, '--since', '2020-01-01'])).lines).toEqual([{ entries: of }])
    expect(await check(name)).toMatchObject([{ ok: true, entries: of, part: { stated: 0 } }])
  }
  writeFileSync(file('part.jsonl'), readFileSync(file('part.jsonl'), 'utf8').replace('"outcome":"allow"', '"outcome":"denied"'))
  expect(await check('part.jsonl')).toMatchObject([{ ok: false, entries: of }])
  expect((await world.run(['audit', 'export', '--file', file('none.jsonl'), '--until', '2020-01-01'])).lines).toEqual([{ entries: 0 }])
  expect((await world.run(['audit', 'verify', '--file', file('missing')])).code).toBe(1)
  expect((await world.run(['audit', 'export', '--file', file('none.jsonl'), '--since', 'soon'])).code).toBe(2)
})

test('R68: an export that ends in .html is the page that checks itself, any other the lines; both are recorded', async () => {
  const world = await lived()
  const count = linesOf(world).length
  const page = path.join(world.data, 'record.html')
  const plain = path.join(world.data, 'record.txt')
  expect((await world.run(['audit', 'export', '--file', page])).lines).toEqual([{ entries: count }])
  expect((await world.run(['audit', 'export', '--file', plain])).lines).toEqual([{ entries: count + 1 }])
  const html = readFileSync(page, 'utf8')
  expect(html.startsWith('<!doctype html>')).toBe(true)
  expect(html.match(/<\/script>/g)).toHaveLength(3)
  expect(readFileSync(plain, 'utf8').split('\n').filter((line) => line !== '')).toEqual(linesOf(world).slice(0, count + 1))
  expect(linesOf(world).map((line) => (JSON.parse(line) as { fact: string }).fact).filter((fact) => fact === 'export-made')).toHaveLength(2)
  expect((await world.run(['audit', 'export', '--file', path.join(page, 'below.html')])).code).toBe(1)
})
