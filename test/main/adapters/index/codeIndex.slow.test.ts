import * as fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeIndexWorld, type IndexWorld } from '../../../support/indexWorld'

let open: IndexWorld | null = null
afterEach(async () => {
  await open?.close()
  open = null
})

async function indexed(files: Readonly<Record<string, string>>): Promise<IndexWorld> {
  const world = makeIndexWorld(files)
  open = world
  await world.index.open(world.folder)
  await world.ready()
  return world
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 8000; Date.now() < end; ) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  expect(await holds()).toBe(true)
}

test('R98: an edit, a new file, a new folder, a removal and a renaming are seen', async () => {
  const { found, write, project } = await indexed({ 'a.ts': 'const one = 1\n', 'old/b.ts': 'const moved = 1\n' })
  write('a.ts', 'const two = 1\n')
  await until(async () => (await found('two')).length === 1 && (await found('one')).length === 0)
  write('new/deep/c.ts', 'const three = 1\n')
  await until(async () => (await found('three')).length === 1)
  fs.renameSync(path.join(project, 'old'), path.join(project, 'renamed'))
  await until(async () => (await found('moved')).join() === 'renamed/b.ts:1-1 moved')
  fs.rmSync(path.join(project, 'new'), { recursive: true })
  await until(async () => (await found('three')).length === 0)
  write('.gitignore', 'a.ts\n')
  await until(async () => (await found('two')).length === 0)
})

test('R98: what one process writes another one reads, and takes over when it has gone', async () => {
  const world = await indexed({ 'a.ts': 'const needle = 1\n' })
  const reader = world.another()
  await reader.open(world.folder)
  await world.ready(reader)
  expect(await world.found('needle', {}, reader)).toEqual(['a.ts:1-1 needle'])
  await world.index.close()
  world.write('b.ts', 'const later = 1\n')
  await until(async () => (await world.found('later', {}, reader)).length === 1)
})
