import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SnapshotStore } from '../../../../src/main/core/ports/snapshotStore'
import { fsck, makeScratch, openStore, restoreTo, scan, type Scratch } from '../../../support/sideRepository'

// The shell scripts of cases/C: each sets a project up, changes it as something outside would, and checks that it is back.

let scratch: Scratch
let store: SnapshotStore

beforeEach(async () => {
  scratch = makeScratch()
  store = await openStore(scratch)
})

afterEach(async () => {
  await store.close()
  fsck(scratch.store)
  scratch.remove()
})

const cases = resolve(import.meta.dirname, '../../../cases/C')

function script(name: string, command: string, folder = scratch.project): { readonly code: number | null; readonly out: string } {
  const ran = spawnSync('bash', [join(cases, `${name}.sh`), command, folder], { encoding: 'utf8' })
  return { code: ran.status, out: ran.stdout }
}

test.each(['c01', 'c06', 'c07', 'c13', 'c14', 'c17', 'c19', 'c24', 'c25', 'c26'])('R78 case %s: what a change did is taken back', async (name) => {
  script(name, 'setup')
  const before = await scan(store)
  script(name, 'mutate')
  if (name !== 'c07') expect(script(name, 'check').code).toBe(1)
  expect(await restoreTo(store, before)).toEqual({})
  expect(script(name, 'check')).toEqual({ code: 0, out: '' })
})

// The script makes 3,000 files with a process each.
test('R80 case c03: dependencies are left out and said, the store stays small, and they are neither emptied nor deleted', async () => {
  script('c03', 'setup')
  const before = await scan(store)
  expect(before.skipped).toEqual([{ path: 'node_modules', reason: 'ignored' }])
  expect((await store.stats()).bytes).toBeLessThan(5_000_000)
  script('c03', 'mutate')
  expect(await restoreTo(store, before)).toEqual({})
  expect(script('c03', 'check')).toEqual({ code: 0, out: '' })
})

test('case c08: nothing outside the opened folder is seen or written', async () => {
  const whole = scratch.project
  script('c08', 'setup')
  await store.close()
  scratch = { ...scratch, project: join(whole, 'frontend') }
  store = await openStore(scratch)
  const before = await scan(store)
  script('c08', 'mutate', whole)
  const now = await scan(store)
  expect((await store.diff(before, now)).map(({ path }) => path)).toEqual(['a'])
  expect(await restoreTo(store, before)).toEqual({})
  expect(script('c08', 'check', whole)).toEqual({ code: 0, out: '' })
})

test('case c26: the settings of the user’s git take no part', async () => {
  script('c26', 'setup')
  const before = await scan(store)
  script('c26', 'mutate')
  expect(await restoreTo(store, before)).toEqual({})
  expect(existsSync(`${scratch.project}.home/ran-pre-commit`)).toBe(false)
  rmSync(`${scratch.project}.home`, { recursive: true })
})
