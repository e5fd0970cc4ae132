import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expand, referencesOf, type Lookup } from '../../../../src/main/core/mcp/expand'

const known: Readonly<Record<string, string>> = { HOST: 'example.test', EMPTY: '', TRICK: '${HOST}', 'ProgramFiles(x86)': 'C:\\Program Files (x86)' }
const secrets: Readonly<Record<string, string>> = { 'github/GITHUB_TOKEN': 's3cret', '我的 服务.KEY': '密' }
const lookup: Lookup = (kind, name) => (kind === 'secret' ? secrets : known)[name] ?? null

describe('values of mcp.json are filled in (R45)', () => {
  test.each([
    ['https://${HOST}/mcp', 'https://example.test/mcp'],
    ['${env:HOST}', 'example.test'],
    ['${PGSSLMODE:-require}', 'require'],
    ['${HOST:-other}', 'example.test'],
    ['${EMPTY:-shell takes it too}', 'shell takes it too'],
    ['[${EMPTY}]', '[]'],
    ['${UNSET:-}', ''],
    ['${UNSET:-${HOST}}', '${HOST}'],
    ['${UNSET:-{"a":{"b":1}}}', '{"a":{"b":1}}'],
    ['${TRICK}', '${HOST}'],
    ['Bearer ${secret:github/GITHUB_TOKEN}', 'Bearer s3cret'],
    ['${secret:我的 服务.KEY}', '密'],
    ['${secret:gone:-none}', 'none'],
    ['${env:ProgramFiles(x86)}', 'C:\\Program Files (x86)'],
    ['$HOME', '$HOME'],
    ['$$', '$$'],
    ['$${HOST}', '${HOST}'],
    ['$${HOST} ${HOST}', '${HOST} example.test'],
    ['${HOST}$${HOST}', 'example.test${HOST}'],
    ['${', '${'],
    ['${}', '${}'],
    ['${1}', '${1}'],
    ['${a b}', '${a b}'],
    ['${HOST', '${HOST'],
    ['{ ${HOST} }', '{ example.test }'],
    ['/a b/c', '/a b/c'],
    ['', ''],
  ])('%s becomes %s', (value, expanded) => {
    expect(expand(value, lookup)).toEqual({ ok: true, value: expanded })
  })

  test.each([
    ['${UNSET}', { code: 'mcp.variable-not-set', values: { name: 'UNSET' } }],
    ['a ${HOST} ${env:GONE}', { code: 'mcp.variable-not-set', values: { name: 'GONE' } }],
    ['${secret:gone}', { code: 'mcp.secret-not-set', values: { name: 'gone' } }],
    ['${input:api-key}', { code: 'mcp.reference-unknown', values: { name: '${input:api-key}' } }],
    ['${workspaceFolder}/x', { code: 'mcp.variable-not-set', values: { name: 'workspaceFolder' } }],
  ])('%s fails and says which', (value, fault) => {
    expect(expand(value, lookup)).toEqual({ ok: false, fault })
  })

  test('references are listed in order, without those that are written as text', () => {
    expect(referencesOf('${A} $B $${C} ${secret:D} ${E:-${F}}')).toEqual([
      { kind: 'variable', name: 'A', fallback: null },
      { kind: 'secret', name: 'D', fallback: null },
      { kind: 'variable', name: 'E', fallback: '${F}' },
    ])
  })

  test('text without a reference stays, and what was filled in is never looked at again', () => {
    const bare = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('${') && !text.endsWith('$'))
    fc.assert(
      fc.property(bare, fc.string(), bare, (before, value, after) => {
        expect(expand(before, () => 'x')).toEqual({ ok: true, value: before })
        expect(expand(`${before}\${X}${after}`, () => value)).toEqual({ ok: true, value: before + value + after })
        expect(expand(`${before}$\${X}${after}`, () => value)).toEqual({ ok: true, value: `${before}\${X}${after}` })
      }),
    )
  })

  test('many open braces take no time', () => {
    const value = '${'.repeat(200_000)
    expect(expand(value, lookup)).toEqual({ ok: true, value })
  })
})
