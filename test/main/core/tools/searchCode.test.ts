import { describe, expect, test } from 'vitest'
import { searchCode } from '../../../../src/main/core/tools/builtins/searchCode'
import type { CodeSearch } from '../../../../src/main/core/ports/codeSearch'
import type { CodeAnswer, CodeHit, CodeQuery } from '../../../../src/shared/domain/retrieval'
import { fail, said, succeed } from '../../../../src/shared/domain/result'
import type { Usage } from '../../../../src/shared/domain/model'
import { makeTurnWorld, reply } from '../../../support/turnWorld'
import { runTurn } from '../../../../src/main/core/agent/runTurn'

const clock = { nowMs: () => 10 * 24 * 3_600_000 }
const hit = (path: string, startLine: number, endLine: number, text: string, symbol = ''): CodeHit => ({ path, startLine, endLine, language: 'typescript', symbol, text, score: 1, by: 'keyword' })
const nothing: CodeAnswer = { hits: [], isPartial: false, notes: [], usage: [] }

/** Runs one call of the tool in the loop, and gives what the model was told. */
async function told(search: CodeSearch, args: unknown, signal = new AbortController().signal) {
  const world = makeTurnWorld({ tools: [searchCode({ search, clock })], replies: [reply('', { name: 'search_code', args }), reply('done')] })
  await runTurn(world.turn, world.ports, signal)
  const end = world.events.find((event) => event.type === 'tool-finished')
  return { world, end: end?.type === 'tool-finished' ? end : undefined }
}

describe('R99, R101, R102: search_code', () => {
  test('each place is given with its file, lines and symbol, so that an answer can cite it', async () => {
    const { end } = await told({ search: () => Promise.resolve(succeed({ ...nothing, hits: [hit('src/a.ts', 3, 5, 'a\nb\nc', 'A › go'), hit('文档/说明.md', 1, 1, '# 说明')] })) }, { query: 'go' })
    expect(end?.text).toBe('2 places in 2 files.\nsrc/a.ts:3-5 (A › go)\na\nb\nc\n\n文档/说明.md:1-1\n# 说明')
  })

  test('when nothing is found the model is told so, and what did not take part', async () => {
    const { end } = await told({ search: () => Promise.resolve(succeed({ ...nothing, isPartial: true, notes: [said('retrieval.below-threshold', { threshold: 0.3 })] })) }, { query: 'x' })
    expect(end).toMatchObject({ status: 'ok', say: { code: 'retrieval.nothing' } })
    expect(end?.text).toContain('rates every place found below 0.3')
    expect(end?.text).toContain('still being built')
  })

  test('filters go to the search as they were given, days as a moment', async () => {
    const queries: CodeQuery[] = []
    await told({ search: (query) => (queries.push(query), Promise.resolve(succeed(nothing))) }, { query: 'x', path: 'src/**', language: 'Go', changed_within_days: 2, max_results: 3 })
    expect(queries).toEqual([{ query: 'x', path: 'src/**', language: 'Go', changedSinceMs: 8 * 24 * 3_600_000, limit: 3 }])
  })

  test('a language that nobody knows is a failure that says what to give', async () => {
    const { end } = await told({ search: () => Promise.reject(new Error('must not be asked')) }, { query: 'x', language: 'klingon' })
    expect(end).toMatchObject({ status: 'failed', say: { code: 'retrieval.no-language', values: { language: 'klingon' } } })
  })

  test('a long place is cut at a line and says where it goes on; too many places end at a whole one', async () => {
    const long = Array.from({ length: 400 }, (_, at) => `line ${at} ${'x'.repeat(40)}`).join('\n')
    const { end } = await told({ search: () => Promise.resolve(succeed({ ...nothing, hits: Array.from({ length: 12 }, (_, at) => hit(`f${at}.ts`, 11, 410, long)) })) }, { query: 'x', max_results: 12 })
    const first = /goes on at line (\d+)/.exec(end?.text ?? '')?.[1]
    expect(end?.text).toContain(`line ${Number(first) - 12} `)
    expect(end?.text).not.toContain(`line ${Number(first) - 11} `)
    expect(end?.text.length).toBeLessThan(31_000)
    expect(end?.say.values['count']).toBe(end?.text.match(/^f\d+\.ts:11-410$/gm)?.length)
  })

  test('tokens that rewriting or reranking used are recorded for the session', async () => {
    const usage: Usage = { inputTokens: 100, outputTokens: 20, estimated: false }
    const { world } = await told({ search: () => Promise.resolve(succeed({ ...nothing, usage: [{ choice: { provider: 'other', model: 'small' }, usage }] })) }, { query: 'x' })
    expect(world.events.filter((event) => event.type === 'usage-reported').map((event) => event.type === 'usage-reported' && event.usage.inputTokens)).toContain(100)
  })

  test('a search that fails says why', async () => {
    const { end } = await told({ search: () => Promise.resolve(fail('retrieval.off')) }, { query: 'x' })
    expect(end).toMatchObject({ status: 'failed', say: { code: 'retrieval.off' } })
  })
})
