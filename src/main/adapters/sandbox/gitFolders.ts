import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'

/** A repository whose settings and hooks are held while a command runs. */
export interface FoundGit {
  /** Real paths of folders that git reads `config` and `hooks` of: the repository's own and those of its submodules. */
  readonly gitFolders: readonly string[]
  /** Of its linked work trees. */
  readonly worktreeFolders: readonly string[]
  /** Files that say where a repository lies, in the place of a `.git` folder. */
  readonly gitFiles: readonly string[]
  /** The repository of the root where it lies outside and has proved to be this root's. */
  readonly outside: string | null
  /** What the settings name as hooks or as further settings, inside the root. */
  readonly named: readonly { readonly path: string; readonly isFolder: boolean }[]
}

/** Folders looked at for nested repositories, and how deep: what a command costs stays small in any project. */
const searchLimits = { folders: 300, depth: 3 } as const
const notSearched = new Set(['node_modules', '.git', 'target', 'dist', 'build', 'out', 'vendor', '.venv', 'venv', '__pycache__', '.next', '.cache'])

/** Looks up what git of this root, and of repositories a few folders below, would obey. Follows a gitfile only to a place that names this root in turn. */
export async function findGit(root: string): Promise<FoundGit> {
  const found = { gitFolders: new Set<string>(), worktreeFolders: new Set<string>(), gitFiles: new Set<string>() }
  let outside: string | null = null
  for (const place of [root, ...(await nestedRepositories(root))]) {
    const entry = path.join(place, '.git')
    const kind = await kindOf(entry)
    if (kind === 'folder') found.gitFolders.add(entry)
    if (kind !== 'file') continue
    found.gitFiles.add(entry)
    if (place !== root) continue
    outside = await ownRepositoryOutside(root, entry)
    if (outside !== null) found.gitFolders.add(outside)
  }
  for (const folder of [...found.gitFolders]) {
    for (const module of await modulesOf(path.join(folder, 'modules'), 0)) found.gitFolders.add(module)
    for (const name of await foldersIn(path.join(folder, 'worktrees'))) found.worktreeFolders.add(path.join(folder, 'worktrees', name))
  }
  const named = (await Promise.all([...found.gitFolders].map((folder) => namedBy(folder, root)))).flat()
  return { gitFolders: [...found.gitFolders], worktreeFolders: [...found.worktreeFolders], gitFiles: [...found.gitFiles], outside, named }
}

/**
 * The repository that a gitfile names, when it names this root back: only whoever may write there can have said so, and what a
 * project says about itself makes nothing outside writable (SECURITY decision 10).
 */
async function ownRepositoryOutside(root: string, gitFile: string): Promise<string | null> {
  const target = /^gitdir: (.+?)\s*$/.exec(await textOf(gitFile))?.[1]
  if (target === undefined) return null
  const folder = await realpath(path.resolve(root, target)).catch(() => null)
  if (folder === null) return null
  const back = (await textOf(path.join(folder, 'gitdir'))).trim()
  if (back !== '' && path.basename(path.dirname(folder)) === 'worktrees') {
    const common = path.dirname(path.dirname(folder))
    const said = path.resolve(folder, (await textOf(path.join(folder, 'commondir'))).trim())
    const isOwn = path.resolve(folder, back) === gitFile && said === common
    return isOwn && (await isRepository(common)) ? common : null
  }
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(await textOf(path.join(folder, 'config')))?.[1]
  if (worktree === undefined) return null
  const isOwn = (await realpath(path.resolve(folder, worktree)).catch(() => null)) === root
  return isOwn && (await isRepository(folder)) ? folder : null
}

async function isRepository(folder: string): Promise<boolean> {
  const kinds = await Promise.all(['HEAD', 'objects', 'config'].map((name) => kindOf(path.join(folder, name))))
  return kinds.join(' ') === 'file folder file'
}

/** Submodules' repositories may lie in one another's folders, named by path. */
async function modulesOf(folder: string, depth: number): Promise<readonly string[]> {
  if (depth > searchLimits.depth) return []
  const found: string[] = []
  for (const name of await foldersIn(folder)) {
    const inner = path.join(folder, name)
    if ((await kindOf(path.join(inner, 'HEAD'))) === 'file') found.push(inner, ...(await modulesOf(path.join(inner, 'modules'), depth + 1)))
    else found.push(...(await modulesOf(inner, depth + 1)))
  }
  return found
}

async function nestedRepositories(root: string): Promise<readonly string[]> {
  const found: string[] = []
  let level: readonly string[] = [root]
  let left: number = searchLimits.folders
  for (let depth = 0; depth <= searchLimits.depth && level.length > 0 && left > 0; depth++) {
    const looked = level.slice(0, left)
    left -= looked.length
    const entries = await Promise.all(looked.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])))
    level = looked.flatMap((folder, at) => {
      const own = entries[at] ?? []
      if (folder !== root && own.some((entry) => entry.name === '.git' && !entry.isSymbolicLink())) found.push(folder)
      return own.filter((entry) => entry.isDirectory() && !notSearched.has(entry.name)).map((entry) => path.join(folder, entry.name))
    })
  }
  return found
}

/** `core.hooksPath` and included files of one repository's settings, where they lie inside the root. */
async function namedBy(gitFolder: string, root: string): Promise<FoundGit['named']> {
  const settings = await textOf(path.join(gitFolder, 'config'))
  const found: { path: string; isFolder: boolean }[] = []
  for (const [, key = '', value = ''] of settings.matchAll(/^\s*(?:\[[^\]]*\]\s*)?(hooksPath|path)\s*=\s*"?(.+?)"?\s*$/gim)) {
    const isFolder = key.toLowerCase() === 'hookspath'
    const place = path.resolve(isFolder ? root : gitFolder, value)
    if (place.startsWith(`${root}${path.sep}`)) found.push({ path: place, isFolder })
  }
  return found
}

/** What stands there, without following a link. */
export async function kindOf(place: string): Promise<'file' | 'folder' | 'link' | 'special' | 'missing'> {
  try {
    const stats = await lstat(place)
    if (stats.isSymbolicLink()) return 'link'
    if (stats.isDirectory()) return 'folder'
    return stats.isFile() ? 'file' : 'special'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    return 'special' // it cannot be looked at, so it is none of those that can be judged
  }
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

async function textOf(file: string): Promise<string> {
  // Nobody's settings are longer; a device or a pipe is never read.
  if ((await kindOf(file)) !== 'file') return ''
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.length > 1_000_000 ? '' : text
}
