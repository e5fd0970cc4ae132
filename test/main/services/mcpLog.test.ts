import { expect, test } from 'vitest'
import { StreamRedactor } from '../../../src/main/core/policy/redactionStream'
import { makeMcpLog } from '../../../src/main/services/mcpLog'

const secret = 'sesame-9f8e7d6c5b4a-open'
const logOf = (known: readonly string[] = [secret]) => makeMcpLog(() => new StreamRedactor({ known }))
const line = (text: string, from: 'stderr' | 'stdout' = 'stderr') => ({ atMs: 1, from, text })

test('R46 R91 a line is masked before it is cut, also one that was cut before it came: no half secret stays', () => {
  for (let shift = 0; shift < 30; shift++) {
    const log = logOf()
    const long = `${'-'.repeat(shift)}${`${secret},`.repeat(1_000)}`
    log.add(line(long.slice(0, 3_000)))
    log.add(line(`${long.slice(0, 8_000)}…`))
    const texts = log.lines().map((one) => one.text)
    expect(texts).toHaveLength(2)
    expect(texts.join('')).toContain('[redacted:')
    // The first line came whole and ends in half a secret of its own; only what was cut here or on the way is at stake.
    expect(texts[1]).not.toMatch(/sesame|9f8e|5b4a/u)
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(2_001)
  }
})

test('R91 a secret of several lines is masked line by line as they come, each source for itself', () => {
  const key = 'first-part-of-it\nsecond-part-of-it\nthird-part-of-it'
  const log = logOf([key])
  for (const text of ['before', 'first-part-of-it', 'second-part-of-it', 'third-part-of-it', 'after']) {
    log.add(line(text))
    log.add(line('between', 'stdout'))
  }
  const texts = log.lines().flatMap((one) => (one.from === 'stderr' ? [one.text] : []))
  expect(texts.join()).not.toContain('part-of-it')
  expect([texts[0], texts.at(-1)]).toEqual(['before', 'after'])
  expect(log.lines().filter((one) => one.from === 'stdout')).toHaveLength(5)
})

test('R46 what became secret at a start is masked from then on', () => {
  const known: string[] = []
  const log = makeMcpLog(() => new StreamRedactor({ known: [...known] }))
  log.add(line('one'))
  known.push(secret)
  log.started()
  log.add(line(`two ${secret}`))
  expect(log.lines().map((one) => one.text)).toEqual(['one', 'two [redacted:known]'])
  expect(log.lastLine(0)).toBe('two [redacted:known]')
})
