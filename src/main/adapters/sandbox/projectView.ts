import { lstat, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { findGit, kindOf, type FoundGit } from './gitFolders'
import { heldFree, heldFreeInGit } from './places'
import type { FreeName } from './placeholders'

/** How a project looks to a command inside. All paths are absolute and real; none lies in another one that is `readOnly`. */
export interface ProjectView {
  /** Folders on the way to what is held: bound to themselves, so that none of them can be renamed and made anew. */
  readonly kept: readonly string[]
  readonly readOnly: readonly string[]
  /** Names that do not exist and are to stay so. */
  readonly free: readonly FreeName[]
  /** The repository's folder where it lies outside. */
  readonly outsideGit: string | null
  /** The file of names that git leaves alone, and the root's place in its work tree with a slash at the end. */
  readonly gitExclude: { readonly file: string; readonly below: string } | null
}

/** What a view is made for. */
export interface ProjectUse {
  readonly root: string
  readonly lifted: readonly string[]
  /** Protected places anywhere in a project, relative. */
  readonly protectedPlaces: readonly string[]
  readonly protectedEndings: readonly string[]
  /** Whether a placeholder of ours stands there. */
  readonly isPlaceholder: (place: string) => boolean
}

/** Written all day by installing and by hand; what it runs is run by asking for it. */
const written = 'package.json'

/** Looks the project over. Fails where something protected is a link or has a second name, since that cannot be held. */
export async function viewProject(use: ProjectUse): Promise<Result<ProjectView>> {
  const git = await findGit(use.root)
  const walk = new Walk(use, git.outside)
  for (const place of await protectedHere(use)) await walk.hold(path.join(use.root, place), wantedBy(place))
  for (const file of git.gitFiles) await walk.hold(file, null)
  for (const folder of git.gitFolders) await walk.holdGit(folder)
  for (const folder of git.worktreeFolders) for (const name of ['commondir', 'gitdir', 'config.worktree']) await walk.hold(path.join(folder, name), null)
  for (const { path: place, isFolder } of git.named) await walk.hold(place, isFolder)
  if (walk.fault !== null) return fail('sandbox.protected-link', { path: walk.fault })
  return succeed({ ...walk.view(), outsideGit: git.outside, gitExclude: await excludeOf(use.root, git) })
}

/** Protected places worth a look: those that are held free, and those whose first name is there. */
async function protectedHere({ root, protectedPlaces, protectedEndings }: ProjectUse): Promise<readonly string[]> {
  const names = await readdir(root).catch(() => [])
  const there = new Set(names)
  const free = heldFree.map((place) => place.replace(/\/$/, '')).filter((place) => place !== '.git' || !there.has('.git'))
  const standing = protectedPlaces.filter((place) => place !== written && there.has(place.split('/', 1).join('')))
  return [...new Set([...free, ...standing, ...names.filter((name) => protectedEndings.some((ending) => name.endsWith(ending)))])]
}

/** Whether a folder or a file is to stand in for it; null when nothing is. */
function wantedBy(place: string): boolean | null {
  if (heldFree.includes(`${place}/`)) return true
  return heldFree.includes(place) ? false : null
}

class Walk {
  readonly #use: ProjectUse
  readonly #outside: string | null
  readonly #kept = new Set<string>()
  readonly #readOnly = new Set<string>()
  readonly #free = new Map<string, FreeName>()
  fault: string | null = null

  constructor(use: ProjectUse, outside: string | null) {
    this.#use = use
    this.#outside = outside
  }

  /** @param standIn whether a folder stands in for it when it is missing; null for nothing */
  async hold(place: string, standIn: boolean | null): Promise<void> {
    if (this.#isLifted(place)) return
    const base = this.#baseOf(place)
    const parts = path.relative(base, place).split(path.sep)
    const onTheWay: string[] = []
    for (let at = 1; at <= parts.length; at++) {
      const here = path.join(base, ...parts.slice(0, at))
      const isLast = at === parts.length
      const kind = await kindOf(here)
      if (kind === 'missing' || this.#use.isPlaceholder(here)) {
        if (standIn === null) return
        this.#free.set(here, { path: here, isFolder: standIn || !isLast })
        return this.#keep(onTheWay)
      }
      if (kind === 'link' || (isLast && kind === 'special')) return this.#failAt(here)
      if (isLast && kind === 'file' && (await lstat(here)).nlink > 1) return this.#failAt(here)
      if (isLast) this.#readOnly.add(here)
      // A file where a folder would have to be: nothing stands below it.
      else if (kind !== 'folder') return
      else onTheWay.push(here)
    }
    this.#keep(onTheWay)
  }

  /** What git obeys in a repository's folder, present or not. `commondir` would lead it to another one; a dot leads to itself. */
  async holdGit(folder: string): Promise<void> {
    if (folder !== this.#outside && !this.#isLifted(folder)) this.#keep(this.#pathTo(folder))
    for (const name of heldFreeInGit) await this.hold(path.join(folder, name.replace(/\/$/, '')), name.endsWith('/'))
    const lead = path.join(folder, 'commondir')
    if (this.#isLifted(lead)) return
    if ((await kindOf(lead)) !== 'missing' && !this.#use.isPlaceholder(lead)) return this.hold(lead, null)
    this.#free.set(lead, { path: lead, isFolder: false, content: '.\n' })
  }

  view(): Pick<ProjectView, 'kept' | 'readOnly' | 'free'> {
    const readOnly = [...this.#readOnly]
    const isCovered = (place: string): boolean => readOnly.some((other) => place !== other && place.startsWith(`${other}${path.sep}`))
    return {
      kept: [...this.#kept].filter((place) => !isCovered(place) && !this.#readOnly.has(place)).sort(),
      readOnly: readOnly.filter((place) => !isCovered(place)).sort(),
      free: [...this.#free.values()].filter(({ path: place }) => !isCovered(place)),
    }
  }

  /** The folder that is writable as a whole and holds the place: the root, or its repository outside. */
  #baseOf(place: string): string {
    return this.#outside !== null && place.startsWith(`${this.#outside}${path.sep}`) ? this.#outside : this.#use.root
  }

  #pathTo(folder: string): readonly string[] {
    const base = this.#baseOf(folder)
    const parts = path.relative(base, folder).split(path.sep)
    return parts.map((_, at) => path.join(base, ...parts.slice(0, at + 1)))
  }

  /** As the person would name it: a repository outside is the root's `.git`. */
  #nameOf(place: string): string {
    const base = this.#baseOf(place)
    const own = path.relative(base, place)
    return base === this.#use.root ? own : path.join('.git', own)
  }

  #keep(places: readonly string[]): void {
    for (const place of places) this.#kept.add(place)
  }

  #failAt(place: string): void {
    this.fault ??= this.#nameOf(place)
  }

  /** A name is lifted as a whole: to replace a file, a program needs the folder it lies in. */
  #isLifted(place: string): boolean {
    const own = this.#nameOf(place)
    return this.#use.lifted.map((lifted) => path.normalize(lifted).replace(/\/$/, '')).some((lifted) => lifted === own || lifted.startsWith(`${own}/`) || own.startsWith(`${lifted}/`))
  }
}

/** The list of untracked names to leave alone, of the repository that the root is in; placeholders are written into a copy of it. */
async function excludeOf(root: string, git: FoundGit): Promise<ProjectView['gitExclude']> {
  const own = git.outside ?? git.gitFolders.find((folder) => folder === path.join(root, '.git')) ?? null
  if (own !== null) return existing(path.join(own, 'info/exclude'), '')
  for (let above = path.dirname(root); above !== path.dirname(above); above = path.dirname(above)) {
    if ((await kindOf(path.join(above, '.git'))) === 'folder') return existing(path.join(above, '.git/info/exclude'), `${path.relative(above, root)}/`)
  }
  return null
}

async function existing(file: string, below: string): Promise<ProjectView['gitExclude']> {
  return (await kindOf(file)) === 'file' ? { file, below } : null
}

/** The text of a copy of git's list with the placeholders in it. */
export async function withPlaceholders({ file, below }: NonNullable<ProjectView['gitExclude']>, root: string, names: readonly FreeName[]): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = names.map(({ path: place }) => `/${below}${path.relative(root, place)}`.replace(/[\\*?[\] !#]/g, '\\$&'))
  return `${text}\n${lines.join('\n')}\n`
}
