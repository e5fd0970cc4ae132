import { expect, test } from 'vitest'
import type { ActingCall } from '../../../../src/main/core/ports/eventStore'
import { maySend, sentLabel } from '../../../../src/main/core/snapshot/sentOut'
import { asId } from '../../../../src/shared/domain/ids'

const where = { cwd: '/p', root: '/p', home: '/home/u', appData: '/data' }
const call = (tool: string, args: ActingCall['args'] = {}, confined: ActingCall['confined'] = null): ActingCall => ({ callId: asId('c'), sessionId: asId('s'), atMs: 1, tool, args, confined })
const command = (text: string, confined: ActingCall['confined'], more: object = {}): ActingCall => call('run_command', { command: text, ...more }, confined)

test.each([
  ['a command that had the network', command('npm install', 'network', { network: true }), true],
  ['a command that was to have the network, whatever became of it', command('true', null, { network: true }), true],
  ['a command outside the sandbox', command('cp a ~/b', 'outside', { outside: true }), true],
  ['a push without a sandbox', command('git push origin main', 'none'), true],
  ['a program nobody knows, without a sandbox', command('./deploy', 'none'), true],
  ['a text that cannot be understood, without a sandbox', command('echo "', 'none'), true],
  ['a push of which nobody knows what held it', command('git push', null), true],
  ['a write outside the project, without a sandbox', command('echo 1 > ../x', 'none', { cwd: '.' }), true],
  ['a push that the sandbox held', command('git push', 'sandbox'), false],
  ['a program tried on a copy', command('./deploy', 'trial'), false],
  ['reading and writing in the project, without a sandbox', command('grep -n a f && sed -i s/a/b/ f', 'none'), false],
  ['a tool of a server', call('mcp__mail__send'), true],
  ['a page', call('fetch_url'), false],
  ['a search', call('search_web'), false],
])('R77 what no rollback takes back: %s', (_, one, expected) => {
  expect(maySend(one, where)).toBe(expected)
})

test('R77 it is named in one line', () => {
  expect([sentLabel(command('git push \\\n  origin', null)), sentLabel(call('mcp__mail__send')), sentLabel(call('run_command'))]).toEqual(['git push \\ origin', 'mcp__mail__send', 'run_command'])
})
