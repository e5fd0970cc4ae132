import type { AuditAnchor, AuditHead } from '../../../shared/domain/audit'
import { allLinesOf, type AuditFile } from './auditFiles'
import { fitsAfter, noHead, prunedEnds, readLine, type AuditLine } from './auditLine'

/**
 * What a check found. `signed` counts the entries whose mac was checked: for those it is known who could have written them.
 * `startsAt` is the first entry that is kept, where older ones were removed by the app and that is recorded.
 */
export interface AuditVerdict {
  readonly ok: boolean
  readonly entries: number
  readonly firstBroken?: number
  readonly signed: number
  readonly startsAt?: number
}

/** What a check knows besides the files. */
export interface KnownFacts {
  readonly macKey: Uint8Array | null
  /** What was seen elsewhere, by the database and the snapshots: the log must reach it and hold the same chain value there. */
  readonly known: readonly (AuditAnchor | null)[]
}

/**
 * Walks every line of every file: the chain must run on from entry 1, or from where an entry of the log itself says that older
 * files were removed, over the files, to everything that is known. A changed, removed, added or moved line breaks it at that
 * entry; a cut tail at the first entry that is missing.
 */
export function verifyFiles(files: readonly AuditFile[], facts: KnownFacts): Promise<AuditVerdict> {
  return verifyLines(allLinesOf(files), facts)
}

/** The same over lines, wherever they stand. */
export async function verifyLines(lines: AsyncIterable<string>, { macKey, known }: KnownFacts): Promise<AuditVerdict> {
  const walk = new Walk(known, macKey)
  for await (const text of lines) walk.take(readLine(text))
  return walk.verdict()
}

class Walk {
  readonly #macKey: Uint8Array | null
  /** Chain values by the entry they must stand at, and those whose place is not known. */
  readonly #placed = new Map<number, readonly string[]>()
  readonly #loose = new Set<string>()
  #head = noHead
  /** Where the log begins, when not at entry 1, and whether an entry says so. */
  #start: AuditHead | null = null
  #isVouched = true
  #entries = 0
  #signed = 0
  #firstBroken: number | null = null

  constructor(known: readonly (AuditAnchor | null)[], macKey: Uint8Array | null) {
    this.#macKey = macKey
    for (const anchor of known) {
      if (anchor === null || anchor.entries === 0 || anchor.chain === noHead.chain) continue
      if (anchor.entries === null) this.#loose.add(anchor.chain)
      else this.#placed.set(anchor.entries, [...(this.#placed.get(anchor.entries) ?? []), anchor.chain])
    }
  }

  take(line: AuditLine | null): void {
    this.#entries += 1
    // Also behind a break: it says where the log begins, and so which fault comes first.
    if (!this.#isVouched && line !== null) this.#isVouched = prunedEnds(line)?.some((end) => end.entries === this.#start?.entries && end.chain === this.#start.chain) ?? false
    if (this.#firstBroken !== null) return
    if (this.#entries === 1 && line !== null && line.entry > 1) this.#begin({ entries: line.entry - 1, chain: line.prev })
    if (line === null || !fitsAfter(this.#head, line, this.#macKey) || !this.#isAsKnown(line.entry, line.chain)) {
      this.#firstBroken = this.#head.entries + 1
      return
    }
    if (line.mac !== null && this.#macKey !== null) this.#signed += 1
    this.#head = { entries: line.entry, chain: line.chain }
    this.#loose.delete(line.chain)
  }

  verdict(): AuditVerdict {
    const start = this.#start
    const broken = this.#isVouched ? (this.#firstBroken ?? this.#missing()) : 1
    return {
      ok: broken === null,
      entries: this.#entries,
      ...(broken === null ? {} : { firstBroken: broken }),
      signed: this.#signed,
      ...(start === null || broken !== null ? {} : { startsAt: start.entries + 1 }),
    }
  }

  #begin(start: AuditHead): void {
    this.#start = start
    this.#isVouched = false
    if (this.#isAsKnown(start.entries, start.chain)) this.#head = start
  }

  #isAsKnown(entry: number, chain: string): boolean {
    return this.#placed.get(entry)?.every((one) => one === chain) ?? true
  }

  /** The first entry that must have been there. What is seen somewhere, nobody says where, may have been removed with the oldest files. */
  #missing(): number | null {
    const isCut = [...this.#placed.keys()].some((entry) => entry > this.#head.entries) || (this.#loose.size > 0 && this.#start === null)
    return isCut ? this.#head.entries + 1 : null
  }
}
