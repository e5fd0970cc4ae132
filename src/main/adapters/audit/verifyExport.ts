import { stat } from 'node:fs/promises'
import type { AuditHead } from '../../../shared/domain/audit'
import type { ExportVerdict } from '../../core/ports/auditReader'
import { recordBlockTag } from '../../../shared/domain/recordBlock'
import { linesOf } from './auditFiles'
import { chainAfter, fitsAfter, noHead, readLine } from './auditLine'
import { readExcerptLine } from './excerpt'
import { verifyLines } from './verifyFiles'

/**
 * Checks a file that was exported: the whole record or an excerpt, as lines, as a page, or inside the page of a session. Needs
 * nothing but the file, so it says nothing about who wrote the entries.
 *
 * @returns null when the file holds nothing of a record.
 */
export async function verifyExport(file: string): Promise<ExportVerdict | null> {
  const whole = { file, number: 1, sizeBytes: (await stat(file)).size, writtenAtMs: 0 }
  const seen: Seen = { head: null }
  const lines = linesIn(linesOf(whole), seen)
  try {
    return await verdictOn(lines, seen)
  } finally {
    await lines.return(undefined) // what was not read to its end is closed
  }
}

async function verdictOn(lines: AsyncGenerator<string, undefined>, seen: Seen): Promise<ExportVerdict | null> {
  const { value: first, done } = await lines.next()
  if (done === true) return null
  if (readExcerptLine(first)?.kind === 'begin') return verifyExcerpt(first, lines)
  if (readLine(first) === null && !seen.isPage) return null
  const all: AsyncIterable<string> = (async function* () {
    yield first
    yield* lines
  })()
  const { ok, entries, firstBroken } = await verifyLines(all, { macKey: null, known: [seen.head] })
  return { ok, entries, ...(firstBroken === undefined ? {} : { firstBroken }) }
}

/** What a page says besides its lines. */
interface Seen {
  isPage?: boolean
  /** The end of the record when the page was made. */
  head: AuditHead | null
}

const factsForm = /^<script type="application\/json" id="facts">(.*)<\/script>$/

/** The lines of the record in a file: all of them, or those in the blocks of a page. */
async function* linesIn(texts: AsyncGenerator<string>, seen: Seen): AsyncGenerator<string, undefined> {
  let isInBlock = false
  for await (const text of texts) {
    if (seen.isPage === undefined) seen.isPage = /^<!doctype html>/i.test(text)
    if (!seen.isPage) yield text
    else if (text === recordBlockTag) isInBlock = true
    else if (text === '</script>') isInBlock = false
    else if (isInBlock) yield textIn(text)
    else seen.head ??= headIn(factsForm.exec(text)?.[1])
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null // changed by hand
  }
}

function textIn(json: string): string {
  const text = parsed(json)
  return typeof text === 'string' ? text : ''
}

function headIn(json: string | undefined): AuditHead | null {
  const facts = json === undefined ? null : (parsed(json) as { readonly head?: AuditHead | null } | null)
  const head = facts?.head
  return typeof head?.entries === 'number' && typeof head.chain === 'string' ? head : null
}

async function verifyExcerpt(begin: string, lines: AsyncIterable<string>): Promise<ExportVerdict> {
  const walk = new ExcerptWalk(begin)
  for await (const text of lines) walk.take(text)
  return walk.verdict()
}

/** Walks the places of an excerpt one by one. A break is told at the entry that should have stood there. */
class ExcerptWalk {
  readonly #start: AuditHead
  #head: AuditHead
  #entries = 0
  #leftOut = 0
  #stated = 0
  /** From here on every line can be bound without its text. */
  #isSecondForm = false
  #hasEnded = false
  #firstBroken: number | null = null

  constructor(begin: string) {
    const line = readExcerptLine(begin)
    this.#head = this.#start = line?.kind === 'begin' ? line.after : noHead
  }

  take(text: string): void {
    const place = readExcerptLine(text)
    if (place === null) this.#entries += 1
    if (this.#firstBroken !== null) return
    const next = this.#hasEnded ? null : place === null ? this.#afterLine(text) : this.#afterPlace(place)
    if (next === null) this.#firstBroken = this.#head.entries + 1
    else this.#head = next
  }

  verdict(): ExportVerdict {
    const broken = this.#firstBroken ?? (this.#hasEnded ? null : this.#head.entries + 1)
    if (broken !== null) return { ok: false, entries: this.#entries, firstBroken: broken }
    return { ok: true, entries: this.#entries, part: { from: this.#start.entries + 1, to: this.#head.entries, leftOut: this.#leftOut, stated: this.#stated } }
  }

  #afterLine(text: string): AuditHead | null {
    const line = readLine(text)
    if (line === null || !fitsAfter(this.#head, line, null)) return null
    if (line.form === 2) this.#isSecondForm = true
    return { entries: line.entry, chain: line.chain }
  }

  #afterPlace(place: NonNullable<ReturnType<typeof readExcerptLine>>): AuditHead | null {
    const entries = this.#head.entries + 1
    switch (place.kind) {
      case 'begin': return null
      case 'left-out':
        if (place.entry !== entries) return null
        this.#leftOut += 1
        this.#isSecondForm = true
        return { entries, chain: chainAfter(this.#head.chain, place.digest) }
      case 'stated':
        // Behind a line of the second form nobody needs to state one: whoever does hides that something was changed.
        if (place.head.entries !== entries || this.#isSecondForm) return null
        this.#leftOut += 1
        this.#stated += 1
        return place.head
      case 'end':
        if (place.head.entries !== this.#head.entries || place.head.chain !== this.#head.chain) return null
        this.#hasEnded = true
        return this.#head
    }
  }
}
