import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openModelLists } from '../../../../src/main/adapters/settings/modelLists'

let folder = ''
beforeEach(async () => { folder = await mkdtemp(path.join(tmpdir(), 'lists-')) })
afterEach(() => rm(folder, { recursive: true, force: true }))

const model = (id: string) => ({ id, windowTokens: 8192, seesImages: null })

test('R86 lists that came are there after a restart, with when they came; two that come at once are both kept', async () => {
  const file = path.join(folder, 'data', 'model-lists.json')
  expect(await openModelLists(file).read()).toEqual({})
  const lists = openModelLists(file)
  await Promise.all([lists.keep('https://a.example/v1', { atMs: 5, models: [model('a')] }), lists.keep('https://b.example/v1', { atMs: 6, models: [] })])
  await lists.keep('https://a.example/v1', { atMs: 7, models: [model('a'), model('a2')] })
  expect(await openModelLists(file).read()).toEqual({ 'https://a.example/v1': { atMs: 7, models: [model('a'), model('a2')] }, 'https://b.example/v1': { atMs: 6, models: [] } })
})

test('R86 a damaged file counts as none and is replaced; the oldest lists go; what cannot be written is done without', async () => {
  const file = path.join(folder, 'model-lists.json')
  await writeFile(file, '{"version":1,"lists":{"https://a.example":{"atMs":"x"}}}')
  expect(await openModelLists(file).read()).toEqual({})
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`https://h${at}.example`, { atMs: at, models: [] }]))
  await writeFile(file, JSON.stringify({ version: 1, lists: many }))
  await openModelLists(file).keep('https://new.example', { atMs: 99, models: [model('n')] })
  const kept = Object.keys(await openModelLists(file).read())
  expect([kept.length, kept.includes('https://h0.example'), kept.includes('https://new.example')]).toEqual([50, false, true])
  await writeFile(path.join(folder, 'plain'), '')
  await openModelLists(path.join(folder, 'plain', 'model-lists.json')).keep('https://a.example', { atMs: 1, models: [] })
  expect(await readFile(path.join(folder, 'plain'), 'utf8')).toBe('')
})
