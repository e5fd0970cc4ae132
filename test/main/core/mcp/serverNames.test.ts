import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refusedServers } from '../../../../src/main/core/mcp/serverNames'

test.each([
  ['github', 'GitHub', 'case'],
  ['github', 'gіthub', 'Cyrillic і'],
  ['github', 'ｇｉｔｈｕｂ', 'full width'],
  ['github', 'githúb', 'accent'],
  ['github', 'g𝗂thub', 'mathematical letter'],
  ['my-server', 'my_server', 'separator'],
  ['my-server', 'my server', 'separator'],
  ['my.server', 'my—server', 'dash'],
  ['my-server', 'my-server-', 'separator at the end'],
  ['docs', 'd0cs', 'zero for o'],
  ['mail', 'mai1', 'one for l'],
  ['mail', 'maiI', 'capital I for l'],
  ['modern', 'modem', 'rn for m'],
  ['web', 'vveb', 'vv for w'],
  ['PAY', 'РАУ', 'capitals of another alphabet'],
  ['νοtes', 'votes', 'Greek'],
  ['工具', 'エ具', 'katakana for a Han character'],
])('of %s and %s the second is refused: %s', (first, second) => {
  expect(refusedServers([first, second])).toEqual(new Map([[second, { code: 'mcp.name-alike', values: { name: second, other: first } }]]))
  expect([...refusedServers([second, first]).keys()]).toEqual([first])
})

test('names that only resemble each other are both fine, Chinese ones too', () => {
  const names = ['mail', 'mall', 'github', 'gitlab', 'db1', 'db2', 'db-z', '我的服务', '我的服务2', '天气', '天汽', 'github.com/acme/tools', 'github.com_acme_tools', 'a', 'b', 'docs', 'doc', 'myserver', 'my-server', '日', '曰', 'ば', 'は', '⚠️ test', '-', '_x', 'https://mcp.example.test']
  expect(refusedServers(names)).toEqual(new Map())
})

test.each([
  ['', 'mcp.name-empty'],
  ['  ', 'mcp.name-empty'],
  ['git\u200bhub', 'mcp.name-hidden'],
  ['git\u202ehub', 'mcp.name-hidden'],
  ['git\u{e0041}', 'mcp.name-hidden'],
  ['git\u0000', 'mcp.name-hidden'],
  ['a\nb', 'mcp.name-hidden'],
  ['a\u00a0b', 'mcp.name-hidden'],
  ['a ', 'mcp.name-hidden'],
  ['x'.repeat(65), 'mcp.name-too-long'],
])('%j is refused', (name, code) => {
  expect([...refusedServers(['ok', name])].map(([refused, why]) => [refused, why.code])).toEqual([[name, code]])
})

test('the first of any list keeps its name, and a refused one holds no name against others', () => {
  expect([...refusedServers(['gіt\u200b', 'git']).keys()]).toEqual(['gіt\u200b'])
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9._-]{1,6}$/), { minLength: 1 }), (names) => {
      const refused = refusedServers(names)
      expect(refused.has(names[0] ?? '')).toBe(false)
      // What is left after a refusal is refused no further.
      expect(refusedServers(names.filter((name) => !refused.has(name)))).toEqual(new Map())
    }),
  )
})
