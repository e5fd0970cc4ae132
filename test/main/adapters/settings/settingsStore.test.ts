import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../../../support/scratchDatabase'
import { openSettings } from '../../../../src/main/adapters/settings/settingsStore'
import { defaultSettings, type Settings } from '../../../../src/shared/domain/settings'

const provider = { id: 'p', name: 'Mine', baseUrl: 'http://127.0.0.1:1', protocol: 'openai' as const, model: 'm' }
const good: Settings = { ...defaultSettings, locale: 'zh-CN', askingLevel: 'all', maxSteps: 7, providers: [provider], activeProvider: 'p' }

const fileIn = (folder = scratchFolder()) => path.join(folder, 'settings.json')
const lastGoodOf = (file: string) => path.join(path.dirname(file), 'settings.last-good.json')
const asideOf = (file: string) => readdirSync(path.dirname(file)).filter((name) => name.includes('.damaged-'))

/** A folder whose settings were saved once and are damaged now. */
async function damaged(content: string) {
  const file = fileIn()
  await openSettings(file).change(good)
  writeFileSync(file, content)
  return { file, store: openSettings(file) }
}

test('R86: a first start has the defaults and writes nothing', async () => {
  const file = fileIn()
  expect(await openSettings(file).read()).toEqual({ settings: defaultSettings, faults: [] })
  expect(readdirSync(path.dirname(file))).toEqual([])
})

test('what is changed is there after a restart, for its owner alone, with the last good copy beside it', async () => {
  const file = fileIn()
  expect(await openSettings(file).change({ theme: 'light' })).toEqual({ ok: true, value: { ...defaultSettings, theme: 'light' } })
  expect(await openSettings(file).change({ maxSteps: 9 })).toEqual({ ok: true, value: { ...defaultSettings, theme: 'light', maxSteps: 9 } })
  expect(await openSettings(file).read()).toEqual({ settings: { ...defaultSettings, theme: 'light', maxSteps: 9 }, faults: [] })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'light', maxSteps: 9 })
  expect(readFileSync(lastGoodOf(file), 'utf8')).toBe(readFileSync(file, 'utf8'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('comments, unknown fields and the order of a hand-written file survive a change', async () => {
  const file = fileIn()
  writeFileSync(file, '// mine\n{\n  "future": {"a": [1, 2]}, // keep\n  "maxSteps": 5,\n  "theme": "dark",\n}\n')
  await openSettings(file).change({ maxSteps: 6 })
  expect(readFileSync(file, 'utf8')).toBe('// mine\n{\n  "future": {"a": [1, 2]}, // keep\n  "maxSteps": 6,\n  "theme": "dark",\n}\n')
})

describe('i02: a bad value', () => {
  test('falls back alone, to the last good one, and is named with its place', async () => {
    const { file, store } = await damaged('{\n  "locale": "en",\n  "askingLevel": "never",\n  "maxSteps": "many"\n}')
    expect(await store.read()).toEqual({
      settings: { ...defaultSettings, locale: 'en', askingLevel: 'all', maxSteps: 7 },
      faults: [
        { code: 'settings.bad-value', values: { file, field: 'askingLevel', line: 3, column: 18, used: '"all"' } },
        { code: 'settings.bad-value', values: { file, field: 'maxSteps', line: 4, column: 15, used: '7' } },
      ],
    })
  })

  test('of a list falls away alone, and a change does not throw it away', async () => {
    const file = fileIn()
    writeFileSync(file, JSON.stringify({ providers: [{ ...provider, baseUrl: 5 }, provider] }))
    const store = openSettings(file)
    const { settings, faults } = await store.read()
    expect(settings.providers).toEqual([provider])
    expect(faults).toMatchObject([{ code: 'settings.bad-entry', values: { field: 'providers', line: 1, column: 15 } }])
    await store.change({ providers: [{ ...provider, name: 'New' }] })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ providers: [{ ...provider, name: 'New' }, { ...provider, baseUrl: 5 }] })
  })

  test('stays in the file when another field is changed', async () => {
    const { file, store } = await damaged('{"maxSteps": "many"}')
    expect(await store.change({ theme: 'dark' })).toMatchObject({ ok: true, value: { theme: 'dark', maxSteps: 7 } })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ maxSteps: 'many', theme: 'dark' })
  })
})

