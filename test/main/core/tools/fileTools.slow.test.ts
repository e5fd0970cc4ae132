import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deletePath } from '../../../../src/main/core/tools/builtins/deletePath'
import { editFile } from '../../../../src/main/core/tools/builtins/editFile'
import { listFiles } from '../../../../src/main/core/tools/builtins/listFiles'
import { movePath } from '../../../../src/main/core/tools/builtins/movePath'
import { readFile } from '../../../../src/main/core/tools/builtins/readFile'
import { writeFile } from '../../../../src/main/core/tools/builtins/writeFile'
import { hashLimitBytes } from '../../../../src/main/core/tools/fileChange'
import { makeToolWorld, type ToolWorld } from '../../../support/toolWorld'

let world: ToolWorld

beforeEach(() => {
  world = makeToolWorld()
})

afterEach(() => {
  world.remove()
})

const at = (path: string): string => join(world.root, path)
const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), content)
}
const read = (path: string): Promise<unknown> => world.run(readFile, { path })
const edit = (path: string, old_text: string, new_text: string): Promise<{ status: string; say: { code: string }; text: string }> => world.run(editFile, { path, edits: [{ old_text, new_text }] })

describe('read_file', () => {
  test('R102: lines come with their numbers, ranges say what else there is', async () => {
    put('a.txt', 'one\r\ntwo\r\nthree\r\n')
    expect((await world.run(readFile, { path: 'a.txt' })).text).toBe('a.txt, lines 1 to 3 of 3 (UTF-8, CRLF).\n1\tone\n2\ttwo\n3\tthree')
    expect((await world.run(readFile, { path: './a.txt', start_line: 2, end_line: 2 })).text).toBe('a.txt, lines 2 to 2 of 3 (UTF-8, CRLF).\n2\ttwo')
    expect((await world.run(readFile, { path: 'a.txt', start_line: 3, end_line: 900 })).text).toBe('a.txt, lines 3 to 3 of 3 (UTF-8, CRLF).\n3\tthree')
    expect((await world.run(readFile, { path: 'a.txt', start_line: 4 })).say).toEqual({ code: 'file.past-end', values: { path: 'a.txt', total: 3 } })
    expect((await world.run(readFile, { path: 'a.txt', start_line: 3, end_line: 2 })).say.code).toBe('file.bad-range')
    expect([...world.readLog.keys()]).toEqual(['a.txt'])
  })

  test('R102: long files and long lines are cut, and the answer says how to go on', async () => {
    put('long.txt', Array.from({ length: 5000 }, (_, n) => `line ${n + 1}`).join('\n'))
    const part = await world.run(readFile, { path: 'long.txt' })
    expect(part.say).toMatchObject({ code: 'file.read-part', values: { from: 1, to: 2000, total: 5000, next: 2001 } })
    expect((await world.run(readFile, { path: 'long.txt', start_line: 4999 })).text).toContain('4999\tline 4999\n5000\tline 5000')
    put('wide.txt', `${'x'.repeat(3000)}\nend`)
    expect((await world.run(readFile, { path: 'wide.txt' })).text).toContain('… [1000 more characters in this line]\n2\tend')
    put('heavy.txt', `${'y'.repeat(1990)}\n`.repeat(100))
    expect((await world.run(readFile, { path: 'heavy.txt' })).say).toMatchObject({ code: 'file.read-part', values: { from: 1, to: 30 } })
  })

  test('R102: what is no text, no file or too large is said in words', async () => {
    put('b.bin', Uint8Array.from([1, 0, 2]))
    put('empty', '')
    put('latin', Uint8Array.from([0x61, 0xe9, 0x0a]))
    put('big', Buffer.alloc(5 * 1024 * 1024, 0x61))
    mkdirSync(at('dir'))
    expect((await world.run(readFile, { path: 'b.bin' })).text).toBe('b.bin is no text (3 bytes); its content is not shown.')
    expect((await world.run(readFile, { path: 'empty' })).text).toBe('empty is an empty file.')
    expect((await world.run(readFile, { path: 'latin' })).text).toBe('latin, lines 1 to 1 of 1 (8-bit, LF).\n1\ta\ufffd')
    expect((await world.run(readFile, { path: 'big' })).say.code).toBe('file.too-large-to-show')
    expect((await world.run(readFile, { path: 'dir' })).say.code).toBe('path.is-folder')
    expect((await world.run(readFile, { path: 'none' })).say.code).toBe('path.missing')
  })
})

