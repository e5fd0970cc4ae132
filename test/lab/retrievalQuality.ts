import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeIndexOver } from '../../src/main/app/libraryIndex'
import { makeLibraryThread } from '../../src/main/app/libraryClient'
import type { CodeIndex } from '../../src/main/core/ports/codeIndex'
import { fuse } from '../../src/main/core/retrieval/fuse'
import type { WorkspaceId } from '../../src/shared/domain/ids'

/** One query of the evaluation set: where the answer stands, and how good each place is (3: the answer, 1: it has to do with it). */
export interface JudgedQuery {
  readonly query: string
  readonly relevant: readonly { readonly path: string; readonly anchor: string; readonly grade: number }[]
}

/** How good the order of the answers is: nDCG at ten over all queries, of the index and of a plain count of words, and the worst queries. */
export interface Quality {
  readonly index: number
  readonly wordCount: number
  readonly worst: readonly { readonly query: string; readonly ndcg: number }[]
}

interface Place {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
}

const cut = 10

/** Indexes the small project of `folder` with the product's own thread and asks every query. */
export async function measureQuality(folder: string, workerFile: string): Promise<Quality> {
  const project = join(folder, 'project')
  const queries = JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8')) as readonly JudgedQuery[]
  const texts = textsOf(project)
  const data = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-quality-')))
  const thread = makeLibraryThread(workerFile)
  try {
    const index = codeIndexOver(thread, { cacheFile: join(data, 'cache.db'), home: join(data, 'home'), appData: data, env: {} })
    await index.open({ workspaceId: 'quality' as WorkspaceId, root: realpathSync(project) })
    await whole(index)
    const scored: { readonly query: string; readonly ndcg: number; readonly base: number }[] = []
    for (const judged of queries) {
      const { lists } = await index.lookup({ queries: [judged.query], perList: 50 }, new AbortController().signal)
      scored.push({ query: judged.query, ndcg: ndcg(judged, fuse(lists), texts), base: ndcg(judged, byWordCount(judged.query, texts), texts) })
    }
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
    const worst = [...scored].sort((a, b) => a.ndcg - b.ndcg).slice(0, 5).map(({ query, ndcg: value }) => ({ query, ndcg: value }))
    return { index: mean(scored.map((one) => one.ndcg)), wordCount: mean(scored.map((one) => one.base)), worst }
  } finally {
    await thread.close()
    rmSync(data, { recursive: true, force: true })
  }
}

/**
 * Discounted gain of the first ten, beside the best possible order. A place counts when it holds the line of an anchor; each file
 * counts once, with its best grade, so that several parts of one file are no gain.
 */
function ndcg({ relevant }: JudgedQuery, places: readonly Place[], texts: ReadonlyMap<string, string>): number {
  const grades = new Map<string, number>()
  for (const { path, grade } of relevant) grades.set(path, Math.max(grade, grades.get(path) ?? 0))
  const lineOf = (path: string, anchor: string): number => (texts.get(path) ?? '').split(anchor)[0]?.split('\n').length ?? 0
  const seen = new Set<string>()
  const gains = places.slice(0, cut).map((place) => {
    const isHit = relevant.some(({ path, anchor }) => path === place.path && lineOf(path, anchor) >= place.startLine && lineOf(path, anchor) <= place.endLine)
    if (!isHit || seen.has(place.path)) return 0
    seen.add(place.path)
    return grades.get(place.path) ?? 0
  })
  return discounted(gains) / discounted([...grades.values()].sort((a, b) => b - a))
}

function discounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
}

/** What anybody could do without an index: files by how many of the query's words they hold. */
function byWordCount(query: string, texts: ReadonlyMap<string, string>): readonly Place[] {
  const words = query.toLowerCase().split(/\s+/)
  const counted = [...texts].map(([path, text]) => ({ path, startLine: 1, endLine: Number.MAX_SAFE_INTEGER, count: words.filter((word) => text.toLowerCase().includes(word)).length }))
  return counted.filter((one) => one.count > 0).sort((a, b) => b.count - a.count || a.path.localeCompare(b.path))
}

function textsOf(project: string): ReadonlyMap<string, string> {
  const names = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(names.map((entry) => [join(entry.parentPath, entry.name).slice(project.length + 1), readFileSync(join(entry.parentPath, entry.name), 'utf8')]))
}

function whole(index: CodeIndex): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = ({ phase, fault }: ReturnType<CodeIndex['state']>): void => {
      if (phase === 'ready') resolve()
      if (phase === 'failed') reject(new Error(fault?.code ?? 'the index failed'))
    }
    index.onState(look)
    look(index.state())
  })
}
