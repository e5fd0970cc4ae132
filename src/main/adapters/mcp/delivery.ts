import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** Whoever reads is held while so many messages wait, and let go below the lower number. */
const waitingLimits = { high: 1000, low: 100 } as const
/** After so many messages others get a turn. */
const perTurn = 200

/** Hands messages over one by one, in order. */
export interface Delivery {
  push(messages: readonly JSONRPCMessage[]): void
  /** What waits is not handed over. */
  stop(): void
}

/**
 * Hands messages over off the reader, so that no listener can hold it up (R48). The library runs what a notification causes a
 * moment later and what an answer causes at once; here each message has had its moment before the next comes, so that the
 * last progress of a call is not lost behind its answer.
 */
export function makeDelivery(deliver: (message: JSONRPCMessage) => void, source: { hold(): void; letGo(): void }): Delivery {
  let waiting: JSONRPCMessage[] = []
  let isRunning = false
  let isHeld = false
  let isStopped = false
  const run = async (): Promise<void> => {
    isRunning = true
    await Promise.resolve()
    let count = 0
    for (let at = 0; at < waiting.length && !isStopped; at++) {
      const message = waiting[at]
      if (message !== undefined) deliver(message)
      await Promise.resolve()
      if (++count % perTurn === 0) {
        waiting = waiting.slice(at + 1)
        at = -1
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (isHeld && waiting.length - at <= waitingLimits.low) {
        isHeld = false
        source.letGo()
      }
    }
    waiting = []
    isRunning = false
  }
  return {
    push(messages) {
      if (isStopped) return
      for (const message of messages) waiting.push(message)
      if (!isHeld && waiting.length > waitingLimits.high) {
        isHeld = true
        source.hold()
      }
      if (!isRunning) void run()
    },
    stop() {
      isStopped = true
      waiting = []
    },
  }
}
