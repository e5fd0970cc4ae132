import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../../../support/scratchDatabase'
import { openSecretStore, type Keychain, type SecretStoreOptions } from '../../../../src/main/adapters/secrets/secretStore'

const key = 'sk-1234567890abcdef'

/** Reverses the text and adds a mark: enough to see that nothing plain is written. */
function fakeKeychain(mark = 'k'): Keychain {
  return {
    isAvailable: () => true,
    encrypt: (text) => Buffer.from(mark + [...text].reverse().join('')),
    decrypt(bytes) {
      const text = Buffer.from(bytes).toString()
      if (!text.startsWith(mark)) throw new Error('another keychain')
      return [...text.slice(mark.length)].reverse().join('')
    },
  }
}

function open(dataDir: string, options: Partial<SecretStoreOptions> = {}) {
  return openSecretStore({ dataDir, environment: {}, keychain: null, sealCost: 2 ** 10, ...options })
}

/** Every byte below the folder, as text. */
function written(dataDir: string): string {
  return readdirSync(dataDir).map((name) => readFileSync(path.join(dataDir, name), 'latin1')).join('\n')
}

describe('R92: a key is kept', () => {
  test('by the environment first, and nothing is written', async () => {
    const dataDir = scratchFolder()
    const store = await open(dataDir, { environment: { openai: key }, keychain: fakeKeychain() })
    expect(await store.get('openai')).toBe(key)
    expect(await store.status('openai')).toEqual({ place: 'environment', lastFour: 'cdef' })
    await store.set('openai', 'saved as well')
    expect(await store.get('openai')).toBe(key)
    expect(await (await open(dataDir, { keychain: fakeKeychain() })).get('openai')).toBe('saved as well')
  })

  test('in the system keychain when there is one, over restarts, and never plain', async () => {
    const dataDir = scratchFolder()
    const store = await open(dataDir, { keychain: fakeKeychain() })
    expect(await store.set('openai', key)).toEqual({ ok: true, value: 'keychain' })
    expect(store.hasKeychain).toBe(true)
    const again = await open(dataDir, { keychain: fakeKeychain() })
    expect(await again.get('openai')).toBe(key)
    expect(await again.status('openai')).toEqual({ place: 'keychain', lastFour: 'cdef' })
    expect(written(dataDir)).not.toContain(key)
    expect(statSync(path.join(dataDir, 'secrets.keychain.json')).mode & 0o777).toBe(0o600)
  })

  test('in memory only when there is no keychain and no pass phrase', async () => {
    const dataDir = scratchFolder()
    const store = await open(dataDir, { keychain: { ...fakeKeychain(), isAvailable: () => false } })
    expect(store.hasKeychain).toBe(false)
    expect(await store.set('openai', key)).toEqual({ ok: true, value: 'session' })
    expect(await store.get('openai')).toBe(key)
    expect(readdirSync(dataDir)).toEqual([])
    expect(await (await open(dataDir)).get('openai')).toBe(null)
  })

  test('in a file sealed by the pass phrase, which opens it again and nothing else does', async () => {
    const dataDir = scratchFolder()
    const phrase = 'pässwörd 口令'
    const store = await open(dataDir)
    expect(store.isSealed).toBe(false)
    expect(await store.set('openai', key, phrase)).toEqual({ ok: true, value: 'sealed' })
    // The seal stays open for the session.
    expect(await store.set('other', 'another-long-key')).toEqual({ ok: true, value: 'sealed' })
    expect(store.isSealed).toBe(false)
    for (const secret of [key, 'another-long-key', phrase]) expect(written(dataDir)).not.toContain(secret)

    const again = await open(dataDir)
    expect([again.isSealed, await again.get('openai'), await again.status('openai')]).toEqual([true, null, null])
    expect(await again.unseal('wrong')).toEqual({ ok: false, fault: { code: 'settings.wrong-pass-phrase', values: {} } })
    expect(await again.unseal(phrase.normalize('NFD'))).toEqual({ ok: true, value: null })
    expect([again.isSealed, await again.get('openai'), await again.get('other')]).toEqual([false, key, 'another-long-key'])
    expect(await again.status('openai')).toEqual({ place: 'sealed', lastFour: 'cdef' })
  })
})

test('R92: a wrong pass phrase for a file that is sealed already saves nothing and changes nothing', async () => {
  const dataDir = scratchFolder()
  await (await open(dataDir)).set('openai', key, 'right')
  const before = written(dataDir)
  const store = await open(dataDir)
  expect(await store.set('openai', 'new key', 'wrong')).toMatchObject({ ok: false, fault: { code: 'settings.wrong-pass-phrase' } })
  expect(written(dataDir)).toBe(before)
  expect(await (await open(scratchFolder())).unseal('x')).toMatchObject({ ok: false, fault: { code: 'settings.nothing-sealed' } })
})

test('R92: a sealed value does not open under another name, nor when a bit of it was changed', async () => {
  const dataDir = scratchFolder()
  const store = await open(dataDir)
  await store.set('one', 'value of one', 'phrase')
  await store.set('two', 'value of two')
  const file = path.join(dataDir, 'secrets.sealed.json')
  const sealed = JSON.parse(readFileSync(file, 'utf8')) as { entries: Record<string, { text: string }> }
  const { one, two } = sealed.entries
  writeFileSync(file, JSON.stringify({ ...sealed, entries: { one: two, two: { ...two, text: `00${two?.text.slice(2)}` }, three: one } }))
  const again = await open(dataDir)
  await again.unseal('phrase')
  expect([await again.get('one'), await again.get('two'), await again.get('three')]).toEqual([null, null, null])
})

