import { z } from 'zod'
import { said, succeed } from '../../../../shared/domain/result'
import { defineTool } from '../defineTool'

/** The agent's own list of what it is about to do, shown to the person; it changes nothing but the screen. */
export const updatePlan = defineTool({
  name: 'update_plan',
  description: 'Show the user the list of steps you intend and how far you are. Use it for work of three steps or more; send the whole list each time.',
  params: z.object({
    steps: z.array(z.object({ title: z.string().min(1).max(500), status: z.enum(['pending', 'running', 'done']) })).min(1).max(50),
  }),
  effect: 'read',
  paths: () => [],
  forecast: (args) =>
    Promise.resolve(succeed({ preview: { kind: 'arguments', text: args.steps.map((step) => step.title).join('\n'), notes: [] }, writes: [], base: {} })),
  run: (args) =>
    Promise.resolve({
      status: 'ok',
      say: said('tool.plan-updated', { done: args.steps.filter((step) => step.status === 'done').length, total: args.steps.length }),
    }),
})
