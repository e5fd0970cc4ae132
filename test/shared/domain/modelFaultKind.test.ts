import { expect, test } from 'vitest'
import { bareFault, modelFaultKind } from '../../../src/shared/domain/modelFaultKind'
import { said } from '../../../src/shared/domain/result'

test('R89 a fault is of the key, of the network, or another; the provider\'s own words behind it change nothing', () => {
  const refused = said('model.key-refused', { status: 401, provider: 'P' })
  const wrapped = said('model.with-detail', { fact: refused, detail: 'invalid key' })
  expect([modelFaultKind(refused), modelFaultKind(wrapped), modelFaultKind(said('model.no-dns', { host: 'h' })), modelFaultKind(said('model.server-error')), modelFaultKind(said('turn.repeat'))]).toEqual(['key', 'key', 'offline', 'other', null])
  expect(bareFault(wrapped)).toBe(refused)
})
