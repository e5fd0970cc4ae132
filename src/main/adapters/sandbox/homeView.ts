import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { kindOf } from './gitFolders'
import { fetchedFolders, gitSettings, harmlessSettings, toolFolders, toolVariables } from './places'

/** One place shown inside, from somewhere on the disk. */
export interface Shown {
  readonly from: string
  readonly to: string
}

/** What of the home folder a command sees. */
export interface HomeView {
  readonly readOnly: readonly Shown[]
  /** The project's own caches, in the place of the person's. */
  readonly writable: readonly Shown[]
  /** Shown in one of the project's own. */
  readonly readOnlyInside: readonly Shown[]
}

/** What a view is made of. */
export interface HomeParts {
  /** Its real path. */
  readonly home: string
  /** As variables write it, where links lead to it. */
  readonly givenHome: string
  readonly source: NodeJS.ProcessEnv
  /** Folders in which commands look for programs. */
  readonly searchPath: readonly string[]
  /** Logins, keys and histories below a home, relative. */
  readonly credentialPlaces: readonly string[]
  /** A folder of the app's own for copies and caches. */
  readonly folder: string
}

const keyLike = /token|secret|passw|_auth|credential|api[-_]?key|authorization|:\/\/[^\s/@]*:[^\s/@]+@|-----BEGIN/i
const settingsBytesMax = 256 * 1024
/** What a project fetched is thrown away when no command has used it for so long. */
const unusedDays = 30

/** The same for all projects: tools and settings. Looked up again now and then, as tools come and go. */
export async function viewTools(parts: HomeParts): Promise<readonly Shown[]> {
  const { home } = parts
  const named = [...toolVariables.map((name) => parts.source[name] ?? ''), ...parts.searchPath]
  const inHome = [home, parts.givenHome].flatMap((folder) => named.filter((place) => place.startsWith(`${folder}/`)).map((place) => path.relative(folder, place))).filter((place) => place !== '')
  const wanted = [...new Set([...toolFolders, ...inHome])].filter((place) => isShowable(place, parts.credentialPlaces))
  const standing = await Promise.all(wanted.map(async (place) => ((await exists(path.join(home, place))) ? [place] : [])))
  const found = withoutInner(standing.flat())
  const settings = await Promise.all(harmlessSettings.map(async (place) => ((await isHarmless(path.join(home, place))) ? [place] : [])))
  const shown = [...found, ...settings.flat().filter((place) => !found.some((folder) => place.startsWith(`${folder}/`)))]
  return [...shown.map((place) => ({ from: path.join(home, place), to: path.join(home, place) })), ...(await gitSettingsOf(parts))]
}

/**
 * The caches of one project. `.cache` is always its own; what tools fetched is its own from its first command with the network on,
 * since what was fetched then must be found later. Nothing is its own in a trial, which is to leave nothing behind.
 */
export async function viewCaches({ home, folder }: Pick<HomeParts, 'home' | 'folder'>, tools: readonly Shown[], use: { readonly root: string; readonly network: boolean; readonly isTrial: boolean }): Promise<HomeView> {
  const own = path.join(folder, 'caches', createHash('sha256').update(use.root).digest('hex').slice(0, 24))
  const readOnly: Shown[] = []
  const writable: Shown[] = []
  const take = async (place: string): Promise<void> => {
    await mkdir(path.join(own, place), { recursive: true, mode: 0o700 })
    writable.push({ from: path.join(own, place), to: path.join(home, place) })
  }
  if (!use.isTrial) await take('.cache')
  for (const place of fetchedFolders) {
    const isOwn = !use.isTrial && (use.network ? (await exists(path.join(home, place))) || place === '.npm' : await exists(path.join(own, place)))
    if (isOwn) await take(place)
    else if (await exists(path.join(home, place))) readOnly.push({ from: path.join(home, place), to: path.join(home, place) })
  }
  if (!use.isTrial) await utimes(own, new Date(), new Date())
  const readOnlyInside = tools.filter(({ to }) => writable.some((cache) => to.startsWith(`${cache.to}/`)))
  return { readOnly, writable, readOnlyInside }
}

/** Removes caches that no command has used for long, and temporary files that none has used for a day. */
export async function removeOldCaches(folder: string, nowMs: number): Promise<void> {
  for (const [kind, days] of [['caches', unusedDays], ['tmp', 1]] as const) {
    const places = path.join(folder, kind)
    for (const name of await readdir(places).catch(() => [])) {
      const used = await stat(path.join(places, name)).catch(() => null)
      if (used !== null && nowMs - used.mtimeMs > days * 86_400_000) await rm(path.join(places, name), { recursive: true, force: true })
    }
  }
}

/** A folder that holds a login, or that is one, is not shown. */
function isShowable(place: string, credentialPlaces: readonly string[]): boolean {
  const folded = place.toLowerCase()
  return !credentialPlaces.some((secret) => folded === secret || folded.startsWith(`${secret}/`) || secret.startsWith(`${folded}/`))
}

function withoutInner(places: readonly string[]): readonly string[] {
  return places.filter((place) => !places.some((other) => other !== place && place.startsWith(`${other}/`)))
}

async function isHarmless(file: string): Promise<boolean> {
  const text = await settingsOf(file)
  return text !== null && !keyLike.test(text)
}

async function settingsOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile() || found.size > settingsBytesMax) return null
  return readFile(file, 'utf8').catch(() => null)
}

/** Git's settings as copies without lines that look like a key, with the files they include. */
async function gitSettingsOf({ home, folder, credentialPlaces }: HomeParts): Promise<readonly Shown[]> {
  const copies = path.join(folder, 'settings')
  await mkdir(copies, { recursive: true, mode: 0o700 })
  const places = new Set(gitSettings)
  const shown: Shown[] = []
  for (const place of places) {
    const text = await settingsOf(path.join(home, place))
    if (text === null || !isShowable(place, credentialPlaces)) continue
    if (shown.length < gitSettings.length) for (const included of includesOf(text, home)) places.add(included)
    const copy = path.join(copies, place.replaceAll('/', '%'))
    const kept = text.split('\n').filter((line) => !keyLike.test(line)).join('\n')
    if ((await readFile(copy, 'utf8').catch(() => null)) !== kept) await writeFile(copy, kept, { mode: 0o600 })
    shown.push({ from: copy, to: path.join(home, place) })
  }
  return shown
}

function includesOf(text: string, home: string): readonly string[] {
  const named = [...text.matchAll(/^\s*path\s*=\s*"?(.+?)"?\s*$/gim)].map(([, value = '']) => path.resolve(home, value.replace(/^~\//, `${home}/`)))
  return named.map((place) => path.relative(home, place)).filter((place) => !place.startsWith('..') && /(?:git|\.inc|config)[^/]*$/i.test(place))
}

async function exists(place: string): Promise<boolean> {
  const kind = await kindOf(place)
  if (kind !== 'link') return kind !== 'missing'
  return (await stat(place).catch(() => null)) !== null
}
