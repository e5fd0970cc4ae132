import * as fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
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

describe('what is found (R98, R99)', () => {
  test('identifiers by their parts, English by stems, Chinese by words, mixed and emoji; with lines and symbol', async () => {
    const { found } = await indexed({
      'src/user.ts': 'export function getUserName(id: string): string {\n  return id\n}\n',
      'docs/部署.md': '# 部署\n\n## 回滚\n出现故障时先回滚到上一个版本，再排查原因。\n',
      'docs/guide.md': 'intro\n\n# Deploying\nThe servers are deployed twice a day 🚀.\n',
      'lib/a.py': 'class Cache:\n    def evict(self):\n        pass\n',
    })
    expect(await found('user name')).toEqual(['src/user.ts:1-3 getUserName'])
    expect(await found('getUserName')).toEqual(['src/user.ts:1-3 getUserName'])
    expect(await found('deploy')).toEqual(['docs/guide.md:3-4 Deploying'])
    expect(await found('回滚')).toEqual(['docs/部署.md:1-4 部署 › 回滚'])
    expect((await found('how to 部署 servers')).sort()).toEqual(['docs/guide.md:3-4 Deploying', 'docs/部署.md:1-4 部署 › 回滚'])
    expect(await found('🚀')).toEqual(['docs/guide.md:3-4 Deploying'])
    expect(await found('cache evict')).toEqual(['lib/a.py:1-3 Cache'])
    expect(await found('" OR * NOT () :')).toEqual([])
  })

  test('filters by glob, language and time; a bad glob is said', async () => {
    const { found, project } = await indexed({ 'a/x.ts': 'const needle = 1\n', 'b/x.tsx': 'const needle = 2\n', 'b/y.md': 'needle\n' })
    fs.utimesSync(path.join(project, 'a/x.ts'), new Date(1000), new Date(1000))
    await until(async () => !(await found('needle', { changedSinceMs: 5000 })).some((hit) => hit.startsWith('a/x.ts')))
    expect((await found('needle', { path: 'b/**' })).sort()).toEqual(['b/x.tsx:1-1 needle', 'b/y.md:1-1'])
    expect((await found('needle', { language: 'TypeScript' })).sort()).toEqual(['a/x.ts:1-1 needle', 'b/x.tsx:1-1 needle'])
    expect(await found('needle', { language: 'klingon' })).toEqual([])
    await expect(found('needle', { path: '{a' })).rejects.toMatchObject({ fault: { code: 'search.bad-glob' } })
  })

  test('R67: never links, second names, secrets, ignored, binary, minified or large files, nor the data of the app', async () => {
    const world = makeIndexWorld({
      '.gitignore': 'ignored/\n*.gen.ts\n!kept.gen.ts\n',
      'ok.ts': 'needle\n', 'kept.gen.ts': 'needle\n', 'a.gen.ts': 'needle\n', 'ignored/a.ts': 'needle\n',
      '.env': 'needle\n', 'id_rsa': 'needle\n', 'secrets.json': '"needle"', '.git/config': 'needle\n', '.vscode/tasks.json': '"needle"',
      'node_modules/x/index.js': 'needle\n', 'package.json': '{ "needle": 1 }', 'dist/out.js': 'needle\n', 'sub/.gitignore': '*\n', 'sub/a.ts': 'needle\n',
      'min.js': `needle;${'a=1;'.repeat(3000)}\n`, 'large.ts': `needle\n${'x\n'.repeat(1_100_000)}`, 'package-lock.json': '"needle"',
    })
    open = world
    world.write('binary.ts', Buffer.from('needle\0'))
    world.write('latin.ts', Buffer.from('needle \xe4\xf6\xfc\n', 'latin1'))
    world.write('stray.ts', Buffer.concat([Buffer.from('needle\n'), Buffer.from([0xe5, 0x9b])]))
    fs.symlinkSync(path.join(world.project, 'ok.ts'), path.join(world.project, 'link.ts'))
    fs.symlinkSync(world.dataFolder, path.join(world.project, 'linked'))
    fs.writeFileSync(path.join(world.dataFolder, 'note.md'), 'needle\n')
    fs.linkSync(path.join(world.dataFolder, 'note.md'), path.join(world.project, 'second-name.md'))
    fs.linkSync(path.join(world.project, '.env'), path.join(world.project, 'second-name.txt'))
    await world.index.open(world.folder)
    await world.ready()
    expect((await world.found('needle')).sort()).toEqual(['.vscode/tasks.json:1-1', 'kept.gen.ts:1-1', 'ok.ts:1-1', 'package.json:1-1', 'stray.ts:1-2'])
  })
})

