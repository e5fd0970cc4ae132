import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { eventually, inWorld } from '../support/appUnderTest'
import { reply } from '../support/fakeModelServer'
import { canMountSmallDisk, onSmallDisk } from '../support/smallDisk'
import { electronExecutable } from '../support/window'

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
const steps = [reply({ calls: [{ name: 'write_file', args: { path: 'made.txt', content: 'made\n' } }] }), reply({ text: 'It is made.' })]

// Only root mounts without becoming another user, as whom Chromium would start otherwise.
test.runIf(canMountSmallDisk() && process.getuid?.() === 0)('R75 R80 with a full disk a signed call is not run, says so, and is signed again once there is room', () => inWorld({ model: { steps }, artefacts: 'disk-full' }, async (world) => {
  for (const name of ['a.bin', 'b.bin']) writeFileSync(world.file(name), randomBytes(45_000_000))
  const { program, args } = onSmallDisk(world.dataDir, 72, [electronExecutable()])
  const start = path.join(world.base, 'on-small-disk')
  writeFileSync(start, `#!/bin/sh\nexec ${[program, ...args].map(quoted).join(' ')} "$@"\n`)
  chmodSync(start, 0o755)
  vi.stubEnv('ELECTRON_EXEC_PATH', start)
  const app = await world.start().finally(() => vi.unstubAllEnvs())
  const guards = app.page.getByRole('contentinfo', { name: app.word('ui.guards') })
  await guards.getByText(app.word('ui.trust.undo-full')).waitFor()

  await app.send('Make it')
  await app.card.getByText('No snapshot can be taken now (disk full). Nothing runs before one can.').waitFor()
  await app.answer('approval.allow').click()
  const note = app.card.getByRole('group', { name: app.word('approval.not-run') })
  await note.waitFor()
  await app.conversation.getByText(app.word('session.state.not-run')).waitFor()
  expect(existsSync(world.file('made.txt'))).toBe(false)
  await app.shot('not-run')

  for (const name of ['a.bin', 'b.bin']) rmSync(world.file(name))
  await note.getByRole('button', { name: app.word('approval.not-run.pack') }).click()
  await note.getByRole('status').waitFor()
  await app.answer('approval.allow').click()
  await app.says('It is made.')
  await eventually(() => readFileSync(world.file('made.txt'), 'utf8'), 'made\n')
  await guards.getByText(/\d+ points?/).waitFor()
  await app.shot('again')
}))
