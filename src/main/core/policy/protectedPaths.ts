import { foldName } from './foldName'
import {
  credentialPlaces, exampleEndings, executedEndings, executedPlaces, notSystemFolders, secretEndings, secretFolders, secretNames, secretPlaces, sourceEnding, startPlaces,
  systemCredentials, systemFolders, systemStartPlaces,
} from './protectedNames'

/** The absolute lists in the form that is compared: no leading slash, a drive as its bare letter. */
const compared = {
  credentials: systemCredentials.map(asCompared),
  start: systemStartPlaces.map(asCompared),
  system: systemFolders.map(asCompared),
  notSystem: notSystemFolders.map(asCompared),
}

/** What they begin with: only there a long path is compared with all of them. */
const executedHeads: ReadonlySet<string> = new Set(executedPlaces.map((place) => place.split('/', 1).join('')))

/** What the guards measure places against: absolute real paths, made by the host, never by the model. */
export interface Fence {
  /** The folder the person opened. */
  readonly root: string
  readonly home: string
  /** The data folder of the app. */
  readonly appData: string
  /** How paths are written; `darwin` and `win32` compare without case. Default `linux`. */
  readonly platform?: 'linux' | 'darwin' | 'win32'
}

/** What is known of a place by its path alone. Made for a resolved, absolute path; it says nothing about links. */
export interface PathClass {
  readonly place: 'root' | 'inside' | 'outside'
  /** Relative to the root with `/`, '' for the root itself; null outside. */
  readonly relative: string | null
  /** Fenced folders that are this place or lie below it: whoever deletes or moves it takes them along. */
  readonly holds: readonly ('root' | 'home' | 'app-data')[]
  /** The data folder of the app or something in it. */
  readonly isAppData: boolean
  /** The home folder or something below it. */
  readonly isUnderHome: boolean
  /** The file system's root, a folder of the operating system, or something below one; never for what lies inside the project or home. */
  readonly isSystem: boolean
  /** `null-device` is /dev/null; `device` the rest of /dev; `kernel` is /proc and /sys. */
  readonly special: 'null-device' | 'device' | 'kernel' | null
  /** `git`: a repository's own folder or gitfile. `executed`: another program runs or obeys what stands there. */
  readonly protected: 'git' | 'executed' | null
  /** `project`: a secrets file by its name. `credentials`: logins, keys, histories and profiles of a person or of the machine. */
  readonly secret: 'project' | 'credentials' | null
  /** Runs by itself later: shell start files, cron, services, authorized_keys, hosts. */
  readonly isStartPlace: boolean
}

/** Classifies one absolute path. Pure; the same for file tools and commands. */
export function classifyPath(absolutePath: string, fence: Fence): PathClass {
  const parts = partsOf(absolutePath, fence)
  const relative = below(parts, partsOf(fence.root, fence), fence)
  const place = relative === null ? 'outside' : relative.length === 0 ? 'root' : 'inside'
  const isAppData = foldedBelow(parts, partsOf(fence.appData, fence)) !== null
  const underHome = foldedBelow(parts, partsOf(fence.home, fence))
  const inHome = underHome ?? belowSomeHome(parts)
  const names = (relative ?? parts).map(foldName)
  const whole = parts.map(foldName)
  const secret = isCredential(inHome, whole) ? 'credentials' : secretOfNames(names)
  return {
    place,
    relative: relative === null ? null : relative.join('/'),
    holds: heldBy(parts, fence),
    isAppData,
    isUnderHome: underHome !== null,
    isSystem: place === 'outside' && underHome === null && isSystemPlace(whole),
    special: specialOf(parts, fence),
    protected: protectionOfNames(names),
    secret,
    isStartPlace: (inHome !== null && coversAny(startPlaces, inHome)) || coversAny(compared.start, whole),
  }
}

/** How a name or relative path inside a project is protected against writing (R67); null when it is not. */
export function protectionOf(relative: string): PathClass['protected'] {
  return protectionOfNames(relative.split('/').map(foldName))
}

/** True when a name or relative path inside a project is a secrets file: reading it needs its own consent (R67). */
export function isSecretPath(relative: string): boolean {
  return secretOfNames(relative.split('/').map(foldName)) !== null
}

/**
 * Globs, without case, that leave out at least every secrets file by name (some examples and source files too). For
 * searching many files at once; `isSecretPath` decides about a single one.
 */
export const secretGlobs: readonly string[] = [
  '.env*', 'id_*', 'service-account*.json', 'client_secret*.json',
  ...secretNames,
  ...secretEndings.map((ending) => `*${ending}`),
  ...secretPlaces.map((place) => `**/${place}`),
  ...secretFolders.map((folder) => `**/${folder}/**`),
]

