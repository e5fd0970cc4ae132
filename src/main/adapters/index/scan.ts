import { lstatSync } from 'node:fs'
import { closeFolder, openFolder, type Root } from '../../native/safeFolder'
import { disk, runNow } from '../../native/diskSteps'
import { readFileNow } from '../../native/safePath'
import { stampOf } from './readSource'

/** What ignore files say in a folder. */
export interface FolderRules {
  /** `isBeside` tells which names stand in the same folder. */
  isIgnored(path: string, isFolder: boolean, isBeside: (name: string) => boolean): boolean
  /** The rules inside a folder with these ignore files, the later over the earlier. */
  within(folder: string, texts: readonly string[]): FolderRules
}

/** What is never read, whatever ignore files say. */
export interface Fence {
  readonly rules: FolderRules
  /** Protected and secret files, the app's own data. By path from the root. */
  isWithheld(path: string): boolean
}

/** A regular file that may be read. */
export interface FoundFile {
  readonly path: string
  readonly stamp: string
  readonly mtimeMs: number
  readonly sizeBytes: number
}

/** Names of ignore files, the later over the earlier, as ripgrep has them. */
export const ignoreNames = ['.gitignore', '.ignore', '.rgignore']
const largestIgnoreBytes = 1024 * 1024
const deepest = 64

/** What a scan found: files by path, and the rules of every folder that was entered ('' for the root). */
export interface Scanned {
  readonly files: ReadonlyMap<string, FoundFile>
  readonly rules: ReadonlyMap<string, FolderRules>
}

/**
 * Walks the folder: no links, nothing ignored or withheld. A folder that cannot be read counts as empty.
 *
 * @param breathe is awaited after each folder.
 */
export async function scan(root: Root, fence: Fence, breathe: () => Promise<void>, isStopped: () => boolean): Promise<Scanned> {
  const files = new Map<string, FoundFile>()
  const rules = new Map<string, FolderRules>()
  const open: { readonly path: string; readonly outer: FolderRules }[] = [{ path: '', outer: outermost(root, fence) }]
  for (let next = open.pop(); next !== undefined && !isStopped(); next = open.pop()) {
    const { path, outer } = next
    const listed = list(root, path)
    const names = new Set(listed.map(({ name }) => name))
    const texts = ignoreNames.filter((name) => names.has(name)).flatMap((name) => ignoreText(root, inFolder(path, name)))
    const inside = texts.length === 0 ? outer : outer.within(path, texts)
    rules.set(path, inside)
    for (const { name, kind, file } of listed) {
      const at = inFolder(path, name)
      if (isLeftOut(at, kind === 'folder', inside, fence, (beside) => names.has(beside))) continue
      if (kind === 'folder' && path.split('/').length < deepest) open.push({ path: at, outer: inside })
      if (file) files.set(at, { ...file, path: at })
    }
    await breathe()
  }
  return { files, rules }
}

/** Whether a path is left out, its folder being entered. */
export function isLeftOut(path: string, isFolder: boolean, rules: FolderRules, fence: Fence, isBeside: (name: string) => boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.toLowerCase() === '.git' || rules.isIgnored(path, isFolder, isBeside) || fence.isWithheld(path)
}

/** A repository's own list of what it does not take stands outside of its files. */
function outermost(root: Root, fence: Fence): FolderRules {
  const texts = ignoreText(root, '.git/info/exclude')
  return texts.length === 0 ? fence.rules : fence.rules.within('', texts)
}

function ignoreText(root: Root, path: string): readonly string[] {
  const read = readFileNow(root, path, largestIgnoreBytes)
  return read.ok ? [Buffer.from(read.value.bytes).toString('utf8')] : []
}

interface Listed {
  readonly name: string
  readonly kind: 'folder' | 'file'
  readonly file: Omit<FoundFile, 'path'> | null
}

function list(root: Root, path: string): readonly Listed[] {
  const folder = runNow(openFolder(root, path === '' ? [] : path.split('/')))
  if (!folder.ok) return []
  try {
    return runNow(disk.readdir(folder.value.self)).flatMap((entry): readonly Listed[] => {
      // A name that is no text cannot be asked for, and one with other bytes than its text would be another file.
      if (entry.name.includes('\uFFFD')) return []
      if (entry.isDirectory()) return [{ name: entry.name, kind: 'folder', file: null }]
      if (!entry.isFile()) return []
      const stats = lstatSync(folder.value.at(entry.name), { bigint: true, throwIfNoEntry: false })
      return stats?.isFile() === true ? [{ name: entry.name, kind: 'file', file: { stamp: stampOf(stats), mtimeMs: Number(stats.mtimeMs), sizeBytes: Number(stats.size) } }] : []
    })
  } catch {
    return [] // gone, or not ours to read
  } finally {
    runNow(closeFolder(folder.value))
  }
}

/** A name in a folder, '' being the root. */
export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
