import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRipgrep } from '../../../../src/main/adapters/search/ripgrep'
import { makeTextSearch } from '../../../../src/main/adapters/search/textSearch'
import { secretGlobs } from '../../../../src/main/core/policy/protectedPaths'
import type { TextQuery } from '../../../../src/main/core/ports/textSearch'

const files: Readonly<Record<string, string>> = {
  '.gitignore': 'dist/\n*.gen.ts\n',
  '.hidden/a.ts': 'needle hidden\n',
  '.git/config': 'needle in git\n',
  '.env': 'NEEDLE=1\nneedle secret\n',
  'a.ts': 'first\nneedle one\r\nNeedle two\n',
  'b.gen.ts': 'needle generated\n',
  'dist/out.js': 'needle built\n',
  'src/.gitignore': '/local.ts\n!kept.gen.ts\n',
  'src/c.js': '  needle.three()\n署 needle 署\n',
  'src/kept.gen.ts': 'needle kept\n',
  'src/local.ts': 'needle local\n',
  'src/secrets/token': 'needle token\n',
  'src/deep/-d.ts': 'needle dash\n',
}

let root: string
beforeAll(() => {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'search-')))
  root = path.join(base, 'project')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  writeFileSync(path.join(root, 'binary.bin'), Buffer.from('needle\0needle\n'))
  writeFileSync(path.join(root, 'long.txt'), `needle ${'署'.repeat(1000)}\n`)
  writeFileSync(path.join(base, 'outside.ts'), 'needle outside\n')
  symlinkSync('../outside.ts', path.join(root, 'link.ts'))
  symlinkSync('..', path.join(root, 'up'))
})
afterAll(() => rmSync(path.dirname(root), { recursive: true, force: true }))

const never = new AbortController().signal

