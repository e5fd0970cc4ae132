import type { CancelSignal } from '../core/ports/cancelSignal'

/** Waits for the work, but not longer than given; never rejects. The work itself goes on. */
export function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    work.then(done, done)
  })
}

/** Places for work that must not all happen at once. */
export interface Slots {
  /** Resolves with what gives the place back; null when the signal came first. */
  take(signal: CancelSignal): Promise<(() => void) | null>
}

/** Makes `count` places; who waits longest is next. */
export function makeSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const once = (): (() => void) => {
    let isReleased = false
    return () => {
      if (!isReleased) release()
      isReleased = true
    }
  }
  return {
    take(signal) {
      if (signal.aborted) return Promise.resolve(null)
      if (free > 0) {
        free--
        return Promise.resolve(once())
      }
      return new Promise((resolve) => {
        const turn = (): void => {
          signal.removeEventListener('abort', leave)
          resolve(once())
        }
        const leave = (): void => {
          waiting.splice(waiting.indexOf(turn), 1)
          resolve(null)
        }
        waiting.push(turn)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}

/** Work that a burst of notices asks for: done once, and once more when one came while it was under way. */
export interface Debounced {
  poke(): void
  /** Resolves when nothing is asked for. */
  idle(): Promise<void>
  /** It is asked for without end, and so done more and more seldom. */
  isFlooded(): boolean
}

/** So often in a row it is done at once; who goes on asking then gets it about once a second. */
const atOnce = 10
const slowestMs = 2_000

/** Makes it; `work` must not reject. */
export function makeDebounced(delayMs: number, work: () => Promise<void>): Debounced {
  let running: Promise<void> | null = null
  let isAsked = false
  /** How often it was done; one is forgotten each second. */
  let heat = 0
  let heatAtMs = performance.now()
  const heatNow = (): number => Math.max(0, heat - (performance.now() - heatAtMs) / 1000)
  const run = async (): Promise<void> => {
    while (isAsked) {
      const extraMs = Math.max(0, heatNow() - atOnce) * 500
      await new Promise((resolve) => setTimeout(resolve, delayMs + Math.min(extraMs, slowestMs)))
      heat = heatNow() + 1
      heatAtMs = performance.now()
      isAsked = false
      await work()
    }
    running = null
  }
  return {
    poke() {
      isAsked = true
      running ??= run()
    },
    idle: () => running ?? Promise.resolve(),
    isFlooded: () => heatNow() > atOnce,
  }
}
