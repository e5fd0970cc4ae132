/** Collects items and hands them over together, once a frame at most. */
export interface FrameBatch<Item> {
  add(item: Item): void
  /** Hands over what waits, at once. */
  flush(): void
}

/** One frame at 60 Hz; more messages than frames only cost. */
const frameMs = 16

/** The first item of a quiet time goes out with the next frame; order is kept and nothing is dropped. */
export function makeFrameBatch<Item>(send: (items: readonly Item[]) => void): FrameBatch<Item> {
  let waiting: Item[] = []
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    send(items)
  }
  return {
    flush,
    add(item) {
      waiting.push(item)
      timer ??= setTimeout(flush, frameMs)
    },
  }
}
