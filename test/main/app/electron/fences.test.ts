import { expect, test } from 'vitest'
import { bundleFile } from '../../../../src/main/app/electron/bundleFile'
import { findDebuggingSwitch } from '../../../../src/main/app/electron/debuggingSwitch'
import { browserAddress, externalAddress } from '../../../../src/main/app/electron/externalAddress'

test.each<[string, string | undefined]>([
  ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
  ['HTTPS://EXAMPLE.com', 'https://example.com/'],
  ['https://ex\u0430mple.com/', 'https://xn--exmple-4nf.com/'], // a Cyrillic letter is shown for what it is
  ['mailto:a@example.com?subject=x', 'mailto:a@example.com?subject=x'],
  ['mailto:', undefined],
  ['http://example.com/', undefined],
  ['https://bank.example@evil.example/', undefined],
  ['https://user:word@example.com/', undefined],
  ['file:///etc/passwd', undefined],
  ['smb://host/share', undefined],
  ['ms-msdt:/id', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['vscode://x', undefined],
  [' https://', undefined],
  ['not an address', undefined],
])('outside address %s (E15)', (text, expected) => {
  expect(externalAddress(text)).toBe(expected)
})

test.each<[string, string | undefined]>([
  ['https://example.com/authorize?x=1', 'https://example.com/authorize?x=1'],
  ['http://127.0.0.1:8080/authorize', 'http://127.0.0.1:8080/authorize'],
  ['http://localhost/authorize', 'http://localhost/authorize'],
  ['http://[::1]/authorize', 'http://[::1]/authorize'],
  ['http://127.evil.example/', undefined],
  ['http://localhost.evil.example/', undefined],
  ['http://example.com/', undefined],
  ['https://user@example.com/', undefined],
  ['mailto:a@example.com', undefined],
  ['file:///etc/passwd', undefined],
  ['calc:', undefined],
])('address %s that a server wants opened (SECURITY 5)', (text, expected) => {
  expect(browserAddress(text)).toBe(expected)
})

test.each<[string, string | undefined]>([
  ['app://ui/', '/b/renderer/index.html'],
  ['app://ui/assets/a.js?x#y', '/b/renderer/assets/a.js'],
  ['app://ui/a/../b.js', '/b/renderer/b.js'],
  ['app://ui/..%2f..%2fetc/passwd', undefined],
  ['app://ui/%2e%2e/main/index.js', '/b/renderer/main/index.js'], // the address parser resolves these dots itself
  ['app://ui/..%5cmain', undefined],
  ['app://ui/a%00.js', undefined],
  ['app://ui/%', undefined],
  ['app://other/index.html', undefined],
  ['file:///b/renderer/index.html', undefined],
  ['nonsense', undefined],
])('bundle address %s (E20)', (address, expected) => {
  expect(bundleFile('/b/renderer', address)).toBe(expected)
})

test('E26 switches that open the app to a debugger are found in every form that Chromium takes, others not', () => {
  const refused = ['--remote-debugging-port=0', '-remote-debugging-port=0', '--Remote-Debugging-Port=0', '--remote-debugging-pipe', '--inspect', '-inspect', '--inspect-brk=9229', '--inspect_brk=9229', '--inspect=0', '--js-flags=--inspect', ' --inspect']
  const allowed = ['--no-sandbox', '--data', '--inspector', 'inspect', '--lang=en', '/inspect', '/debug', '--inspect/it', '---inspect']
  const found = (platform: NodeJS.Platform): readonly string[] => [...refused, ...allowed].filter((arg) => findDebuggingSwitch(['countersign', arg], platform) !== undefined)
  expect([found('linux'), found('win32')]).toEqual([refused, [...refused, '/inspect', '/debug']])
})
