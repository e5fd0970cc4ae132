import { afterEach, describe, expect, test } from 'vitest'
import { dayEdges, dayLater, dayStart } from '../../../../src/main/core/usage/localDays'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const hour = 3_600_000

describe('R93: a day is the local one', () => {
  test('a day on which the clock is set forward has 23 hours, and one on which it is set back 25', () => {
    process.env['TZ'] = 'Europe/Berlin'
    const edges = dayEdges(Date.UTC(2026, 2, 28, 12), Date.UTC(2026, 2, 30, 12))
    expect(edges.map((at) => new Date(at).toISOString())).toEqual(['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z'])
    const autumn = dayEdges(Date.UTC(2026, 9, 25, 12), Date.UTC(2026, 9, 25, 12))
    expect((autumn[1] ?? 0) - (autumn[0] ?? 0)).toBe(25 * hour)
  })

  test('a day without a midnight begins with its first moment', () => {
    process.env['TZ'] = 'Africa/Cairo'
    // 24 April 2026: 00:00 is 01:00 already.
    const start = dayStart(Date.UTC(2026, 3, 24, 12))
    expect(new Date(start).toISOString()).toBe('2026-04-23T22:00:00.000Z')
    expect(dayEdges(Date.UTC(2026, 3, 23, 12), Date.UTC(2026, 3, 25, 12))).toHaveLength(4)
  })

  test.each(['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Africa/Cairo'])('in %s every moment of two years lies in exactly one day', (name) => {
    process.env['TZ'] = name
    const from = Date.UTC(2025, 0, 1)
    const edges = dayEdges(from, from + 730 * 24 * hour)
    expect(edges.every((edge, at) => at === 0 || edge > (edges[at - 1] ?? edge))).toBe(true)
    for (let at = from; at < from + 730 * 24 * hour; at += 7 * hour + 1) {
      const start = dayStart(at)
      expect([start <= at, at < dayLater(start, 1), edges.includes(start)]).toEqual([true, true, true])
    }
  })
})