describe.each([
  ['ripgrep', findRipgrep],
  ['the own walk', () => Promise.resolve(null)],
] as const)('search by %s', (name, find) => {
  const search = makeTextSearch(find)
  const query = (more: Partial<TextQuery>): TextQuery => ({ root, pattern: 'needle', isLiteral: false, ignoreCase: false, under: root, maxHits: 100, exclude: [], ...more })
  const places = async (more: Partial<TextQuery>): Promise<unknown> => {
    const found = await search.text(query(more), never)
    return found.ok ? found.value.hits.map((hit) => `${hit.path}:${hit.line}`) : found.fault
  }

  test('it is really there', async () => {
    if (name === 'ripgrep') expect(await findRipgrep()).toMatch(/rg(?:\.exe)?$/)
  })

  test('finds in path order, hidden files too; not what is ignored, linked, binary, or the inside of .git', async () => {
    expect(await places({})).toEqual([
      '.env:2', '.hidden/a.ts:1', 'a.ts:2', 'long.txt:1', 'src/c.js:1', 'src/c.js:2', 'src/deep/-d.ts:1', 'src/kept.gen.ts:1', 'src/secrets/token:1',
    ])
  })

  test('leaves out files that may hold secrets', async () => {
    const found = await search.text(query({ exclude: secretGlobs }), never)
    expect(found.ok && found.value.hits.filter((hit) => /\.env|secrets/.test(hit.path))).toEqual([])
  })

  test('gives the line without its end; of a long line the beginning', async () => {
    const found = await search.text(query({ under: path.join(root, 'a.ts') }), never)
    expect(found).toEqual({ ok: true, value: { hits: [{ path: 'a.ts', line: 2, text: 'needle one' }], isCut: false } })
    const long = await search.text(query({ under: 'long.txt' }), never)
    const text = long.ok ? (long.value.hits[0]?.text ?? '') : ''
    expect([text.startsWith('needle 署署'), text.length < 450, text.endsWith('署 [... omitted end of long line]')]).toEqual([true, true, true])
  })

  test('takes text literally, and without case, when asked', async () => {
    expect(await places({ pattern: 'needle.three()', isLiteral: true })).toEqual(['src/c.js:1'])
    expect(await places({ pattern: 'needle two', ignoreCase: true })).toEqual(['a.ts:3'])
    expect(await places({ pattern: '-needle', isLiteral: true })).toEqual([])
    expect(await places({ pattern: '(?<=署 )needle' })).toEqual(['src/c.js:2'])
  })

  test('a glob narrows, and lifts no ignore file', async () => {
    expect(await places({ glob: '*.ts' })).toEqual(['.hidden/a.ts:1', 'a.ts:2', 'src/deep/-d.ts:1', 'src/kept.gen.ts:1'])
    expect(await places({ glob: 'src/*.js' })).toEqual(['src/c.js:1', 'src/c.js:2'])
    expect(await places({ glob: '*.js', under: path.join(root, 'src') })).toEqual(['src/c.js:1', 'src/c.js:2'])
    expect(await places({ glob: 'deep/**', under: path.join(root, 'src') })).toEqual(['src/deep/-d.ts:1'])
    expect(await places({ glob: '[' })).toMatchObject({ code: 'search.bad-glob' })
  })

  test('a part of the project can be searched', async () => {
    expect(await places({ under: path.join(root, 'src/deep') })).toEqual(['src/deep/-d.ts:1'])
    expect(await places({ under: 'no-such-folder' })).toEqual([])
  })

  test('hits are bounded, and that is said', async () => {
    const found = await search.text(query({ maxHits: 2 }), never)
    expect(found.ok && { count: found.value.hits.length, isCut: found.value.isCut }).toEqual({ count: 2, isCut: true })
    const all = await search.text(query({ maxHits: 9 }), never)
    expect(all.ok && { count: all.value.hits.length, isCut: all.value.isCut }).toEqual({ count: 9, isCut: false })
  })

  test('a pattern that is none is told of in one sentence', async () => {
    expect(await places({ pattern: '(needle' })).toMatchObject({ code: 'search.bad-pattern', values: { pattern: '(needle', problem: expect.stringMatching(/unclosed group|Unterminated group/) } })
    expect(await places({ pattern: '(needle', isLiteral: true })).toEqual([])
  })

  test('a file that cannot be read does not keep back the others', async () => {
    chmodSync(path.join(root, '.hidden'), 0o000)
    const found = await places({ glob: 'a.ts' })
    chmodSync(path.join(root, '.hidden'), 0o755)
    expect(found).toContain('a.ts:2')
  })

  test('files are found by name, in order, bounded', async () => {
    const list = async (glob: string, max = 100, under = root) => {
      const found = await search.files({ root, under, glob, max }, never)
      return found.ok ? found.value : found.fault
    }
    expect(await list('*.ts')).toEqual({ paths: ['.hidden/a.ts', 'a.ts', 'src/deep/-d.ts', 'src/kept.gen.ts'], isCut: false })
    expect(await list('**/deep/*', 100, path.join(root, 'src'))).toEqual({ paths: ['src/deep/-d.ts'], isCut: false })
    expect(await list('*', 3)).toMatchObject({ isCut: true, paths: { length: 3 } })
    expect(await list('*.none')).toEqual({ paths: [], isCut: false })
    expect(await list('{')).toMatchObject({ code: 'search.bad-glob' })
  })

  test('a stopped search says so', async () => {
    expect(await search.text(query({}), AbortSignal.abort())).toMatchObject({ ok: false, fault: { code: 'search.cancelled' } })
    expect(await search.files({ root, under: root, glob: '*', max: 10 }, AbortSignal.abort())).toMatchObject({ ok: false, fault: { code: 'search.cancelled' } })
  })

  test('an expression that would run for ever ends', { timeout: 20_000 }, async () => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), 3000)
    writeFileSync(path.join(root, 'slow.txt'), `${'a'.repeat(60)}!\n`)
    const found = await search.text(query({ pattern: '(?=x*)^(a+)+$', glob: 'slow.txt' }), stop.signal)
    clearTimeout(timer)
    rmSync(path.join(root, 'slow.txt'))
    expect(found.ok ? found.value.hits : found.fault.code).toSatisfy((answer) => ['search.bad-pattern', 'search.cancelled', 'search.failed'].includes(String(answer)) || (Array.isArray(answer) && answer.length === 0))
  })
})