describe('kept current (R98)', () => {
  test('the text of a hit is that of the moment: moved lines are found again, changed ones are dropped', async () => {
    const { found, write, project } = await indexed({ 'doc.md': `# A\nneedle here\n\n# B\n${'other '.repeat(30)}\n` })
    // A file that the index has not read again: its times say that nothing changed.
    const stats = fs.statSync(path.join(project, 'doc.md'))
    expect(await found('needle')).toEqual(['doc.md:1-2 A'])
    write('doc.md', `intro\n\n# A\nneedle here\n\n# B\n${'other '.repeat(30)}\n`)
    fs.utimesSync(path.join(project, 'doc.md'), stats.atime, stats.mtime)
    expect(await found('needle')).toEqual(['doc.md:3-4 A'])
    write('doc.md', '# A\nsomething else\n')
    expect(await found('needle')).toEqual([])
  })

  test('a second start reads only what changed meanwhile', async () => {
    const world = await indexed({ 'a.ts': 'const one = 1\n', 'b.ts': 'const two = 1\n', 'c.ts': 'const three = 1\n' })
    await world.index.close()
    fs.rmSync(path.join(world.project, 'c.ts'))
    world.write('b.ts', 'const four = 1\n')
    const index = world.another()
    await index.open(world.folder)
    await world.ready(index)
    expect([await world.found('one', {}, index), await world.found('two', {}, index), await world.found('four', {}, index), await world.found('three', {}, index)]).toEqual([['a.ts:1-1 one'], [], ['b.ts:1-1 four'], []])
    expect(index.state()).toMatchObject({ files: 2, chunks: 2, skipped: 0, fault: null })
  })

  test('folders are switched cleanly, and one another does not see', async () => {
    const world = await indexed({ 'one/a.ts': 'const needle = 1\n', 'two/b.ts': 'const needle = 2\n' })
    await world.index.open({ ...world.folder, root: path.join(world.project, 'two') })
    await until(async () => (await world.found('needle')).join() === 'b.ts:1-1 needle')
    await world.index.open(null)
    expect([await world.found('needle'), world.index.state().phase]).toEqual([[], 'off'])
  })

  test('a folder that is not there is said, and closing in the middle of work leaves nothing open', async () => {
    const world = makeIndexWorld(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}.ts`, `const n${at} = 1\n`.repeat(100)])))
    open = world
    await world.index.open({ ...world.folder, root: path.join(world.project, 'missing') })
    await world.until(({ phase }) => phase === 'failed')
    await world.index.open(world.folder)
    await world.until(({ phase }) => phase === 'indexing')
    await world.index.close()
    expect(world.index.state().phase).toBe('off')
  })
})

describe('the cache', () => {
  test('a damaged one, and one of another version, are made anew', async () => {
    const world = await indexed({ 'a.ts': 'const needle = 1\n' })
    await world.index.close()
    fs.writeFileSync(world.cacheFile, 'no database at all '.repeat(500))
    const index = world.another()
    await index.open(world.folder)
    await world.ready(index)
    expect(await world.found('needle', {}, index)).toEqual(['a.ts:1-1 needle'])
  })

  test('is thrown away and built anew on demand, and holds no text of files', async () => {
    const world = await indexed({ 'a.ts': 'const needle = "some unusual sentence"\n' })
    await world.index.rebuild()
    await world.ready()
    expect(await world.found('needle')).toEqual(['a.ts:1-1 needle'])
    await world.index.close()
    expect(fs.readFileSync(world.cacheFile).includes('some unusual sentence')).toBe(false)
  })
})
