import { accessSync, constants } from 'node:fs'
import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isInside, type BubblewrapPlan } from './bubblewrap'
import { kindOf } from './gitFolders'
import type { Shown } from './homeView'
import { emptiedFolders, kernelFolders, knownSockets, shownAgain } from './places'

/** What of this machine is the same for every command. */
export interface LinuxPlace {
  readonly emptied: readonly string[]
  readonly shownAgain: readonly Shown[]
  readonly kernel: readonly string[]
  /** Secrets of the machine that this person may read. */
  readonly secretFiles: readonly string[]
  readonly secretFolders: readonly string[]
  /** Stand-ins: an empty file, an empty folder, and a file with a dot. */
  readonly empty: { readonly file: string; readonly folder: string; readonly dot: string }
}

/** @param folder a folder of the app's own, for stand-ins */
export async function lookAtLinux(home: string, folder: string, systemCredentials: readonly string[]): Promise<LinuxPlace> {
  const isFolder = async (place: string): Promise<boolean> => (await kindOf(place)) === 'folder'
  const emptied = (await Promise.all(emptiedFolders.map(async (place) => ((await isFolder(place)) ? [place] : [])))).flat()
  const again = (await Promise.all(shownAgain.map(async (place) => ((await kindOf(place)) === 'missing' ? [] : [{ from: place, to: place }])))).flat()
  // Others may write there no more than outside, and each mount takes its time.
  const owned = process.getuid?.() === 0 ? kernelFolders : []
  const kernel = (await Promise.all(owned.map(async (place) => ((await kindOf(place)) === 'missing' ? [] : [place])))).flat()
  const secrets = await Promise.all(systemCredentials.map(async (place) => ({ place, kind: isReadable(place) ? await kindOf(place) : 'missing' })))
  const visible = secrets.filter(({ place }) => !emptied.some((empty) => isInside(place, empty)))
  return {
    emptied: [...new Set([...emptied, home])],
    shownAgain: again,
    kernel,
    secretFiles: visible.filter(({ kind }) => kind === 'file').map(({ place }) => place),
    secretFolders: visible.filter(({ kind }) => kind === 'folder').map(({ place }) => place),
    empty: await makeStandIns(folder),
  }
}

/** A socket younger than this may be gone before it is hidden, and then nothing could be started; what serves others stays longer. */
const youngSocketMs = 2000

/** Sockets that can be reached through a read-only view (pitfall 4): those the system says are bound now, and known ones. */
export async function visibleSockets(emptied: readonly string[], root: string): Promise<readonly string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '')
  const bound = table.split('\n').flatMap((line) => /^\S+: \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.slice(1) ?? [])
  const outside = [...new Set([...bound, ...knownSockets])].filter((place) => ![...emptied, root].some((folder) => isInside(place, folder)))
  const real = await Promise.all(outside.map((place) => realpath(place).catch(() => null)))
  const standing = await Promise.all([...new Set(real)].map(async (place) => (place !== null && (await isOldSocket(place)) ? [place] : [])))
  return standing.flat().filter((place) => ![...emptied, root, '/dev', '/proc', '/sys'].some((folder) => isInside(place, folder)))
}

async function isOldSocket(place: string): Promise<boolean> {
  const stats = await lstat(place).catch(() => null)
  return stats !== null && stats.isSocket() && Date.now() - stats.ctimeMs > youngSocketMs
}

/** The list of name servers may lie among the sockets of /run. */
export async function nameServers(emptied: readonly string[]): Promise<readonly Shown[]> {
  const place = await realpath('/etc/resolv.conf').catch(() => null)
  return place !== null && emptied.some((folder) => isInside(place, folder)) ? [{ from: place, to: place }] : []
}

/** Null when the project leaves room for a sandbox around it. */
export function isTooWide(root: string, { emptied }: Pick<BubblewrapPlan, 'emptied'>): boolean {
  return ['/proc', '/sys', '/dev', ...emptied].some((folder) => isInside(folder, root)) || ['/proc', '/sys', '/dev'].some((folder) => isInside(root, folder))
}

function isReadable(place: string): boolean {
  try {
    accessSync(place, constants.R_OK)
    return true
  } catch {
    return false
  }
}

async function makeStandIns(folder: string): Promise<LinuxPlace['empty']> {
  const own = path.join(folder, 'empty')
  const made = { file: path.join(own, 'file'), folder: path.join(own, 'folder'), dot: path.join(own, 'dot') }
  await mkdir(made.folder, { recursive: true, mode: 0o700 })
  await writeFile(made.file, '', { mode: 0o600 })
  await writeFile(made.dot, '.\n', { mode: 0o600 })
  return made
}
