import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeEditors } from '../../../../src/main/adapters/system/editors'

let place: string

beforeEach(() => { place = realpathSync(mkdtempSync(path.join(tmpdir(), 'editors-'))) })
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** A program that writes down what it was given. */
function program(file: string, body = `printf '%s\\n' "$@" > '${place}/told'; pwd >> '${place}/told'; echo "$ELECTRON_RUN_AS_NODE" >> '${place}/told'`): string {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
  return file
}

const make = (PATH: string) => makeEditors({ environment: { PATH, ELECTRON_RUN_AS_NODE: '1' }, home: place })

test('R111 editors on the search path are offered, relative entries of it passed over', async () => {
  program(path.join(place, 'bin/code'))
  program(path.join(place, 'bin/vim'))
  expect(await make(`.:bin:${place}/bin`).detected()).toEqual([{ name: 'VS Code', command: 'code --goto {path}:{line}:{column}' }])
  expect(await make('.:bin').detected()).toEqual([])
})

test('R111 an editor is started without a shell, at home, without what is ours', async () => {
  program(path.join(place, 'bin/ed'))
  expect(await make(`${place}/bin`).start('ed', ['$(id); a b', '--x'], null)).toEqual({ ok: true, value: null })
  await vi.waitFor(() => expect(existsSync(`${place}/told`)).toBe(true))
  await vi.waitFor(() => expect(readFileSync(`${place}/told`, 'utf8')).toBe(`$(id); a b\n--x\n${place}\n\n`))
})

test('R111 a program of the opened folder is never the editor, by a link neither', async () => {
  const inside = program(path.join(place, 'project/tool'))
  mkdirSync(path.join(place, 'bin'))
  symlinkSync(inside, path.join(place, 'bin/ed'))
  const editors = make(`${place}/bin`)
  expect(await editors.start(inside, [], `${place}/project`)).toMatchObject({ ok: false, fault: { code: 'editor.in-project' } })
  expect(await editors.start('ed', [], `${place}/project`)).toMatchObject({ ok: false, fault: { code: 'editor.in-project' } })
  expect(existsSync(`${place}/told`)).toBe(false)
})

test('R111 what is not there, and what ends at once with a fault, is told', async () => {
  program(path.join(place, 'bin/bad'), 'exit 3')
  const editors = make(`${place}/bin`)
  expect(await editors.start('nope', [], null)).toEqual({ ok: false, fault: { code: 'editor.not-found', values: { program: 'nope' } } })
  expect(await editors.start('./bad', [], null)).toMatchObject({ fault: { code: 'editor.not-found' } })
  expect(await editors.start('bad', [], null)).toEqual({ ok: false, fault: { code: 'editor.failed', values: { program: `${place}/bin/bad`, problem: '3' } } })
})
