import type { TextHit } from '../ports/textSearch'
import type { PathFacts } from '../ports/workspaceFs'
import type { ToolContext } from './defineTool'
import { hashLimitBytes } from './fileChange'
import { decodeFile } from './textFile'

/** Looked at together. */
const atOnce = 16
const cutRemark = ' [... omitted end of long line]'

type Confirming = Pick<ToolContext, 'fs' | 'judgePath'>

/**
 * The hits that hold when each file is judged and opened as `read_file` would (R65, R67). A searcher goes by paths alone: a
 * folder may be swapped for a link while it runs, and it sees neither that a file has a second name nor whose file it is.
 * Other hits are left out.
 * @param named the judged file, when the search was for one file
 */
export async function confirmed(hits: readonly TextHit[], named: PathFacts | null, context: Confirming): Promise<readonly TextHit[]> {
  const paths = [...new Set(hits.map((hit) => hit.path))]
  const lines = new Map<string, readonly (readonly string[])[]>()
  for (let at = 0; at < paths.length; at += atOnce) {
    await Promise.all(paths.slice(at, at + atOnce).map(async (path) => lines.set(path, await readings(path, named, context))))
  }
  return hits.filter((hit) => (lines.get(hit.path) ?? []).some((reading) => isLine(reading[hit.line - 1], hit.text)))
}

/** A file's lines as a searcher may show them; none when it may not be read. */
async function readings(path: string, named: PathFacts | null, { fs, judgePath }: Confirming): Promise<readonly (readonly string[])[]> {
  const facts = named ?? (await fs.locate(path, 'read'))
  const mayRead = named !== null || (facts.kind === 'file' && !facts.isThroughLink && judgePath(facts, 'read').kind === 'allowable')
  const content = mayRead ? await fs.read(facts, hashLimitBytes) : null
  if (content === null || !content.ok) return []
  const text = decodeFile(content.value.bytes)
  return text === null || text.encoding === 'bytes' ? [plainOf(content.value.bytes).split('\n')] : [text.text.split('\n')]
}

/** Bytes of no known encoding: what is plain ASCII in them. */
function plainOf(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return plain(text)
}

function plain(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, '')
}

function isLine(line: string | undefined, shown: string): boolean {
  const own = line?.replace(/\r$/u, '')
  if (own === undefined) return false
  const isCut = shown.endsWith(cutRemark)
  const begins = shown.slice(0, isCut ? -cutRemark.length : shown.length).replace(/^\ufeff/u, '')
  return [begins, plain(begins)].some((text) => (isCut ? own.startsWith(text) : own === text))
}

/** The paths that are there when their folders are judged and listed as `list_files` would: the guard lets both be named. */
export async function insideNames(paths: readonly string[], context: Confirming): Promise<readonly string[]> {
  const folders = [...new Set(paths.map(folderOf))]
  const names = new Map<string, ReadonlySet<string>>()
  for (let at = 0; at < folders.length; at += atOnce) {
    await Promise.all(folders.slice(at, at + atOnce).map(async (folder) => names.set(folder, await namesIn(folder, context))))
  }
  return paths.filter((path) => names.get(folderOf(path))?.has(path.slice(path.lastIndexOf('/') + 1)))
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
}

async function namesIn(folder: string, { fs, judgePath }: Confirming): Promise<ReadonlySet<string>> {
  const facts = await fs.locate(folder, 'list')
  if (facts.kind !== 'folder' || facts.isThroughLink || judgePath(facts, 'list').kind !== 'allowable') return new Set()
  const listed = await fs.list(facts)
  return new Set(listed.ok ? listed.value.map(({ name }) => name) : [])
}
