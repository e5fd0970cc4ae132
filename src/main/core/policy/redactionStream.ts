import { redact, type RedactHow } from './redaction'
import { endOfOpenBlock, findKeyBlocks } from './redactionBlocks'
import { knownForms } from './redactionKnown'

/** Longer runs without a blank are let go but for this much: no pattern is longer, apart from long signed tokens. */
const longestToken = 16_384
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
    const before = `${redact(ready.slice(0, open.start), this.how)}[redacted:private-key]`
    return before + this.take(isLast)
  }

  /** Drops the rest of a key block; false while it goes on. */
  private leaveBlock(isLast: boolean): boolean {
    const lines = isLast ? this.held : this.held.slice(0, this.held.lastIndexOf('\n') + 1)
    const end = endOfOpenBlock(lines)
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
    const cut = this.cutBefore(this.held.length)
    const known = this.knownBeginning(cut)
    return known < cut ? this.cutBefore(known) : cut
  }

  /** The last place up to `limit` between two words of which no rule needs both. */
  private cutBefore(limit: number): number {
    const line = this.held.lastIndexOf('\n', limit - 1) + 1
    const last = this.held.slice(line, limit)
    if (last.length > longestToken * 2) return limit - longestToken
    return line + (interesting.test(last) ? 0 : last.search(/\S*$/u))
  }

  /** Where the beginning of a registered secret may stand at the end of what would be let go. */
  private knownBeginning(cut: number): number {
    const from = Math.max(0, cut - this.longestKnown)
    for (let at = from; at < cut; at++) {
      const tail = this.held.slice(at, Math.min(this.held.length, at + this.longestKnown))
      if (this.forms.some((form) => form.length > tail.length && form.startsWith(tail))) return at
    }
    return cut
  }
}
