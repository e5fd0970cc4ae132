/** `waiting`: not seen whole yet; `filling`: seen, the time runs; `armed`: answers count. */
export type ArmState = 'waiting' | 'filling' | 'armed'

export const armMs = 600

/**
 * Arms a card: after it was fully visible for 600 ms in a focused window, and anew after every change of its content or of
 * what is seen (R70). The click that brings a window to the front therefore never answers.
 */
export class ArmingClock {
  #state: ArmState = 'waiting'
  #isVisible = false
  #isFocused = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()

  /** Whole card in view. */
  setVisible(isVisible: boolean): void {
    if (this.#isVisible === isVisible) return
    this.#isVisible = isVisible
    this.restart()
  }

  /** The window has the keyboard. */
  setFocused(isFocused: boolean): void {
    if (this.#isFocused === isFocused) return
    this.#isFocused = isFocused
    this.restart()
  }

  /** The content changed: the time begins again. */
  restart(): void {
    clearTimeout(this.#timer)
    if (!this.#isVisible || !this.#isFocused) return this.#become('waiting')
    this.#become('filling')
    this.#timer = setTimeout(() => this.#become('armed'), armMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  readonly read = (): ArmState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #become(state: ArmState): void {
    if (this.#state === state) return
    this.#state = state
    this.#listeners.forEach((listener) => listener())
  }
}
