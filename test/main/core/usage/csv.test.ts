import { expect, test } from 'vitest'
import { csvHead, csvLine } from '../../../../src/main/core/usage/csv'
import type { UsageRow } from '../../../../src/main/core/ports/usageStore'
import { asId } from '../../../../src/shared/domain/ids'

const row: UsageRow = { sessionId: asId('s'), seq: 4, atMs: Date.UTC(2026, 10, 30, 12), project: 'harbor', title: 'Fix it', turnId: asId('t'), step: 2, provider: 'main', model: 'large', purpose: 'turn', inputTokens: 100, cachedTokens: 40, outputTokens: 10, isEstimated: false, durationMs: 500, currency: 'USD', micros: 1_234_567 }

test('R93 a line a call, with its cost in full and its time in UTC', () => {
  expect(csvHead.trim().split(',')).toHaveLength(15)
  expect(csvLine(row)).toBe('2026-11-30T12:00:00.000Z,harbor,Fix it,t,2,main,large,turn,100,40,10,no,500,USD,1.234567\r\n')
  expect(csvLine({ ...row, currency: null, micros: 0, durationMs: null, isEstimated: true })).toBe('2026-11-30T12:00:00.000Z,harbor,Fix it,t,2,main,large,turn,100,40,10,yes,,,\r\n')
})

test('R93 commas, quotes and breaks stay in their cell, and no cell is a formula', () => {
  const cell = (title: string): string => csvLine({ ...row, title }).split('harbor,')[1]?.split(',t,2,')[0] ?? ''
  expect(['a, b', 'say "so"', 'one\ntwo', '=1+1', '@SUM(A1)', '-2'].map(cell)).toEqual(['"a, b"', '"say ""so"""', '"one\ntwo"', "'=1+1", "'@SUM(A1)", "'-2"])
})
