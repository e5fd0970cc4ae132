/** Time in which a server was at work: it stands still while a person is asked, which is on no timer. */
export interface WorkClock {
  nowMs(): number
  /** Stands still until that has ended. */
  during<T>(question: Promise<T>): Promise<T>
}

/** Starts now. */
export function makeWorkClock(): WorkClock {
  let open = 0
  let stoodStillMs = 0
  let stoppedAtMs = 0
  return {
    nowMs: () => (open > 0 ? stoppedAtMs : performance.now()) - stoodStillMs,
    async during(question) {
      if (open++ === 0) stoppedAtMs = performance.now()
      try {
        return await question
      } finally {
        if (--open === 0) stoodStillMs += performance.now() - stoppedAtMs
      }
    },
  }
}

/** Shorter pauses between two looks are not worth it. */
const leastMs = 20

/** Calls once when so much work time has passed. @returns what calls it off */
export function afterWork(clock: WorkClock, limitMs: number, call: () => void): () => void {
  const dueAtMs = clock.nowMs() + limitMs
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const leftMs = dueAtMs - clock.nowMs()
    // A timer may be early by a part of a millisecond.
    if (leftMs < 1) call()
    else timer = setTimeout(look, Math.max(leftMs, leastMs))
  }
  timer = setTimeout(look, limitMs)
  return () => clearTimeout(timer)
}
