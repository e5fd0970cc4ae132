import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { connectServers, loadServers } from '../../../src/renderer/features/servers/serverStore'
import { ServersView } from '../../../src/renderer/features/servers/ServersView'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { doing, fakeBrowser, freshHost, show } from '../support'
import { serverAnswers } from './serverWorld'

let stop: () => void = () => undefined

/** Each test of the file begins without a page, on a clock that it can move. */
export function onServersPage(): void {
  beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser() })
  afterEach(() => { stop(); cleanup(); vi.useRealTimers(); vi.unstubAllGlobals() })
}

export const later = async (ms: number): Promise<void> => { await act(() => vi.advanceTimersByTimeAsync(ms)) }

interface How {
  readonly answers?: MemoryAnswers
  readonly hasKeychain?: boolean
  readonly isNarrow?: boolean
  readonly locale?: 'en' | 'zh-CN'
}

/** The page of servers over a host in memory. */
export async function open({ answers = {}, hasKeychain = true, isNarrow = false, locale = 'en' }: How = {}): Promise<MemoryHost> {
  const memory = freshHost({ ...serverAnswers('servers'), ...answers })
  stop = connectServers()
  show(<ServersView hasKeychain={hasKeychain} hasFolder isNarrow={isNarrow} />, locale)
  await act(loadServers)
  await later(20)
  return memory
}

export const asks = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
export const press = (name: string) => doing(() => { fireEvent.click(screen.getByRole('button', { name })) })
