import { act, render, type RenderResult } from '@testing-library/react'
import { VirtuosoMockContext } from 'react-virtuoso'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { App } from '../../src/renderer/app/App'
import { connect } from '../../src/renderer/app/connect'
import { useApp } from '../../src/renderer/app/appStore'
import { useApprovals } from '../../src/renderer/features/approvals/approvalStore'
import { useModels } from '../../src/renderer/features/models/modelStore'
import { useRollback } from '../../src/renderer/features/rollback/rollbackStore'
import { useTimeline } from '../../src/renderer/features/timeline/timelineStore'
import { useWork } from '../../src/renderer/features/work/workStore'
import { TipProvider } from '../../src/renderer/ui/Tip'
import { Words } from '../../src/renderer/ui/words'
import type { Locale } from '../../src/shared/words/say'
import { memoryHost, type MemoryAnswers, type MemoryHost } from '../support/memoryHost'

const stores = [useApp, useApprovals, useModels, useRollback, useTimeline, useWork] as const
const fresh = stores.map((store) => store.getInitialState())

/** What jsdom lacks: everything on screen is seen whole, and the window is wide. */
export function fakeBrowser(): void {
  vi.stubGlobal('IntersectionObserver', class {
    constructor(private readonly tell: (entries: readonly { intersectionRatio: number }[]) => void) {}
    observe(): void { this.tell([{ intersectionRatio: 1 }]) }
    disconnect(): void {}
  })
  vi.stubGlobal('ResizeObserver', class { observe(): void {} unobserve(): void {} disconnect(): void {} })
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('min-width'), addEventListener: () => undefined, removeEventListener: () => undefined }))
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  Element.prototype.scrollIntoView = () => undefined
}

/** A bridge for this test alone; every store begins anew. */
export function freshHost(answers: MemoryAnswers = {}): MemoryHost {
  const memory = memoryHost(answers)
  Object.defineProperty(window, 'host', { value: memory.host, configurable: true })
  stores.forEach((store, at) => store.setState(fresh[at] as never, true))
  localStorage.clear()
  return memory
}

/** A part of the window, in a language. */
export function show(part: ReactNode, locale: Locale = 'en'): RenderResult {
  return render(<Words locale={locale}><TipProvider><VirtuosoMockContext.Provider value={{ viewportHeight: 4000, itemHeight: 60 }}>{part}</VirtuosoMockContext.Provider></TipProvider></Words>)
}

/** The whole window on the bridge, after its first answers came. */
export async function showWindow(): Promise<{ readonly view: RenderResult; readonly stop: () => void }> {
  const view = render(<VirtuosoMockContext.Provider value={{ viewportHeight: 4000, itemHeight: 60 }}><App /></VirtuosoMockContext.Provider>)
  let stop = (): void => undefined
  await act(async () => { stop = await connect() })
  await settle()
  return { view, stop }
}

/** Lets promises and short timers run. */
export async function settle(ms = 30): Promise<void> {
  await act(async () => { await new Promise((done) => setTimeout(done, ms)) })
}
