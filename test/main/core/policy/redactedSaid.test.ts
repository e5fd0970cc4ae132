import { expect, test } from 'vitest'
import { redactedSaid } from '../../../../src/main/core/policy/redactedSaid'
import { said } from '../../../../src/shared/domain/result'

test('R91 every text among the values of a fact is redacted, in lists and in facts within it too', () => {
  const hide = (text: string): string => text.replaceAll('key', '…')
  const inner = said('mcp.gone', { server: 'the key' })
  expect(redactedSaid(said('mcp.not-started', { server: 'a key', reason: inner, tries: 2, isLast: true, names: ['key', 'b'] }), hide)).toEqual({
    code: 'mcp.not-started', values: { server: 'a …', reason: { code: 'mcp.gone', values: { server: 'the …' } }, tries: 2, isLast: true, names: ['…', 'b'] },
  })
})
