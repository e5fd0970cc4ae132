import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { arePackagesReady, ensurePackages } from '../../scripts/packages.mjs'

// A stand-in for npm on PATH: it writes what `npm ci` would, or fails, and notes that it was called.
let root: string
let bin: string
beforeEach(() => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'countersign-packages-'))
  root = path.join(scratch, 'repository')
  bin = path.join(scratch, 'bin')
  mkdirSync(bin)
  mkdirSync(root)
  vi.stubEnv('npm_execpath', '')
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`)
  writeLock('1.0.0')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(path.dirname(root), { recursive: true })
})

const record = (version: string): string => JSON.stringify({ packages: { 'node_modules/a': { version }, 'node_modules/only-mac': { version: '1.0.0', optional: true } } })
const calls = (): number => (existsSync(path.join(bin, 'calls')) ? readFileSync(path.join(bin, 'calls'), 'utf8').length : 0)

function writeLock(version: string): void {
  writeFileSync(path.join(root, 'package-lock.json'), record(version))
}

function fakeNpm(version: string, ending = 'exit 0'): void {
  const install = [
    'rm -rf node_modules',
    'mkdir -p node_modules/electron node_modules/node-pty/build/Release',
    'touch node_modules/electron/package.json node_modules/node-pty/build/Release/pty.node',
    `printf '%s' '${JSON.stringify({ packages: { 'node_modules/a': { version } } })}' > node_modules/.package-lock.json`,
  ]
  const script = ['#!/bin/sh', `printf x >> ${path.join(bin, 'calls')}`, ...(ending === 'exit 0' ? install : ['rm -rf node_modules', 'mkdir -p node_modules/half']), ending]
  writeFileSync(path.join(bin, 'npm'), script.join('\n'))
  chmodSync(path.join(bin, 'npm'), 0o755)
}

test('an empty tree is installed once, then nothing is left to do', async () => {
  fakeNpm('1.0.0')
  await ensurePackages(root)
  await ensurePackages(root)
  expect({ calls: calls(), ready: arePackagesReady(root) }).toEqual({ calls: 1, ready: true })
})

test('a changed lock file is installed again', async () => {
  fakeNpm('1.0.0')
  await ensurePackages(root)
  writeLock('2.0.0')
  expect(arePackagesReady(root)).toBe(false)
  fakeNpm('2.0.0')
  await ensurePackages(root)
  expect({ calls: calls(), ready: arePackagesReady(root) }).toEqual({ calls: 2, ready: true })
})

test('an interrupted install is not taken for a finished one', async () => {
  fakeNpm('1.0.0', 'kill -9 $$')
  await expect(ensurePackages(root)).rejects.toThrow(/^npm ci failed: .* run the same command again$/)
  expect(arePackagesReady(root)).toBe(false)
  fakeNpm('1.0.0')
  await ensurePackages(root)
  expect({ calls: calls(), ready: arePackagesReady(root) }).toEqual({ calls: 2, ready: true })
})

test("somebody's own install that fits the lock file is taken as it is", async () => {
  mkdirSync(path.join(root, 'node_modules/electron'), { recursive: true })
  mkdirSync(path.join(root, 'node_modules/node-pty/build/Release'), { recursive: true })
  writeFileSync(path.join(root, 'node_modules/electron/package.json'), '{}')
  writeFileSync(path.join(root, 'node_modules/node-pty/build/Release/pty.node'), '')
  writeFileSync(path.join(root, 'node_modules/.package-lock.json'), record('1.0.0'))
  fakeNpm('1.0.0')
  await ensurePackages(root)
  expect({ calls: calls(), ready: arePackagesReady(root) }).toEqual({ calls: 0, ready: true })
})

test('a missing terminal module is noticed although the stamp fits', async () => {
  fakeNpm('1.0.0')
  await ensurePackages(root)
  rmSync(path.join(root, 'node_modules/node-pty'), { recursive: true })
  expect(arePackagesReady(root)).toBe(false)
})
