import { expect, test } from 'vitest'
import { faultOfTest, groupOf, isOpenOnTheWay, isReady } from '../../../src/renderer/features/models/providerState'
import { said } from '../../../src/shared/domain/result'
import type { CataloguePage } from '../../../src/shared/ipc/modelViews'
import type { ProviderRow } from '../../../src/shared/ipc/views'

const offered = (id: string, needsKey: boolean): CataloguePage['offered'][number] => ({ id, name: id, protocol: 'openai', baseUrl: 'https://a.example', keyPage: null, docs: null, defaultModel: null, keyVariables: [], needsKey, quirks: {} })
const page: CataloguePage = { offered: [offered('cloud', true), offered('local', false)], models: {}, listedAtMs: {}, quirks: {}, network: { proxies: [], exempt: null, authority: null } }
const row = (change: Partial<ProviderRow>): ProviderRow => ({ id: 'x', name: 'x', baseUrl: 'https://a.example', model: 'm', isActive: false, origin: 'settings', key: null, hasKeychain: true, isSealed: false, isKeySealed: false, ...change })
const key = { place: 'keychain', lastFour: 'abcd' } as const

test('R87 a provider is ready with what it needs, and not before', () => {
  const ready = (change: Partial<ProviderRow>): boolean => isReady(row(change), page)
  expect([ready({ preset: 'cloud', key }), ready({ preset: 'cloud' }), ready({ preset: 'local' }), ready({}), ready({ baseUrl: '' }), ready({ origin: 'catalogue', preset: 'cloud' }), ready({ origin: 'catalogue', preset: 'cloud', key }), ready({ origin: 'catalogue', preset: 'local' }), ready({ origin: 'found' }), ready({ origin: 'practice' }), ready({ preset: 'cloud', isKeySealed: true })]).toEqual([true, false, true, true, false, false, true, false, true, true, false])
})

test('R89 one that refused or was not reached needs attention, and so does one whose key is sealed', () => {
  expect([groupOf(row({ key }), page, 'key'), groupOf(row({ key }), page, 'offline'), groupOf(row({ isKeySealed: true }), page, null), groupOf(row({ key }), page, null), groupOf(row({ origin: 'catalogue', preset: 'cloud' }), page, null), groupOf(row({ keyOf: 'old.example' }), page, null), groupOf(row({ keyHeaders: ['cookie'] }), page, null)]).toEqual(['attention', 'attention', 'attention', 'ready', 'not-ready', 'attention', 'attention'])
})

test('R89 a model without tools or pictures still answers; a test that failed before is a fault', () => {
  const [ok, no] = [said('model.test-key-ok'), said('model.key-refused')]
  expect([faultOfTest({ steps: [{ step: 'address', ok: true, say: ok }, { step: 'tools', ok: false, say: no }, { step: 'images', ok: false, say: no }, { step: 'key', ok: null, say: ok }] }), faultOfTest({ steps: [{ step: 'address', ok: true, say: ok }, { step: 'key', ok: false, say: no }] })]).toEqual([null, no])
})

test('R92 plain http is open on the way to every computer but this one', () => {
  const open = ['http://models.example/v1', ' HTTP://10.0.0.2:8000/v1', 'http://localhost.evil.example/v1', 'http://127.0.0.1.evil.example']
  const shut = ['https://models.example/v1', 'http://localhost:8000/v1', 'http://127.0.0.1:11434', 'http://[::1]:1/v1', 'http://box.localhost', '', 'http://']
  expect([open.filter((one) => !isOpenOnTheWay(one)), shut.filter(isOpenOnTheWay)]).toEqual([[], []])
})
