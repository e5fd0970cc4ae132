import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync, inflateSync } from 'node:zlib'
import { BodyCache } from './bodyCache'
import { readGeneration, type Generation } from './generation'
import { hexOf, idOf, type ObjectType, type RawId } from './gitObjects'
import { isHasty } from '../pack/packEntries'
import { PackReader, type StoredObject } from '../pack/packReader'
import { PackWriter } from '../pack/packWriter'
import type { Lender } from '../project/projectGitPacks'

/** Above one of these the objects of a batch go into one pack; below, each into a file of its own. */
const packFrom = { objects: 256, bytes: 16 << 20 }
/** From here on what waits at a flush goes into a small pack: two files to flush instead of one an object. */
const smallPackFrom = 8

/** Above one of these packing is worth while. Hasty bytes are those of packs that were written without compression. */
const packable = { loose: 1000, packs: 12, hastyBytes: 8 << 20 }
const treeCacheBytes = 1 << 20
/** How often the packs are looked at anew for an object that is not where it was: others may pack meanwhile. */
const looks = 4

const datasync = promisify(fs.fdatasync)

interface Waiting {
  readonly type: ObjectType
  readonly body: Uint8Array
}

/**
 * The objects of a side repository. What is put waits in memory, or in a pack being written, until `flush`: only then is it
 * durable, and only then may anything point to it. A kill before leaves temporary files, never half an object.
 */
export class ObjectStore {
  readonly #folder: string
  readonly #tag: string
  readonly #loose = new Set<RawId>()
  /** What was found damaged everywhere it lies, and not stored again since. */
  readonly #damaged = new Set<RawId>()
  #generation: Generation
  #losses = 0
  /** Folders that were lately put or read: those near now are compared over and over. */
  readonly #trees = new BodyCache<RawId, { readonly body: Buffer }>(treeCacheBytes)
  /** The newest first: what is looked for is most often of late. */
  #packs = new Map<string, PackReader>()
  #waiting = new Map<RawId, Waiting>()
  #waitingBytes = 0
  #pack: PackWriter | null = null
  /** Asked for the compressed form of blobs when many are put at once. */
  lender: Lender | null = null

  /**
   * @param folder the repository's `objects`.
   * @param tag names this process in temporary files.
   */
  constructor(folder: string, tag: string) {
    this.#folder = folder
    this.#tag = tag
    // Before the files: what is removed while they are read shows at the next look.
    this.#generation = readGeneration(join(folder, '..'))
    this.#readLoose()
    this.#readPacks()
  }

