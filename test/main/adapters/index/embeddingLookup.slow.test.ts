import { afterEach, describe, expect, test } from 'vitest'
import type { Embedder } from '../../../../src/main/core/ports/embedder'
import { succeed } from '../../../../src/shared/domain/result'
import { makeIndexWorld, testEndpoint, type IndexWorld } from '../../../support/indexWorld'

const never = new AbortController().signal
const meanings = ['cat kitten pet', 'car engine wheel', 'bread flour oven']

/** A vector says how many words of each meaning a text has; of unit length. */
function vectorOf(text: string): Float32Array {
  const counts = meanings.map((words) => words.split(' ').filter((word) => text.includes(word)).length + 0.01)
  const length = Math.hypot(...counts)
  return new Float32Array(counts.map((count) => count / length))
}

/** Embeds as above and remembers what it was sent. */
function countingEmbedder() {
  const sent: string[] = []
  const embedder: Embedder = {
    embed(_endpoint, texts) {
      sent.push(...texts)
      return Promise.resolve(succeed(texts.map(vectorOf)))
    },
  }
  return { embedder, sent }
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

describe('vectors (R99, R100)', () => {
  test('what is near in meaning is found without a common word, within the filters; secrets are not sent', async () => {
    const { embedder, sent } = countingEmbedder()
    const world = (open = makeIndexWorld(files, embedder))
    await world.index.useEmbedding(testEndpoint)
    await world.index.open(world.folder)
    await world.until(({ vectors }) => vectors === 3)
    expect(await vectorHits(world, 'a pet cat')).toMatchObject({ paths: ['a.md', expect.any(String)], fault: null })
    expect(await vectorHits(world, 'a pet cat', 'b.*')).toEqual({ paths: ['b.md'], fault: null })
    expect(sent.filter((text) => text.includes('flour')).map((text) => text.includes('hunter2'))).toEqual([false])
  })

  test('what was embedded once is not sent again: not after a renaming, an edit beside it, or a new start', async () => {
    const { embedder, sent } = countingEmbedder()
    const world = (open = makeIndexWorld(files, embedder))
    await world.index.useEmbedding(testEndpoint)
    await world.index.open(world.folder)
    await world.until(({ vectors }) => vectors === 3)
    await world.index.close()
    world.write('moved/a.md', files['a.md'])
    world.write('b.md', `# Added\n${'oven '.repeat(400)}\n\n# Kept\nengine and wheel\n`)
    const again = world.another()
    await again.useEmbedding(testEndpoint)
    await again.open(world.folder)
    await world.until(({ phase, chunks, vectors }) => phase === 'ready' && chunks > 4 && vectors > 4, again)
    expect(sent.filter((text) => text.includes('kitten'))).toHaveLength(1)
  })
})
