import type { Dirent } from 'node:fs'
import { dirname, join, parse, sep } from 'node:path'
import { foldName } from '../core/policy/foldName'
import type { PathFacts, PathUse } from '../core/ports/workspaceFs'
import { disk, errorCode, type Stats, type Steps } from './diskSteps'
import { identityOf, kindOf } from './safeFile'
import type { Root } from './safeFolder'
import { isAbsolute, namesOf, platformHere, textProblem, type PathPlatform, type PathProblem } from './safePathLexical'

const maxLinks = 40

/** Where a walk has come to. */
interface Walk {
  readonly root: Root
  readonly given: string
  /** Use of a kind that acts on a link itself. */
  readonly actsOnLink: boolean
  readonly platform: PathPlatform
  /** Folders known by identity, wherever they are met: the app's data folder through a bind mount is still that folder. */
  readonly known: readonly { readonly path: string; readonly dev: bigint; readonly ino: bigint }[]
}

/**
 * Finds the place that a path given by the model names (SECURITY rule of R65): component by component from the opened root
 * or from `/`, reading each link and going on with its target, `..` going to the parent of the resolved place. What cannot be
 * found out is a problem, never a guess. Delete and rename stop before a link in the last component: they act on the link.
 *
 * @param guarded folders that are recognised by identity also when mounted elsewhere.
 */
export function* locate(root: Root, given: string, use: PathUse, guarded: readonly string[] = []): Steps<PathFacts> {
  const platform = platformHere()
  const walk: Walk = { root, given, actsOnLink: use === 'delete' || use === 'rename', platform, known: yield* identitiesOf(guarded) }
  const problem = textProblem(given, platform)
  if (problem) return stopped(walk, given, problem)
  const from = isAbsolute(given, platform) ? parse(given).root : ''
  return yield* follow(walk, from === '' ? root.path : from, namesOf(given.slice(from.length), platform))
}

function* follow(walk: Walk, start: string, given: readonly string[]): Steps<PathFacts> {
  let place = start
  let stats = yield* lookAtStart(start)
  let rest = [...given]
  let links = 0
  while (stats !== null) {
    const name = rest.shift()
    if (name === undefined) return yield* found(walk, place, stats, links > 0)
    if (!stats.isDirectory()) return stopped(walk, place, 'unreadable')
    if (name === '..') {
      place = dirname(place)
      stats = yield* lookAtStart(place)
      continue
    }
    const next = join(place, name)
    if (isSpecialByName(walk, next)) return special(walk, [next, ...rest].join(sep), links > 0)
    const step = yield* look(next)
    if (typeof step === 'string') return stopped(walk, next, step)
    if (step === null) return rest.includes('..') ? stopped(walk, next, 'dotdot-missing') : missing(walk, place, stats, [name, ...rest], links > 0)
    if (!step.isSymbolicLink()) {
      place = knownPath(walk, next, step)
      stats = step
      continue
    }
    if (rest.length === 0 && walk.actsOnLink) return yield* found(walk, next, step, links > 0)
    links += 1
    if (links > maxLinks) return stopped(walk, next, 'too-many-links')
    const target = yield* targetOf(next)
    if (target === null) return stopped(walk, next, 'unreadable')
    const from = isAbsolute(target, walk.platform) ? parse(target).root : ''
    rest = [...namesOf(target.slice(from.length), walk.platform), ...rest]
    if (from === '') continue
    place = from
    stats = yield* lookAtStart(place)
  }
  return stopped(walk, place, 'unreadable')
}

function* lookAtStart(path: string): Steps<Stats | null> {
  const stats = yield* look(path)
  return typeof stats === 'string' ? null : stats
}

/** Null: there is nothing of that name. A problem: it cannot be said. */
function* look(path: string): Steps<Stats | null | PathProblem> {
  try {
    return yield* disk.lstat(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === '') throw error
    return code === 'ENOENT' ? null : code === 'ENAMETOOLONG' ? 'too-long' : 'unreadable'
  }
}

