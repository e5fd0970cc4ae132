import { create } from 'zustand'
import type { CallId } from '../../../shared/domain/ids'
import { host } from '../../bridge/host'

/** How often what a program prints is asked for while somebody looks at it. */
const lookMs = 1000

/** What programs left running printed last, by the call that started them; null: none of them runs any more. */
export const usePrinted = create<Readonly<Record<string, string | null>>>(() => ({}))

/** Asks for what the programs of a call print, now and again until it is stopped. */
export function watchPrinted(callId: string): () => void {
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async (): Promise<void> => {
    const printed = await host().programOutput({ callId })
    if (isStopped) return
    usePrinted.setState({ [callId]: printed })
    timer = setTimeout(() => void look(), lookMs)
  }
  void look()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Opens a listed port in the browser. */
export function openPort(port: number): void {
  void host().programOpen({ port })
}

/** Lets a running command go on without its turn. */
export function leaveCommand(callId: CallId): void {
  void host().commandLeave({ callId })
}