describe('list_files', () => {
  test('R102: a listing goes as deep as asked, names links and does not enter them', async () => {
    put('src/a/b.ts', 'xx')
    put('node_modules/p/i.js', 'x')
    symlinkSync(world.dir, at('src/out'))
    put('src/line\nend', '')
    expect((await world.run(listFiles, {})).text).toBe('. holds 2 entries.\nnode_modules/\nsrc/')
    expect((await world.run(listFiles, { path: 'src', depth: 3 })).body).toBe('a/\na/b.ts 2\nline\\u{a}end 0\nout@')
    expect((await world.run(listFiles, { depth: 4 })).body).not.toContain('i.js')
    expect((await world.run(listFiles, { path: 'src/a/b.ts' })).say.code).toBe('path.not-folder')
    expect((await world.run(listFiles, { path: 'none' })).say.code).toBe('path.missing')
  })

  test('R102: more than a thousand entries are cut', async () => {
    for (let n = 0; n < 1001; n += 1) put(`many/${n}`, '')
    expect((await world.run(listFiles, { path: 'many' })).say).toEqual({ code: 'file.listed-part', values: { path: 'many', count: 1000 } })
  })

  test('R67: the data folder of the app is not listed, even inside the project', async () => {
    symlinkSync(world.appData, at('data'))
    expect((await world.run(listFiles, { path: world.appData })).say.code).toBe('path.app-data')
    expect((await world.run(listFiles, { path: 'data' })).say.code).toBe('path.app-data')
  })
})

