import { useState } from 'react'
import type { ProviderExtras } from '../../../shared/domain/catalogue'
import type { ProviderRow } from '../../../shared/ipc/views'
import { ownDraft, quirkText, readOwn, readQuirks, type OwnModelDraft, type QuirkDraft, type QuirkName } from './advancedDraft'

const empty = { windowTokens: null, maxOutputTokens: null, seesImages: null, callsTools: null, thinks: null, prices: null }

/** Differences and models of a provider as they are being written. */
export interface AdvancedDraft {
  readonly quirks: readonly QuirkDraft[]
  readonly own: readonly OwnModelDraft[]
  /** The model that was asked for from the table. */
  readonly asked: string | null
  readonly setQuirks: (quirks: readonly QuirkDraft[]) => void
  readonly setOwn: (own: readonly OwnModelDraft[]) => void
  /** Adds a model, `''` for one that has no name yet; one that is there is only shown. */
  readonly askFor: (model: string) => void
  /** Null while something of it is wrong. */
  readonly read: () => Pick<ProviderExtras, 'quirks' | 'models'> | null
}

export function useAdvancedDraft(row: ProviderRow): AdvancedDraft {
  const [quirks, setQuirks] = useState<readonly QuirkDraft[]>(() => Object.entries(row.quirks ?? {}).map(([name, value]) => ({ name: name as QuirkName, text: quirkText(name as QuirkName, value) })))
  const [own, setOwn] = useState<readonly OwnModelDraft[]>(() => (row.models ?? []).map((model, key) => ownDraft(key, model)))
  const [asked, setAsked] = useState<string | null>(null)
  return {
    quirks, own, asked, setQuirks, setOwn,
    askFor(model) {
      const key = own.reduce((last, one) => Math.max(last, one.key), -1) + 1
      if (model === '' || !own.some((one) => one.id === model)) setOwn([...own, ownDraft(key, { id: model, ...empty })])
      setAsked(model)
    },
    read() {
      const [fields, models] = [readQuirks(quirks), readOwn(own)]
      return fields === null || models === null ? null : { quirks: fields, models: [...models] }
    },
  }
}
