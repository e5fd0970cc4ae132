import { useState } from 'react'
import { changedQuirks, type Protocol, type ProviderExtras, type Quirks } from '../../../shared/domain/catalogue'
import type { CataloguePage } from '../../../shared/ipc/modelViews'
import type { ProviderRow } from '../../../shared/ipc/views'
import { ownDraft, quirkKinds, quirkText, readOwn, readQuirks, type OwnModelDraft, type QuirkDraft, type QuirkName } from './advancedDraft'
import { useModels } from './modelStore'
import { editDraft, keptOwn, keptQuirks, useProviderDrafts } from './providerDrafts'

const empty = { windowTokens: null, maxOutputTokens: null, seesImages: null, callsTools: null, thinks: null, prices: null }

/** Differences and models of a provider as they are being written. */
export interface AdvancedDraft {
  readonly quirks: readonly QuirkDraft[]
  readonly own: readonly OwnModelDraft[]
  /** The model that was asked for from the table. */
  readonly asked: string | null
  readonly setQuirks: (quirks: readonly QuirkDraft[]) => void
  /** Shows a field with the value that holds without the person; nothing of it is saved before it is changed. */
  readonly addQuirk: (name: QuirkName) => void
  readonly setOwn: (own: readonly OwnModelDraft[]) => void
  /** Adds a model, `''` for one that has no name yet; one that is there is only shown. */
  readonly askFor: (model: string) => void
  /** Null while something of it is wrong. */
  readonly read: () => Pick<ProviderExtras, 'quirks' | 'models'> | null
}

export function useAdvancedDraft(row: ProviderRow, protocol: Protocol): AdvancedDraft {
  const draft = useProviderDrafts((drafts) => drafts[row.id])
  const page = useModels((state) => state.page)
  const [quirks, own] = [draft?.quirks ?? keptQuirks(row), draft?.own ?? keptOwn(row)]
  const [asked, setAsked] = useState<string | null>(null)
  const setQuirks = (all: readonly QuirkDraft[]): void => editDraft(row.id, { quirks: all })
  const setOwn = (all: readonly OwnModelDraft[]): void => editDraft(row.id, { own: all })
  return {
    quirks, own, asked, setQuirks, setOwn,
    addQuirk(name) {
      const inherited = inheritedQuirks(row, protocol, page)
      setQuirks([...quirks, inherited ? { name, text: quirkText(name, inherited[name]), isSet: false } : { name, text: quirkKinds[name].example, isSet: false }])
    },
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

/** What holds of each field where the person says nothing: the protocol's, changed by the catalogue's provider where it speaks that protocol. */
export function inheritedQuirks({ preset }: Pick<ProviderRow, 'preset'>, protocol: Protocol, page: Pick<CataloguePage, 'offered' | 'quirks'> | null): Quirks | null {
  const base = page?.quirks[protocol]
  if (!base) return null
  const entry = page.offered.find((one) => one.id === preset)
  return changedQuirks(base, [entry?.protocol === protocol ? entry.quirks : undefined])
}
