import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { fsck } from '../../support/sideRepository'
import { canMountSmallDisk, onSmallDisk } from '../../support/smallDisk'

const entry = path.resolve(import.meta.dirname, '../../../out/main/headless.js')
type Line = Readonly<Record<string, unknown>>

/** The whole host on a disk too small for a snapshot of the project. */
test.runIf(canMountSmallDisk())('R75 R80 with no room for a snapshot nothing is run and the model is told why; reads go on; with room again it runs, and the store is whole', { timeout: 60_000 }, async () => {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-full-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const [project, data, kept] = [path.join(base, 'project'), path.join(base, 'data'), path.join(base, 'kept')]
  for (const folder of [project, data]) mkdirSync(folder)
  writeFileSync(path.join(project, 'a.txt'), 'read me')
  writeFileSync(path.join(project, 'big.bin'), randomBytes(40_000_000))
  writeFileSync(path.join(base, 'answers.json'), '{"default":"allow"}')
  const write = (name: string) => reply({ calls: [{ name: 'read_file', args: { path: 'a.txt' } }, { name: 'write_file', args: { path: name, content: 'x' } }] })
  const model = await startFakeModelServer({
    steps: [
      write('first.txt'),
      () => {
        // Room is made while the turn goes on.
        rmSync(path.join(project, 'big.bin'))
        return write('second.txt')
      },
      reply({ text: 'Done.' }),
    ],
  })
  onTestFinished(() => model.close())
  const host = [process.execPath, entry, 'run', '--project', project, '--prompt', 'Write', '--base-url', model.baseUrl, '--approvals', path.join(base, 'answers.json'), '--data', data]
  // The disk is gone with the process: what is to be looked at is copied from it.
  const { program, args } = onSmallDisk(data, 24, ['sh', '-c', '"$@"; code=$?; cp -r "$0/snapshots" "$KEPT"; exit $code', data, ...host])
  const run = spawn(program, args, { env: { ...process.env, COUNTERSIGN_TEST: '1', KEPT: kept } })
  const said: Buffer[] = []
  const words: Buffer[] = []
  run.stdout.on('data', (bytes: Buffer) => said.push(bytes))
  run.stderr.on('data', (bytes: Buffer) => words.push(bytes))
  const code = await new Promise((resolve) => run.once('close', resolve))
  const lines = Buffer.concat(said).toString().trim().split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
  const ends = lines.filter(({ type }) => type === 'tool-finished').map(({ status, say }) => [status, (say as { code: string }).code])
  expect({ code, words: Buffer.concat(words).toString(), ends }).toEqual({ code: 0, words: '', ends: [['ok', expect.any(String)], ['failed', 'snapshot.failed'], ['ok', expect.any(String)], ['ok', expect.any(String)]] })
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('No snapshot could be taken (disk full). Nothing was run.') })
  expect([existsSync(path.join(project, 'first.txt')), readFileSync(path.join(project, 'second.txt'), 'utf8')]).toEqual([false, 'x'])
  const stores = readdirSync(kept)
  for (const store of stores) fsck(path.join(kept, store))
  expect(stores).toHaveLength(1)
})
