import { expect, test } from 'vitest'
import { isThisMachine } from '../../../src/shared/domain/thisMachine'

test('R93 only what stays on this computer counts as here', () => {
  const here = ['http://localhost', 'http://localhost:11434/v1', ' HTTP://127.0.0.1:1234 ', 'https://127.3.2.1/v1?x', 'http://[::1]:8080/v1', 'http://box.localhost:1/', 'http://a.b.localhost']
  const elsewhere = ['', 'localhost', 'http://localhost.example', 'http://127.0.0.1.example/v1', 'http://user@localhost', 'http://localhost@evil.example', 'http://192.168.1.2:11434', 'http://evil.example/localhost', 'http://evil.example#.localhost', 'http://evil.example\\.localhost', 'http://127.0.0.1:80:90', 'ftp://localhost', 'http://0.0.0.0:1']
  expect([here.filter((one) => !isThisMachine(one)), elsewhere.filter(isThisMachine)]).toEqual([[], []])
})
