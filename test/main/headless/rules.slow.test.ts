import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld, type Line } from '../../support/headlessRun'
import { command } from '../../support/rules'
import { openIn } from '../../support/scratchDatabase'

const decisions = (lines: readonly Line[]) => lines.filter((line) => line.type === 'approval-decided').map((line) => [line['decision'], line['by']])

test('R69: a rule answers each simple command it names in its project, nothing that stands beside it, and is counted', async () => {
  const world = makeHeadlessWorld({ '.countersign/rules.json': '{"allow":["rm","touch"]}', 'rules.json': '{"allow":["touch"]}' })
  onTestFinished(() => world.remove())
  mkdirSync(world.data, { recursive: true, mode: 0o700 })
  const before = await openIn(world.data)
  const here = await before.timeline.workspace(world.project, 'project')
  const plain = { expiresAtMs: null, usesLeft: null, createdFromCall: null }
  await before.rules.save([{ ...plain, effect: 'allow', shape: command('mkdir', true), workspaceId: here.id }, { ...plain, effect: 'deny', shape: command('mkdir secret', true), workspaceId: null }], null, 1)
  await before.close()

  const lines = ['mkdir out', 'mkdir a && mkdir -p b/c', 'mkdir d; touch e', 'mkdir f > g', 'mkdir /tmp/countersign-never', 'mkdir -v secret', 'ls && mkdir h', 'rm -r out']
  const model = await startFakeModelServer({ steps: [...lines.map((line) => reply({ calls: [{ name: 'run_command', args: { command: line } }] })), reply({ text: 'Done.' })] })
  onTestFinished(() => model.close())
  const done = await world.run(['run', '--project', world.project, '--prompt', 'Make folders', '--base-url', model.baseUrl, '--approvals', world.approvals({ default: 'deny' })])

  expect({ code: done.code, words: done.words }).toEqual({ code: 0, words: '' })
  expect(['out', 'a', 'b/c', 'd', 'e', 'f', 'g', 'secret', 'h'].filter((name) => existsSync(path.join(world.project, name)))).toEqual(['out', 'a', 'b/c', 'h'])
  expect(existsSync('/tmp/countersign-never')).toBe(false)
  expect(decisions(done.lines)).toEqual([['allow', 'rule'], ['allow', 'rule'], ['deny', 'person'], ['deny', 'person'], ['deny', 'person'], ['deny', 'policy'], ['allow', 'rule'], ['deny', 'person']])
  const after = await openIn(world.data)
  expect((await after.rules.rules(1)).map(({ id, uses }) => [id, uses])).toEqual([['1', 3], ['2', 0]])
})
