import type { SettingsStore } from '../core/ports/settingsStore'
import type { Desk } from './approvalDesk'
import type { Budgets } from './budgets'
import type { Runs } from './runs'

/** What decides whether the system may sleep. */
export interface WakefulnessPorts {
  readonly runs: Pick<Runs, 'running' | 'onChange' | 'recoveries' | 'onRecoveries'>
  readonly desk: Pick<Desk, 'list' | 'onChange'>
  readonly budgets: Pick<Budgets, 'waiting' | 'onChange'>
  readonly settings: Pick<SettingsStore, 'read'>
  keepAwake(isAwake: boolean): void
}

/**
 * Keeps the system awake while a run goes (R112). One that waits for the person does not go: nothing is lost when the lid is
 * closed over a question. Returns what ends it, and lets the system sleep.
 */
export function keepAwakeWhileRunning({ runs, desk, budgets, settings, ...power }: WakefulnessPorts): () => void {
  let isAwake = false
  let isOver = false
  const goes = (): boolean => {
    const waiting = new Set([...[...desk.list(), ...budgets.waiting()].map(({ sessionId }) => sessionId), ...runs.recoveries().flatMap((one) => (one.unknown === null ? [] : [one.sessionId]))])
    return runs.running().some((id) => !waiting.has(id))
  }
  const set = (wanted: boolean): void => {
    if (wanted !== isAwake) power.keepAwake((isAwake = wanted))
  }
  const look = (): void => {
    if (!goes()) return set(false)
    if (isAwake) return
    // Asked each time: what the person chose meanwhile holds from the next run on.
    settings.read().then(({ settings: now }) => set(!isOver && now.keepsAwake && goes()), () => undefined)
  }
  const stops = [runs.onChange(look), desk.onChange(look), budgets.onChange(look), runs.onRecoveries(look)]
  look()
  return () => {
    isOver = true
    stops.forEach((stop) => stop())
    set(false)
  }
}
