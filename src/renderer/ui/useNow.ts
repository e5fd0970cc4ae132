import { useSyncExternalStore } from 'react'

let now = 0
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  listeners.forEach((listener) => listener())
}

/** Also before anybody listens the same for a second: React asks more than once for what it draws. */
function read(): number {
  if (timer === undefined && Math.abs(Date.now() - now) >= 1000) now = Date.now()
  return now
}

/** The time, a second at a time, for elapsed times on screen. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read)
}

/** The time, a minute at a time and never late, for ages. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, readMinute)
}

const minuteMs = 60_000

function readMinute(): number {
  return Math.ceil(read() / minuteMs) * minuteMs
}
