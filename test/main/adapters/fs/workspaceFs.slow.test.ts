import { spawn } from 'node:child_process'
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WorkspaceFs } from '../../../../src/main/core/ports/workspaceFs'
import { openWorkspaceFs } from '../../../../src/main/adapters/fs/workspaceFs'
import { actingHere, type Acting } from '../../../../src/main/native/safeFolder'
import { openRoot } from '../../../../src/main/native/safePath'
import type { Result } from '../../../../src/shared/domain/result'
import { makePathWorld, portrait, type PathWorld } from '../../../support/pathWorld'

let world: PathWorld
const ways: readonly Acting[] = actingHere() === 'descriptor' ? ['descriptor', 'path'] : ['path']

beforeEach(() => {
  world = makePathWorld()
  mkdirSync(join(world.root, 'src'))
  writeFileSync(join(world.root, 'src/a.txt'), 'old')
  mkdirSync(world.outside)
  writeFileSync(join(world.outside, 'a.txt'), 'outside')
})

afterEach(() => {
  world.remove()
})

function open(acting: Acting): WorkspaceFs {
  const root = openRoot(world.root, acting)
  if (!root.ok) throw new Error(root.fault.code)
  return openWorkspaceFs(root.value, { guarded: [world.appData] })
}

const bytes = (text: string): Uint8Array => Buffer.from(text)
const code = (result: Result<unknown>): string => (result.ok ? 'done' : result.fault.code)
const inside = (path: string): string => join(world.root, path)

async function hashOf(fs: WorkspaceFs, path: string): Promise<string> {
  const content = await fs.read(await fs.locate(path, 'read'), 1000)
  if (!content.ok) throw new Error(content.fault.code)
  return content.value.hash
}

