import { expect, test } from 'vitest'
import { asId } from '../../src/shared/domain/ids'
import { joinTimeline, type Timeline, type TimelineRow } from '../../src/shared/ipc/timelineViews'

const row = (id: string): TimelineRow => ({ id: asId(id) }) as TimelineRow
const answer = (ids: readonly string[], after: string | null): Timeline => ({ rows: ids.map(row), after: after === null ? null : asId(after), isWhole: true, rollbacks: [], bytes: ids.length, forgotten: null })
const idsOf = ({ rows }: Timeline): readonly string[] => rows.map(({ id }) => id)

test('R79 an answer follows the point it names; one that follows none takes the place of all; one that comes twice is there once', () => {
  const known = answer(['a', 'b'], null)
  const next = answer(['c', 'd'], 'b')
  const joined = joinTimeline(known, next)
  expect([idsOf(joined), joined.bytes]).toEqual([['a', 'b', 'c', 'd'], 2])
  expect(idsOf(joinTimeline(joined, next))).toEqual(['a', 'b', 'c', 'd'])
  expect(idsOf(joinTimeline(joined, answer([], 'd')))).toEqual(['a', 'b', 'c', 'd'])
  expect(idsOf(joinTimeline(joined, answer(['c', 'd', 'e'], null)))).toEqual(['c', 'd', 'e'])
})
