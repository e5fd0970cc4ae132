import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareWithScan } from '../../../support/memorySearches'
import { here, memoryTables, newMemory } from '../../../support/memoryTables'
import { makeSegmenter } from '../../../../src/main/adapters/segment/segmenter'
import { firstSlot, slotFinder, timeOf } from '../../../../src/main/adapters/sqlite/memory/slots'

test('D1: a search gives exactly what a scan with the formula gives: scopes, pins, bin, ages around a day, ties', async () => {
  await compareWithScan(25, 60)
})

describe('D5: whatever the segmenter cuts', () => {
  test('a Chinese word of two characters is found in every text that holds it', async () => {
    const sentence = '中华人民共和国成立以后我们在数据库里保存了所有快照功能的记录然后回滚到昨天的版本'
    const [tables, segmenter] = [memoryTables(), makeSegmenter()]
    const texts = Array.from({ length: sentence.length - 9 }, (_, at) => sentence.slice(at, at + 10))
    const terms = await segmenter.terms(texts)
    tables.addMemories({ entries: texts.map((text, at) => newMemory(`m${at}`, text, terms[at] ?? [])) })
    for (let at = 0; at + 2 <= sentence.length; at += 1) {
      const word = sentence.slice(at, at + 2)
      const found = tables.searchMemories({ workspaceId: here, scope: 'all', isBin: false, terms: [word], nowMs: 0, limit: 100 })
      expect(new Set(found.map(({ memory }) => memory.text))).toEqual(new Set(texts.filter((text) => text.includes(word))))
    }
  })
})

describe('slots', () => {
  test('follow the time, and are never before it', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 8_640_000_000_000_000 }), fc.integer({ min: 0, max: 63 }), (atMs, step) => {
      const slot = firstSlot(atMs) + step
      expect(Number.isSafeInteger(slot)).toBe(true)
      expect(timeOf(slot)).toBeGreaterThanOrEqual(atMs)
      expect(timeOf(slot) - atMs).toBeLessThan(1024)
    }))
  })

  test('that are taken make way to later ones, also for ten thousand entries of one time', () => {
    const taken = new Set<number>()
    let questions = 0
    const free = slotFinder((from, below) => {
      questions += 1
      for (let slot = below - 1; slot >= from; slot -= 1) if (taken.has(slot)) return slot
      return null
    })
    for (let count = 0; count < 10_000; count += 1) taken.add(free(5000))
    expect(taken.size).toBe(10_000)
    expect(Math.min(...taken)).toBe(firstSlot(5000))
    expect(questions).toBeLessThan(11_000)
  })
})
