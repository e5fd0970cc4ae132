import { expect, test } from 'vitest'
import { refusalsIn } from '../../../src/main/native/refusals'

const place = { root: '/home/me/project', home: '/home/me', network: false }
const told = (text: string, more: Partial<typeof place> = {}): readonly string[] => refusalsIn(text, { ...place, ...more }).map(({ kind, what }) => `${kind} ${what}`)

test.each([
  ['curl: (6) Could not resolve host: example.com', 'network curl: (6) Could not resolve host: example.com'],
  ['npm error code EAI_AGAIN', 'network npm error code EAI_AGAIN'],
  ['Error: getaddrinfo ENOTFOUND packages.example.com', 'network Error: getaddrinfo ENOTFOUND packages.example.com'],
  ['ping: connect: Network is unreachable', 'network ping: connect: Network is unreachable'],
  ['fatal: unable to access: Could not resolve host: github.com', 'network fatal: unable to access: Could not resolve host: github.com'],
  ['dial tcp: lookup proxy.golang.org: no such host', 'network dial tcp: lookup proxy.golang.org: no such host'],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'network Error: connect ECONNREFUSED 127.0.0.1:5432'],
  ["touch: cannot touch '/etc/x': Read-only file system", 'write /etc/x'],
  ['bash: line 1: .mcp.json: Read-only file system', 'write .mcp.json'],
  ["Error: EROFS: read-only file system, open '/home/me/.cache/x'", 'write /home/me/.cache/x'],
  ["mv: cannot move '.git' to 'x': Device or resource busy", 'write .git'],
  ["[Errno 13] Permission denied: '/var/lib/x'", 'write /var/lib/x'],
  ['cat: /home/me/.ssh/config: No such file or directory', 'write /home/me/.ssh/config'],
  ['error: gpg failed to sign the data', 'write error: gpg failed to sign the data'],
])('%s (R72)', (line, expected) => {
  expect(told(`before\n${line}\r\nafter\n`)).toEqual([expected])
})

test.each([
  'bash: ./run.sh: Permission denied', 'cat: nothing.txt: No such file or directory', "rm: cannot remove '/home/me/project/x': Permission denied", 'expected 3, received 4', 'No such file or directory',
  'connect ECONNREFUSED 10.0.0.7:80', "cat: /home/me/project/a: No such file or directory", '',
])('no refusal: %s (R72)', (line) => {
  expect(told(line)).toEqual([])
})

test('with the network, what fails there was not refused; each thing is told once, and not without end (R72)', () => {
  expect(told('curl: (6) Could not resolve host: x', { network: true })).toEqual([])
  expect(told('a: /etc/x: Read-only file system\nb: /etc/x: Read-only file system\n')).toEqual(['write /etc/x'])
  expect(told(Array.from({ length: 500 }, (_, at) => `a: /etc/${at}: Read-only file system`).join('\n'))).toHaveLength(20)
})