describe('write_file', () => {
  test('R102: a new file is made with its folders, shown as a whole, and known afterwards', async () => {
    const args = { path: 'x/y.txt', content: 'a\nb\n' }
    expect(await world.forecast(writeFile, args)).toMatchObject({ ok: true, value: { preview: { kind: 'edit', path: 'x/y.txt', before: null, after: 'a\nb\n' }, base: { 'x/y.txt': null } } })
    expect(await world.run(writeFile, args)).toMatchObject({ status: 'ok', text: 'Created x/y.txt (2 lines, 4 bytes).', changed: [{ path: 'x/y.txt', before: null }] })
    expect((await world.run(writeFile, { path: 'x/y.txt', content: 'c' })).text).toBe('Wrote x/y.txt (1 line, 1 byte).')
    expect(world.text('x/y.txt')).toBe('c')
    expect((await world.run(writeFile, { path: 'x/y.txt', content: 'c' })).say.code).toBe('file.same')
    expect((await world.run(writeFile, { path: 'x', content: 'c' })).say.code).toBe('path.is-folder')
    expect((await world.run(writeFile, { path: 'u', content: '\ud800' })).say.code).toBe('file.not-encodable')
  })

  test('R103: a file that was not read, or changed since, is not written', async () => {
    put('a', 'one')
    expect((await world.run(writeFile, { path: 'a', content: 'two' })).say.code).toBe('path.not-read')
    await read('a')
    put('a', 'mine')
    expect((await world.run(writeFile, { path: 'a', content: 'two' })).say.code).toBe('path.stale')
    await read('a')
    expect((await world.run(writeFile, { path: 'a', content: 'two' }, () => put('a', 'mine again'))).say.code).toBe('path.stale')
    expect((await world.run(writeFile, { path: 'new', content: 'two' }, () => put('new', 'mine'))).status).toBe('failed')
    expect([world.text('a'), world.text('new')]).toEqual(['mine again', 'mine'])
  })

  test('C04: encoding, line ends and bits of the old file are kept', async () => {
    put('crlf', '\ufeffa\r\nb\r\n')
    chmodSync(at('crlf'), 0o751)
    put('wide', Buffer.from('\ufeffa\r\nb', 'utf16le'))
    put('mixed', 'a\r\nb\nc\r\n')
    put('bin', Uint8Array.from([0, 1]))
    put('latin', Uint8Array.from([0xe9, 0x0a]))
    for (const path of ['crlf', 'wide', 'mixed', 'bin', 'latin']) await read(path)
    await world.run(writeFile, { path: 'crlf', content: 'a\nX\nb\n' })
    await world.run(writeFile, { path: 'wide', content: 'é\nb' })
    await world.run(writeFile, { path: 'mixed', content: 'a\nb\nC\n' })
    await world.run(writeFile, { path: 'bin', content: 'text' })
    const latin = await world.forecast(writeFile, { path: 'latin', content: '新\n' })
    await world.run(writeFile, { path: 'latin', content: '新\n' })
    expect([world.text('crlf'), statSync(at('crlf')).mode & 0o777, readFileSync(at('wide')).toString('utf16le'), world.text('mixed'), world.text('bin'), world.text('latin')]).toEqual([
      '\ufeffa\r\nX\r\nb\r\n', 0o751, '\ufeffé\r\nb', 'a\r\nb\nC\r\n', 'text', '新\n',
    ])
    expect(latin).toMatchObject({ value: { preview: { notes: [{ code: 'file.becomes-utf8' }] } } })
    // Nothing but the line ends differs: then they are meant.
    await read('crlf')
    await world.run(writeFile, { path: 'crlf', content: 'a\r\nX\nb\n' })
    expect(world.text('crlf')).toBe('\ufeffa\r\nX\nb\n')
  })

  test('R63: what the person edited is written exactly', async () => {
    put('a', 'a\r\nb\r\n')
    await read('a')
    const args = { path: 'a', content: 'a\nB\n' }
    const edited = writeFile.withEdit?.(args, 'a\r\nperson\r\n', 'a\r\nb\r\n')
    await world.run(writeFile, edited)
    expect(world.text('a')).toBe('a\r\nperson\r\n')
  })

  test('DATA 8: a marker of a hidden secret never overwrites it', async () => {
    put('.env', 'KEY=abc\nA=1\n')
    await read('.env')
    expect(await world.run(writeFile, { path: '.env', content: 'KEY=[redacted:key]\nA=2\n' })).toMatchObject({ status: 'failed', say: { code: 'file.redaction-marker', values: { marker: '[redacted:key]' } } })
    expect((await world.run(writeFile, { path: 'new', content: 'x [redacted:token]' })).say.code).toBe('file.redaction-marker')
    expect((await edit('.env', 'A=1', 'A=[redacted:key]')).say.code).toBe('file.redaction-marker')
    expect((await edit('.env', 'KEY=[redacted:key]', 'KEY=')).say.code).toBe('file.old-text-redacted')
    put('docs.md', 'markers look like [redacted:kind]\n')
    await read('docs.md')
    expect((await edit('docs.md', 'look', 'LOOK')).status).toBe('ok')
    expect([world.text('.env'), world.text('docs.md')]).toEqual(['KEY=abc\nA=1\n', 'markers LOOK like [redacted:kind]\n'])
  })
})

