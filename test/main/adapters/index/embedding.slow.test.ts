import { afterEach, expect, test } from 'vitest'
import type { Embedder } from '../../../../src/main/core/ports/embedder'
import { fail, succeed } from '../../../../src/shared/domain/result'
import { makeIndexWorld, testEndpoint, type IndexWorld } from '../../../support/indexWorld'

const never = new AbortController().signal
const meanings = ['cat kitten pet', 'car engine wheel', 'bread flour oven']

/** A vector says how many words of each meaning a text has; of unit length. */
function vectorOf(text: string): Float32Array {
  const counts = meanings.map((words) => words.split(' ').filter((word) => text.includes(word)).length + 0.01)
  const length = Math.hypot(...counts)
  return new Float32Array(counts.map((count) => count / length))
}

/** Embeds as above and remembers what it was sent; `isDown` makes it fail. */
function countingEmbedder() {
  const sent: string[] = []
  const state = { isDown: false }
  const embedder: Embedder = {
    embed(_endpoint, texts) {
      if (state.isDown) return Promise.resolve(fail('retrieval.no-answer'))
      sent.push(...texts)
      return Promise.resolve(succeed(texts.map(vectorOf)))
    },
  }
  return { embedder, sent, state }
}

let open: IndexWorld | null = null
afterEach(async () => {
  await open?.close()
  open = null
})

const files = { 'a.md': 'kitten\n', 'b.md': 'engine and wheel\n', 'c.md': 'flour, password = "hunter2hunter2"\n' }

async function vectorHits(world: IndexWorld, query: string, path?: string) {
  const { lists, vectorFault } = await world.index.lookup({ queries: [query], perList: 2, ...(path === undefined ? {} : { path }) }, never)
  return { paths: lists.find(({ by }) => by === 'vector')?.hits.map((hit) => hit.path) ?? null, fault: vectorFault?.code ?? null }
}

test('R100: an endpoint that fails pauses embedding and is told; words are searched all the same', async () => {
  const { embedder, state } = countingEmbedder()
  state.isDown = true
  const world = (open = makeIndexWorld(files, embedder))
  await world.index.useEmbedding(testEndpoint)
  await world.index.open(world.folder)
  expect(await world.until(({ fault }) => fault !== null)).toMatchObject({ phase: 'ready', vectors: 0, fault: { code: 'retrieval.no-answer' } })
  expect(await world.found('kitten')).toEqual(['a.md:1-1'])
  expect(await vectorHits(world, 'cat')).toEqual({ paths: null, fault: 'retrieval.no-answer' })
  state.isDown = false
  await world.until(({ vectors, fault }) => vectors === 3 && fault === null)
})