describe.each(ways)('acting by %s', (acting) => {
  test('R65: a write keeps the bits of the file, makes missing folders, and leaves nothing beside it', async () => {
    const fs = open(acting)
    chmodSync(inside('src/a.txt'), 0o750)
    const base = await hashOf(fs, 'src/a.txt')
    expect(code(await fs.write(await fs.locate('src/a.txt', 'write'), bytes('new'), base))).toBe('done')
    expect([readFileSync(inside('src/a.txt'), 'utf8'), statSync(inside('src/a.txt')).mode & 0o777]).toEqual(['new', 0o750])
    expect(await fs.write(await fs.locate('x/y/z.txt', 'create'), bytes('z'), null)).toEqual({ ok: true, value: { hash: await hashOf(fs, 'x/y/z.txt') } })
    expect([readdirSync(inside('x/y')), readdirSync(inside('src'))]).toEqual([['z.txt'], ['a.txt']])
  })

  test('R103: a write is refused when the content is not the approved one', async () => {
    const fs = open(acting)
    const base = await hashOf(fs, 'src/a.txt')
    const facts = await fs.locate('src/a.txt', 'write')
    writeFileSync(inside('src/a.txt'), 'mine')
    expect(code(await fs.write(facts, bytes('new'), base))).toBe('path.stale')
    expect(code(await fs.write(await fs.locate('src/a.txt', 'write'), bytes('new'), null))).toBe('path.exists')
    const missing = await fs.locate('src/b.txt', 'create')
    writeFileSync(inside('src/b.txt'), 'mine')
    expect(code(await fs.write(missing, bytes('new'), null))).toBe('path.stale')
    rmSync(inside('src/b.txt'))
    expect(code(await fs.write(await fs.locate('src/b.txt', 'write'), bytes('new'), base))).toBe('path.stale')
    expect([readFileSync(inside('src/a.txt'), 'utf8'), readdirSync(inside('src'))]).toEqual(['mine', ['a.txt']])
  })

  test('R65: an edited hard link parts from its other name', async () => {
    const fs = open(acting)
    linkSync(join(world.outside, 'a.txt'), inside('hard'))
    expect(code(await fs.write(await fs.locate('hard', 'write'), bytes('new'), await hashOf(fs, 'hard')))).toBe('done')
    expect(readFileSync(join(world.outside, 'a.txt'), 'utf8')).toBe('outside')
  })

  test('R65: a folder is deleted with all it holds, links in it are not followed', async () => {
    const fs = open(acting)
    mkdirSync(inside('src/deep/er'), { recursive: true })
    writeFileSync(inside('src/deep/er/f'), 'x')
    symlinkSync(world.outside, inside('src/deep/out'))
    expect(code(await fs.remove(await fs.locate('src', 'delete'), null))).toBe('done')
    expect([existsSync(inside('src')), readFileSync(join(world.outside, 'a.txt'), 'utf8')]).toEqual([false, 'outside'])
    expect(code(await fs.remove(await fs.locate('.', 'delete'), null))).toBe('path.root')
    expect(code(await fs.remove(await fs.locate('none', 'delete'), null))).toBe('path.missing')
  })

  test('R65: a move never replaces, and takes a link as it is', async () => {
    const fs = open(acting)
    const move = async (from: string, to: string): Promise<string> => code(await fs.move(await fs.locate(from, 'rename'), await fs.locate(to, 'rename')))
    symlinkSync(join(world.outside, 'a.txt'), inside('link'))
    writeFileSync(inside('b.txt'), 'b')
    expect(await move('src/a.txt', 'b.txt')).toBe('path.exists')
    expect(await move('src', 'src/sub')).toBe('path.into-itself')
    expect(await move('none', 'n')).toBe('path.missing')
    expect(await move('link', 'l/moved')).toBe('done')
    expect([readlinkSync(inside('l/moved')), existsSync(inside('link'))]).toEqual([join(world.outside, 'a.txt'), false])
    expect(await move('src/a.txt', 'c/d.txt')).toBe('done')
    expect(await move('src', 'lib')).toBe('done')
    expect([readFileSync(inside('c/d.txt'), 'utf8'), readdirSync(world.root).sort()]).toEqual(['old', ['b.txt', 'c', 'l', 'lib']])
    const target = await fs.locate('new.txt', 'rename')
    writeFileSync(inside('new.txt'), 'mine')
    expect(code(await fs.move(await fs.locate('b.txt', 'rename'), target))).toBe('path.exists')
    expect([readFileSync(inside('new.txt'), 'utf8'), lstatSync(inside('b.txt')).nlink]).toEqual(['mine', 1])
  })

  test('R65: a listing names links and special files and follows neither', async () => {
    const fs = open(acting)
    symlinkSync(world.outside, inside('src/out'))
    mkdirSync(inside('src/dir'))
    expect(await fs.list(await fs.locate('src', 'list'))).toEqual({
      ok: true,
      value: [{ name: 'a.txt', kind: 'file', sizeBytes: 3 }, { name: 'dir', kind: 'folder', sizeBytes: 0 }, { name: 'out', kind: 'link', sizeBytes: 0 }],
    })
    expect(code(await fs.list(await fs.locate('src/a.txt', 'list')))).toBe('path.not-folder')
    expect(code(await fs.list(await fs.locate('none', 'list')))).toBe('path.missing')
    expect(code(await fs.list(await fs.locate('..', 'list')))).toBe('path.outside')
  })

  test('R65: nothing is ever done outside the root, whatever was judged', async () => {
    const fs = open(acting)
    const before = portrait(world.dir, world.root)
    const file = await fs.locate('../outside/a.txt', 'write')
    const results = [await fs.read(file, 100), await fs.write(file, bytes('x'), null), await fs.remove(file, null), await fs.makeFolder(await fs.locate('../outside/n', 'mkdir')), await fs.move(file, await fs.locate('got', 'rename'))]
    expect(results.map(code)).toEqual(['path.outside', 'path.outside', 'path.outside', 'path.outside', 'path.outside'])
    expect(portrait(world.dir, world.root)).toBe(before)
  })

  test('R65: the first swap of a folder for a link while a write waits is answered with "moved"', async () => {
    const fs = open(acting)
    const facts = await fs.locate('src/a.txt', 'write')
    const base = await hashOf(fs, 'src/a.txt')
    const fresh = await fs.locate('src/new/b.txt', 'create')
    renameSync(inside('src'), inside('old'))
    symlinkSync(world.outside, inside('src'))
    expect(code(await fs.write(facts, bytes('new'), base))).toBe('path.moved')
    expect(code(await fs.write(fresh, bytes('new'), null))).toBe('path.moved')
    rmSync(inside('src'))
    mkdirSync(inside('src'))
    expect(code(await fs.write(facts, bytes('new'), base))).toBe('path.moved')
    expect([readdirSync(world.outside), readFileSync(join(world.outside, 'a.txt'), 'utf8')]).toEqual([['a.txt'], 'outside'])
  })

  test('R65: reading stops at the limit', async () => {
    const fs = open(acting)
    const facts = await fs.locate('src/a.txt', 'read')
    expect(await fs.read(facts, 2)).toEqual({ ok: false, fault: { code: 'path.too-large', values: { path: 'src/a.txt', sizeBytes: 3, limitBytes: 2 } } })
    expect(code(await fs.read(facts, 3))).toBe('done')
  })
})

