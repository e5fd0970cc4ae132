import { findRedactions, redact, withRedactions, type RedactHow } from './redaction'
import { endOfOpenBlock, findKeyBlocks, leadOf } from './redactionBlocks'
import { allForms, knownAcross, type KnownForms } from './redactionKnown'
import { mayBegin } from './redactionBegun'

/** Longer runs without a blank are let go but for this much: no pattern is longer, apart from long signed tokens. */
const longestToken = 16_384
/** Characters on both sides of a cut in which a secret is seen whole, and places that are tried for one. */
const seamMargin = 4096
const mostSteps = 80
/** Of what was let go, so much is looked at again with what follows: a name may stand a line before its value. */
const contextLines = 2
const longestContext = 1024
/** What may begin a secret that ends in a later piece: then the line is held back whole. */
const interesting =
  /pass|pwd|pw\b|psk|secret|token|key|auth|bearer|basic|cookie|credential|otp|kty|_pat_|\s--?[a-z]|\/p:|\/\/|@|----|[?&#;]\w+=|%3f|%26|\b(?:echo|printf|config|login|set|env|setx|identified|net|sqlplus|jdbc|rabbitmqctl|mc)\b|<<<|:\d{4,5}:|:\*:|[密口令私授凭憑秘金權通]/iu

/**
 * Redacts text that comes in pieces, so that a secret cut in two is still found: the end of the last line is held back as
 * long as a secret might go on in it, and a private key block is dropped until its end. All pieces together give what
 * `redact` gives for the whole text, but for secrets that a line end divides more than a line or two before their value.
 */
export class StreamRedactor {
  private held = ''
  /** The last of what was let go, as it was. */
  private before = ''
  private isInBlock = false
  private lead: RegExp | null = null
  private readonly how: RedactHow
  private readonly forms: KnownForms

  constructor(how: RedactHow = {}) {
    this.how = how
    this.forms = allForms(how.known ?? [])
  }

  /** The part that is certain now. May be empty. */
  push(piece: string): string {
    this.held += piece
    return this.take(false)
  }

  /**
   * What of the held text no secret has begun in: a question that waits for an answer. Call it when nothing has come for a
   * while. What is let go is remembered, so that a value behind it is known by its name.
   */
  idle(): string {
    if (this.isInBlock || this.held === '') return ''
    const line = this.before + this.held
    const begun = Math.min(mayBegin(line, this.how) - this.before.length, knownAcross(this.held, this.held.length, this.forms))
    const across = findRedactions(line, this.how).find(({ start, end }) => start < this.before.length + begun && end > this.before.length + begun)
    return this.letGo(Math.max(0, across === undefined ? begun : across.start - this.before.length), this.held)
  }

  /** Everything that was held back. Call it when the text is over. */
  end(): string {
    return this.take(true)
  }

  private take(isLast: boolean): string {
    if (this.isInBlock && !this.leaveBlock(isLast)) return ''
    const cut = isLast ? this.held.length : this.safeCut()
    const whole = this.before + this.held.slice(0, cut)
    // Half a line says nothing about a block: it is looked at whole, with what follows.
    const seen = isLast ? whole : whole.slice(0, whole.lastIndexOf('\n') + 1)
    const open = findKeyBlocks(seen).at(-1)
    if (!open?.isOpen) return this.letGo(cut)
    const lead = leadOf(seen, open.start)
    const [start, body] = [open.start - this.before.length, open.body - this.before.length]
    const rest = this.held.slice(isLast ? body : Math.max(body, seen.length - this.before.length))
    const shown = `${this.letGo(start)}[redacted:private-key]`
    this.held = rest
    this.before = ''
    this.isInBlock = true
    this.lead = lead
    return shown + this.take(isLast)
  }

  /** The first part of what is held, redacted with what stands before it, and behind it as far as `seen` holds it. */
  private letGo(length: number, seen = this.held.slice(0, length)): string {
    const from = this.before.length
    const ready = this.held.slice(0, length)
    this.held = this.held.slice(length)
    if (ready === '') return ''
    const redactions = findRedactions(this.before + seen, this.how)
      .filter(({ start, end }) => end > from && start < from + length)
      .map((one) => ({ ...one, start: Math.max(0, one.start - from), end: one.end - from }))
    this.before = lastLines(this.before + ready)
    return withRedactions(ready, redactions)
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
    for (let known = knownAcross(this.held, cut, this.forms); known < cut; known = knownAcross(this.held, cut, this.forms)) cut = this.cutBefore(known)
    return cut
  }

  /** The last place up to `limit` between two words of which no rule needs both. */
  private cutBefore(limit: number): number {
    const line = this.held.lastIndexOf('\n', limit - 1) + 1
    const last = this.held.slice(line, limit)
    if (last.length > longestToken * 2) return this.seamBefore(limit - longestToken)
    const shown = line === 0 ? this.before.slice(this.before.lastIndexOf('\n') + 1) : ''
    return line + (interesting.test(shown + last) ? 0 : last.search(/\S*$/u))
  }

  /** In a line that is too long to be held whole: the first place from `limit` backwards that divides no secret. */
  private seamBefore(limit: number): number {
    for (let step = 0; step < mostSteps; step++) {
      const cut = limit - (step * (step + 1)) / 2
      if (this.dividesNothing(cut)) return cut
    }
    // A line of like parts may have all its seams beside those places: they stand behind what separates the parts.
    const near = this.held.slice(limit - seamMargin, limit)
    const separators = [...near.matchAll(/[\s,;|]/gu)].slice(-mostSteps).reverse()
    const found = separators.find(({ index }) => this.dividesNothing(limit - near.length + index + 1))
    return found === undefined ? limit : limit - near.length + found.index + 1
  }

  private dividesNothing(cut: number): boolean {
    const [left, right] = [this.held.slice(cut - seamMargin, cut), this.held.slice(cut, cut + seamMargin)]
    return redact(left + right, this.how) === redact(left, this.how) + redact(right, this.how)
  }
}

function lastLines(text: string): string {
  let from = text.length
  for (let line = 0; line <= contextLines && from > 0; line++) from = text.lastIndexOf('\n', from - 2) + 1
  return text.slice(Math.max(from, text.length - longestContext))
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