/** The components of an absolute path without `.` and empty ones; `..` takes one off. A drive is the first component. */
function partsOf(path: string, fence: Fence): readonly string[] {
  const text = fence.platform === 'win32' ? path.replace(/\\/gu, '/') : path
  const parts: string[] = []
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return parts
}

/** The rest of `parts` below `folder`; null when it does not lie there. Exact on Linux, without case elsewhere. */
function below(parts: readonly string[], folder: readonly string[], fence: Fence): readonly string[] | null {
  if ((fence.platform ?? 'linux') !== 'linux') return foldedBelow(parts, folder) && parts.slice(folder.length)
  return folder.length <= parts.length && folder.every((part, at) => part === parts[at]) ? parts.slice(folder.length) : null
}

/** The same in folded form, for what is forbidden: better one place too many. */
function foldedBelow(parts: readonly string[], folder: readonly string[]): readonly string[] | null {
  const fits = folder.length <= parts.length && folder.every((part, at) => sameName(part, parts[at] ?? ''))
  return fits ? parts.slice(folder.length).map(foldName) : null
}

function sameName(a: string, b: string): boolean {
  return a === b || foldName(a) === foldName(b)
}

/** Below the home folder of anybody: /root, /home/x, /Users/x, C:/Users/x. */
function belowSomeHome(parts: readonly string[]): readonly string[] | null {
  const names = parts.map(foldName)
  if (names[0] === 'root') return names.slice(1)
  if ((names[0] === 'home' || names[0] === 'users') && names.length > 2) return names.slice(2)
  return names[1] === 'users' && names.length > 3 ? names.slice(3) : null
}

function heldBy(parts: readonly string[], fence: Fence): PathClass['holds'] {
  const held = [
    ['root', fence.root],
    ['home', fence.home],
    ['app-data', fence.appData],
  ] as const
  return held.filter(([, folder]) => foldedBelow(partsOf(folder, fence), parts) !== null).map(([name]) => name)
}

function specialOf(parts: readonly string[], fence: Fence): PathClass['special'] {
  if (fence.platform === 'win32') return null
  if (parts[0] === 'proc' || parts[0] === 'sys') return 'kernel'
  if (parts[0] !== 'dev') return null
  if (below(parts, partsOf(fence.root, fence), fence) !== null) return null
  return parts[1] === 'null' && parts.length === 2 ? 'null-device' : 'device'
}

function protectionOfNames(names: readonly string[]): PathClass['protected'] {
  if (names.includes('.git')) return 'git'
  const last = names[names.length - 1] ?? ''
  if (executedEndings.some((ending) => last.endsWith(ending))) return 'executed'
  const isExecuted = names.some((name, at) => executedHeads.has(name) && touchesAny(executedPlaces, names.slice(at)))
  return isExecuted ? 'executed' : null
}

function secretOfNames(names: readonly string[]): 'project' | null {
  const last = names[names.length - 1] ?? ''
  if (exampleEndings.some((ending) => last.endsWith(ending))) return null
  if (names.slice(0, -1).some((name) => secretFolders.includes(name)) && !sourceEnding.test(last)) return 'project'
  const byName =
    secretNames.includes(last) ||
    secretPlaces.includes(names.slice(-2).join('/')) ||
    secretEndings.some((ending) => last.endsWith(ending)) ||
    /^\.env(?:$|[^a-z]|rc$)/u.test(last) ||
    /^id_(?:[a-z0-9_-]+$|(?:rsa|dsa|ecdsa|ed25519|xmss)(?:$|[^a-z]))/u.test(last) ||
    /^(?:service-account|client_secret).*\.json$/u.test(last)
  return byName ? 'project' : null
}

function isCredential(inHome: readonly string[] | null, whole: readonly string[]): boolean {
  if (inHome !== null && coversAny(credentialPlaces, inHome)) return true
  if (coversAny(compared.credentials, whole)) return true
  return whole[0] === 'etc' && whole[1] === 'ssh' && /^ssh_host_.*_key$/u.test(whole[2] ?? '')
}

function isSystemPlace(whole: readonly string[]): boolean {
  if (whole.length === 0) return true
  return coversAny(compared.system, whole) && !coversAny(compared.notSystem, whole)
}

/** True when `names` is one of the places or lies below one. */
function coversAny(places: readonly string[], names: readonly string[]): boolean {
  const path = `${names.join('/')}/`
  return places.some((place) => path.startsWith(`${place}/`))
}

/** The same, or a folder that the place lies directly in (`.github` holds `.github/workflows`): it goes where its folder goes. */
function touchesAny(places: readonly string[], names: readonly string[]): boolean {
  const path = names.join('/')
  return coversAny(places, names) || (path !== '' && names.length === 1 && places.some((place) => place.startsWith(`${path}/`)))
}

function asCompared(path: string): string {
  return path.replace(/^\//u, '').replace(/^([a-z]):/u, '$1')
}
