import { create } from 'zustand'
import type { CallId } from '../../../shared/domain/ids'
import type { Result } from '../../../shared/domain/result'
import type { TrialFileText } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'

export interface TrialState {
  /** The one trial whose files are looked at. */
  readonly trialId: string | null
  /** Both sides of its files by path, as far as they were asked for. */
  readonly files: Readonly<Record<string, Result<TrialFileText>>>
}

export const useTrial = create<TrialState>(() => ({ trialId: null, files: {} }))

const { getState: get, setState: set } = useTrial

/** Reads both sides of a file of a trial, once; what an earlier trial held is forgotten. */
export async function loadTrialFile(callId: CallId, trialId: string, path: string): Promise<void> {
  if (get().trialId !== trialId) set({ trialId, files: {} })
  if (get().files[path] !== undefined) return
  const found = await host().approvalTrialFile({ callId, trialId, path })
  if (get().trialId === trialId) set((state) => ({ files: { ...state.files, [path]: found } }))
}
