import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'
import type { McpPin, McpSwitch } from '../../../../src/main/core/ports/mcpPins'
import { asId, type WorkspaceId } from '../../../../src/shared/domain/ids'

const start = (server: string, hash = 'h'): McpPin => ({ server, subject: 'start', hash, definition: `command: npx ${hash}\nenv: A`, acceptedAtMs: 5 })
const tool = (server: string, name: string, hash = 'h'): McpPin => ({
  server, subject: 'tool', tool: name, hash, acceptedAtMs: 6,
  definition: { name, title: '标题', description: 'two\nlines "quoted"', inputSchema: { type: 'object', properties: { a: { type: 'string' } } }, annotations: { readOnlyHint: true } },
})
const off = (server: string, kind: McpSwitch['kind'], at: Partial<McpSwitch> = {}): McpSwitch => ({ server, workspaceId: null, tool: null, kind, isOn: false, ...at })
const folder = asId<WorkspaceId>('w1')

test('R54: what was accepted is there after a restart, exactly', async () => {
  const dataDir = scratchFolder()
  const pins = [start('docs'), tool('docs', 'search'), tool('docs', ''), tool('docs', 'ünï/码 👍')]
  const first = await openIn(dataDir)
  await first.mcpPins.pin(pins)
  await first.mcpPins.pin([])
  await first.close()
  const again = await (await openIn(dataDir)).mcpPins.pins()
  expect(again).toHaveLength(pins.length)
  expect(again).toEqual(expect.arrayContaining(pins))
})

test('R54: accepting again replaces the pin of the same subject alone; taking one back leaves the others', async () => {
  const { mcpPins } = await openIn(scratchFolder())
  await mcpPins.pin([start('docs'), tool('docs', 'a'), tool('docs', 'b'), tool('web', 'a')])
  await mcpPins.pin([tool('docs', 'a', 'new'), start('docs', 'new')])
  expect((await mcpPins.pins()).map((pin) => [pin.server, pin.subject === 'tool' ? pin.tool : null, pin.hash])).toEqual([['docs', null, 'new'], ['docs', 'a', 'new'], ['docs', 'b', 'h'], ['web', 'a', 'h']])
  await mcpPins.unpin('docs', null)
  await mcpPins.unpin('docs', 'a')
  await mcpPins.unpin('docs', 'never there')
  expect(await mcpPins.pins()).toEqual([tool('docs', 'b'), tool('web', 'a')])
})

test('a tool without a name is not taken for the start', async () => {
  const { mcpPins } = await openIn(scratchFolder())
  await mcpPins.pin([start('docs'), tool('docs', '')])
  await mcpPins.unpin('docs', '')
  expect(await mcpPins.pins()).toEqual([start('docs')])
})

test('R44: a switch is one for a server, kind, folder and tool; null is a place of its own', async () => {
  const { mcpPins } = await openIn(scratchFolder())
  const all = [off('docs', 'here'), off('docs', 'here', { workspaceId: folder }), off('docs', 'tool', { tool: 'a' }), off('docs', 'tool', { tool: '' }), off('docs', 'tool'), off('docs', 'network', { tool: 'a' }), off('web', 'sampling'), off('web', 'elicitation'), off('web', 'project-text')]
  for (const one of all) await mcpPins.set(one)
  for (const one of all) await mcpPins.set({ ...one, isOn: true })
  for (const one of all.slice(1)) await mcpPins.set(one)
  const now = await mcpPins.switches()
  expect(now).toHaveLength(all.length)
  expect(now).toEqual(expect.arrayContaining([{ ...all[0], isOn: true }, ...all.slice(1)]))
})

test('a new name takes everything along, and nothing that an earlier server of that name left', async () => {
  const { mcpPins } = await openIn(scratchFolder())
  await mcpPins.pin([start('docs'), tool('docs', 'a'), start('old'), tool('old', 'left')])
  await mcpPins.set(off('docs', 'tool', { tool: 'a' }))
  await mcpPins.set(off('old', 'sampling', { isOn: true }))
  await mcpPins.rename('docs', 'docs')
  await mcpPins.rename('docs', 'old')
  expect({ pins: await mcpPins.pins(), switches: await mcpPins.switches() }).toEqual({ pins: [start('old'), tool('old', 'a')], switches: [off('old', 'tool', { tool: 'a' })] })
})

test('a server that is deleted leaves nothing, and the others keep theirs', async () => {
  const { mcpPins } = await openIn(scratchFolder())
  await mcpPins.pin([start('docs'), tool('docs', 'a'), start('web')])
  await mcpPins.set(off('docs', 'here', { workspaceId: folder }))
  await mcpPins.set(off('web', 'here', { workspaceId: folder }))
  await mcpPins.forget('docs')
  expect({ pins: await mcpPins.pins(), switches: await mcpPins.switches() }).toEqual({ pins: [start('web')], switches: [off('web', 'here', { workspaceId: folder })] })
})

test('what is written together is there as a whole or not at all', async () => {
  const dataDir = scratchFolder()
  const { mcpPins } = await openIn(dataDir)
  await mcpPins.pin([start('docs')])
  const broken = { ...tool('docs', 'b'), hash: null as unknown as string }
  const [together, beside] = await Promise.allSettled([mcpPins.pin([start('docs', 'new'), tool('docs', 'a'), broken]), mcpPins.pin([start('web')])])
  expect([together.status, beside.status]).toEqual(['rejected', 'fulfilled'])
  expect(await mcpPins.pins()).toEqual([start('docs'), start('web')])
})

test('R95: a database of version 1 gets the tables, keeps its rows, and a copy of it as it was lies beside it', async () => {
  const dataDir = scratchFolder()
  const file = path.join(dataDir, 'countersign.db')
  const raw = rawOpen(file)
  raw.exec(readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/db/version-1.sql'), 'utf8'))
  raw.close()
  const database = await openIn(dataDir)
  await database.mcpPins.pin([start('docs')])
  expect({ pins: await database.mcpPins.pins(), switches: await database.mcpPins.switches() }).toEqual({ pins: [start('docs')], switches: [] })
  expect(await database.events.read(asId('session-1'))).toHaveLength(21)
  await database.close()
  const copy = `${file}.version-1`
  expect(existsSync(copy) && statSync(copy).mode & 0o777).toBe(0o600)
  const kept = rawOpen(copy, true)
  expect([kept.pragma('user_version', { simple: true }), kept.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'mcp%'").all()]).toEqual([1, []])
  kept.close()
})
