import type { SkippedPath } from '../../../../shared/domain/snapshot'
import { toBytes } from '../../../native/byteText'
import { cacheMarker, cacheSignature, isGitName, isOutputFolder } from './defaultIgnores'
import { folderMode, type RawId } from '../store/gitObjects'
import { lineAt, readBlob } from '../store/heldDiff'
import { judge, parseRules, type RuleChain } from './ignoreRules'
import type { ObjectStore } from '../store/objectStore'
import { lstat, readHeld } from './stamps'

/** The names and ignore files of folders at some moment. Paths are byte text, '' is the root. */
export interface Moment {
  has(path: string): boolean
  isFolder(path: string): boolean
  /** Content of a regular file; null when there is none. */
  text(path: string): string | null
}

/** What is on disk now. */
export function momentOnDisk(root: string): Moment {
  return {
    has: (path) => lstat(`${root}/${path}`) !== undefined,
    isFolder: (path) => lstat(`${root}/${path}`)?.isDirectory() ?? false,
    text: (path) => {
      const stats = lstat(`${root}/${path}`)
      const read = stats?.isFile() ? readHeld(`${root}/${path}`, stats) : null
      return read?.kind === 'read' ? Buffer.from(read.body).toString('latin1') : null
    },
  }
}

/** What a tree holds. */
export function momentInTree(objects: ObjectStore, tree: RawId): Moment {
  return {
    has: (path) => lineAt(objects, tree, path) !== null,
    isFolder: (path) => lineAt(objects, tree, path)?.mode === folderMode,
    text: (path) => {
      const line = lineAt(objects, tree, path)
      return line?.mode.startsWith('100') ? readBlob(objects, line.id).toString('latin1') : null
    },
  }
}

/**
 * Why a path is left out by its name, whether it exists or not: the ignore rules of its folders, the default list, a
 * repository's own files. Null when a snapshot would hold it. A path that does not exist is taken for a file, unless it ends
 * in a slash.
 */
export function leftOutByName(moment: Moment, given: string, outermost: RuleChain): SkippedPath['reason'] | null {
  const path = toBytes(given)
  const names = path.replace(/\/$/, '').split('/')
  let rules: RuleChain = withIgnoreFile(outermost, moment, '')
  let folder = ''
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1
    const here = folder + name
    const isFolder = !isLast || path.endsWith('/') || moment.isFolder(here)
    if (isGitName(name)) return 'repository'
    const verdict = judge(rules, here, isFolder)
    if (verdict === 'ignored') return 'ignored'
    if (isFolder && verdict === null && isOutputFolder(name, (maker) => moment.has(folder + maker))) return 'ignored'
    if (isFolder && verdict === null && (moment.text(`${here}/${cacheMarker}`)?.startsWith(cacheSignature) ?? false)) return 'ignored'
    folder = `${here}/`
    if (!isLast) rules = withIgnoreFile(rules, moment, folder)
  }
  return null
}

function withIgnoreFile(outer: RuleChain, moment: Moment, folder: string): RuleChain {
  const text = moment.text(`${folder}.gitignore`)
  return text === null ? outer : { rules: parseRules(text), base: folder, outer }
}
