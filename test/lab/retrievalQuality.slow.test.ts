import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { measureQuality } from './retrievalQuality'

// A floor, not a goal: below it a change has hurt the order of the answers. `lab perf retrieval` prints the figure.
const floor = 0.95

test('R99 the answers to the judged queries come in a good order, better than by counting words', async () => {
  const quality = await measureQuality(resolve('test/fixtures/retrieval'), resolve('out/main/libraryWorker.js'))
  expect(quality.index, JSON.stringify(quality)).toBeGreaterThan(floor)
  expect(quality.index).toBeGreaterThan(quality.wordCount)
}, 60_000)
