import type { FolderModel, FolderNode } from './folderModel'
import { everyFolder } from './folderModel'

/**
 * The list beside a tree: what git's trees cannot hold. Its bytes are lines ended by NUL: first the usual permission bits of
 * files, executable files and folders, then, in byte order of their paths, what differs: `f` file, `d` folder, `e` empty folder.
 */
export interface SideList {
  readonly usual: UsualBits
  /** Permission bits by path (byte text) of files and folders that do not have the usual ones. */
  readonly bits: ReadonlyMap<string, number>
  /** Folders with nothing in them. */
  readonly empty: ReadonlySet<string>
  /** Folders above empty ones; a tree has those of them that hold files as well. */
  readonly aboveEmpty: ReadonlySet<string>
}

export interface UsualBits {
  readonly file: number
  readonly program: number
  readonly folder: number
}

/** Of no files at all. */
export const emptySide: SideList = { usual: { file: 0o644, program: 0o755, folder: 0o755 }, bits: new Map(), empty: new Set(), aboveEmpty: new Set() }

const mask = 0o7777
const title = 'countersign side list 1'

/** The bits most files and folders have, so that the list is short. Decided once for a store. */
export function usualBitsOf(model: FolderModel): UsualBits {
  const counts = { file: new Map<number, number>(), program: new Map<number, number>(), folder: new Map<number, number>() }
  const count = (kind: keyof UsualBits, mode: number): unknown => counts[kind].set(mode & mask, (counts[kind].get(mode & mask) ?? 0) + 1)
  everyFolder(model.root, (folder, path) => {
    if (path !== '') count('folder', folder.stamp.mode)
    for (const { stamp } of folder.files.values()) if (!isLink(stamp.mode)) count(kindOf(stamp.mode), stamp.mode)
  })
  const most = (kind: keyof UsualBits): number => [...counts[kind]].sort((a, b) => b[1] - a[1])[0]?.[0] ?? emptySide.usual[kind]
  return { file: most('file'), program: most('program'), folder: most('folder') }
}

/** The list of what the model knows, as stored. */
export function encodeSide(model: FolderModel, usual: UsualBits): Buffer {
  const lines: { readonly path: string; readonly line: string }[] = []
  everyFolder(model.root, (folder, path) => addFolder(lines, folder, path, usual))
  lines.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const head = [title, ...[usual.file, usual.program, usual.folder].map(octal)].join(' ')
  return Buffer.from([head, ...lines.map(({ line }) => line)].map((line) => `${line}\0`).join(''), 'latin1')
}

function addFolder(lines: { path: string; line: string }[], folder: FolderNode, path: string, usual: UsualBits): void {
  const own = path.slice(0, -1)
  const bits = folder.stamp.mode & mask
  if (own !== '' && folder.isEmpty) lines.push({ path: own, line: `e ${octal(bits)} ${own}` })
  else if (own !== '' && bits !== usual.folder) lines.push({ path: own, line: `d ${octal(bits)} ${own}` })
  for (const [name, { stamp }] of folder.files) {
    const fileBits = stamp.mode & mask
    if (isLink(stamp.mode) || fileBits === usual[kindOf(stamp.mode)]) continue
    lines.push({ path: path + name, line: `f ${octal(fileBits)} ${path}${name}` })
  }
}

/** Reads what `encodeSide` wrote. */
export function parseSide(bytes: Buffer): SideList {
  const [head = '', ...lines] = bytes.toString('latin1').split('\0')
  if (!head.startsWith(title)) throw new Error('a side list is damaged')
  const [file = 0o644, program = 0o755, folder = 0o755] = head.slice(title.length + 1).split(' ').map((text) => parseInt(text, 8))
  const usual = { file, program, folder }
  const bits = new Map<string, number>()
  const empty = new Set<string>()
  for (const line of lines) {
    if (line === '') continue
    const [, kind, value = '', path = ''] = /^([fde]) ([0-7]+) ([^]*)$/.exec(line) ?? []
    if (kind === 'e') empty.add(path)
    if (kind !== undefined) bits.set(path, parseInt(value, 8))
  }
  return { usual, bits, empty, aboveEmpty: new Set([...empty].flatMap(foldersAbove)) }
}

function foldersAbove(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/** Full permission bits of a file or folder; undefined for a link, which has none. `mode` is git's. */
export function bitsOf(side: SideList, path: string, mode: string): number | undefined {
  if (mode === '120000') return undefined
  const usual = mode === '40000' ? side.usual.folder : mode === '100755' ? side.usual.program : side.usual.file
  return side.bits.get(path) ?? usual
}

function octal(bits: number): string {
  return bits.toString(8)
}

function isLink(mode: number): boolean {
  return (mode & 0o170000) === 0o120000
}

function kindOf(mode: number): 'file' | 'program' {
  return mode & 0o100 ? 'program' : 'file'
}
