import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FactCell } from '../../../src/renderer/features/memory/FactCell'
import { ageWords, scoreWords, share, sourceWords } from '../../../src/renderer/features/memory/memoryWords'
import { speakerFor, Words } from '../../../src/renderer/ui/words'
import { memory, row } from '../stories/memoryWorld'

const english = speakerFor('en')
const chinese = speakerFor('zh-CN')

test('a score just under the mark never reads as the mark (R39)', () => {
  expect([0.1999, 0.2, 0.29, 0.5, 0.999, 1].map(share)).toEqual(['0.19', '0.20', '0.29', '0.50', '0.99', '1.00'])
})

test('an age is in its largest whole unit; a clock that was set back is now', () => {
  const minute = 60_000
  expect([-minute, 0, 59_000, minute, 59 * minute, 60 * minute, 23.9 * 60 * minute, 24 * 60 * minute, 40 * 24 * 60 * minute].map((ms) => ageWords(1e12, 1e12 + ms, english)))
    .toEqual(['now', 'now', 'now', '1 min', '59 min', '1 h', '23 h', '1 d', '40 d'])
  expect([0, 4, 3 * 60, 48 * 60].map((minutes) => ageWords(0, minutes * minute, chinese))).toEqual(['刚刚', '4 分钟前', '3 小时前', '2 天前'])
})

test('the parts of a score are said with the reason of the decay (R38, R39)', () => {
  const { score } = row(memory('a', 'x'), 0.5, 0.5, 'injected')
  if (!score) throw new Error('no score')
  expect(scoreWords(score, memory('a', 'x'), english)).toBe('Match 0.50: the share of your draft’s words found here. Decay 0.50: it falls to 0.50 within 24 hours and stays there. Score 0.25; injected from 0.20 up.')
  expect(scoreWords({ ...score, decay: 1, score: 0.5 }, memory('a', 'x', { isPinned: true }), chinese)).toBe('匹配 0.50：草稿中的词有多少出现在这里。衰减 1.00：已固定，不衰减。得分 0.50；达到 0.20 才注入。')
})

test('every way an entry can come to be has its words', () => {
  const from = { sessionId: 's' as never, callId: 'c' as never }
  expect([
    sourceWords({ kind: 'person', by: 'save', sessionId: null }, english), sourceWords({ kind: 'person', by: 'table', sessionId: null }, english), sourceWords({ kind: 'person', by: 'import', sessionId: null }, english), sourceWords({ kind: 'agent', ...from }, english),
    ...[{ kind: 'web' as const, host: 'h', url: 'https://h/u' }, { kind: 'web' as const, host: 'curl', url: 'curl' }, { kind: 'web' as const, host: 'localhost:80', url: 'http://localhost:80' }, { kind: 'mcp' as const, server: 'docs' }].map((source) => sourceWords({ kind: 'outside', source, ...from }, english)),
  ]).toEqual(['You, /save', 'You, table', 'Imported', 'Agent, accepted', 'From a web page', 'From a command with the network', 'From a program on this computer', 'From the server docs'])
})

test('of many entries that contradict one, three are named and the others counted (R40)', () => {
  const of = (count: number) => render(<Words locale="en"><FactCell row={row(memory('a', 'x'), 1, 1, 'injected', 30, Array.from({ length: count }, (_, at) => `other ${at}`))} isInBin={false} onDone={() => undefined} /></Words>).container
  expect([...of(20).querySelectorAll('.against')].map((line) => line.textContent)).toEqual(['May contradict: other 0', 'May contradict: other 1', 'May contradict: other 2', 'and 17 more'])
  expect(of(3).textContent).not.toContain('more')
})