describe('i02: a file that cannot be read', () => {
  const half = `${JSON.stringify(good, null, 2).slice(0, 120)}`

  test.each([['its first half', half], ['null', 'null'], ['a list', '[]'], ['a word', 'hello']])('%s: the last good settings are in use, the file is left alone and cannot be changed over', async (_, content) => {
    const { file, store } = await damaged(content)
    utimesSync(lastGoodOf(file), new Date(2020, 1, 3, 9, 12), new Date(2020, 1, 3, 9, 12))
    const { settings, faults } = await store.read()
    expect(settings).toEqual(good)
    expect(faults).toMatchObject([{ code: 'settings.unreadable', values: { file, lastGood: lastGoodOf(file), time: '2020-02-03 09:12' } }])
    expect(await store.change({ theme: 'dark' })).toEqual({ ok: false, fault: faults[0] })
    expect(readFileSync(file, 'utf8')).toBe(content)
    const [aside = ''] = asideOf(file)
    expect(readFileSync(path.join(path.dirname(file), aside), 'utf8')).toBe(content)
    await store.read()
    expect(asideOf(file)).toHaveLength(1)
  })

  test('names the line and column where it breaks', async () => {
    const { store } = await damaged('{\n  "maxSteps": 5,\n  "theme" "dark"\n}')
    expect((await store.read()).faults).toMatchObject([{ code: 'settings.unreadable', values: { line: 3, column: 11 } }])
  })

  test.each([['0 bytes', ''], ['4096 NUL bytes', '\u0000'.repeat(4096)], ['blanks', ' \n']])('%s: nothing of the user is in it, so the next change writes the last good settings anew', async (_, content) => {
    const { file, store } = await damaged(content)
    const { settings, faults } = await store.read()
    expect({ settings, codes: faults.map((fault) => fault.code) }).toEqual({ settings: good, codes: ['settings.empty'] })
    expect(await store.change({ theme: 'dark' })).toEqual({ ok: true, value: { ...good, theme: 'dark' } })
    expect(await openSettings(file).read()).toEqual({ settings: { ...good, theme: 'dark' }, faults: [] })
    expect(asideOf(file)).toHaveLength(1)
  })

  test('without a last good copy the defaults are in use, and that is said', async () => {
    for (const [content, code] of [['{', 'settings.unreadable-default'], ['', 'settings.empty-default']] as const) {
      const { file, store } = await damaged(content)
      rmSync(lastGoodOf(file))
      expect(await store.read()).toMatchObject({ settings: defaultSettings, faults: [{ code }] })
    }
  })

  test('mended by hand it is good again', async () => {
    const { file, store } = await damaged('{')
    writeFileSync(file, '{"maxSteps": 3}')
    expect(await store.read()).toEqual({ settings: { ...defaultSettings, maxSteps: 3 }, faults: [] })
    expect(JSON.parse(readFileSync(lastGoodOf(file), 'utf8'))).toEqual({ maxSteps: 3 })
  })
})

test('two changes at once both count', async () => {
  const file = fileIn()
  const [one, other] = [openSettings(file), openSettings(file)]
  await Promise.all([one.change({ theme: 'dark' }), other.change({ locale: 'en' }), one.change({ maxSteps: 3 })])
  expect((await one.read()).settings).toMatchObject({ theme: 'dark', locale: 'en', maxSteps: 3 })
})

test('a value that is not valid is refused and nothing is written', async () => {
  const file = fileIn()
  expect(await openSettings(file).change({ maxSteps: 0 })).toMatchObject({ ok: false, fault: { code: 'settings.not-valid', values: { field: 'maxSteps' } } })
  expect(existsSync(file)).toBe(false)
})

test('a folder that cannot be written is a fault in words', async () => {
  const folder = scratchFolder()
  writeFileSync(path.join(folder, 'data'), '')
  const file = path.join(folder, 'data', 'settings.json')
  expect(await openSettings(file).change({ maxSteps: 3 })).toMatchObject({ ok: false, fault: { code: 'settings.not-saved', values: { file } } })
})
