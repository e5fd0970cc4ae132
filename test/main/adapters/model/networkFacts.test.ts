import { expect, test } from 'vitest'
import { networkFacts } from '../../../../src/main/adapters/model/networkFacts'

test('R89 proxies are told with the variable that was read, and never with a password', () => {
  expect(networkFacts({ HTTPS_PROXY: 'http://user:secret@proxy.example:3128', http_proxy: 'secret@:/', no_proxy: 'localhost,.corp' }, '')).toEqual({
    proxies: [{ variable: 'HTTPS_PROXY', host: 'proxy.example:3128' }, { variable: 'http_proxy', host: '?' }],
    exempt: { variable: 'no_proxy', hosts: 'localhost,.corp' },
    authority: null,
  })
})

test('R89 the file of further authorities is told with what chose it, and whether it can be read', () => {
  const env = { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' }
  expect([networkFacts(env, import.meta.filename).authority, networkFacts(env, '').authority, networkFacts({}, '').authority]).toEqual([
    { file: import.meta.filename, from: 'settings', variable: null, isRead: true },
    { file: '/nowhere/ca.pem', from: 'environment', variable: 'NODE_EXTRA_CA_CERTS', isRead: false },
    null,
  ])
})
