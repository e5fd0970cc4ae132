import { randomUUID } from 'node:crypto'
import { promises as disk } from 'node:fs'
import { dirname, join } from 'node:path'
import { resolveRef, writeCommit } from 'isomorphic-git'
import type { CommitFacts } from '../../../core/ports/snapshotStore'
import { withFileLock } from '../../../native/fileLock'
import { encodeTree, hexOf, rawOf } from './gitObjects'
import type { Held } from './heldDiff'
import { sideRef } from './history'
import type { ObjectStore } from './objectStore'
import { lockWaitMs, mainRef, ownTag, storeLock, writeAnew } from './storeFiles'

/** Commits and branch of a side repository. Objects a commit names must be durable before. */
export class Commits {
  readonly #folder: string
  readonly #objects: ObjectStore

  constructor(folder: string, objects: ObjectStore) {
    this.#folder = folder
    this.#objects = objects
  }

  /**
   * One process at a time; a lock left by a killed one is taken over. Every commit stands on the one before it.
   *
   * @param check throws when something that is held is not stored; called with the lock held.
   */
  async add(held: Held, facts: CommitFacts, check: () => void): Promise<string> {
    return withFileLock(storeLock(this.#folder), lockWaitMs, async () => {
      check()
      await this.#keepSide(held, facts.atMs)
      const commit = await this.#write(hexOf(held.tree), await this.#tip(mainRef), messageOf(held, facts), facts.atMs)
      await this.#move(mainRef, commit)
      return commit
    })
  }

  async #keepSide(held: Held, atMs: number): Promise<void> {
    const tip = await this.#tip(sideRef)
    const message = `side list ${hexOf(held.side)}\n`
    if (tip !== null && this.#messageAt(tip) === message) return
    const tree = this.#objects.put('tree', encodeTree([{ name: 'side', mode: '100644', id: held.side }]))
    await this.#objects.flush()
    await this.#move(sideRef, await this.#write(hexOf(tree), tip, message, atMs))
  }

  async #write(tree: string, parent: string | null, message: string, atMs: number): Promise<string> {
    const who = { name: 'Countersign', email: 'countersign@localhost', timestamp: Math.floor(atMs / 1000), timezoneOffset: 0 }
    const commit = await writeCommit({
      fs: wholeFileDisk,
      gitdir: this.#folder,
      commit: { message, tree, parent: parent === null ? [] : [parent], author: who, committer: who },
    })
    this.#objects.note(rawOf(commit))
    return commit
  }

  /** Read by our own means: the library reads a pack whole for one object of it. */
  #messageAt(commit: string): string {
    const text = this.#objects.read(rawOf(commit))?.body.toString('utf8') ?? ''
    return text.slice(text.indexOf('\n\n') + 2)
  }

  /**
   * Null when there is none, and when what stands in its place names no commit that is here: then the chain begins anew. What a
   * moment holds is known by its own ids, not by the chain.
   */
  async #tip(ref: string): Promise<string | null> {
    try {
      const own = await disk.readFile(join(this.#folder, ref), 'utf8').catch(() => null)
      if (own !== null && !/^[0-9a-f]{40}\s*$/.test(own)) return null
      const tip = await resolveRef({ fs: wholeFileDisk, gitdir: this.#folder, ref })
      return this.#objects.read(rawOf(tip))?.type === 'commit' ? tip : null
    } catch (error) {
      if ((error as { code?: unknown }).code === 'NotFoundError') return null
      throw error
    }
  }

  async #move(ref: string, commit: string): Promise<void> {
    await disk.mkdir(dirname(join(this.#folder, ref)), { recursive: true, mode: 0o700 })
    writeAnew(this.#folder, ref, `${commit}\n`)
  }
}

/** So that plain git shows the story. */
function messageOf(held: Held, facts: CommitFacts): string {
  const lines: readonly (readonly [string, string | null])[] = [
    ['Snapshot', facts.snapshotId],
    ['Kind', facts.kind],
    ['Author', facts.author],
    ['Call', facts.callId],
    ['Audit', facts.audit?.chain ?? null],
    ['Audit-Entry', facts.audit === null ? null : String(facts.audit.entries)],
    ['Side', hexOf(held.side)],
  ]
  const subject = facts.author === null ? facts.kind : `${facts.kind} by ${facts.author}`
  return `${subject}\n\n${lines.flatMap(([name, value]) => (value === null ? [] : [`Countersign-${name}: ${value}\n`])).join('')}`
}

/** The disk for the library, with writes that are whole or not there: it writes objects in place by itself. */
const wholeFileDisk = {
  promises: {
    readFile: disk.readFile.bind(disk),
    writeFile: writeWhole,
    mkdir: disk.mkdir.bind(disk),
    rmdir: disk.rmdir.bind(disk),
    unlink: disk.unlink.bind(disk),
    stat: disk.stat.bind(disk),
    lstat: disk.lstat.bind(disk),
    readdir: disk.readdir.bind(disk),
    readlink: disk.readlink.bind(disk),
    symlink: disk.symlink.bind(disk),
  },
}

async function writeWhole(file: string, bytes: Uint8Array | string): Promise<void> {
  const folder = dirname(file)
  await disk.mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `tmp_obj_${ownTag()}_${randomUUID()}`)
  try {
    const handle = await disk.open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await disk.rename(temporary, file)
  } catch (error) {
    await disk.rm(temporary, { force: true })
    throw error
  }
}
