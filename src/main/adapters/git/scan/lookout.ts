import { isStopped } from './scanFlags'
import { everyFolder, type FileNode, type FolderModel, type FolderNode, type Stamp } from './folderModel'
import { LookList, stampWidth, type Look, type Shared } from './lookList'
import { SecondThreadLost, type SecondThread } from './secondThread'

/** A folder with more is asked in parts, so that both threads have some of it. */
const partNames = 512

/** Numbers of the looks of one thread. */
interface Side {
  readonly free: number[]
  readonly weights: number[]
  weight: number
}

/**
 * Asks the disk, in two threads where there are two, in which folders nothing moved since the last scan: neither the folder's
 * own times, nor its ignore file, nor any file in it. Only what is sure to be known is asked; everything else is not still.
 */
export class Lookout {
  readonly #root: string
  readonly #list = new LookList()
  #model: FolderModel | null = null
  #second: SecondThread | null = null
  #sides: readonly [Side, Side] = [newSide(), newSide()]
  #still: readonly [Uint8Array | null, Uint8Array | null] = [null, null]
  #moved: ReadonlySet<FolderNode> | null = null

  /** @param root absolute, byte text. */
  constructor(root: string) {
    this.#root = root
  }

  /** Takes over what the model knows now. Half of it goes to the second thread, when there is one. */
  update(model: FolderModel, second: SecondThread | null): void {
    const living = second?.isAlive === true ? second : null
    const isAnew = model !== this.#model || living !== this.#second
    if (!isAnew && !model.isLookStale) return
    if (isAnew) this.#begin(model, living)
    const sent: { slot: number; look: Look | null }[] = []
    const used = this.#sides.map(({ weights }) => new Uint8Array(weights.length)) as [Uint8Array, Uint8Array]
    everyFolder(model.root, (folder, path) => {
      if (isAnew || folder.isLookStale) this.#assign(folder, this.#placeOf(path), sent)
      folder.isLookStale = false
      for (const look of folder.looks) used[(look & 1) as 0 | 1][look >> 1] = 1
    })
    for (const side of [0, 1] as const) used[side].forEach((isUsed, slot) => isUsed || this.#release(side, slot, sent))
    model.isLookStale = false
    if (sent.length > 0) send(living, sent)
  }

  /** Does not look: nothing moved but in these folders. */
  believe(moved: ReadonlySet<FolderNode>): void {
    this.#moved = moved
  }

  /** Looks. False when it was stopped. */
  async look(shared: Shared, onLook: () => void): Promise<boolean> {
    this.#moved = null
    this.#still = [null, null]
    const theirs = this.#second && this.#sides[1].weight > 0 ? this.#second.ask('look', shared) : null
    const own = this.#list.check(shared, onLook)
    if (own === null) return false
    this.#still = [own, await theirs?.catch((error: unknown) => this.#withoutSecond(error)) ?? null]
    return !isStopped(shared.flags)
  }

  /** Nothing in this folder moved, its folders' insides apart. */
  isStill(folder: FolderNode): boolean {
    if (folder.isLookStale || folder.looks.length === 0) return false
    if (this.#moved) return !this.#moved.has(folder)
    return folder.looks.every((look) => this.#still[(look & 1) as 0 | 1]?.[look >> 1] === 1)
  }

  /** What it was to look at is gone through file by file, this time. */
  #withoutSecond(error: unknown): null {
    if (error instanceof SecondThreadLost) this.#model = null
    return null
  }

  #placeOf(path: string): string {
    return path === '' ? this.#root : `${this.#root}/${path.slice(0, -1)}`
  }

  #begin(model: FolderModel, second: SecondThread | null): void {
    const sent: { slot: number; look: null }[] = []
    for (const side of [0, 1] as const) for (let slot = 0; slot < this.#sides[side].weights.length; slot++) this.#release(side, slot, sent)
    if (sent.length > 0) send(second, sent)
    this.#model = model
    this.#second = second
    this.#sides = [newSide(), newSide()]
    this.#still = [null, null]
  }

  #assign(folder: FolderNode, place: string, sent: { slot: number; look: Look | null }[]): void {
    const asked = isSure(folder) ? namesOf(folder) : []
    const looks: number[] = []
    for (let from = 0; from < asked.length; from += partNames) {
      const part = asked.slice(from, from + partNames)
      const side = this.#second && this.#sides[1].weight < this.#sides[0].weight ? 1 : 0
      const slot = this.#take(side, part.length)
      const look = { place, names: part.map(({ name }) => name), stamps: flat(part.map(({ stamp }) => stamp)) }
      if (side === 0) this.#list.set(slot, look)
      else sent.push({ slot, look })
      looks.push(slot * 2 + side)
    }
    folder.looks = looks
  }

  #take(side: 0 | 1, weight: number): number {
    const { free, weights } = this.#sides[side]
    const slot = free.pop() ?? weights.length
    weights[slot] = weight
    this.#sides[side].weight += weight
    return slot
  }

  #release(side: 0 | 1, slot: number, sent: { slot: number; look: Look | null }[]): void {
    const own = this.#sides[side]
    const weight = own.weights[slot] ?? 0
    if (weight === 0) return
    own.weight -= weight
    own.weights[slot] = 0
    own.free.push(slot)
    if (side === 0) this.#list.set(slot, null)
    else sent.push({ slot, look: null })
  }
}

function newSide(): Side {
  return { free: [], weights: [], weight: 0 }
}

/** Whatever would be read again even if nothing moved is not asked here. */
function isSure({ isSettled, ignore, files }: FolderNode): boolean {
  if (!isSettled || ignore?.isRacy === true) return false
  for (const file of files.values()) if (file.isRacy) return false
  return true
}

function namesOf({ stamp, ignore, files }: FolderNode): { readonly name: string; readonly stamp: Stamp }[] {
  const asked = [{ name: '', stamp }]
  if (ignore) asked.push({ name: '.gitignore', stamp: ignore.stamp })
  files.forEach((file: FileNode, name) => asked.push({ name, stamp: file.stamp }))
  return asked
}

function flat(stamps: readonly Stamp[]): BigInt64Array {
  const all = new BigInt64Array(stamps.length * stampWidth)
  stamps.forEach((stamp, i) => all.set(numbersOf(stamp), i * stampWidth))
  return all
}

/** A stamp as flat lists have it. */
export function numbersOf({ mtimeNs, ctimeNs, size, ino, mode }: Stamp): readonly bigint[] {
  return [mtimeNs, ctimeNs, size, ino, BigInt(mode)]
}

function send(second: SecondThread | null, sent: readonly { readonly slot: number; readonly look: Look | null }[]): void {
  if (!second) return
  const stamps = new BigInt64Array(sent.reduce((sum, { look }) => sum + (look?.stamps.length ?? 0), 0))
  let at = 0
  for (const { look } of sent) {
    if (!look) continue
    stamps.set(look.stamps, at)
    at += look.stamps.length
  }
  const texts = sent.map(({ look }) => (look ? `${look.place}\0${look.names.join('/')}` : ''))
  void second.ask('keep', { slots: Uint32Array.from(sent, ({ slot }) => slot), texts, stamps }, [stamps.buffer])
}
