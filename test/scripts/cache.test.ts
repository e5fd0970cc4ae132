import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cacheRoot, inCache } from '../../scripts/cache.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'countersign-cache-'))
  vi.stubEnv('COUNTERSIGN_CACHE_DIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const entry = (): string => path.join(folder, 'thing')
const find = (): string | undefined => (existsSync(entry()) ? entry() : undefined)
const make = (scratch: string): Promise<void> => {
  writeFileSync(path.join(scratch, 'thing'), 'whole')
  renameSync(path.join(scratch, 'thing'), entry())
  return Promise.resolve()
}

test('the cache lies where the variable says, else in the user’s cache folder', () => {
  expect(cacheRoot()).toBe(folder)
  vi.stubEnv('COUNTERSIGN_CACHE_DIR', '')
  vi.stubEnv('XDG_CACHE_HOME', '/xdg')
  expect(cacheRoot()).toBe('/xdg/countersign-dev')
  vi.stubEnv('XDG_CACHE_HOME', '')
  expect(cacheRoot()).toBe(path.join(os.homedir(), '.cache/countersign-dev'))
})

test('an entry is made once', async () => {
  let times = 0
  const count = (scratch: string): Promise<void> => {
    times++
    return make(scratch)
  }
  expect([await inCache(find, count), await inCache(find, count), times]).toEqual([entry(), entry(), 1])
})

test('what a killed run left behind is removed, the rest stays', async () => {
  mkdirSync(path.join(folder, 'tmp-999999-abc/half'), { recursive: true })
  mkdirSync(path.join(folder, 'other'))
  await inCache(find, make)
  expect(readdirSync(folder).sort()).toEqual(['other', 'thing'])
})

test('a failed attempt leaves nothing that could be taken for an entry', async () => {
  const half = (scratch: string): Promise<void> => {
    writeFileSync(path.join(scratch, 'thing'), 'ha')
    return Promise.reject(new Error('the network went away'))
  }
  await expect(inCache(find, half)).rejects.toThrow('the network went away')
  expect(readdirSync(folder)).toEqual([])
})
