import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectGitOf } from '../../../src/main/app/projectGitOf'
import { openRoot } from '../../../src/main/native/safePath'

const base = (): string => {
  const made = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-git-')))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const git = (folder: string, ...args: readonly string[]): void => void execFileSync('git', args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' } })

function repository(): string {
  const folder = base()
  git(folder, 'init', '-q')
  return folder
}

function executes(folder: string): boolean | null {
  const root = openRoot(folder)
  if (!root.ok) throw new Error(root.fault.code)
  return projectGitOf(root.value).executes
}

test('R66 a plain repository runs nothing, and neither does a folder without one', () => {
  expect([executes(repository()), executes(base())]).toEqual([false, false])
})

test('R66 settings that name a program are seen at once, also when they were written a moment ago', () => {
  const folder = repository()
  const seen = [executes(folder)]
  git(folder, 'config', 'core.fsmonitor', './run-me')
  expect([...seen, executes(folder)]).toEqual([false, true])
})

test('R66 submodules bring settings of their own', () => {
  const folder = repository()
  writeFileSync(path.join(folder, '.gitmodules'), '')
  expect(executes(folder)).toBe(true)
})

test('R66 what cannot be known is null, so that git asks: a repository above, a gitfile, settings that are no plain file', () => {
  const above = repository()
  mkdirSync(path.join(above, 'sub'))
  const gitfile = base()
  writeFileSync(path.join(gitfile, '.git'), 'gitdir: /elsewhere\n')
  const linked = repository()
  rmSync(path.join(linked, '.git/config'))
  symlinkSync('/etc/hostname', path.join(linked, '.git/config'))
  const folderForFile = repository()
  rmSync(path.join(folderForFile, '.git/config'))
  mkdirSync(path.join(folderForFile, '.git/config'))
  const link = base()
  symlinkSync(above, path.join(link, '.git'))
  expect([path.join(above, 'sub'), gitfile, linked, folderForFile, link].map(executes)).toEqual([null, null, null, null, null])
})
