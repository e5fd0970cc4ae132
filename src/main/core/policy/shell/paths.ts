import { classifyPath, type Fence } from '../protectedPaths'
import { credentialPlaces, executedPlaces, secretNames, startPlaces, systemCredentials, systemFolders, systemStartPlaces } from '../protectedNames'
import type { PlacedPath } from './call'
import { ANY, componentFits, hasGlob, hasMark, ONE } from './marks'

/** An absolute path without `.`, `..` and doubled slashes. Marks stay. Lexical: links are the sandbox's and PathGuard's matter. */
function normalPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** The absolute places that a path may mean from any of the folders; empty when the folder is not known. */
export function resolvePath(text: string, cwds: readonly string[]): readonly string[] {
  const own = /^\/+proc\/+(?:self|thread-self)\/+(root|cwd)(?=\/|$)/u.exec(text)
  if (own) return (own[1] === 'root' ? [''] : cwds).map((folder) => normalPath(`${folder}${text.slice(own[0].length)}`))
  if (text.startsWith('/')) return [normalPath(text)]
  return cwds.map((cwd) => normalPath(`${cwd}/${text}`))
}

/** A path with the glob at its very end taken off when that glob takes all of a folder: `/*` deletes what `/` holds. */
export function withoutAllGlob(path: string): string {
  const parts = path.split('/')
  while (parts.length > 1 && /^\.?[\uFDD1\uFDD2]+$/u.test(parts[parts.length - 1] ?? '')) parts.pop()
  return parts.join('/') || '/'
}

/**
 * A classifier for one judgement, remembering what it was asked. A path with glob marks is classified for a harmless
 * name and for every sensitive place that it may match.
 */
export function makeClassifier(fence: Fence): (path: string) => readonly PlacedPath[] {
  const known = new Map<string, readonly PlacedPath[]>()
  let sensitive: readonly (readonly string[])[] | null = null
  return (path) => {
    const before = known.get(path)
    if (before) return before
    sensitive ??= hasGlob(path) ? sensitivePlaces(fence) : null
    const found = hasGlob(path) ? instancesOf(path, sensitive ?? [], fence).map((each) => placed(each, fence)) : [placed(path, fence)]
    known.set(path, found)
    return found
  }
}

function placed(path: string, fence: Fence): PlacedPath {
  return { path, is: classifyPath(path, fence) }
}

/** Concrete paths that stand for all that the pattern may match, as far as verdicts may differ. */
function instancesOf(path: string, sensitive: readonly (readonly string[])[], fence: Fence): readonly string[] {
  const pattern = path.split('/').slice(1)
  const plain = pattern.map(plainName)
  const found = new Set([`/${plain.join('/')}`])
  for (const place of sensitive) {
    const shared = Math.min(place.length, pattern.length)
    if (!pattern.slice(0, shared).every((part, at) => componentFits(part, place[at] ?? ''))) continue
    found.add(`/${[...place.slice(0, shared), ...plain.slice(shared)].join('/')}`)
  }
  const rootDepth = fence.root.split('/').length - 1
  pattern.forEach((part, at) => {
    if (at < rootDepth || !hasMark(part) || isOnlyMarks(part)) return
    for (const name of namesFitting(part)) found.add(`/${[...plain.slice(0, at), name, ...plain.slice(at + 1)].join('/')}`)
  })
  return [...found]
}

/** Whole sensitive places, split: fenced folders, credentials, start files, system folders. */
function sensitivePlaces(fence: Fence): readonly (readonly string[])[] {
  const homes = [...credentialPlaces.filter((place) => place !== '_netrc'), ...startPlaces, '.ssh/id_rsa', '.ssh/authorized_keys'].map((place) => `${fence.home}/${place}`)
  const all = [fence.root, fence.home, fence.appData, `${fence.root}/.git/hooks`, ...homes, ...systemCredentials, ...systemFolders, ...systemStartPlaces]
  return [...new Set(all)].filter((place) => place.startsWith('/')).map((place) => place.split('/').slice(1))
}

const projectNames = [...secretNames, ...executedPlaces.filter((place) => !place.includes('/')), '.env', '.env.local', '.git', '.github', 'id_rsa', 'secrets', '.secrets']

/** Sensitive names that the pattern may match; only patterns that begin with a written character are meant for one. */
function namesFitting(part: string): readonly string[] {
  return hasMark(part[0] ?? '') ? [] : projectNames.filter((name) => componentFits(part, name))
}

/** A name that the pattern may match and that nothing protects. */
function plainName(part: string): string {
  return part.replaceAll(ANY, 'x').replaceAll(ONE, 'x')
}

function isOnlyMarks(part: string): boolean {
  return /^[\uFDD0-\uFDD2]+$/u.test(part)
}
