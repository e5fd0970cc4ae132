import { expect, onTestFinished, test } from 'vitest'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld } from '../../support/headlessRun'

test('R43, R61: the instructions of a project take part in `run` only with `--trust`, and that stands in the record', { timeout: 60_000 }, async () => {
  const server = await startFakeModelServer({ steps: [reply({ text: 'One.' }), reply({ text: 'Two.' })] })
  const world = makeHeadlessWorld({ 'AGENTS.md': 'AGENTS-MARK\n' })
  onTestFinished(async () => {
    world.remove()
    await server.close()
  })
  const args = ['run', '--project', world.project, '--prompt', 'Hi', '--base-url', server.baseUrl, '--model', 'm']
  const [without, withTrust] = [await world.run(args), await world.run([...args, '--trust'])]
  expect([without.code, withTrust.code, server.requests.map(({ bodyText }) => bodyText.includes('AGENTS-MARK'))]).toEqual([0, 0, [false, true]])
  expect(await world.run(['audit', 'verify'])).toMatchObject({ code: 0, lines: [{ ok: true }] })
})
