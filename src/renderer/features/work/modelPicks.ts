import { create } from 'zustand'
import type { ModelChoice } from '../../../shared/domain/model'
import { host } from '../../bridge/host'
import { ensureSession, tellFault, useWork } from './workStore'

/** A model that a session could have. */
export interface ModelOption {
  readonly choice: ModelChoice
  readonly providerName: string
  /** What its window is and what it costs, in words. */
  readonly about: string
  /** The one of new sessions. */
  readonly isDefault: boolean
  /** Runs on this computer. */
  readonly isHere: boolean
}

/** Whether the list is open, also by a button elsewhere, and what was picked lately. */
export const usePicks = create<{ readonly isOpen: boolean; readonly recent: readonly string[] }>(() => ({ isOpen: false, recent: readRecent() }))

const recentKey = 'models:recent'
const recentCount = 5

/** One word for a model of a provider. */
export function pickKey({ provider, model }: ModelChoice): string {
  return `${provider}/${model}`
}

function readRecent(): readonly string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(recentKey) ?? '[]') as unknown
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string').slice(0, recentCount) : []
  } catch {
    return [] // written by something else: not worth a word
  }
}

export function showPicks(isOpen: boolean): void {
  usePicks.setState({ isOpen })
}

/** Switches the session on screen, from its next request on; a session that does not exist yet is made. */
export async function pickModel(choice: ModelChoice): Promise<void> {
  showPicks(false)
  const sessionId = await ensureSession()
  const result = await host().sessionSetModel({ sessionId, choice })
  if (!result.ok) return tellFault(sessionId, result.fault)
  const recent = [pickKey(choice), ...usePicks.getState().recent.filter((one) => one !== pickKey(choice))].slice(0, recentCount)
  localStorage.setItem(recentKey, JSON.stringify(recent))
  usePicks.setState({ recent })
  // The fault was of the model before.
  useWork.setState(({ faults: { [sessionId]: _told, ...faults } }) => ({ faults }))
}
