import { redact, type RedactHow } from './redaction'
import { endOfOpenBlock, findKeyBlocks, leadOf } from './redactionBlocks'
import { knownForms } from './redactionKnown'

/** Longer runs without a blank are let go but for this much: no pattern is longer, apart from long signed tokens. */
const longestToken = 16_384
/** Characters on both sides of a cut in which a secret is seen whole, and places that are tried for one. */
const seamMargin = 4096
const mostSteps = 80
/** What may begin a secret that ends in a later piece: then the line is held back whole. */
const interesting = /pass|pwd|secret|token|key|auth|bearer|basic|cookie|credential|_pat_|-u|-p|-a|-P|-U|-w|:\/\/|-----|密|令牌|口令|授权|私钥|凭/iu

/**
 * Redacts text that comes in pieces, so that a secret cut in two is still found: the end of the last line is held back as
 * long as a secret might go on in it, and a private key block is dropped until its end. All pieces together give what
 * `redact` gives for the whole text, but for secrets that a line end divides.
 */
export class StreamRedactor {
  private held = ''
  private isInBlock = false
  private lead: RegExp | null = null
  private readonly how: RedactHow
  private readonly forms: readonly string[]
  private readonly longestKnown: number

  constructor(how: RedactHow = {}) {
    this.how = how
    this.forms = (how.known ?? []).flatMap(knownForms)
    this.longestKnown = Math.max(0, ...this.forms.map((form) => form.length))
  }

  /** The part that is certain now. May be empty. */
  push(piece: string): string {
    this.held += piece
    return this.take(false)
  }

  /** Everything that was held back. Call it when the text is over, or when nothing has come for a while. */
  end(): string {
    return this.take(true)
  }

  private take(isLast: boolean): string {
    if (this.isInBlock && !this.leaveBlock(isLast)) return ''
    const cut = isLast ? this.held.length : this.safeCut()
    const ready = this.held.slice(0, cut)
    const open = findKeyBlocks(ready).at(-1)
    this.held = this.held.slice(cut)
    if (!open?.isOpen) return redact(ready, this.how)
    this.isInBlock = true
    this.lead = leadOf(ready, open.start)
    const before = `${redact(ready.slice(0, open.start), this.how)}[redacted:private-key]`
    return before + this.take(isLast)
  }

  /** Drops the rest of a key block; false while it goes on. */
  private leaveBlock(isLast: boolean): boolean {
    const lines = isLast ? this.held : this.held.slice(0, this.held.lastIndexOf('\n') + 1)
    const end = endOfOpenBlock(lines, this.lead)
    if (end === null) {
      this.held = isLast ? '' : this.held.slice(lines.length)
      this.isInBlock = !isLast
      return isLast
    }
    this.held = this.held.slice(end)
    this.isInBlock = false
    return true
  }

  /** How much of what is held can hold no beginning of a secret. */
  private safeCut(): number {
    let cut = this.cutBefore(this.held.length)
    for (let known = this.knownAcross(cut); known < cut; known = this.knownAcross(cut)) cut = this.cutBefore(known)
    return cut
  }

  /** The last place up to `limit` between two words of which no rule needs both. */
  private cutBefore(limit: number): number {
    const line = this.held.lastIndexOf('\n', limit - 1) + 1
    const last = this.held.slice(line, limit)
    if (last.length > longestToken * 2) return this.seamBefore(limit - longestToken)
    return line + (interesting.test(last) ? 0 : last.search(/\S*$/u))
  }

  /** In a line that is too long to be held whole: the first place from `limit` backwards that divides no secret. */
  private seamBefore(limit: number): number {
    for (let step = 0; step < mostSteps; step++) {
      const cut = limit - (step * (step + 1)) / 2
      const [left, right] = [this.held.slice(cut - seamMargin, cut), this.held.slice(cut, cut + seamMargin)]
      if (redact(left + right, this.how) === redact(left, this.how) + redact(right, this.how)) return cut
    }
    return limit
  }

  /** Where a registered secret begins that lies across the cut, or may turn out to; the cut when none does. */
  private knownAcross(cut: number): number {
    for (let at = Math.max(0, cut - this.longestKnown); at < cut; at++) {
      const tail = this.held.slice(at, at + this.longestKnown)
      if (this.forms.some((form) => at + form.length > cut && (form.length > tail.length ? form.startsWith(tail) : tail.startsWith(form)))) return at
    }
    return cut
  }
}

const pieceLength = 262_144

/** A long text redacted piece by piece; `rest` lets others work between two pieces. Gives what a `StreamRedactor` gives. */
export async function redactLong(text: string, filter: Pick<StreamRedactor, 'push' | 'end'>, rest: () => Promise<void>): Promise<string> {
  const pieces: string[] = []
  for (let from = 0; from < text.length; from += pieceLength) {
    pieces.push(filter.push(text.slice(from, from + pieceLength)))
    await rest()
  }
  return [...pieces, filter.end()].join('')
}
