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
export function parseTree(body: Buffer): TreeLine[] {
  const lines: TreeLine[] = []
  for (let at = 0; at < body.length; ) {
    const blank = body.indexOf(0x20, at)
    const end = body.indexOf(0, blank)
    if (blank < 0 || end < 0 || end + 21 > body.length) throw new Error('a tree object is damaged')
    lines.push({ mode: body.toString('latin1', at, blank), name: body.toString('latin1', blank + 1, end), id: body.toString('latin1', end + 1, end + 21) })
    at = end + 21
  }
  return lines
}
