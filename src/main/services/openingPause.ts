import type { Rest } from '../core/ports/rest'

/** The time between a folder's opening and its first reading: what the person sees and sends first has the machine for itself. */
export class OpeningPause {
  readonly over: Promise<void>
  #end: () => void = () => undefined

  /** Is over after so long, or when the rest that is on then ends. Zero is no pause. */
  constructor(ms: number, rest: Rest) {
    this.over = new Promise((resolve) => (this.#end = resolve))
    if (ms === 0) {
      this.hurry()
      return
    }
    const timer = setTimeout(() => {
      if (!rest.isOn) return this.hurry()
      const endListening = rest.onChange((isOn) => isOn || this.hurry())
      void this.over.then(endListening)
    }, ms)
    void this.over.then(() => clearTimeout(timer))
  }

  /** Somebody waits for what comes after it. */
  hurry(): void {
    this.#end()
  }
}
