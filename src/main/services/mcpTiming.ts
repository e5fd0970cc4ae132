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
}

/** Makes it; `work` must not reject. */
export function makeDebounced(delayMs: number, work: () => Promise<void>): Debounced {
  let running: Promise<void> | null = null
  let isAsked = false
  const run = async (): Promise<void> => {
    while (isAsked) {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
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
  }
}
