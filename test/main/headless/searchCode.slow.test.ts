import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld, type Line } from '../../support/headlessRun'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const projectFiles = path.resolve(import.meta.dirname, '../../fixtures/retrieval/project')

/** One run in which the model makes these searches; the text of each result. */
async function searched(...queries: readonly Readonly<Record<string, unknown>>[]): Promise<{ readonly texts: readonly string[]; readonly asked: readonly Line[]; readonly project: string }> {
  const at = makeHeadlessWorld()
  closing.push(() => at.remove())
  cpSync(projectFiles, at.project, { recursive: true })
  const model = await startFakeModelServer({ steps: [reply({ calls: queries.map((args) => ({ name: 'search_code', args })) }), reply({ text: 'Found.' })] })
  closing.push(() => model.close())
  const { lines, code, words } = await at.run(['run', '--project', at.project, '--prompt', 'where is it', '--base-url', model.baseUrl])
  expect(words === '' || code === 0 ? code : words).toBe(0)
  const of = (type: string): readonly Line[] => lines.filter((line) => line.type === type)
  return { texts: of('tool-finished').map((line) => String(line['text'])), asked: of('approval-asked'), project: at.project }
}

test('R99 R101 R102 a search in a run waits for the index and cites files and lines, in Chinese and English', async () => {
  const { texts, asked, project } = await searched({ query: 'exponential backoff with jitter' }, { query: '满减优惠' }, { query: 'releaseExpired', language: 'java' }, { query: 'a unicorn farm', path: 'docs/zh/**' })
  const cited = /^(src\/http\/retry\.ts):(\d+)-(\d+) \(.*backoffDelay.*\)$/m.exec(texts[0] ?? '')
  const lines = readFileSync(path.join(project, 'src/http/retry.ts'), 'utf8').split('\n').slice(Number(cited?.[2]) - 1, Number(cited?.[3]))
  expect(lines.join('\n')).toContain('export function backoffDelay')
  expect(texts[0]).toContain(lines.join('\n').trimEnd())
  expect(texts[1]).toMatch(/src\/orders\/cart\.ts:\d+-\d+/)
  expect(texts[2]).toMatch(/^worker\/StockReservation\.java:\d+-\d+/m)
  expect(texts[3]).toBe('Nothing in the index answers this. Say so, or try other words, search_text or find_files.')
  expect(asked).toEqual([])
})
