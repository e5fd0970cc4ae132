import { chooseSkill } from '../../../src/renderer/features/work/offerStore'
import { setDraft } from '../../../src/renderer/features/work/workStore'
import type { EventDraft } from '../../../src/shared/domain/event'
import { asId, type CallId, type TurnId } from '../../../src/shared/domain/ids'
import type { MemoryAnswers } from '../../support/memoryHost'
import { loadTest, skillRow } from './skillWorld'

const review = skillRow('code-review', { version: '1.0.0', description: 'Reviews a change or a file and reports findings as critical, warning or info, each with file, line and a way to mend it.', triggers: ['review'], path: 'code-review/SKILL.md' })

/** What the skill channels answer in a story. */
export const skillAnswers: MemoryAnswers = { 'skill/read': () => ({ rows: [review, loadTest], faults: [], indexBytes: 380, folder: '/home/ada/.local/share/countersign/skills' }) }

/** Skills that entered the conversation, by the model and by the person. */
export const skillDrafts: readonly EventDraft[] = [review, loadTest].map(({ skill }, at) => ({
  type: 'skill-loaded', turnId: asId<TurnId>('t2'), step: 1, callId: at === 0 ? asId<CallId>('c90') : null, skill, inputs: {}, text: `[skill "${skill.name}"]\nLook at each change with its surroundings.\n\n1. Read it whole.\n2. Say what is wrong, with file and line.`, tools: null, outputSchema: null,
}))

/** `skills-form`: the values of a skill are asked for; `skills-offer`: one is offered; else chips. */
export async function playSkills(story: string): Promise<void> {
  await chooseSkill(review.skill)
  if (story === 'skills-offer') return setDraft('Measure the throughput of the orders list')
  if (story === 'skills-form') return chooseSkill(loadTest.skill)
  await chooseSkill(loadTest.skill, { target: 'https://staging.example.org', minutes: 10 })
  setDraft('Look at the orders list')
}
