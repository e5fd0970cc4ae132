import { z } from 'zod'
import { said, succeed } from '../../../../shared/domain/result'
import type { SkillDesk } from '../../ports/skillDesk'
import { defineTool, type Tool } from '../defineTool'

/**
 * Makes the tool that loads a skill (R58). Its result only says so: the text follows the results of the step, once in a
 * conversation, and the loop sees to that.
 */
export function makeLoadSkill(desk: SkillDesk): Tool {
  return defineTool({
    name: 'load_skill',
    description:
      'Load one of the skills listed in your instructions before you do what it is for. Its text follows as a message, once; it stays in the conversation, so do not load it again. ' +
      'Until this turn ends you may have only the tools that it names. Give its inputs by name where it has any.',
    params: z.object({
      name: z.string().min(1).max(200).describe('As it is listed.'),
      inputs: z.record(z.string().max(200), z.union([z.string().max(100_000), z.number(), z.boolean()])).default({}),
    }),
    effect: 'read',
    paths: () => [],
    forecast: ({ name, inputs }) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: JSON.stringify({ name, inputs }, null, 2), notes: [] }, writes: [], base: {} })),
    async run({ name, inputs }) {
      const loaded = await desk.load(name, inputs)
      if (!loaded.ok) return { status: 'failed', say: loaded.fault }
      return { status: 'ok', say: said('skill.loaded', { skill: loaded.value.skill.name }), loaded: loaded.value }
    },
  })
}
