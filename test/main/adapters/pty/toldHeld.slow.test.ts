import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeBlobStore } from '../../../../src/main/adapters/blobs/blobStore'
import { makeCommandRunner } from '../../../../src/main/adapters/pty/commandRunner'
import { said } from '../../../../src/shared/domain/result'

test('R72 a command of which a person was told that a sandbox holds it does not run without one', async () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'told-held-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const reason = said('sandbox.not-installed')
  const sandbox = { report: () => Promise.resolve({ kind: 'none', reason, canTry: false, testedAtMs: 1 } as const), test: () => Promise.reject(new Error('not asked')), launcher: () => Promise.reject(new Error('not asked')) }
  const runner = makeCommandRunner({ spool: makeBlobStore(path.join(root, 'outputs')), source: process.env, sandbox })
  const start = (isToldHeld: boolean) => runner.start({ callId: `c${Number(isToldHeld)}`, command: `echo x > made-${isToldHeld}`, cwd: root, timeoutMs: 20_000, confinement: { kind: 'sandboxed', root, network: false, lifted: [], isToldHeld } }, () => undefined, new AbortController().signal)
  expect(await start(true)).toEqual({ ok: false, fault: reason })
  const free = await start(false)
  expect(free.ok && (await free.value.ended).confined).toBe('none')
  await runner.closeAll()
  expect(readdirSync(root).filter((name) => name.startsWith('made'))).toEqual(['made-false'])
})