test('R92: removing takes a key off the disk, also without the pass phrase', async () => {
  const dataDir = scratchFolder()
  await (await open(dataDir)).set('openai', key, 'phrase')
  await (await open(dataDir, { keychain: fakeKeychain() })).set('openai', key)
  await (await open(dataDir)).remove('openai')
  for (const keychain of [fakeKeychain(), null]) {
    const store = await open(dataDir, { keychain })
    await store.unseal('phrase')
    expect(await store.get('openai')).toBe(null)
  }
})

test('R92: a shut seal names what it holds, until it opens, the key comes from elsewhere or is removed', async () => {
  const dataDir = scratchFolder()
  await (await open(dataDir)).set('openai', key, 'phrase')
  await (await open(dataDir)).set('mcp/tracker/env/TOKEN', 'another-long-key', 'phrase')
  const names = ['openai', 'mcp/tracker/env/TOKEN', 'nobody']
  const lockedIn = (store: Awaited<ReturnType<typeof open>>) => names.filter((name) => store.isLocked(name))
  expect(lockedIn(await open(dataDir, { environment: { openai: 'given' } }))).toEqual(['mcp/tracker/env/TOKEN'])
  const store = await open(dataDir)
  expect(lockedIn(store)).toEqual(['openai', 'mcp/tracker/env/TOKEN'])
  await store.remove('openai')
  expect([lockedIn(store), store.isSealed]).toEqual([['mcp/tracker/env/TOKEN'], true])
  await store.unseal('phrase')
  expect([lockedIn(store), store.isSealed, await store.get('openai'), await store.get('mcp/tracker/env/TOKEN')]).toEqual([[], false, null, 'another-long-key'])
})

test('R92: whoever lost the pass phrase removes what it sealed, and seals anew with another', async () => {
  const dataDir = scratchFolder()
  await (await open(dataDir)).set('openai', key, 'lost')
  const store = await open(dataDir)
  expect((await store.set('openai', 'new-key', 'other')).ok).toBe(false)
  await store.remove('openai')
  expect([store.isSealed, (await open(dataDir)).isSealed]).toEqual([false, false])
  expect(await store.set('openai', 'new-key', 'other')).toEqual({ ok: true, value: 'sealed' })
  const again = await open(dataDir)
  expect([await again.unseal('lost'), await again.unseal('other'), await again.get('openai')]).toEqual([expect.objectContaining({ ok: false }), { ok: true, value: null }, 'new-key'])
})

test('R92: what is removed is forgotten by the redactor too', async () => {
  const store = await open(scratchFolder(), { keychain: fakeKeychain() })
  await store.set('openai', key)
  await store.remove('openai')
  expect(store.known()).toEqual([])
})

test('R92: whatever is held is known to the redactor, the pass phrase too', async () => {
  const dataDir = scratchFolder()
  const store = await open(dataDir, { environment: { given: 'from environment', empty: '' } })
  await store.set('memory', 'in memory')
  await store.set('openai', key, 'the phrase')
  expect([...store.known()].sort()).toEqual(['from environment', 'in memory', key, 'the phrase'].sort())
})

test('R92: of a short key nothing is shown', async () => {
  const store = await open(scratchFolder())
  await store.set('short', 'abcdefgh')
  expect(await store.status('short')).toEqual({ place: 'session', lastFour: '' })
})

test('R92: what a reset keychain does not open is said, and can be entered again', async () => {
  const dataDir = scratchFolder()
  await (await open(dataDir, { keychain: fakeKeychain('old') })).set('openai', key)
  const store = await open(dataDir, { keychain: fakeKeychain('new') })
  expect(store.faults).toEqual([{ code: 'settings.key-lost', values: { name: 'openai' } }])
  expect(await store.set('openai', key)).toEqual({ ok: true, value: 'keychain' })
  expect((await open(dataDir, { keychain: fakeKeychain('new') })).faults).toEqual([])
})

test('a keychain that fails is said; nothing is kept in a worse place unasked', async () => {
  const dataDir = scratchFolder()
  const keychain: Keychain = { ...fakeKeychain(), encrypt: () => { throw new Error('locked') } }
  const store = await open(dataDir, { keychain })
  expect(await store.set('openai', key)).toEqual({ ok: false, fault: { code: 'settings.keychain-failed', values: { problem: 'locked' } } })
  expect(await store.get('openai')).toBe(null)
})

test('R97: a damaged file is said and never written over', async () => {
  const dataDir = scratchFolder()
  for (const name of ['secrets.keychain.json', 'secrets.sealed.json']) writeFileSync(path.join(dataDir, name), '{"v":1,')
  const store = await open(dataDir, { keychain: fakeKeychain() })
  expect(store.faults.map((fault) => fault.code)).toEqual(['settings.secrets-damaged', 'settings.secrets-damaged'])
  expect(await store.set('openai', key)).toMatchObject({ ok: false, fault: { code: 'settings.secrets-damaged' } })
  await expect(store.remove('openai')).rejects.toMatchObject({ fault: { code: 'settings.secrets-damaged' } })
  expect(readFileSync(path.join(dataDir, 'secrets.keychain.json'), 'utf8')).toBe('{"v":1,')
})

test('a data folder that is not there yet is made', async () => {
  const dataDir = path.join(scratchFolder(), 'data')
  const store = await open(dataDir, { keychain: fakeKeychain() })
  expect(await store.set('openai', key)).toMatchObject({ ok: true })
  expect(existsSync(dataDir)).toBe(true)
})
