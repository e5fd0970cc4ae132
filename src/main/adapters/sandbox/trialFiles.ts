import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrialFile } from '../../core/ports/trialRunner'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { diskFault } from '../../native/diskFault'
import { disk, runLater, type Stats, type Steps } from '../../native/diskSteps'
import { atPlace } from '../../native/safePath'
import { lookAt, readPlace, type Found, type Place } from '../../native/safeFile'
import type { Root } from '../../native/safeFolder'
import { isWhiteout, type Overlay } from './overlay'

/** What one side of a path is: the kind, and what tells it from another one of that kind. */
export interface Side {
  readonly kind: 'file' | 'symlink' | 'folder'
  readonly mode: number
  readonly hash: string | null
  readonly bytes: number | null
  readonly isBinary: boolean
}

/** A path that differs, with both sides; null for nothing there. */
export interface Difference {
  readonly path: string
  readonly before: Side | null
  readonly after: Side | null
}

/** What a trial did, and which of its paths somebody else changed meanwhile. */
export interface Differences {
  readonly all: readonly Difference[]
  readonly changedMeanwhile: ReadonlySet<string>
}

/** More cannot be looked at by a person either. */
export const pathsMax = 20_000
/** Larger files are not compared, and so never kept. */
export const contentBytesMax = 256 * 1024 * 1024

const keepFolders = { make: false, durable: false } as const

/** Compares the copy's upper folder with the project. `standIns` are names that the sandbox made there and the command could not write. */
export async function differencesOf(overlay: Overlay, upper: Root, lower: Root, standIns: readonly string[]): Promise<Result<Differences>> {
  const search = new Search(overlay, upper, lower, new Set(standIns))
  try {
    await search.compare('')
    const shown = await search.deletedInFoldersMadeAnew()
    if (!shown.ok) return shown
  } catch (error) {
    if (error instanceof TooMany) return fail('trial.too-many', { limit: pathsMax })
    return error instanceof NoText ? fail('trial.name-no-text', { path: error.path }) : diskFault(error, lower.path)
  }
  return succeed({ all: [...search.found.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), changedMeanwhile: search.changedMeanwhile })
}

class TooMany extends Error {}

/** A name that is not UTF-8 cannot be told, and so neither shown nor kept. */
class NoText extends Error {
  readonly path: string
  constructor(path: string) {
    super(path)
    this.path = path
  }
}

class Search {
  readonly found = new Map<string, Difference>()
  readonly changedMeanwhile = new Set<string>()
  readonly #overlay: Overlay
  readonly #upper: Root
  readonly #lower: Root
  readonly #standIns: ReadonlySet<string>
  /** Folders on both sides, which may have been deleted and made anew. */
  readonly #onBoth: string[] = []

  constructor(overlay: Overlay, upper: Root, lower: Root, standIns: ReadonlySet<string>) {
    this.#overlay = overlay
    this.#upper = upper
    this.#lower = lower
    this.#standIns = standIns
  }

