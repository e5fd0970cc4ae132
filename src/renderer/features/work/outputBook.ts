import type { CallId } from '../../../shared/domain/ids'

const keptCharacters = 1_000_000
const tailLines = 5

interface Page {
  text: string
  tail: string
  readonly listeners: Set<(text: string) => void>
  readonly tailListeners: Set<() => void>
}

/** Live output of calls, outside React: the terminal reads pieces, a row reads its last lines. */
export class OutputBook {
  readonly #pages = new Map<CallId, Page>()

  /** Takes one more piece of a call's output. */
  append(callId: CallId, text: string): void {
    const page = this.#page(callId)
    page.text = (page.text + text).slice(-keptCharacters)
    page.tail = tailOf(page.text)
    page.listeners.forEach((listener) => listener(text))
    page.tailListeners.forEach((listener) => listener())
  }

  /** A call begins to run: what a trial of it printed before is not what it prints now. */
  begin(callId: CallId): void {
    const page = this.#pages.get(callId)
    if (!page) return
    page.text = ''
    page.tail = ''
    page.tailListeners.forEach((listener) => listener())
  }

  /** All kept output of a call. */
  read(callId: CallId): string {
    return this.#pages.get(callId)?.text ?? ''
  }

  /** The last five lines, as plain text. */
  tail(callId: CallId): string {
    return this.#pages.get(callId)?.tail ?? ''
  }

  /** Each new piece; returns a stop. */
  onData(callId: CallId, listener: (text: string) => void): () => void {
    const { listeners } = this.#page(callId)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  /** A change of the last lines; returns a stop. */
  onTail(callId: CallId, listener: () => void): () => void {
    const { tailListeners } = this.#page(callId)
    tailListeners.add(listener)
    return () => void tailListeners.delete(listener)
  }

  #page(callId: CallId): Page {
    const known = this.#pages.get(callId)
    if (known) return known
    const page: Page = { text: '', tail: '', listeners: new Set(), tailListeners: new Set() }
    this.#pages.set(callId, page)
    return page
  }
}

// CSI, OSC and two-character escapes; the row shows words, the terminal shows what they do.
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g

/** The last lines of terminal output as text: escapes dropped, a carriage return starts its line anew. */
export function tailOf(output: string): string {
  const plain = output.slice(-8_000).replace(escapes, '')
  const lines = plain.split(/\r?\n/).map((line) => line.slice(line.lastIndexOf('\r') + 1))
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop()
  return lines.slice(-tailLines).join('\n')
}
