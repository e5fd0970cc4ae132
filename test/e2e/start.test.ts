import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inWorld } from '../support/appUnderTest'
import { childEnv, electronExecutable, repositoryRoot, sandboxArgs } from '../support/window'

test('a first start draws its page without a complaint', () =>
  inWorld({}, async (world) => {
    const app = await world.open()
    await app.button('welcome.open-folder').waitFor()
    expect({ title: await app.page.title(), complaints: app.window.complaints }).toEqual({ title: 'Countersign', complaints: [] })
  }))

test('R8 a plain first word goes to the headless host and opens no window', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-e2e-'))
  const { status, stdout, stderr } = spawnSync(electronExecutable(), [...sandboxArgs, repositoryRoot, 'frobnicate'], {
    env: childEnv({ COUNTERSIGN_DATA_DIR: dataDir }),
    encoding: 'utf8',
    timeout: 30_000,
  })
  rmSync(dataDir, { recursive: true })
  expect({ status, stdout, isSaid: stderr.includes('no such command: frobnicate\n') }).toEqual({ status: 2, stdout: '', isSaid: true })
})