  /** Ids of everything that is there now. */
  count(): number {
    let total = this.#loose.size
    for (const pack of this.#packs.values()) total += pack.count
    return total
  }

  has(id: RawId): boolean {
    if (this.#waiting.has(id) || this.#pack?.has(id)) return true
    if (this.#damaged.has(id)) return false
    return this.#loose.has(id) || this.#isPacked(id)
  }

  /** How often something that was here turned out to be gone or damaged. Whoever remembers what is stored asks whether it moved. */
  get losses(): number {
    return this.#losses
  }

  /** Reads anew what is where, when this or another process has packed or forgotten since the last time. */
  refresh(): void {
    const now = readGeneration(join(this.#folder, '..'))
    if (now.packed === this.#generation.packed && now.forgotten === this.#generation.forgotten) return
    if (now.forgotten !== this.#generation.forgotten) this.#losses++
    this.#generation = now
    this.#readLoose()
    this.#readPacks()
  }

  /** Looks again at what another reader of this store could not read. */
  look(ids: readonly RawId[]): void {
    for (const id of ids) this.read(id)
  }

  /** Something was found damaged and not stored again since. Another opener of the store does not know of it. */
  get hasDamage(): boolean {
    return this.#damaged.size > 0
  }

  /** Found damaged, or with only damaged copies, since the store was opened. */
  isDamaged(id: RawId): boolean {
    return this.#damaged.has(id)
  }

  isReadableIn(pack: PackReader, id: RawId): boolean {
    const found = readSound(id, () => pack.read(id, (base) => this.read(base)))
    return found !== null && found !== 'damaged'
  }

  /** Writes objects into files of their own though they are packed. What cannot be read is left out. */
  async writeLooseCopies(ids: Iterable<RawId>): Promise<void> {
    for (const id of ids) {
      const object = this.read(id)
      if (object) await this.#writeLoose([[id, object]])
    }
  }

  /** Ids of objects in files of their own. */
  loose(): ReadonlySet<RawId> {
    return this.#loose
  }

  packs(): readonly PackReader[] {
    return [...this.#packs.values()]
  }

  /** Whether packing would free room. A pack that has to stay for its damage is no reason. */
  isPackable(): boolean {
    this.refresh()
    const packs = this.packs().filter((pack) => ![...this.#damaged].some((id) => pack.has(id)))
    const hasty = packs.reduce((sum, pack) => sum + (isHasty(pack) ? pack.end : 0), 0)
    return this.#loose.size > packable.loose || packs.length > packable.packs || hasty > packable.hastyBytes
  }

  /** Takes content to be stored at the next flush. */
  put(type: ObjectType, body: Uint8Array): RawId {
    const id = idOf(type, body)
    if (this.has(id)) return id
    if (this.#pack) {
      this.#pack.add(type, id, body)
      return id
    }
    // The bytes may lie where the next file is read to.
    const held = Buffer.from(body)
    this.#waiting.set(id, { type, body: held })
    if (type === 'tree') this.#trees.add(id, { body: held })
    this.#waitingBytes += body.length
    if (this.#waiting.size >= packFrom.objects || this.#waitingBytes >= packFrom.bytes) this.#startPack()
    return id
  }

  /** The same for a blob that is not to lie in memory as a whole; null when `read` gives fewer than `size` bytes. */
  putStream(size: number, read: (into: Buffer) => number): RawId | null {
    if (!this.#pack) this.#startPack()
    return this.#pack?.addStream('blob', size, read, (id) => this.has(id)) ?? null
  }

  /** Makes everything that was put durable. On a failure (a full disk) nothing of it counts as stored. */
  async flush(): Promise<void> {
    const waiting = this.#waiting
    const pack = this.#pack
    this.#waiting = new Map()
    this.#waitingBytes = 0
    this.#pack = null
    if (pack?.isEmpty === true) pack.abandon()
    else if (pack) await this.#finishPack(pack)
    if (waiting.size >= smallPackFrom) return this.#writeSmallPack(waiting)
    const entries = [...waiting]
    for (let from = 0; from < entries.length; from += 64) await this.#writeLoose(entries.slice(from, from + 64))
  }

  /** Forgets what was put and not flushed. */
  abandon(): void {
    this.#pack?.abandon()
    this.#pack = null
    this.#waiting = new Map()
    this.#waitingBytes = 0
  }

  /** Null when there is no such object, or none whose bytes give this id: then it counts as not stored, so that a scan that still finds the content stores it again. */
  read(id: RawId): StoredObject | null {
    const waiting = this.#waiting.get(id)
    if (waiting) return { type: waiting.type, body: Buffer.from(waiting.body) }
    let object = this.#readStored(id)
    // Packed by another one since the last look: in a pack that is not known yet, and gone from where it was.
    for (let left = looks; !object && left > 0 && this.#readPacks(); left--) object = this.#readStored(id)
    if (!object && this.#loose.delete(id)) this.#losses++
    return object
  }

  /** A folder's lines; null when there is no such tree. One that is near and still stored is not read again. */
  readTree(id: RawId): Buffer | null {
    const near = this.#trees.get(id)
    if (near && (this.#isPacked(id) || fs.existsSync(this.#fileOf(id)))) return near.body
    const object = this.read(id)
    if (object?.type !== 'tree') return null
    this.#trees.add(id, object)
    return object.body
  }

  /** A new object of another writer in this process, such as a commit. */
  note(id: RawId): void {
    this.#loose.add(id)
  }

  /** Takes notice of what another writer over the same folder has made durable. */
  notice(ids: readonly RawId[]): void {
    this.#readPacks()
    for (const id of ids) if (!this.has(id)) this.#loose.add(id)
  }

  close(): void {
    this.abandon()
    for (const pack of this.#packs.values()) pack.close()
    this.#packs = new Map()
  }

  #readStored(id: RawId): StoredObject | null {
    let isDamaged = false
    const look = (read: () => StoredObject | null): StoredObject | null => {
      const found = readSound(id, read)
      isDamaged ||= found === 'damaged'
      return found === 'damaged' ? null : found
    }
    for (const pack of this.#packs.values()) {
      const object = look(() => pack.read(id, (base) => this.read(base)))
      if (object) return object
    }
    const object = look(() => readLoose(this.#fileOf(id)))
    if (!object && isDamaged) this.#setDamaged(id)
    return object
  }

  #setDamaged(id: RawId): void {
    if (this.#damaged.has(id)) return
    this.#damaged.add(id)
    this.#losses++
  }

  #isPacked(id: RawId): boolean {
    for (const pack of this.#packs.values()) if (pack.has(id)) return true
    return false
  }

  #addPack(name: string, pack: PackReader): void {
    this.#packs = new Map([[name, pack], ...this.#packs])
  }

  #fileOf(id: RawId): string {
    const hex = hexOf(id)
    return join(this.#folder, hex.slice(0, 2), hex.slice(2))
  }

  #startPack(): void {
    this.#pack = new PackWriter(join(this.#folder, 'pack'), this.#tag, this.lender)
    for (const [id, { type, body }] of this.#waiting) this.#pack.add(type, id, body)
    this.#waiting = new Map()
    this.#waitingBytes = 0
  }

  /** Nobody is asked to lend: finding out costs more than these few. */
  async #writeSmallPack(waiting: ReadonlyMap<RawId, Waiting>): Promise<void> {
    const pack = new PackWriter(join(this.#folder, 'pack'), this.#tag)
    for (const [id, { type, body }] of waiting) pack.add(type, id, body)
    await this.#finishPack(pack)
  }

  async #finishPack(pack: PackWriter): Promise<void> {
    let name: string
    try {
      name = await pack.finish()
    } catch (error) {
      pack.abandon()
      throw error
    }
    flushFolder(join(this.#folder, 'pack'))
    const reader = new PackReader(name)
    this.#addPack(name, reader)
    for (const id of this.#damaged) if (reader.has(id)) this.#damaged.delete(id)
  }

  /**
   * Temporary file, flush, rename; the flushes of a batch run side by side, so that the disk can join them. The new names are
   * flushed with the branch: a commit's own flush comes after them in the same journal of the disk.
   */
  async #writeLoose(batch: readonly (readonly [RawId, Waiting])[]): Promise<void> {
    const open: { readonly id: RawId; readonly fd: number; readonly temporary: string; readonly file: string }[] = []
    try {
      for (const [id, { type, body }] of batch) {
        const file = this.#fileOf(id)
        const folder = join(file, '..')
        if (!fs.existsSync(folder)) fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
        const temporary = join(folder, `tmp_obj_${this.#tag}_${randomUUID()}`)
        const fd = fs.openSync(temporary, 'wx', 0o600)
        open.push({ id, fd, temporary, file })
        writeAll(fd, deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]), { level: 1 }))
      }
      await Promise.all(open.map(({ fd }) => datasync(fd)))
      for (const { temporary, file } of open) fs.renameSync(temporary, file)
    } catch (error) {
      for (const { temporary } of open) fs.rmSync(temporary, { force: true })
      throw error
    } finally {
      for (const { fd } of open) fs.closeSync(fd)
    }
    for (const { id } of open) {
      this.#loose.add(id)
      this.#damaged.delete(id)
    }
  }

  #readLoose(): void {
    this.#loose.clear()
    for (const folder of fs.readdirSync(this.#folder)) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue
      for (const name of fs.readdirSync(join(this.#folder, folder))) {
        if (/^[0-9a-f]{38}$/.test(name)) this.#loose.add(Buffer.from(folder + name, 'hex').toString('latin1'))
      }
    }
  }

  /** Looks for packs that another process, or plain git, has written. True when there are new ones. */
  #readPacks(): boolean {
    const folder = join(this.#folder, 'pack')
    const names = new Set(fs.readdirSync(folder).filter((name) => /^pack-.*\.idx$/.test(name)).map((name) => join(folder, name.slice(0, -4))))
    for (const [name, pack] of this.#packs) {
      if (names.has(name)) continue
      pack.close()
      this.#packs.delete(name)
    }
    const fresh = [...names].filter((name) => !this.#packs.has(name))
    for (const name of fresh) {
      const pack = openPack(name)
      if (pack) this.#addPack(name, pack)
    }
    return fresh.length > 0
  }
}

/** A pack that cannot be read counts as not there: what it held is then found missing, and stored again while it is on disk. */
function openPack(name: string): PackReader | null {
  try {
    return new PackReader(name)
  } catch {
    return null
  }
}

function readLoose(file: string): StoredObject | null {
  let packed: Buffer
  try {
    packed = fs.readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const whole = inflateSync(packed)
  const end = whole.indexOf(0)
  const type = whole.toString('latin1', 0, whole.indexOf(0x20))
  if (end < 0 || (type !== 'commit' && type !== 'tree' && type !== 'blob')) throw new Error(`${file} is damaged`)
  return { type, body: whole.subarray(end + 1) }
}

/** What was read, when its bytes give the id it was asked for by. */
function readSound(id: RawId, read: () => StoredObject | null): StoredObject | 'damaged' | null {
  try {
    const object = read()
    return !object || idOf(object.type, object.body) === id ? object : 'damaged'
  } catch (error) {
    if (!isDamage(error)) throw error
    return 'damaged'
  }
}

/** What the bytes of an object are to blame for, or a disk that cannot read them; nothing that may pass. */
function isDamage(error: unknown): boolean {
  if (error instanceof TypeError) return false
  const { code } = error as NodeJS.ErrnoException
  return code === undefined || code === 'EIO' || /^(Z_|ERR_)/.test(code)
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done)
}

/** Makes new names in a folder durable. */
export function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
