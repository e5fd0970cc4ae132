import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportText, type ExportedMemory } from '../../../../src/main/core/memory/exportText'
import { importText } from '../../../../src/main/core/memory/importText'

const entry = (text: string, more: Partial<ExportedMemory> = {}): ExportedMemory => ({ text, scope: 'project', isPinned: false, at: '2026-11-30T10:00:00.000Z', outside: null, ...more })
const back = (text: string): readonly ExportedMemory[] => importText(text).entries.map((one) => ({ text: one.text, scope: one.scope ?? 'project', isPinned: one.isPinned, at: new Date(one.atMs ?? 0).toISOString(), outside: one.outside }))

test('R36 an export is short and readable in both forms', () => {
  const entries = [entry('Tests run with --runInBand.'), entry('第一行\n\n- 第二行', { scope: 'general', isPinned: true })]
  expect(exportText(entries, 'markdown')).toBe('# Memories\n\n## This project\n\n- <!-- 2026-11-30T10:00:00.000Z --> Tests run with --runInBand.\n\n## General\n\n- <!-- 2026-11-30T10:00:00.000Z pinned --> 第一行\n  \n  - 第二行\n')
  expect(exportText(entries, 'json').split('\n')[3]).toBe('    {"text":"Tests run with --runInBand.","scope":"project","isPinned":false,"at":"2026-11-30T10:00:00.000Z"},')
  expect([exportText([], 'json'), exportText([], 'markdown')].map((text) => importText(text))).toEqual([{ entries: [], faults: [] }, { entries: [], faults: [] }])
})

const texts = fc.stringMatching(/^[\S][\s\S]*$/u).map((text) => text.replace(/\r\n?/g, '\n').trim()).filter((text) => text !== '' && !text.startsWith('\ufeff'))
const lines = fc.array(fc.constantFrom('- a', '# General', '<!-- 2026-11-30T10:00:00.000Z pinned --> b', '  c', '', '}', '{"text":"x"}', '中文', '🙂', '"', '\\'), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('\n').trim()).filter((text) => text !== '')
const names = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('docs -->', 'a:b%3A', '--'))
const entries = fc.array(fc.record({ text: fc.oneof(texts, lines), scope: fc.constantFrom('project' as const, 'general' as const), isPinned: fc.boolean(), at: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString()), outside: fc.oneof(fc.constant(null), fc.record({ kind: fc.constant('mcp' as const), server: names }), fc.record({ kind: fc.constant('web' as const), host: names, url: fc.oneof(names, fc.webUrl()) })) }), { maxLength: 6 })

test('R36 what was exported is imported as it was, in either form', () => {
  fc.assert(fc.property(entries, (all) => {
    const byScope = [...all.filter((one) => one.scope === 'project'), ...all.filter((one) => one.scope === 'general')]
    expect(importText(exportText(all, 'json')).faults).toEqual([])
    expect(back(exportText(all, 'json'))).toEqual(all)
    expect(importText(exportText(all, 'markdown')).faults).toEqual([])
    expect(back(exportText(all, 'markdown'))).toEqual(byScope)
  }), { numRuns: 150 })
})

test('R36 a fault names its line and takes no other entry with it', () => {
  const broken = '{ "version": 1,\n"memories": [\n {"text": "one"},\n {"text": 2},\n\n {"text": "three" "scope"},\n "four",\n {"text": "five", "scope": "mine"}, {"text": "six", "at": "soon"}, null,\n {"text": "se\n] }'
  expect(importText(broken)).toMatchObject({
    entries: [{ line: 3, text: 'one', scope: null, atMs: null }, { line: 7, text: 'four' }],
    faults: [4, 6, 8, 8, 8, 9].map((line) => ({ code: 'memory.import-bad-entry', values: { line } })),
  })
  expect(importText('{"memories": 3}').faults).toEqual([{ code: 'memory.import-no-list', values: {} }])
})

test('R36 a list written by hand is read: any bullet, headings for the scope, what is no entry is named', () => {
  const byHand = '\ufeff# Notes\r\nSome words.\r\n* use tabs\r\n1. deploy\r\n   with make\r\n## General ##\r\n- [x] sleep\r\n\r\nAfter all.'
  expect(importText(byHand)).toEqual({
    entries: [
      { line: 3, text: 'use tabs', scope: null, isPinned: false, atMs: null, outside: null },
      { line: 4, text: 'deploy\n with make', scope: null, isPinned: false, atMs: null, outside: null },
      { line: 7, text: '[x] sleep', scope: 'general', isPinned: false, atMs: null, outside: null },
    ],
    faults: [{ code: 'memory.import-no-entry', values: { line: 2 } }, { code: 'memory.import-no-entry', values: { line: 9 } }],
  })
})

test('R36 entries are those under their key, wherever other lists stand', () => {
  const found = (text: string) => importText(text).entries.map(({ line, text: one }) => [line, one])
  expect(found('{"tags": ["x"],\n"note": "\\"memories\\": [1]",\n"memories":\n[{"text": "a"}]}')).toEqual([[4, 'a']])
  expect(found('{"faults": [], "memories": ["a", "b"], "more": ["c"]}')).toEqual([[1, 'a'], [1, 'b']])
  expect(found('{"facts": ["a"]}')).toEqual([[1, 'a']])
  expect(found('["\\"memories\\": [", {"memories": ["b"], "text": "c"}]')).toEqual([[1, '"memories": ['], [1, 'c']])
})

test('R36 R71 an export says what came from outside, and one whose mark cannot be read is no entry', () => {
  const outside = { kind: 'web', host: 'a.example', url: 'https://a.example/x--y?z' } as const
  const one = entry('Staging is reset on Fridays', { isPinned: true, outside })
  expect(exportText([one], 'json')).toContain('"outside":{"kind":"web","host":"a.example","url":"https://a.example/x--y?z"}}')
  expect(exportText([one], 'markdown')).toContain('- <!-- 2026-11-30T10:00:00.000Z pinned outside=web:a.example:https%3A%2F%2Fa.example%2Fx%2D%2Dy%3Fz --> Staging is reset on Fridays')
  const broken = ['[{"text": "a", "outside": "web"}]', '["b", {"text": "a", "outside": {"kind": "mcp"}}]', '- <!-- 2026-11-30T10:00:00.000Z outside=web --> a', '- <!-- 2026-11-30T10:00:00.000Z outside=mcp:%E0 --> a\n- b']
  expect(broken.map((text) => importText(text)).map(({ entries: read, faults }) => [read.map((each) => each.text), faults.map(({ code }) => code)])).toEqual([
    [[], ['memory.import-bad-entry']], [['b'], ['memory.import-bad-entry']], [[], ['memory.import-bad-entry']], [['b'], ['memory.import-bad-entry']],
  ])
})
