import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOwnCommand } from '../../../src/renderer/features/work/ownCommand'

test.each([
  ['/save Tests need a database', { kind: 'save', text: 'Tests need a database', scope: 'project' }],
  ['/save -g Prefers pnpm', { kind: 'save', text: 'Prefers pnpm', scope: 'general' }],
  ['/save 发布说明用中文写', { kind: 'save', text: '发布说明用中文写', scope: 'project' }],
  ['/save\u3000-g\u3000一律用 pnpm', { kind: 'save', text: '一律用 pnpm', scope: 'general' }],
  ['/save first line\nsecond line', { kind: 'save', text: 'first line\nsecond line', scope: 'project' }],
  ['/save -global is a word', { kind: 'save', text: '-global is a word', scope: 'project' }],
  ['/save', { kind: 'save', text: '', scope: 'project' }],
  ['/save -g', { kind: 'save', text: '', scope: 'general' }],
  ['  /memory', { kind: 'memory', query: '' }],
  ['/memory  改动 ', { kind: 'memory', query: '改动' }],
  ['/compact', { kind: 'compact', words: '' }],
  ['/compact keep the figures', { kind: 'compact', words: 'keep the figures' }],
])('R33 %j is for the app', (typed, command) => {
  expect(readOwnCommand(typed)).toEqual(command)
})

test.each(['/saved games', '/memoryleak', '/compactor', 'save this', 'see /save x', '/etc/hosts says', '/ save x', '//save x', ''])('R33 %j stays plain text', (typed) => {
  expect(readOwnCommand(typed)).toBeNull()
})

test('R33 what is saved is what was typed after the command, whatever it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
    fc.pre(text.trim() !== '' && !text.trim().startsWith('-g'))
    expect(readOwnCommand(`/save ${text}`)).toEqual({ kind: 'save', text: text.trim(), scope: 'project' })
  }))
})