  /** One folder of the upper side. */
  async compare(folder: string): Promise<void> {
    for (const name of await readdir(join(this.#upper.path, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      const above = await look(this.#upper, path)
      if (above.kind === 'missing') throw new NoText(path)
      if (above.kind === 'special') {
        if (isWhiteout({ isCharacterDevice: () => above.stats.isCharacterDevice(), rdev: above.stats.rdev })) await this.#deleted(path)
        continue
      }
      if (!this.#standIns.has(path) || !isEmptyOne(above)) await this.#stands(path)
    }
  }

  /** A folder that was deleted and made anew hides what it held before, and only the copy itself shows it. */
  async deletedInFoldersMadeAnew(): Promise<Result<null>> {
    if (this.#onBoth.length === 0) return succeed(null)
    const shown = await this.#overlay.names(this.#onBoth)
    if (!shown.ok) return shown
    for (const folder of this.#onBoth) {
      const names = shown.value.get(folder)
      if (names === undefined) return fail('trial.not-started', { problem: folder })
      for (const name of await readdir(join(this.#lower.path, folder))) {
        const path = folder === '' ? name : `${folder}/${name}`
        if (!names.has(name) && !this.found.has(path)) await this.#deleted(path)
      }
    }
    return succeed(null)
  }

  async #stands(path: string): Promise<void> {
    const [before, after] = [await this.#before(path), await sideOf(this.#upper, path)]
    if (after === null) return
    if (before?.kind === 'folder' && after.kind !== 'folder') await this.#deletedBelow(path)
    if (before === null) await this.#checkParent(path)
    if (!isSame(before, after)) this.#add({ path, before, after })
    if (after.kind !== 'folder') return
    if (before?.kind === 'folder') this.#onBoth.push(path)
    await this.compare(path)
  }

  async #deleted(path: string): Promise<void> {
    const before = await this.#before(path)
    // Deleted on both sides: there is nothing to tell, but whoever deleted it meanwhile changed the folder.
    if (before === null && path.includes('\uFFFD')) throw new NoText(path)
    if (before === null) return
    this.#add({ path, before, after: null })
    if (before.kind === 'folder') await this.#deletedBelow(path)
  }

  async #deletedBelow(folder: string): Promise<void> {
    for (const name of await readdir(join(this.#lower.path, folder))) await this.#deleted(`${folder}/${name}`)
  }

  /** What the project has there now, with a note when that is newer than the copy. */
  async #before(path: string): Promise<Side | null> {
    const side = await sideOf(this.#lower, path)
    const found = await look(this.#lower, path)
    // Anything that is put into a folder or taken out of it changes the folder: that is told by the names themselves.
    if (found.kind !== 'missing' && found.kind !== 'folder' && found.stats.ctimeNs > this.#overlay.takenAtNs) this.changedMeanwhile.add(path)
    return side
  }

  /** A name that is missing may have been there when the copy was taken: then its folder has changed since. */
  async #checkParent(path: string): Promise<void> {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const stats = await (parent === '' ? runLater(disk.lstat(this.#lower.path)) : look(this.#lower, parent).then((found) => (found.kind === 'missing' ? null : found.stats)))
    if (stats !== null && stats.ctimeNs > this.#overlay.takenAtNs) this.changedMeanwhile.add(path)
  }

  #add(difference: Difference): void {
    this.found.set(difference.path, difference)
    if (this.found.size > pathsMax) throw new TooMany()
  }
}

function isEmptyOne(found: { readonly kind: string; readonly stats: Stats }): boolean {
  return found.kind === 'folder' || found.stats.size <= 2n
}

/** Without following a link anywhere on the way. */
export async function look(root: Root, path: string): Promise<Found> {
  const looked = await runLater(atPlace(root, path, keepFolders, function* (place) {
    return succeed(yield* lookAt(place))
  }))
  return looked.ok ? looked.value : { kind: 'missing' }
}

/** One side of a path as it is now; null when nothing is there that could be kept, also below a file or a link. What cannot be read is equal to nothing. */
export async function sideOf(root: Root, path: string): Promise<Side | null> {
  const side = await runLater(atPlace(root, path, keepFolders, sideAt))
  if (side.ok) return side.value
  return ['path.missing', 'path.moved'].includes(side.fault.code) ? null : unreadable
}

const unreadable: Side = { kind: 'file', mode: 0, hash: null, bytes: null, isBinary: true }

/** The same for a place that is open already. */
export function* sideAt(place: Place): Steps<Result<Side | null>> {
  const found = yield* lookAt(place)
  if (found.kind === 'missing' || found.kind === 'special') return succeed(null)
  const mode = Number(found.stats.mode & 0o7777n)
  if (found.kind === 'folder') return succeed({ kind: 'folder', mode, hash: null, bytes: null, isBinary: false })
  if (found.kind === 'link') {
    const target = yield* disk.readlink(place.folder.at(place.name))
    return succeed({ kind: 'symlink', mode: 0o777, hash: yield* disk.sha256(target), bytes: target.length, isBinary: false })
  }
  const content = yield* readPlace(place, contentBytesMax)
  const bytes = Number(found.stats.size)
  if (!content.ok) return succeed({ kind: 'file', mode, hash: null, bytes, isBinary: true })
  return succeed({ kind: 'file', mode, hash: content.value.hash, bytes, isBinary: content.value.bytes.subarray(0, 8000).includes(0) })
}

/** Equal in all that a trial tells. What could not be read is equal to nothing. */
export function isSame(a: Side | null, b: Side | null): boolean {
  if (a === null || b === null) return a === b
  return a.kind === b.kind && a.mode === b.mode && a.hash === b.hash && (a.kind === 'folder' || a.hash !== null)
}

/** As the port tells it. */
export function fileOf({ path, before, after }: Difference): TrialFile {
  const shown = after ?? before
  if (shown === null) throw new Error(`nothing on either side: ${path}`)
  const change = before === null ? 'created' : after === null ? 'deleted' : 'changed'
  return {
    path, change, kind: shown.kind, mode: shown.mode,
    beforeHash: before?.hash ?? null, afterHash: after?.hash ?? null, beforeBytes: before?.bytes ?? null, afterBytes: after?.bytes ?? null,
    isBinary: (before?.isBinary ?? false) || (after?.isBinary ?? false),
  }
}
