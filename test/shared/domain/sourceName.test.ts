import { expect, test } from 'vitest'
import { webKind } from '../../../src/shared/domain/sourceName'

const web = (host: string, url = host) => webKind({ kind: 'web', host, url })

test('R71 a page is called a page, what a command brought is not, and a program on this computer is named as that', () => {
  expect([web('example.com', 'https://example.com/a'), web('wiki', 'http://wiki/')]).toEqual(['web', 'web'])
  expect([web('python3'), web('example.com'), web('?')]).toEqual(['web-command', 'web-command', 'web-command'])
  expect(['localhost', 'localhost:8000', 'app.localhost', '127.0.0.1', '127.8.0.1:80', '[::1]:3000', '::1', '0.0.0.0'].map((host) => web(host))).toEqual(Array.from({ length: 8 }, () => 'web-local'))
  expect([web('localhost:8000', 'http://localhost:8000/'), web('localhost.example.com', 'https://localhost.example.com/')]).toEqual(['web-local', 'web'])
})
