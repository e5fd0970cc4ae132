import { expect, test } from 'vitest'
import { updatePlan } from '../../../../src/main/core/tools/builtins/updatePlan'
import type { ToolContext } from '../../../../src/main/core/tools/defineTool'

const untouched = {} as ToolContext
const steps = [{ title: 'Look', status: 'done' }, { title: 'Change', status: 'running' }, { title: 'Test', status: 'pending' }]

test('R102: update_plan shows its steps, says how far they are and touches nothing', async () => {
  const args = updatePlan.params.parse({ steps })
  expect({ effect: updatePlan.effect, paths: updatePlan.paths(args) }).toEqual({ effect: 'read', paths: [] })
  expect(await updatePlan.forecast(args, untouched)).toEqual({ ok: true, value: { preview: { kind: 'arguments', text: 'Look\nChange\nTest', notes: [] }, writes: [], base: {} } })
  expect(await updatePlan.run(args, untouched)).toEqual({ status: 'ok', say: { code: 'tool.plan-updated', values: { done: 1, total: 3 } } })
})

test.each([[[]], [[{ title: '', status: 'done' }]], [[{ title: 'x', status: 'maybe' }]], [Array.from({ length: 51 }, () => ({ title: 'x', status: 'done' }))]])('a plan of %j is refused', (bad) => {
  expect(updatePlan.params.safeParse({ steps: bad }).success).toBe(false)
})
