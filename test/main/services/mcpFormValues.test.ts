import { expect, test } from 'vitest'
import { asksForSecret } from '../../../src/main/services/mcpFormValues'
import type { McpFormField } from '../../../src/shared/domain/mcp'

const field = (words: Partial<McpFormField>): McpFormField => ({ name: 'value', title: '', description: '', kind: 'text', options: [], isRequired: false, initial: null, format: null, minimum: null, maximum: null, ...words })
const asks = (words: Partial<McpFormField>, message = ''): boolean => asksForSecret({ message, fields: [field(words)] })

test.each([
  ['a name', { name: 'apiKey' }], ['a title', { title: 'Your PIN' }], ['a description', { description: 'Password of the account' }], ['Chinese', { description: '请输入验证码' }],
  ['a calming word before it', { description: 'Do not worry, your password is safe here' }], ['a warning that ends', { description: 'Do not share it. Type your password.' }],
  ['a warning in brackets behind it', { description: 'Your password (do not tell anyone)' }],
])('R51 a form that wants a secret is known by %s', (_by, words) => {
  expect(asks(words)).toBe(true)
})

test.each([
  ['words of the reference server', { description: 'Your favorite integer (do not give us your phone number, pin, or other sensitive info)' }], ['a warning', { description: "A note; don't enter a password" }],
  ['a Chinese warning', { description: '你的备注（请勿填写密码）' }], ['plain words', { name: 'keyboard', title: 'Keyboard layout' }],
])('R51 a form that warns of secrets asks for none: %s', (_by, words) => {
  expect(asks(words)).toBe(false)
})

test('R51 a message that wants a password is known, one that warns of it is not', () => {
  expect([asks({}, 'Enter your password to go on'), asks({}, 'Please never enter a password here.')]).toEqual([true, false])
})
