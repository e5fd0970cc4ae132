import type { FileNode, FolderNode } from './folderModel'
import type { RawId } from '../store/gitObjects'
import { stampWidth } from './lookList'
import { numbersOf } from './lookout'
import { readFiles, type ReadWorld } from './readFiles'
import { ScanCancelled } from './scanCancelled'
import { claims, readOutcomes, type ReadFiles, type SentFiles } from './scanMessages'
import type { SecondThread } from './secondThread'

/** Files are handed over in lots of at most so many, or so many bytes. */
const lot = { files: 256, bytes: 2 << 20 }
/** With less to read the second thread is not asked: it would only be waited for. */
const shareFrom = { files: 256, bytes: 8 << 20 }

/** A file that was found to be read. */
export interface LateFile {
  readonly folder: FolderNode
  readonly name: string
  readonly place: string
  /** Stands in its folder already; its id comes with the reading. */
  readonly file: FileNode
  readonly old: FileNode | undefined
}

export interface LateWorld extends ReadWorld {
  /** Starts the second thread if it can be had. */
  readonly second: () => SecondThread | null
  /** Where the second thread stores, the mark of its temporary files, and who may help. */
  readonly store2: { readonly folder: string; readonly tag: string; readonly lendFrom: string | null }
  readonly settle: (late: LateFile, outcome: (typeof readOutcomes)[number], id: RawId, readAtMs: number) => void
}

interface Lot {
  readonly late: readonly LateFile[]
  readonly sent: SentFiles
  answer: Promise<ReadFiles | null> | null
}

/**
 * Files that a scan found to be read. They are read while and after the names are gone through: when there are many, the second
 * thread begins at the front and this one at the end. Nothing of the second thread's is durable before `finishSecond`.
 */
export class LateReads {
  readonly #world: LateWorld
  readonly #lots: Lot[] = []
  readonly #secondIds: RawId[] = []
  #late: LateFile[] = []
  #lateBytes = 0
  #total = { files: 0, bytes: 0 }
  #second: SecondThread | null = null
  #isAlone = false

  constructor(world: LateWorld) {
    this.#world = world
  }

  add(late: LateFile): void {
    this.#late.push(late)
    this.#lateBytes += Number(late.file.stamp.size)
    if (this.#late.length >= lot.files || this.#lateBytes >= lot.bytes) this.#closeLot()
  }

  /** Reads everything that was added. */
  async read(): Promise<void> {
    if (this.#late.length > 0) this.#closeLot()
    for (const one of [...this.#lots].reverse()) {
      if (Atomics.compareExchange(one.sent.claim, 0, claims.none, claims.first) === claims.none) this.#settle(one, readFiles(one.sent, this.#world))
    }
    for (const one of this.#lots) {
      if (Atomics.load(one.sent.claim, 0) !== claims.second) continue
      const read = (await one.answer) ?? null
      this.#settle(one, read)
      one.late.forEach((_, i) => this.#secondIds.push(idAt(read?.ids ?? '', i)))
    }
  }

  /** Makes durable what the second thread has stored, and gives its ids. */
  async finishSecond(): Promise<readonly RawId[]> {
    if (this.#secondIds.length > 0) await this.#second?.ask('finish', null)
    else await this.abandon()
    return this.#secondIds
  }

  /** What the second thread has stored is of no use. */
  async abandon(): Promise<void> {
    // What it has not begun with it need not begin.
    for (const { sent } of this.#lots) Atomics.compareExchange(sent.claim, 0, claims.none, claims.first)
    await this.#second?.ask('abandon', null).catch(() => undefined)
  }

  #closeLot(): void {
    const stamps = new BigInt64Array(this.#late.length * stampWidth)
    this.#late.forEach(({ file }, i) => stamps.set(numbersOf(file.stamp), i * stampWidth))
    const claim = new Int32Array(new SharedArrayBuffer(4))
    this.#lots.push({ late: this.#late, sent: { places: this.#late.map(({ place }) => place), stamps, claim }, answer: null })
    this.#total = { files: this.#total.files + this.#late.length, bytes: this.#total.bytes + this.#lateBytes }
    this.#late = []
    this.#lateBytes = 0
    if (this.#total.files >= shareFrom.files || this.#total.bytes >= shareFrom.bytes) this.#share()
  }

  #share(): void {
    if (this.#isAlone) return
    if (!this.#second) {
      this.#second = this.#world.second()
      this.#isAlone = this.#second === null
      const { store2, untilMs, shared } = this.#world
      void this.#second?.ask('begin', { ...store2, untilMs, ...shared }).catch(() => undefined)
    }
    for (const one of this.#lots) one.answer ??= this.#second?.ask('read', one.sent) ?? null
  }

  #settle({ late }: Lot, read: ReadFiles | null): void {
    if (read === null) throw new ScanCancelled()
    late.forEach((one, i) => this.#world.settle(one, readOutcomes[read.outcomes[i] ?? 0] ?? 'gone', idAt(read.ids, i), read.readAtMs[i] ?? 0))
  }
}

function idAt(ids: string, i: number): RawId {
  return ids.slice(i * 20, i * 20 + 20)
}
