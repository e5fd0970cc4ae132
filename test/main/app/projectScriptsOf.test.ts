import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectScriptsOf } from '../../../src/main/app/projectScriptsOf'
import { openRoot } from '../../../src/main/native/safePath'

function project(files: Readonly<Record<string, string>>): { readonly folder: string; readonly of: () => ReturnType<typeof projectScriptsOf> } {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-scripts-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const root = openRoot(folder)
  if (!root.ok) throw new Error(root.fault.code)
  return { folder, of: () => projectScriptsOf(root.value) }
}

test('R66 scripts, targets and hooks are read from the project', () => {
  const { of } = project({ 'package.json': '{"scripts":{"build":"tsc -b","odd":3}}', Makefile: 'all:\n\techo hi\n', '.git/config': '[core]\n', '.git/hooks/pre-commit': '#!/bin/sh\n', '.git/hooks/pre-push.sample': '' })
  const { scripts, hooks } = of()
  expect([scripts('build', 'package'), scripts('odd', 'package'), scripts('toString', 'package'), scripts('all', 'make'), scripts('', 'make'), hooks()]).toEqual(['tsc -b', null, null, 'echo hi', 'echo hi', ['pre-commit']])
})

test('R66 what is not there, is broken or lies outside tells nothing', () => {
  const { folder, of } = project({ 'outside.json': '{}', 'package.json': '{broken', '.git/config': '[core]\n\thooksPath = /etc/hooks\n' })
  const broken = of()
  expect([broken.scripts('build', 'package'), broken.scripts('all', 'make'), broken.hooks()]).toEqual([null, null, []])
  rmSync(path.join(folder, 'package.json'))
  symlinkSync('/etc/hostname', path.join(folder, 'package.json'))
  expect(of().scripts('build', 'package')).toBeNull()
})

test('R66 hooks of another folder of the project count', () => {
  const { of } = project({ '.git/config': '[core]\n\thooksPath = .husky/_\n', '.husky/_/commit-msg': '' })
  expect(of().hooks()).toEqual(['commit-msg'])
})
