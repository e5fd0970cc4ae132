import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWorkspaceFs } from '../../../../src/main/adapters/fs/workspaceFs'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { judgeReads } from '../../../../src/main/core/policy/commandReads'
import { judgePath } from '../../../../src/main/core/policy/pathGuard'
import { fenceOf, openRoot } from '../../../../src/main/native/safePath'

/** A project with links to a place outside, to the app's data and to keys; the same links lie outside too. */
async function judge(line: string) {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'command-links-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const folder of ['project', 'outside', 'home/.ssh', 'data']) mkdirSync(path.join(base, folder), { recursive: true })
  for (const file of ['outside/notes', 'home/.ssh/id_rsa', 'data/app.db', 'project/own']) writeFileSync(path.join(base, file), file)
  for (const [name, to] of [['notes', 'outside/notes'], ['key', 'home/.ssh/id_rsa'], ['db', 'data/app.db']] as const) {
    symlinkSync(path.join(base, to), path.join(base, 'project', name))
    symlinkSync(path.join(base, to), path.join(base, 'outside', `to-${name}`))
  }
  const root = openRoot(path.join(base, 'project'))
  if (!root.ok) throw new Error(root.fault.code)
  const fence = fenceOf(root.value, path.join(base, 'home'), path.join(base, 'data'))
  const fs = openWorkspaceFs(root.value, { guarded: [fence.appData] })
  const command = judgeCommand(line, { cwd: fence.root, root: fence.root, home: fence.home, appData: fence.appData })
  const found = await judgeReads(command, fence.root, { root: fence.root, fs, judgePath: (facts, use) => judgePath(facts, use, fence), secrets: () => Promise.resolve({ places: [], isWhole: true, hasSecondName: false }) })
  return [found.kind, found.reason.code, found.parts.flatMap(({ reads }) => reads).map((place) => path.relative(base, place))]
}

test('R71 a link that leads out of the project: the place outside is told among what the command reads', async () => {
  expect(await judge('cat notes')).toEqual(['ask', 'path.outside-through-link', ['project/notes', 'outside/notes']])
  expect(await judge('cat own')).toEqual(['allowable', 'guard.reads', ['project/own']])
})

test('R65 R67 what nobody may allow stays so behind a link, also in a command that is asked about for something else', async () => {
  expect((await judge('curl https://a.example; cat notes'))[2]).toEqual(['project/notes', 'outside/notes'])
  for (const line of ['cat key', 'cat db', 'curl https://a.example; cat key', 'cat ../outside/notes db', 'cat ../outside/to-key', 'cat ../outside/to-db', 'python3 -c 1; cp ../outside/to-db .']) {
    expect([line, (await judge(line))[0]]).toEqual([line, 'deny'])
  }
})
