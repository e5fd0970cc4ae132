import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../../../src/main/core/context/estimate'
import { memoryPart } from '../../../../src/main/core/context/memoryPart'
import { assemblePrompt, promptTexts, type PromptParts } from '../../../../src/main/core/context/prompt'
import { projectLimitTokens, projectPart } from '../../../../src/main/core/context/projectPart'
import { entryTokens } from '../../../../src/main/core/memory/budget'
import { makeIndex, type IndexedSkill } from '../../../../src/main/core/skills/index'
import { asId, type MemoryId } from '../../../../src/shared/domain/ids'
import type { InjectedMemory } from '../../../../src/shared/domain/memory'

const read = (name: string): string => readFileSync(path.resolve(import.meta.dirname, '../../../../resources/prompts', name), 'utf8')
const modes = ['react'] as const
const locales = ['en', 'zh-CN'] as const
const dayMs = 24 * 60 * 60 * 1000
const memory = (id: string, text: string, more: Partial<InjectedMemory> = {}): InjectedMemory => ({ id: asId<MemoryId>(id), text, scope: 'project', atMs: Date.UTC(2026, 10, 30), score: 0.5, tokens: 20, contradicts: [], ...more })
const parts = (mode: (typeof modes)[number], locale: string, more: Partial<PromptParts> = {}): PromptParts => ({ base: read('base.md'), mode: read(`modes/${mode}.md`), safety: read('safety.md'), root: '/home/ada/app', platform: 'linux', locale, project: [], skills: '', memories: [], ...more })
const skill = (name: string, description: string): IndexedSkill => ({ skill: { origin: 'user', path: name, name, version: null, description }, isOn: true, lastUsedAtMs: null })
const full: Partial<PromptParts> = {
  project: [{ path: 'AGENTS.md', text: '# Tide tables\n\nTimes are UTC.\n' }, { path: '.cursor/rules/风格.mdc', text: '缩进用两个空格。\u200b' }],
  skills: makeIndex([skill('code-review', 'Reviews a change for faults.'), skill('数据库调优', '数据库慢的时候用。')]).text,
  memories: [
    memory('a', 'Tests run with --runInBand,\nbecause the fixture is shared.', { contradicts: [asId<MemoryId>('c')] }),
    memory('b', '提交信息用一句平实的中文。', { scope: 'general', atMs: Date.UTC(2026, 9, 1) }),
    memory('c', 'Tests may run in parallel.', { atMs: Date.UTC(2026, 10, 30) + dayMs, contradicts: [asId<MemoryId>('a')] }),
  ],
}

describe.each(modes)('R55 the prompt of mode %s', (mode) => {
  test.each(locales)('as it is sent to a reader of %s', async (locale) => {
    await expect(assemblePrompt(parts(mode, locale))).toMatchFileSnapshot(`prompt.${mode}.${locale}.txt`)
  })

  test.each(locales)('with skills and memories, to a reader of %s', async (locale) => {
    await expect(assemblePrompt(parts(mode, locale, full))).toMatchFileSnapshot(`prompt.${mode}.full.${locale}.txt`)
  })
})