/** A link's text, when it is text: a target that is no UTF-8 would be looked up under another name than the system's. */
function* targetOf(path: string): Steps<string | null> {
  try {
    const raw = yield* disk.readlink(path)
    const text = raw.toString('utf8')
    const isSound = text !== '' && Buffer.from(text, 'utf8').equals(raw)
    // Windows: a target without a drive may name a device or another machine.
    return isSound && !(sep === '\\' && /^(?:[\\/]|[a-z]:(?![\\/]))/iu.test(text)) ? text : null
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

function* identitiesOf(folders: readonly string[]): Steps<Walk['known']> {
  const known: { path: string; dev: bigint; ino: bigint }[] = []
  for (const path of folders) {
    const stats = yield* look(path)
    if (stats !== null && typeof stats !== 'string') known.push({ path, dev: stats.dev, ino: stats.ino })
  }
  return known
}

function knownPath(walk: Walk, path: string, stats: Stats): string {
  if (!stats.isDirectory()) return path
  return walk.known.find((folder) => folder.dev === stats.dev && folder.ino === stats.ino)?.path ?? path
}

/** Processes, kernel and devices are never looked into: their links lead anywhere. A project that lies there stays usable. */
function isSpecialByName(walk: Walk, path: string): boolean {
  if (walk.platform === 'win32' || !/^\/(?:proc|sys|dev)(?:\/|$)/u.test(path)) return false
  return !`${walk.root.path}/`.startsWith(`${path}/`) && !`${path}/`.startsWith(`${walk.root.path}/`)
}

function* found(walk: Walk, path: string, stats: Stats, isThroughLink: boolean): Steps<PathFacts> {
  const realPath = (yield* guardedName(walk, path, stats)) ?? (yield* trueName(walk, path, stats))
  if (realPath === null) return stopped(walk, path, 'unreadable')
  const above = yield* lookAtStart(dirname(realPath))
  if (above === null) return stopped(walk, path, 'unreadable')
  return {
    given: walk.given,
    realPath,
    relative: relativeTo(walk, realPath),
    problem: null,
    kind: kindOf(stats),
    isThroughLink,
    linkCount: Number(stats.nlink),
    identity: identityOf(stats),
    parent: parentOf(dirname(realPath), above),
    ...(walk.actsOnLink && stats.isDirectory() ? { holds: yield* repositoriesIn(realPath) } : {}),
  }
}

/** Entries of a guarded folder and its folders that are compared with a file of several names. */
const guardedEntries = 500

/** A second name of a file in a guarded folder is that file, in a package store too, where every file has several names. */
function* guardedName(walk: Walk, path: string, stats: Stats): Steps<string | null> {
  if (!stats.isFile() || stats.nlink < 2n) return null
  for (const guarded of walk.known) {
    if (guarded.dev !== stats.dev || path.startsWith(guarded.path + sep)) continue
    const queue = [guarded.path]
    let seen = 0
    for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
      for (const entry of yield* entriesOf(folder)) {
        seen += 1
        if (seen > guardedEntries) return null
        const inside = join(folder, entry.name)
        if (entry.isDirectory() && folder === guarded.path) queue.push(inside)
        const other = entry.isFile() ? yield* look(inside) : null
        if (other !== null && typeof other !== 'string' && other.dev === stats.dev && other.ino === stats.ino) return inside
      }
    }
  }
  return null
}

/** Folders and entries looked through in search of repositories. */
const searchDepth = 4
const searchEntries = 4000

/** Repositories in a folder, nearest first. Dependencies and other repositories are not searched. */
function* repositoriesIn(folder: string): Steps<readonly string[]> {
  const holds: string[] = []
  let seen = 0
  let level: string[] = ['']
  for (let depth = 0; depth < searchDepth && level.length > 0; depth += 1) {
    const next: string[] = []
    for (const relative of level) {
      for (const entry of yield* entriesOf(join(folder, relative))) {
        seen += 1
        if (seen > searchEntries) return holds
        const path = relative === '' ? entry.name : `${relative}/${entry.name}`
        if (foldName(entry.name) === '.git') holds.push(path)
        else if (entry.isDirectory() && entry.name !== 'node_modules') next.push(path)
      }
    }
    level = next
  }
  return holds
}

function* entriesOf(folder: string): Steps<readonly Dirent[]> {
  try {
    return yield* disk.readdir(folder)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return []
  }
}

/** Systems that fold names: the name as the disk holds it, so that one place has one path. */
function* trueName(walk: Walk, path: string, stats: Stats): Steps<string | null> {
  if (walk.platform === 'linux' || stats.isSymbolicLink()) return path
  try {
    const real = yield* disk.realpath(path)
    return foldPath(real) === foldPath(path) ? real : null
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

function foldPath(path: string): string {
  return path.split(sep).map(foldName).join('/')
}

function missing(walk: Walk, place: string, stats: Stats, names: readonly string[], isThroughLink: boolean): PathFacts {
  const realPath = join(place, ...names)
  return {
    given: walk.given,
    realPath,
    relative: relativeTo(walk, realPath),
    problem: null,
    kind: 'missing',
    isThroughLink,
    linkCount: 0,
    identity: null,
    parent: parentOf(place, stats),
  }
}

function special(walk: Walk, realPath: string, isThroughLink: boolean): PathFacts {
  return { given: walk.given, realPath, relative: null, problem: null, kind: 'special', isThroughLink, linkCount: 1, identity: null, parent: null }
}

function stopped(walk: Walk, realPath: string, problem: PathProblem): PathFacts {
  return { given: walk.given, realPath, relative: null, problem, kind: 'missing', isThroughLink: false, linkCount: 0, identity: null, parent: null }
}

function parentOf(realPath: string, stats: Stats): NonNullable<PathFacts['parent']> {
  return { realPath, dev: String(stats.dev), ino: String(stats.ino) }
}

/** Exact on Linux, without case elsewhere. */
function relativeTo(walk: Walk, realPath: string): string | null {
  const root = walk.root.path
  if (same(walk, realPath, root)) return ''
  const fence = root.endsWith(sep) ? root : root + sep
  if (!same(walk, realPath.slice(0, fence.length), fence)) return null
  return realPath.slice(fence.length).split(sep).join('/')
}

function same(walk: Walk, a: string, b: string): boolean {
  return a === b || (walk.platform !== 'linux' && foldPath(a) === foldPath(b))
}
