import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(path.join(os.tmpdir(), 'countersign-types-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What the compiler says of a text under a project's own options. */
function complaints(project: string, text: string): readonly string[] {
  const file = path.join(scratch, 'planted.ts')
  writeFileSync(file, text)
  const options = { noEmit: true, composite: false, emitDeclarationOnly: false, tsBuildInfoFile: null, rootDir: scratch }
  writeFileSync(path.join(scratch, 'tsconfig.json'), JSON.stringify({ extends: path.join(root, project), compilerOptions: options, files: [file], include: [], references: [] }))
  const ran = spawnSync(process.execPath, [path.join(root, 'node_modules/native-typescript/bin/tsc'), '-p', scratch, '--pretty', 'false'], { cwd: scratch, encoding: 'utf8' })
  return ran.stdout.split('\n').filter((line) => /\berror TS\d+: /.test(line))
}

const platform = ['process', 'window', 'document', 'fetch', 'Buffer', 'setTimeout', 'URL', 'AbortSignal', 'console', 'crypto', 'performance', 'TextDecoder', 'require']

test('shared and core compile without any platform: what one would bring is a type error there', () => {
  const found = complaints('tsconfig.core.json', platform.map((name) => `export const the_${name} = ${name}\n`).join(''))
  expect(platform.filter((name) => !found.some((sentence) => sentence.includes(`'${name}'`)))).toEqual([])
})

test('a preload has a page and no node', () => {
  const found = complaints('tsconfig.preload.json', 'export const page = window\nexport const node = [process, Buffer]\n')
  expect(found.map((sentence) => /Cannot find name '(\w+)'/.exec(sentence)?.[1])).toEqual(['process', 'Buffer'])
})

test('the compiler is strict: absent array members, exact optional properties, overrides', () => {
  const text = [
    'export const first: string = (["a"] as readonly string[])[0]',
    'export const exact: { readonly a?: string } = { a: undefined }',
    'export const loose = (x) => x',
    'class Base { run(): void {} }\nexport class Own extends Base { run(): void {} }',
  ].join('\n')
  expect(complaints('tsconfig.core.json', text)).toHaveLength(4)
})