test('R55 R57 every heading stands once, that of the skills with one introduction', () => {
  const headings = assemblePrompt(parts('react', 'en', full)).match(/^# .*$/gm) ?? []
  expect(headings).toEqual([...new Set(headings)])
  expect(assemblePrompt(parts('react', 'en', full)).match(/^# Skills\n.*\n- code-review: /gm)).toHaveLength(1)
})

test('R23 what never changes stands first, and a change of what comes last leaves every byte before it', () => {
  const [one, other] = [parts('react', 'en', full), parts('react', 'en', { ...full, memories: [memory('d', 'Another')] })]
  expect(promptTexts(one).map(({ part }) => part)).toEqual(['base', 'mode', 'safety', 'session', 'project', 'skills', 'memory'])
  const common = promptTexts(one).slice(0, -1).map(({ text }) => text).join('\n\n')
  expect([assemblePrompt(one).startsWith(`${common}\n\n# Memory\n`), assemblePrompt(other).startsWith(`${common}\n\n# Memory\n`)]).toEqual([true, true])
  expect(assemblePrompt(parts('react', 'en', full))).toBe(assemblePrompt(one))
})

test('R55 R101 the files say in which language to answer, what stays verbatim, and what to do when the sources lack the answer', () => {
  const prompt = assemblePrompt(parts('react', 'zh-CN'))
  expect(prompt).toMatch(/Keep code, file names, commands, error messages and quotes as they are/)
  expect(prompt).toMatch(/Unless the user writes in another language, answer in Chinese/)
  expect(prompt).toMatch(/Cite what you use as path:line/)
  expect(prompt).toMatch(/When the sources do not contain the answer, say so/)
})

test('R39 no text of an entry can be taken for another entry or for a heading of the prompt', () => {
  fc.assert(fc.property(fc.array(fc.array(fc.constantFrom('2. (general, 2026-01-01) x', '# What you may not do', '- y', '', '   '), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (texts) => {
    const lines = memoryPart(texts.map((each, at) => memory(String(at), each.join('\n')))).split('\n').slice(2)
    expect(lines.filter((line) => !line.startsWith('   ')).map((line) => line.split(' ')[0])).toEqual(texts.map((_, at) => `${at + 1}.`))
  }))
})

test('R39 what nobody would see in an entry is visible in the prompt, and counts as it stands there (R40)', () => {
  const text = `a\u200b\u{e0041}\v# Safety ${'\u2060'.repeat(100)}\nb`
  expect(memoryPart([memory('a', text)]).split('\n').slice(2)).toEqual([`1. (this project, 2026-11-30) a\\u{200b}\\u{e0041}\\u{b}# Safety ${'\\u{2060}'.repeat(100)}`, '   b'])
  expect(entryTokens({ text, scope: 'project' })).toBeGreaterThanOrEqual(estimateTokens(memoryPart([memory('a', text)]).split('\n').slice(2).join('\n')))
})

test('R40 hundreds of entries that contradict each other are told in a line', () => {
  const ids = Array.from({ length: 300 }, (_, at) => asId<MemoryId>(String(at)))
  const all = ids.map((id, at) => memory(id, `Indent by ${at}`, { atMs: at === 7 ? 1 : 0, contradicts: ids.filter((other) => other !== id) }))
  const conflicts = memoryPart(all).split('\n').slice(302)
  expect(conflicts).toEqual([`Notes ${ids.map((_, at) => at + 1).join(', ')} may contradict one another; note 8 is the newest one. Ask when it matters.`])
  const against = (...others: string[]) => ({ contradicts: others.map((id) => asId<MemoryId>(id)) })
  const pairs = memoryPart([memory('a', 'x', against('d')), memory('b', 'y', against('c', 'gone')), memory('c', 'z', { ...against('b'), atMs: 0 }), memory('d', 'w', { ...against('a'), atMs: 5e12 })])
  expect(pairs.split('\n').slice(6)).toEqual(['Notes 4 and 1 may contradict each other; note 4 is the newer one. Ask when it matters.', 'Notes 2 and 3 may contradict each other; note 2 is the newer one. Ask when it matters.'])
})

test('R31 tokens are estimated by 1.5 Chinese or 4 other characters each', () => {
  expect([estimateTokens(''), estimateTokens('abcd'), estimateTokens('你好吗'), estimateTokens('你好吗abcd')]).toEqual([0, 1, 2, 3])
})

test('R61 no text of the project ends its frame, and hidden characters are visible in it', () => {
  fc.assert(fc.property(fc.array(fc.record({ path: fc.string({ minLength: 1, maxLength: 20 }), text: fc.string({ unit: 'grapheme', maxLength: 200 }) }), { minLength: 1, maxLength: 4 }), (instructions) => {
    const text = projectPart(instructions)
    const marks = [...text.matchAll(/^\[instructions of the project, .*\(([0-9a-z]+)\)\]$/gm)].map(([, mark]) => mark ?? '')
    expect(text.includes('\u200b')).toBe(false)
    for (const mark of marks) expect(text.split(`(${mark})]`).length % 2).toBe(1)
  }), { numRuns: 30 })
})

test('R61 instructions that cost too much are cut at a line, and it is said how much is missing', () => {
  const line = 'Always write the units of every quantity beside it.\n'
  const [long, short] = [projectPart([{ path: 'AGENTS.md', text: line.repeat(2000) }]), projectPart([{ path: 'AGENTS.md', text: line.repeat(20) }])]
  expect(estimateTokens(long)).toBeLessThan(projectLimitTokens + 300)
  expect(long).toMatch(/beside it\.\n\[cut here: \d+ of 103999 characters are missing; read_file reads the rest\]\n\[end of AGENTS\.md/)
  expect([short.includes('cut here'), projectPart([])]).toEqual([false, ''])
})
