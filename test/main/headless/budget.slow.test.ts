import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld } from '../../support/headlessRun'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('R2 R93 nobody is there to raise a ceiling: the turn ends with the reason budget, before the next call of the model', async () => {
  const world = makeHeadlessWorld({ 'a.txt': 'a\n' })
  closing.push(() => world.remove())
  const model = await startFakeModelServer({ steps: [
    reply({ text: 'I look.', calls: [{ name: 'read_file', args: { path: 'a.txt' } }], usage: { input: 1500, output: 10 } }),
    reply({ text: 'Never asked for.' }),
  ] })
  closing.push(() => model.close())
  mkdirSync(world.data, { recursive: true })
  writeFileSync(path.join(world.data, 'settings.json'), JSON.stringify({ budget: { turnTokens: 1000, turnCost: [{ currency: 'USD', amount: 1 }], dayCost: [] } }))
  const { code, lines } = await world.run(['run', '--project', world.project, '--prompt', 'Go', '--base-url', model.baseUrl, '--model', 'fake'])
  expect(code).toBe(0)
  expect(lines.filter((line) => ['budget-reached', 'budget-raised', 'turn-ended', 'note-added'].includes(String(line.type))).map(({ type, reason, reached, say }) => ({ type, reason, reached, code: (say as { code?: string } | undefined)?.code }))).toEqual([
    { type: 'budget-reached', reached: { kind: 'turn-tokens', currency: null, limit: 1000, spent: 1510 } },
    { type: 'turn-ended', reason: 'budget', code: 'budget.ended-tokens' },
  ])
  // A model of this computer costs nothing, so the ceiling of money holds it and no note says otherwise.
  expect(lines.find((line) => line.type === 'usage-reported')).toMatchObject({ purpose: 'turn', choice: { model: 'fake' }, cost: { currency: 'USD', micros: 0 } })
  expect(model.requests).toHaveLength(1)
})
