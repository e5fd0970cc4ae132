import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, readdirSync, rmdirSync, unlinkSync, utimesSync, writeFileSync, writeSync, type Stats } from 'node:fs'
import path from 'node:path'
import { isPlaceholder, placeholderSeconds } from '../../native/placeholder'
import { lifeOf, ownIdentity, type ProcessIdentity } from '../../native/processIdentity'

/** A name to be held free: an empty file or folder stands there while commands run. */
export interface FreeName {
  readonly path: string
  readonly isFolder: boolean
  /** What a file holds; empty when absent. */
  readonly content?: string
}

/** Puts placeholders into projects and takes them away; what a killed app left, the next start of the app removes. */
export interface Placeholders {
  /** Whether what stands there is one of these. */
  has(place: string): boolean
  /** Makes those that do not exist yet; those of other commands count as well. Gives back the ones to release. */
  hold(names: readonly FreeName[]): readonly string[]
  /** The last command that held a name removes it, unless somebody made something of it. Resolves when that is done. */
  release(paths: readonly string[]): Promise<void>
  /** Nothing is removed while `act` looks a project over and holds its names: what it saw is there until it holds it. */
  whileNothingGoes<T>(act: () => Promise<T>): Promise<T>
}

interface Held {
  stats: Stats
  users: number
}

/**
 * Placeholders with a journal in `folder`: a name is written there before it is made. Two projects may be held at a time, by
 * any number of commands.
 */
export function makePlaceholders(folder: string): Placeholders {
  const held = new Map<string, Held>()
  const identity = ownIdentity()
  const journal = path.join(folder, `held-${identity.pid}-${identity.startedAt}.jsonl`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  sweep(folder, journal)
  let looking = 0
  let waiting: (() => void)[] = []
  const noted = new Set<string>()
  // Once for each name, and kept until the next start: what is no placeholder any more is not touched then.
  const note = (names: readonly FreeName[]): void => {
    if (names.length === 0) return
    const fd = openSync(journal, 'a', 0o600)
    try {
      writeSync(fd, `${JSON.stringify({ identity, names })}\n`)
      fsyncSync(fd)
      for (const name of names) noted.add(name.path)
    } finally {
      closeSync(fd)
    }
  }
  return {
    has: (place) => held.has(place),
    hold(names) {
      const missing = names.filter((name) => isMissing(name.path))
      note(missing.filter((name) => !noted.has(name.path)))
      const taken: string[] = []
      for (const name of names) {
        const known = held.get(name.path)
        // Somebody may have deleted it while a command holds it.
        const stats = missing.includes(name) ? make(name) : (known?.stats ?? null)
        if (stats === null) continue
        held.set(name.path, { stats, users: (known?.users ?? 0) + 1 })
        taken.push(name.path)
      }
      return taken
    },
    async whileNothingGoes(act) {
      looking++
      try {
        return await act()
      } finally {
        if (--looking === 0) {
          const now = waiting
          waiting = []
          for (const go of now) go()
        }
      }
    },
    async release(paths) {
      while (looking > 0) await new Promise<void>((resolve) => waiting.push(resolve))
      // What lies in a folder goes before it.
      for (const place of [...paths].sort((a, b) => b.length - a.length)) {
        const entry = held.get(place)
        if (entry === undefined || --entry.users > 0) continue
        held.delete(place)
        remove(place, entry.stats.size, entry.stats)
      }
    },
  }
}

function isMissing(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) === undefined
}

/** Null when it may not be made: then nobody else of this user can make it either. */
function make({ path: place, isFolder, content = '' }: FreeName): Stats | null {
  try {
    if (isFolder) mkdirSync(place, 0o555)
    else writeFileSync(place, content, { flag: 'wx', mode: 0o444 })
    utimesSync(place, placeholderSeconds, placeholderSeconds)
    return lstatSync(place)
  } catch {
    return null
  }
}

/** Removes it when it still is what was made: look and removal are one piece for everything in this process. */
function remove(place: string, size: number, made: Stats | null): void {
  try {
    const now = lstatSync(place)
    if (made !== null && (now.ino !== made.ino || now.dev !== made.dev)) return
    if (now.isDirectory() ? !isPlaceholder(now) : now.size !== size || now.mtimeMs !== placeholderSeconds * 1000) return
    if (now.isDirectory()) rmdirSync(place)
    else if (now.isFile()) unlinkSync(place)
  } catch {
    // Gone already, or somebody put something into it: then it is theirs.
  }
}

/** Takes away what apps that no longer live have left in projects. */
function sweep(folder: string, own: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (!/^held-.*\.jsonl$/.test(name) || file === own) continue
    const lines = readFileSync(file, 'utf8').split('\n').flatMap(entryOf)
    if (lines.some(({ identity }) => lifeOf(identity) === 'alive')) continue
    const names = lines.flatMap((line) => line.names).sort((a, b) => b.path.length - a.path.length)
    for (const one of names) remove(one.path, one.content?.length ?? 0, null)
    removeQuietly(file)
  }
}

/** A torn last line was written before anything was made. */
function entryOf(line: string): readonly { readonly identity: ProcessIdentity; readonly names: readonly FreeName[] }[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as { identity: ProcessIdentity; names: readonly FreeName[] }]
  } catch {
    return []
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // There was none.
  }
}
