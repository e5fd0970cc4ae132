import { createHash } from 'node:crypto'
import type { Root } from '../../native/safeFolder'
import type { ChunkEntry, FileEntry, KnownFile, StoredChunk } from './indexStore'
import { readSource } from './readSource'
import type { IndexTools } from './tools'

/** How far from its old place a chunk is looked for line by line. */
const nearLines = 400

/** What a chunk is known by, in the index and beside its vector: its content and the names around it, not its place. */
export function chunkHash(symbol: string, text: string): string {
  return createHash('sha256').update(`${symbol}\n${text}`).digest('hex').slice(0, 32)
}

/** What is embedded for a chunk. */
export function embeddedText(symbol: string, text: string): string {
  return symbol === '' ? text : `${symbol}\n${text}`
}

/** Reads a file and cuts it for the index; null when it is no longer there. */
export async function fileEntry(path: string, known: KnownFile | undefined, root: Root, tools: IndexTools, breathe: () => Promise<void>): Promise<FileEntry | null> {
  const language = tools.languageOf(path)
  const source = readSource(root, path, tools.isProse(language))
  if (source.kind === 'gone') return null
  const { stamp, mtimeMs } = source
  if (source.kind === 'left') return { path, stamp, mtimeMs, language, hash: null, pathTerms: '', chunks: [] }
  const file = { path, stamp, mtimeMs, language, hash: source.hash, pathTerms: '' }
  if (known?.hash === source.hash && known.language === language) return { ...file, chunks: null }
  const chunks: ChunkEntry[] = []
  for (const { kind, startLine, endLine, symbol, text } of await tools.chunks(language, source.text)) {
    chunks.push({ startLine, endLine, kind, symbol, hash: chunkHash(symbol, text), symbolTerms: tools.terms(symbol).join(' '), terms: tools.terms(text).join(' ') })
    await breathe()
  }
  return { ...file, pathTerms: tools.terms(path).join(' '), chunks }
}

/** A place in a file of the moment. */
export interface FoundPlace {
  readonly startLine: number
  readonly endLine: number
  readonly text: string
}

/** Reads chunks back from the files of the moment. A file is read once. */
export function makePlaceFinder(root: Root, tools: IndexTools): (file: KnownFile, chunk: StoredChunk) => Promise<FoundPlace | null> {
  const read = new Map<string, { readonly text: string; readonly lines: readonly string[] } | null>()
  return async (file, chunk) => {
    let source = read.get(file.path)
    if (source === undefined) {
      const found = readSource(root, file.path, true)
      source = found.kind === 'text' ? { text: found.text, lines: tools.linesOf(found.text) } : null
      read.set(file.path, source)
    }
    return source && (nearPlace(source.lines, chunk) ?? (await cutPlace(file, source.text, chunk, tools)))
  }
}

/** The same lines where they were, or the nearest place they moved to. */
function nearPlace(lines: readonly string[], { startLine, endLine, symbol, hash }: StoredChunk): FoundPlace | null {
  const count = endLine - startLine + 1
  for (let step = 0; step <= 2 * nearLines; step++) {
    const start = startLine + (step % 2 === 0 ? step / 2 : -(step + 1) / 2)
    if (start < 1 || start + count - 1 > lines.length) continue
    const text = lines.slice(start - 1, start - 1 + count).join('\n')
    if (chunkHash(symbol, text) === hash) return { startLine: start, endLine: start + count - 1, text }
  }
  return null
}

/** A part of a line, or one that moved far: the file is cut as it was for the index. */
async function cutPlace({ language }: KnownFile, text: string, { startLine, hash }: StoredChunk, tools: IndexTools): Promise<FoundPlace | null> {
  let best: FoundPlace | null = null
  for (const chunk of await tools.chunks(language, text)) {
    if (chunkHash(chunk.symbol, chunk.text) !== hash) continue
    if (best === null || Math.abs(chunk.startLine - startLine) < Math.abs(best.startLine - startLine)) best = { startLine: chunk.startLine, endLine: chunk.endLine, text: chunk.text }
  }
  return best
}
