import { createHash } from 'node:crypto'

export type ObjectType = 'commit' | 'tree' | 'blob'

/**
 * An object id as 20 characters of byte text; hex only where it leaves the adapter. Half the memory, and equal ids are equal
 * strings.
 */
export type RawId = string

/** The id git gives to this content. */
export function idOf(type: ObjectType, body: Uint8Array): RawId {
  return createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('binary')
}

export function hexOf(id: RawId): string {
  return Buffer.from(id, 'latin1').toString('hex')
}

export function rawOf(hex: string): RawId {
  return Buffer.from(hex, 'hex').toString('latin1')
}

/** One line of a tree object; `name` is byte text. Modes as git writes them: 100644, 100755, 120000, 40000. */
export interface TreeLine {
  readonly name: string
  readonly mode: string
  readonly id: RawId
}

export const folderMode = '40000'

/** The empty tree: what an empty folder is said to hold. */
export const emptyTree = rawOf('4b825dc642cb6eb9a060e54bf8d69288fbee4904')

/** A tree object's bytes. Folders sort as if their name ended in a slash. */
export function encodeTree(lines: readonly TreeLine[]): Buffer {
  const sorted = lines.map((line) => ({ key: line.mode === folderMode ? `${line.name}/` : line.name, line }))
  sorted.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return Buffer.from(sorted.map(({ line }) => `${line.mode} ${line.name}\0${line.id}`).join(''), 'latin1')
}

/** The lines of a tree object in their order. */
export function parseTree(body: Buffer, from = 0): TreeLine[] {
  const lines: TreeLine[] = []
  for (let at = from; at < body.length; at = endOfLine(body, at)) lines.push(lineAt(body, at))
  return lines
}

/**
 * What two tree objects do not have in common, line by line of the same name. Lines that are the same in both are not decoded:
 * mostly one of many differs.
 */
export function differingLines(before: Buffer, after: Buffer): readonly { readonly from: TreeLine | undefined; readonly to: TreeLine | undefined }[] {
  const pairs: { from: TreeLine | undefined; to: TreeLine | undefined }[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    const end = endOfLine(before, i)
    const next = j + end - i
    if (next <= after.length && before.compare(after, j, next, i, end) === 0) j = next
    else {
      const [from, to] = [lineAt(before, i), lineAt(after, j)]
      if (from.name !== to.name) break
      pairs.push({ from, to })
      j = endOfLine(after, j)
    }
    i = end
  }
  // From the first name on that only one of them has.
  const rest = new Map(parseTree(after, j).map((line) => [line.name, line]))
  for (const from of parseTree(before, i)) {
    const to = rest.get(from.name)
    rest.delete(from.name)
    if (from.id !== to?.id || from.mode !== to.mode) pairs.push({ from, to })
  }
  for (const to of rest.values()) pairs.push({ from: undefined, to })
  return pairs
}

function lineAt(body: Buffer, at: number): TreeLine {
  const blank = body.indexOf(0x20, at)
  const end = endOfLine(body, at) - 21
  if (blank < 0 || blank > end) throw new Error('a tree object is damaged')
  return { mode: body.toString('latin1', at, blank), name: body.toString('latin1', blank + 1, end), id: body.toString('latin1', end + 1, end + 21) }
}

function endOfLine(body: Buffer, at: number): number {
  const end = body.indexOf(0, at)
  if (end < 0 || end + 21 > body.length) throw new Error('a tree object is damaged')
  return end + 21
}
