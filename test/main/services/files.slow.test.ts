import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../../../src/shared/domain/settings'
import { succeed } from '../../../src/shared/domain/result'
import { openWorkspaceFs } from '../../../src/main/adapters/fs/workspaceFs'
import { makeTextSearch } from '../../../src/main/adapters/search/textSearch'
import { judgePath } from '../../../src/main/core/policy/pathGuard'
import { fenceOf, openRoot } from '../../../src/main/native/safePath'
import { makeFiles, type Files } from '../../../src/main/services/files'

let home: string
let root: string
let started: { program: string; args: readonly string[]; forbidden: string | null }[]
let editorCommand: string

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'files-'))
  root = path.join(home, 'project')
  mkdirSync(path.join(root, 'src', '价格'), { recursive: true })
  mkdirSync(path.join(home, 'data'))
  started = []
  editorCommand = ''
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

function put(name: string, content: string | Uint8Array): string {
  const file = path.join(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

function world(): Files {
  const opened = openRoot(root)
  if (!opened.ok) throw new Error('no root')
  const fence = fenceOf(opened.value, home, path.join(home, 'data'))
  const open = { root: opened.value.path, fs: openWorkspaceFs(opened.value, { guarded: [path.join(home, 'data')] }), judge: (facts: Parameters<typeof judgePath>[0]) => judgePath(facts, 'read', fence) }
  return makeFiles({
    current: () => open, search: makeTextSearch(), nowMs: () => Date.now(), ownFile: '/own/settings.json',
    editors: { detected: () => Promise.resolve([]), start: (program, args, forbidden) => { started.push({ program, args, forbidden }); return Promise.resolve(succeed(null)) } },
    settings: { read: () => Promise.resolve({ settings: { ...defaultSettings, editorCommand }, faults: [] }) },
  })
}

test('R111 a file is shown as it is on disk, with how it is written', async () => {
  put('src/价格/计算.py', 'a\r\nb\r\n')
  put('bom.txt', '\ufeffhi\n')
  put('gbk.txt', Uint8Array.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]))
  put('latin.txt', Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x61, 0x0a]))
  put('image.png', Uint8Array.from([0x89, 0x50, 0, 1, 2]))
  const files = world()
  expect(await files.read('src/价格/计算.py', false)).toEqual({ ok: true, value: { kind: 'text', path: 'src/价格/计算.py', text: 'a\r\nb\r\n', encoding: 'UTF-8', lineEnds: 'CRLF', sizeBytes: 6 } })
  expect(await files.read('bom.txt', false)).toMatchObject({ value: { text: 'hi\n', encoding: 'UTF-8 BOM' } })
  expect(await files.read('gbk.txt', false)).toMatchObject({ value: { text: '你好\n', encoding: 'GB18030' } })
  expect(await files.read('latin.txt', false)).toMatchObject({ value: { text: 'café a\n', encoding: 'Latin-1' } })
  expect(await files.read('image.png', false)).toEqual({ ok: true, value: { kind: 'binary', path: 'image.png', sizeBytes: 5 } })
  expect(await files.read(path.join(root, 'bom.txt'), false)).toMatchObject({ value: { path: 'bom.txt' } })
})

test('R111 nothing outside the folder is shown, opened or known, whatever leads there', async () => {
  const outside = path.join(home, 'outside.txt')
  writeFileSync(outside, 'no')
  put('in.txt', 'yes')
  symlinkSync(outside, path.join(root, 'link.txt'))
  symlinkSync(home, path.join(root, 'up'))
  const files = world()
  const names = ['in.txt', '../outside.txt', outside, 'link.txt', 'up/outside.txt', 'src', 'gone.txt', 'file:///etc/passwd', '/dev/null', '~/x', 'in.txt\u0000']
  expect(await files.known(names, null)).toEqual(['in.txt', ...names.slice(1).map(() => null)])
  for (const name of names.slice(1)) {
    expect(await files.read(name, true)).toMatchObject({ ok: false })
    expect(await files.open({ path: name, line: 1, column: 1 })).toMatchObject({ ok: false })
    expect(await files.placeOf(name)).toMatchObject({ ok: false })
  }
  expect(started).toEqual([])
})

test('R111 a file of secrets is shown only when the person says so, one with a second name too', async () => {
  put('.env', 'KEY=1')
  linkSync(put('a.txt', 'x'), path.join(root, 'b.txt'))
  const files = world()
  expect(await files.read('.env', false)).toMatchObject({ ok: true, value: { kind: 'asks', path: '.env' } })
  expect(await files.read('b.txt', false)).toMatchObject({ ok: true, value: { kind: 'asks' } })
  expect(await files.read('.env', true)).toMatchObject({ ok: true, value: { kind: 'text', text: 'KEY=1' } })
})

test('R111 a name is looked for below the folder of its command first', async () => {
  put('packages/app/src/a.ts', '')
  put('src/a.ts', '')
  put('src/b.ts', '')
  expect(await world().known(['src/a.ts', 'src/b.ts'], 'packages/app')).toEqual(['packages/app/src/a.ts', 'src/b.ts'])
})

test('R111 a file that is too large is told before it is read', async () => {
  put('large.log', new Uint8Array(6 * 1024 * 1024))
  expect(await world().read('large.log', false)).toEqual({ ok: true, value: { kind: 'too-large', path: 'large.log', limitBytes: 5 * 1024 * 1024 } })
})

test('R111 files are found by name, ignored ones left out', async () => {
  put('.gitignore', 'dist/\n')
  put('dist/client.ts', '')
  put('src/http/client.ts', '')
  put('src/价格/价格表.md', '')
  const files = world()
  expect(await files.find('client')).toEqual({ ok: true, value: { paths: ['src/http/client.ts'], total: 1, isCut: false } })
  expect(await files.find('价格表')).toEqual({ ok: true, value: { paths: ['src/价格/价格表.md'], total: 1, isCut: false } })
  expect(await files.find('')).toMatchObject({ value: { total: 3 } })
})

test('R111 a file opens in the editor by its real path, one argument whatever its name', async () => {
  const name = 'src/$(touch x) {line} "a.ts'
  put(name, '')
  editorCommand = 'code --goto {path}:{line}:{column}'
  const files = world()
  expect(await files.open({ path: name, line: 3, column: 2 })).toEqual({ ok: true, value: { system: null } })
  expect(started).toEqual([{ program: 'code', args: ['--goto', `${path.join(root, name)}:3:2`], forbidden: root }])
  await files.testEditor()
  expect(started[1]).toEqual({ program: 'code', args: ['--goto', '/own/settings.json:1:1'], forbidden: root })
})

test('R111 without an editor the system gets only what it looks at, never what it might run', async () => {
  put('a.md', '')
  put('run.sh', '')
  chmodSync(put('tool.txt', ''), 0o755)
  const files = world()
  expect(await files.open({ path: 'a.md', line: 1, column: 1 })).toEqual({ ok: true, value: { system: path.join(root, 'a.md') } })
  expect(await files.open({ path: 'run.sh', line: 1, column: 1 })).toMatchObject({ ok: false, fault: { code: 'editor.needed' } })
  expect(await files.open({ path: 'tool.txt', line: 1, column: 1 })).toMatchObject({ ok: false, fault: { code: 'editor.needed' } })
})
