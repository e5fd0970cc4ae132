import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { AuditAnchor } from '../../../../shared/domain/audit'
import { rawOf } from './gitObjects'
import { PackReader, type StoredObject } from '../pack/packReader'
import { mainRef } from './storeFiles'

const inflated = promisify(inflate)
const defaultLimits = { stores: 32, commits: 32 }

/**
 * The audit chain as the newest snapshots of every workspace have it: against them a cut tail of the log shows. Only so many
 * stores, those written to last, and so many commits of each are read, loose or packed. A store that cannot be read says nothing,
 * and what was forgotten ends the walk.
 *
 * @param dataFolder the app's; the stores lie in `snapshots`.
 */
export async function readAuditAnchors(dataFolder: string, limits = defaultLimits): Promise<readonly AuditAnchor[]> {
  const all = path.join(dataFolder, 'snapshots')
  const names = await readdir(all).catch(() => [])
  const stores = await Promise.all(names.map(async (name) => ({ folder: path.join(all, name), atMs: await movedAtMs(path.join(all, name)) })))
  const newest = stores.filter(({ atMs }) => atMs > 0).sort((a, b) => b.atMs - a.atMs).slice(0, limits.stores)
  const anchors = await Promise.all(newest.map(({ folder }) => anchorsOf(folder, limits.commits)))
  return anchors.flat()
}

/** When the branch moved last; 0 where there is none. Plain git may have moved its name into `packed-refs`. */
async function movedAtMs(folder: string): Promise<number> {
  const files = [mainRef, 'packed-refs'].map((name) => stat(path.join(folder, name)).then((facts) => facts.mtimeMs, () => 0))
  return (await Promise.all(files)).find((atMs) => atMs > 0) ?? 0
}

async function tipOf(folder: string): Promise<string> {
  const [own = '', packed = ''] = await Promise.all([mainRef, 'packed-refs'].map((name) => readFile(path.join(folder, name), 'utf8').catch(() => '')))
  return own.trim() || (/^([0-9a-f]{40}) refs\/heads\/main$/m.exec(packed)?.[1] ?? '')
}

async function anchorsOf(folder: string, limit: number): Promise<readonly AuditAnchor[]> {
  const anchors: AuditAnchor[] = []
  const packs = new Packs(folder)
  try {
    await walk(folder, packs, limit, anchors)
  } finally {
    packs.close()
  }
  return anchors
}

async function walk(folder: string, packs: Packs, limit: number, anchors: AuditAnchor[]): Promise<void> {
  let commit: string | null = await tipOf(folder)
  for (let left = limit; left > 0 && commit !== null; left -= 1) {
    const text: string | null = (await readLoose(folder, commit)) ?? (await packs.commit(commit)) ?? (await packs.commitAnew(commit))
    if (text === null) break
    const chain = /^Countersign-Audit: ([0-9a-f]{64})$/m.exec(text)?.[1]
    const entry = /^Countersign-Audit-Entry: (\d{1,15})$/m.exec(text)?.[1]
    if (chain !== undefined) anchors.push({ chain, entries: entry === undefined ? null : Number(entry) })
    commit = /^parent ([0-9a-f]{40})$/m.exec(text)?.[1] ?? null
  }
}

async function readLoose(folder: string, id: string): Promise<string | null> {
  if (!/^[0-9a-f]{40}$/.test(id)) return null
  try {
    const text = (await inflated(await readFile(path.join(folder, 'objects', id.slice(0, 2), id.slice(2))))).toString('utf8')
    return text.startsWith('commit ') ? text.slice(text.indexOf('\0') + 1) : null
  } catch {
    return null // packed, or damaged: the snapshots themselves say so where it matters
  }
}

/** The packs of a store, opened when the first packed commit is asked for. */
class Packs {
  readonly #folder: string
  #open: readonly PackReader[] | null = null

  constructor(folder: string) {
    this.#folder = path.join(folder, 'objects', 'pack')
  }

  async commit(id: string): Promise<string | null> {
    if (!/^[0-9a-f]{40}$/.test(id)) return null
    this.#open ??= openAll(this.#folder, await readdir(this.#folder).catch(() => []))
    const object = this.#read(rawOf(id))
    return object?.type === 'commit' ? object.body.toString('utf8') : null
  }

  /** Packed between the two looks. */
  commitAnew(id: string): Promise<string | null> {
    this.close()
    return this.commit(id)
  }

  close(): void {
    for (const pack of this.#open ?? []) pack.close()
    this.#open = null
  }

  #read(id: string): StoredObject | null {
    for (const pack of this.#open ?? []) {
      try {
        const object = pack.read(id, (base) => this.#read(base))
        if (object) return object
      } catch {
        continue // damaged; another pack may hold it as well
      }
    }
    return null
  }
}

function openAll(folder: string, names: readonly string[]): PackReader[] {
  return names.filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name)).flatMap((name) => {
    try {
      return [new PackReader(path.join(folder, name.slice(0, -4)))]
    } catch {
      return [] // packed away meanwhile, or damaged
    }
  })
}
