import type { Skill } from '../../../src/shared/domain/skill'
import type { SkillRow } from '../../../src/shared/ipc/views'

/** A row of the skills that there are. */
export function skillRow(name: string, more: Partial<Skill> = {}, row: Partial<SkillRow> = {}): SkillRow {
  const skill = { origin: 'user' as const, path: `${name}/SKILL.md`, name, version: '1.0', description: `What ${name} is for.`, triggers: [], inputs: [], tools: null, outputSchema: null, bodyBytes: 100, ...more }
  return { skill, isOn: true, isTrusted: true, hiddenBy: null, index: { skill, bytes: 40, shownBytes: 20, wholeBytes: 20, fate: 'whole' }, lastUsedAtMs: null, usesThisMonth: 0, ...row }
}

/** A skill with an input of each type. */
export const loadTest = skillRow('load-test', {
  version: '1.2.0', description: 'Run a load test and report p50, p95 and errors.', triggers: ['load', 'throughput'],
  inputs: [
    { name: 'target', type: 'text', description: 'The address to test.', options: [], fallback: null },
    { name: 'minutes', type: 'number', description: 'How long.', options: [], fallback: 5 },
    { name: 'warm', type: 'boolean', description: 'Warm up first.', options: [], fallback: true },
    { name: 'kind', type: 'choice', description: '', options: ['read', 'write'], fallback: 'read' },
  ],
})
