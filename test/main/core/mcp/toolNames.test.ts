import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { originKey, registeredNames } from '../../../../src/main/core/mcp/toolNames'
import type { McpOrigin, McpToolDefinition } from '../../../../src/shared/domain/mcp'

const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'a_b', 'a__b', '_a', 'a_', 'b__c', 'a.b', 'a b', '工具', '工', 'A', '', '__', '-', 'x'.repeat(28), 'x'.repeat(29), 'x'.repeat(64)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 70 }) },
)
const origins = fc.uniqueArray(fc.record({ server: part, tool: part }), { selector: originKey, maxLength: 30 })
const nameIn = (list: readonly McpOrigin[], origin: McpOrigin): string => registeredNames(list).get(originKey(origin)) ?? ''

test('R47: every name fits every provider and stands once, whatever servers and tools are called', () => {
  fc.assert(
    fc.property(origins, (list) => {
      const names = [...registeredNames(list).values()]
      expect(names.filter((name) => !/^mcp__[a-zA-Z0-9_-]{1,59}$/u.test(name))).toEqual([])
      expect(new Set(names).size).toBe(list.length)
    }),
    { numRuns: 300 },
  )
})

test('R47: a name depends neither on order nor on what else there is', () => {
  fc.assert(
    fc.property(origins, fc.nat(), (list, pick) => {
      const names = registeredNames(list)
      expect(registeredNames([...list].reverse())).toEqual(names)
      const origin = list[pick % Math.max(1, list.length)]
      if (origin) expect(nameIn([origin], origin)).toBe(names.get(originKey(origin)))
    }),
    { numRuns: 300 },
  )
})

test('R47: a clean origin keeps its plain name, and one that imitates a changed name moves nobody', () => {
  const clean = { server: 'files', tool: 'read_file' }
  const changed = { server: 'files', tool: 'read file' }
  const wanted = nameIn([changed], changed)
  const imitation = { server: 'files', tool: wanted.slice('mcp__files__'.length) }
  const names = registeredNames([imitation, changed, clean])
  expect(names.get(originKey(clean))).toBe('mcp__files__read_file')
  expect(names.get(originKey(imitation))).toBe(wanted)
  expect(names.get(originKey(changed))).toMatch(/^mcp__files__read_file_[0-9a-z]{8}$/u)
  expect(new Set(names.values()).size).toBe(3)
})

test.each([
  [{ server: 'a__b', tool: 'c' }, { server: 'a', tool: 'b__c' }],
  [{ server: 'a_', tool: 'b' }, { server: 'a', tool: '_b' }],
  [{ server: 'a', tool: '_b' }, { server: 'a__', tool: 'b' }],
  [{ server: 'good__read', tool: 'x' }, { server: 'good', tool: 'read__x' }],
])('R47: the server of a name cannot be read another way (%j, %j)', (one, other) => {
  const names = [nameIn([one], one), nameIn([other], other)]
  expect(new Set(names.map((name) => name.slice('mcp__'.length).split('__')[0])).size).toBe(2)
})

test('R47 f03: two servers of nearly one name, and tools whose names no provider takes', () => {
  const tools = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../cases/F/f03.tools.json'), 'utf8')) as readonly McpToolDefinition[]
  const list = ['github.com/acme/tools', 'github.com_acme_tools'].flatMap((server) => tools.map(({ name }) => ({ server, tool: name })))
  const names = registeredNames(list)
  expect(new Set(names.values()).size).toBe(18)
  expect([...names.values()].every((name) => /^[a-zA-Z0-9_-]{1,64}$/u.test(name))).toBe(true)
  expect([...names.values()].filter((name) => name.endsWith('__read_file'))).toHaveLength(2)
})
