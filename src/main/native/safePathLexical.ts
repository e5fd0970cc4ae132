import { foldName } from '../core/policy/foldName'
import type { PathFacts } from '../core/ports/workspaceFs'

/** How paths are written. */
export type PathPlatform = 'linux' | 'darwin' | 'win32'

export type PathProblem = NonNullable<PathFacts['problem']>

/** The path rules of the system this runs on. */
export function platformHere(): PathPlatform {
  return process.platform === 'win32' ? 'win32' : process.platform === 'darwin' ? 'darwin' : 'linux'
}

/** Longest path in bytes, on every system. */
const maxPathBytes = 4096
const maxNameBytes = 255

/** What the text of a path alone rules out (SECURITY rule of R65), before anything is looked at on the disk; null when nothing. */
export function textProblem(given: string, platform: PathPlatform): PathProblem | null {
  if (given === '') return 'empty'
  if (given.includes('\0')) return 'nul'
  if (Buffer.byteLength(given) > maxPathBytes) return 'too-long'
  // Control characters, and halves of a surrogate pair, which would become another name on the disk.
  if (/[\p{Cc}\p{Cs}]/u.test(given)) return 'control'
  if (given.startsWith('~')) return 'tilde'
  if (/^(?:[a-z][a-z0-9+.-]+:\/\/|file:)/iu.test(given)) return 'url'
  if (platform === 'win32') return windowsProblem(given)
  if (given.split('/').some((name) => Buffer.byteLength(name) > maxNameBytes)) return 'too-long'
  return null
}

function windowsProblem(given: string): PathProblem | null {
  const text = given.replace(/\//gu, '\\')
  const drive = /^[a-z]:\\/iu.exec(text)
  if (!drive && (text.startsWith('\\') || /^[a-z]:/iu.test(text))) return 'drive'
  const names = text.slice(drive ? drive[0].length : 0).split('\\')
  for (const name of names) {
    if (name === '' || name === '.' || name === '..') continue
    const problem = windowsNameProblem(name)
    if (problem) return problem
  }
  return null
}

function windowsNameProblem(name: string): PathProblem | null {
  if (name.includes(':')) return 'stream'
  if (/[. ]$/u.test(name)) return 'trailing-dot'
  if (/[<>"|?*]/u.test(name) || isDeviceName(name)) return 'reserved-name'
  if (/~\d/u.test(name)) return 'short-name'
  return name.length > maxNameBytes ? 'too-long' : null
}

/** CON, NUL, COM1 and the like, with or without an extension; superscript digits count as digits there. */
function isDeviceName(name: string): boolean {
  const stem = (name.split('.')[0] ?? '').trimEnd().toUpperCase()
  return /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])$/u.test(stem)
}

/**
 * Facts about a path by its text alone, for a system that this is not running on, and for names that no disk can answer
 * for. `.` and `..` are resolved as text; nothing is known to exist.
 */
export function locateLexical(root: string, given: string, platform: PathPlatform): PathFacts {
  const separator = platform === 'win32' ? '\\' : '/'
  const nothing = { given, realPath: given, relative: null, kind: 'missing', isThroughLink: false, linkCount: 0, identity: null, parent: null } as const
  const problem = textProblem(given, platform)
  if (problem) return { ...nothing, problem }

  const rootNames = namesOf(root, platform)
  const start = isAbsolute(given, platform) ? [] : rootNames
  const names = [...start]
  for (const name of namesOf(given, platform)) {
    if (name === '..') names.pop()
    else names.push(name)
  }
  if (platform === 'win32' && !sameName(names[0], rootNames[0])) return { ...nothing, problem: 'drive' }
  const place = withoutPrivate(names, platform)
  const fence = withoutPrivate(rootNames, platform)
  const isInside = fence.every((name, at) => sameName(name, place[at]))
  const realPath = (platform === 'win32' ? '' : '/') + names.join(separator)
  return { ...nothing, realPath, relative: isInside ? place.slice(fence.length).join('/') : null, problem: null, kind: place.length <= fence.length && isInside ? 'folder' : 'missing' }
}

/** True for a path that does not start at the root of the project. */
export function isAbsolute(path: string, platform: PathPlatform): boolean {
  return platform === 'win32' ? /^[a-z]:[\\/]/iu.test(path) : path.startsWith('/')
}

/** The components of a path, without `.` and empty ones. */
export function namesOf(path: string, platform: PathPlatform): readonly string[] {
  return path.split(platform === 'win32' ? /[\\/]/u : '/').filter((name) => name !== '' && name !== '.')
}

/** macOS: `/tmp`, `/var` and `/etc` are links into `/private`. */
function withoutPrivate(names: readonly string[], platform: PathPlatform): readonly string[] {
  const isLinked = platform === 'darwin' && sameName(names[0], 'private') && ['tmp', 'var', 'etc'].some((name) => sameName(names[1], name))
  return isLinked ? names.slice(1) : names
}

function sameName(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && (a === b || foldName(a) === foldName(b))
}