describe('edit_file', () => {
  test('C04: the four files of the case change in the named bytes only', async () => {
    const script = join(import.meta.dirname, '../../../cases/C/c04.sh')
    execFileSync('bash', [script, 'setup', world.root])
    for (const path of ['cp1252.c', 'gbk.txt', 'bom.txt', 'mixed.txt']) {
      await read(path)
      expect([path, (await edit(path, 'old_name\nnext', 'new_name\nnext')).status]).toEqual([path, 'ok'])
    }
    expect(execFileSync('bash', [script, 'check', world.root], { encoding: 'utf8' })).toBe('')
  })

  test('C04: what cannot be decoded safely stays as it is', async () => {
    put('sjis', Uint8Array.from([0x83, 0x41, 0x0a]))
    put('bin', Uint8Array.from([0x41, 0x00, 0x42]))
    await read('sjis')
    await read('bin')
    expect((await edit('sjis', 'A', 'B')).say.code).toBe('file.unknown-encoding')
    expect((await edit('bin', 'A', 'B')).say.code).toBe('file.not-text')
    expect([...readFileSync(at('sjis'))]).toEqual([0x83, 0x41, 0x0a])
  })

  test('R102: the answer shows the changed lines with their new numbers', async () => {
    put('a', Array.from({ length: 9 }, (_, n) => `l${n + 1}`).join('\n'))
    await read('a')
    expect((await edit('a', 'l5', 'x\ny')).text).toBe('Edited a: 1 edit applied.\n3\tl3\n4\tl4\n5\tx\n6\ty\n7\tl6\n8\tl7')
    expect((await edit('a', 'zzz', 'x')).status).toBe('failed')
    expect((await edit('none', 'x', 'y')).say.code).toBe('path.missing')
  })

  test('R103: an edit too is refused on a file that was not read, or changed since', async () => {
    put('a', 'one two')
    expect((await edit('a', 'one', '1')).say.code).toBe('path.not-read')
    await read('a')
    expect((await edit('a', 'one', '1')).status).toBe('ok')
    expect((await edit('a', 'two', '2')).status).toBe('ok')
    put('a', 'one two')
    expect((await edit('a', 'one', '1')).say.code).toBe('path.stale')
  })

  test('R63: what the person edited is written exactly, with the line ends of lines that stay', async () => {
    put('a', 'a\r\nb\nc\r\n')
    await read('a')
    const forecast = await world.forecast(editFile, { path: 'a', edits: [{ old_text: 'b', new_text: 'B' }] })
    const before = forecast.ok && forecast.value.preview.kind === 'edit' ? forecast.value.preview.before : null
    const args = editFile.withEdit?.({ path: 'a', edits: [] }, 'a\nPERSON\nc\nd\n', before)
    expect((await world.run(editFile, args)).status).toBe('ok')
    expect(world.text('a')).toBe('a\r\nPERSON\nc\r\nd\r\n')
    put('gbk', Uint8Array.from([0xc4, 0xe3, 0x0a, 0x61]))
    await read('gbk')
    const shown = await world.forecast(editFile, { path: 'gbk', edits: [{ old_text: 'a', new_text: 'b' }] })
    const text = shown.ok && shown.value.preview.kind === 'edit' ? shown.value.preview.before : null
    await world.run(editFile, editFile.withEdit?.({ path: 'gbk', edits: [] }, `${text}!`, text))
    expect([...readFileSync(at('gbk'))]).toEqual([0xc4, 0xe3, 0x0a, 0x61, 0x21])
  })

  test('R63: a file with both line ends takes what was put together from it to the byte', async () => {
    const [before, after] = ['a\r\nb\nc\r\nd\n', 'a\r\nB\nc\r\nnew\r\nd\n']
    put('a', before)
    await read('a')
    expect((await world.run(editFile, editFile.withEdit?.({ path: 'a', edits: [] }, after, before))).status).toBe('ok')
    expect(world.text('a')).toBe(after)
    expect((await world.run(writeFile, writeFile.withEdit?.({ path: 'a', content: '' }, before, after))).status).toBe('ok')
    expect(world.text('a')).toBe(before)
  })

  test('R65: a link is written through, and the place shown is the real one', async () => {
    put('real.txt', 'one')
    symlinkSync('real.txt', at('link.txt'))
    await read('link.txt')
    expect(await world.forecast(editFile, { path: 'link.txt', edits: [{ old_text: 'one', new_text: 'two' }] })).toMatchObject({ value: { preview: { path: 'real.txt', notes: [{ code: 'file.through-link', values: { given: 'link.txt' } }] } } })
    expect((await edit('link.txt', 'one', 'two')).status).toBe('ok')
    expect([world.text('real.txt'), readdirSync(world.root).sort()]).toEqual(['two', ['link.txt', 'real.txt']])
  })
})

