import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { missingNeeds } from '../../scripts/systemLibraries.mjs'

const root = path.resolve(import.meta.dirname, '../..')

function runScript(script: string, args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts', script), ...args], { env, encoding: 'utf8', cwd: '/' })
  return { status, stdout, stderr }
}

test.runIf(process.platform === 'linux')('without a display the start says so in one line, before any work', () => {
  expect(runScript('setup.mjs', ['start'])).toEqual({
    status: 1,
    stdout: '',
    stderr: '[countersign] there is no display to open a window on: start from a desktop session, or run "xvfb-run -a npm start"\n',
  })
})

test('an unknown command is wrong usage', () => {
  const { status, stdout, stderr } = runScript('setup.mjs', ['stort'])
  expect({ status, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ status: 2, stdout: '', lines: 1 })
})

test('an unknown program is wrong usage', () => {
  const { status, stdout } = runScript('run.mjs', ['headles'])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
})

test('set-up with nothing to do takes less than a second and keeps stdout clean', () => {
  const startedAtMs = performance.now()
  const { status, stdout } = runScript('setup.mjs', [])
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  expect(performance.now() - startedAtMs).toBeLessThan(1000)
})

test('what is asked for and missing is named once, with its package', () => {
  const missing = missingNeeds(new Set(['git', 'compile']))
  expect(missing).toEqual([]) // this test runs after set-up
})
