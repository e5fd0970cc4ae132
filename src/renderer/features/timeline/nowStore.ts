import { create } from 'zustand'
import type { CallId, SnapshotId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import type { DiskNow } from '../../../shared/ipc/timelineViews'
import { host } from '../../bridge/host'
import { useTimeline } from './timelineStore'

export interface NowState {
  /** How the disk differs from `last`, the point that was the last one when it was asked; null before it was. */
  readonly now: DiskNow | null
  readonly last: SnapshotId | null
  readonly fault: Said | null
  /** Calls that run: what they write is theirs until they end. */
  readonly running: ReadonlySet<CallId>
}

const unknown: NowState = { now: null, last: null, fault: null, running: new Set() }

export const useDisk = create<NowState>(() => unknown)

const { getState: get, setState: set } = useDisk
const pauseMs = 2000
/** While somebody may look at it, it is asked again after this, or after so many times as long as the last answer took. */
const again = { afterMs: 5000, times: 50 }

/** Places on screen that say it. */
let watchers = 0
let askedAtMs = -Infinity
let isAsking = false
let due: ReturnType<typeof setTimeout> | undefined

/** Follows the calls; the disk is looked at when something may have changed it. Returns a stop. */
export function connectDisk(): () => void {
  const onFocus = (): void => askSoon()
  window.addEventListener('focus', onFocus)
  const stops = [
    host().on('session/events', (events) => {
      const running = new Set(get().running)
      for (const event of events) {
        if (event.type === 'tool-started') running.add(event.callId)
        if (event.type === 'tool-finished') running.delete(event.callId)
        if (event.type === 'turn-ended') running.clear()
      }
      set({ running })
      if (events.some((event) => event.type === 'tool-finished' || event.type === 'turn-ended' || event.type === 'snapshot-taken' || event.type === 'rolled-back' || event.type === 'rollback-undone')) askSoon()
    }),
    host().on('snapshot/progress', ({ isDone }) => { if (isDone) askSoon() }),
  ]
  return () => {
    clearTimeout(due)
    window.removeEventListener('focus', onFocus)
    stops.forEach((stop) => stop())
  }
}

/** Says that the answer is on screen; returns the end of that. */
export function watchDisk(): () => void {
  watchers += 1
  askSoon()
  return () => { watchers -= 1 }
}

/** Another folder: nothing of the last one stays. */
export function forgetDisk(): void {
  clearTimeout(due)
  askedAtMs = -Infinity
  set(unknown)
  askSoon()
}

/** Not while a call runs, not for nobody, and with a pause since the last time: it reads the whole folder. */
function askSoon(): void {
  clearTimeout(due)
  due = setTimeout(() => void ask(), Math.max(150, askedAtMs + pauseMs - performance.now()))
}

async function ask(): Promise<void> {
  const { timeline, workspaceId, progress } = useTimeline.getState()
  const last = timeline.rows.at(-1)?.id ?? null
  if (watchers === 0 || document.hidden || get().running.size > 0 || last === null || progress?.isDone === false) return
  if (isAsking) return askSoon()
  isAsking = true
  const beganMs = performance.now()
  try {
    const answer = await host().timelineNow({})
    if (useTimeline.getState().workspaceId !== workspaceId) return
    set(answer.ok ? { now: answer.value, last, fault: null } : { now: null, last, fault: answer.fault })
  } finally {
    isAsking = false
    askedAtMs = performance.now()
    clearTimeout(due)
    due = setTimeout(() => void ask(), Math.max(again.afterMs, (askedAtMs - beganMs) * again.times))
  }
}
