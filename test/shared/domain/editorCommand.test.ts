import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editorArguments, isOnlyLookedAt, knownEditors, readEditorCommand } from '../../../src/shared/domain/editorCommand'

test.each([
  ['code --goto {path}:{line}:{column}', ['code', '--goto', '{path}:{line}:{column}']],
  ['"C:\\Program Files\\Ed\\editor.exe" "{path}"', ['C:\\Program Files\\Ed\\editor.exe', '{path}']],
  [" subl  '{path}:{line}' ", ['subl', '{path}:{line}']],
] as const)('R111 %j is a program with arguments', (text, words) => {
  expect(readEditorCommand(text)).toEqual({ ok: true, value: words })
})

test.each([
  ['', 'editor.no-program'],
  ['{path}', 'editor.no-program'],
  ['code', 'editor.no-path'],
  ['code "{path}', 'editor.open-quote'],
  ['sh -c "code {path}"', 'editor.shell'],
  ['/bin/bash {path}', 'editor.shell'],
  ['C:\\Windows\\System32\\cmd.exe /c {path}', 'editor.shell'],
  ['env code {path}', 'editor.shell'],
  ['vim +{line} {path}', 'editor.terminal'],
] as const)('R111 %j is refused', (text, code) => {
  expect(readEditorCommand(text)).toMatchObject({ ok: false, fault: { code } })
})

test('R111 every editor that is offered can be used', () => {
  expect(knownEditors.map(({ command, program }) => readEditorCommand(command).ok && command.startsWith(program))).toEqual(knownEditors.map(() => true))
})

test('R111 what a path holds is never read again: one word stays one word', () => {
  expect(editorArguments(['--goto', '{path}:{line}:{column}'], { path: '/p/{line} $(id) "a.ts', line: 3, column: 2 })).toEqual(['--goto', '/p/{line} $(id) "a.ts:3:2'])
  fc.assert(fc.property(fc.string(), (path) => {
    expect(editorArguments(['{path}', 'x{line}'], { path, line: 1, column: 1 })).toEqual([path, 'x1'])
  }))
})

test.each([
  ['/p/a.ts', 0o644, true], ['/p/a.md', 0o644, true], ['/p/a.ts', 0o755, false], ['/p/run.sh', 0o644, false], ['/p/a.js', 0o644, false], ['/p/a.desktop', 0o644, false], ['/p/page.html', 0o644, false], ['/p/a.py', 0o644, false], ['/p/Makefile', 0o644, false], ['/p/x.txt.exe', 0o644, false],
] as const)('R111 the system may open %s (%i): %s', (path, mode, may) => {
  expect(isOnlyLookedAt(path, mode)).toBe(may)
})