const swapper = `
const fs = require('node:fs'); const [src, real, outside] = process.argv.slice(1)
process.stdout.write('go\\n')
let swaps = 0
const end = () => { process.stdout.write(String(swaps) + '\\n', () => process.exit(0)) }
process.on('SIGTERM', end)
const turn = () => {
  for (let n = 0; n < 4; n += 1) {
    fs.renameSync(src, real)
    // A write that finds no folder at this moment makes one: inside the project, so that is fine.
    fs.rmSync(src, { recursive: true, force: true, maxRetries: 9 })
    try { fs.symlinkSync(outside, src); fs.unlinkSync(src) } catch (error) { if (error.code !== 'EEXIST') throw error; fs.rmSync(src, { recursive: true, force: true, maxRetries: 9 }) }
    try { fs.renameSync(real, src) } catch (error) { if (error.code !== 'ENOTEMPTY') throw error; fs.rmSync(src, { recursive: true, force: true, maxRetries: 9 }); fs.renameSync(real, src) }
    swaps += 1
  }
  setTimeout(turn, 1)
}
turn()
`

test.runIf(actingHere() === 'descriptor')('R65: E02, two hundred approved writes while the folder is swapped for a link about a thousand times a second', async () => {
  const fs = open('descriptor')
  const child = spawn(process.execPath, ['-e', swapper, inside('src'), inside('real'), world.outside], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (text: Buffer) => (said += text.toString()))
  await once(child.stdout, 'data')
  const answers = new Map<string, number>()
  let base: string | null = null
  for (let n = 0; n < 200; n += 1) {
    const facts = await fs.locate('src/a.txt', 'write')
    if (facts.relative === null || facts.kind !== 'file') continue
    const content: Awaited<ReturnType<typeof fs.read>> = await fs.read(facts, 1000)
    base = content.ok ? content.value.hash : base
    const answer = code(await fs.write(facts, bytes(`write ${n}`), base))
    const made = code(await fs.write(await fs.locate(`src/new${n}.txt`, 'create'), bytes('n'), null))
    for (const each of [answer, made]) answers.set(each, (answers.get(each) ?? 0) + 1)
  }
  child.kill('SIGTERM')
  await ended
  expect(readdirSync(world.outside)).toEqual(['a.txt'])
  expect(readFileSync(join(world.outside, 'a.txt'), 'utf8')).toBe('outside')
  expect(Number(said.split('\n')[1])).toBeGreaterThan(100)
  expect([...answers.keys()].filter((key) => !['done', 'path.moved', 'path.stale', 'path.missing', 'path.outside', 'path.unreadable', 'path.exists'].includes(key))).toEqual([])
  expect(readdirSync(inside('src')).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