describe('move_path and delete_path', () => {
  test('R102: a moved file is still known to have been read', async () => {
    put('a', 'one')
    await read('a')
    expect(await world.forecast(movePath, { from: 'a', to: 'd/b' })).toMatchObject({ value: { preview: { kind: 'move', from: 'a', to: 'd/b' }, base: { 'd/b': null } } })
    expect(await world.run(movePath, { from: 'a', to: 'd/b' })).toMatchObject({ status: 'ok', text: 'Moved a to d/b.', changed: [{ path: 'a', after: null }, { path: 'd/b', before: null }] })
    expect((await edit('d/b', 'one', 'two')).status).toBe('ok')
    put('c', 'x')
    expect((await world.run(movePath, { from: 'c', to: 'd/b' })).say.code).toBe('path.exists')
    expect((await world.run(movePath, { from: 'none', to: 'n' })).say.code).toBe('path.missing')
    expect((await world.run(movePath, { from: 'd', to: 'd/e' })).say.code).toBe('path.into-itself')
    expect((await world.run(movePath, { from: 'c', to: 'e' }, () => put('c', 'changed meanwhile'))).status).toBe('failed')
  })

  test('R102: what is deleted is shown first, and goes only when it is still that', async () => {
    put('a', 'one')
    put('dir/b', 'x')
    symlinkSync('a', at('l'))
    put('bin', Uint8Array.from([0]))
    expect(await world.forecast(deletePath, { path: 'a' })).toMatchObject({ value: { preview: { kind: 'edit', before: 'one', after: null } } })
    expect(await world.forecast(deletePath, { path: 'bin' })).toMatchObject({ value: { preview: { kind: 'binary', beforeBytes: 1, afterBytes: null } } })
    expect(await world.forecast(deletePath, { path: 'dir' })).toMatchObject({ value: { preview: { kind: 'arguments', text: 'dir/\ndir/b', notes: [{ code: 'file.folder-goes', values: { count: 1 } }] } } })
    expect(await world.forecast(deletePath, { path: 'l' })).toMatchObject({ value: { preview: { kind: 'arguments', notes: [{ code: 'file.link-goes' }] } } })
    expect((await world.run(deletePath, { path: 'a' }, () => put('a', 'other'))).say.code).toBe('path.stale')
    for (const path of ['l', 'a', 'dir', 'bin']) expect([path, (await world.run(deletePath, { path })).status]).toEqual([path, 'ok'])
    expect((await world.run(deletePath, { path: 'a' })).say.code).toBe('path.missing')
    put('gone', 'x')
    expect((await world.run(deletePath, { path: 'gone' }, () => unlinkSync(at('gone')))).say.code).toBe('path.missing')
    expect(existsSync(at('dir'))).toBe(false)
  })

  test.each([
    ['a file that came into the folder', () => put('dir/in/new', 'x')],
    ['a file of the folder that grew', () => put('dir/in/b', 'longer')],
    ['a file too large to be hashed that was written', () => put('large', new Uint8Array(hashLimitBytes + 2))],
  ])('R63: an approval of a deletion is bound to what goes: %s', async (_, change) => {
    put('dir/in/b', 'x')
    put('large', new Uint8Array(hashLimitBytes + 1))
    const bound = async (): Promise<unknown> => {
      const forecasts = await Promise.all(['dir', 'large'].map((path) => world.forecast(deletePath, { path })))
      return forecasts.map((one) => one.ok && one.value.base)
    }
    const before = await bound()
    expect(await bound()).toEqual(before)
    change()
    expect(await bound()).not.toEqual(before)
  })
})
