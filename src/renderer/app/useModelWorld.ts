import { useMemo } from 'react'
import type { ModelChoice } from '../../shared/domain/model'
import type { CataloguePage, ModelRow } from '../../shared/ipc/modelViews'
import type { ProviderRow } from '../../shared/ipc/views'
import { activate, refreshModels, saveProvider, useModels } from '../features/models/modelStore'
import { priceText } from '../features/models/modelWords'
import { isReady } from '../features/models/providerState'
import type { ModelWorld } from '../features/work/ModelPicker'
import type { ModelOption } from '../features/work/modelPicks'
import { useWork } from '../features/work/workStore'
import { useWords, type Speaker } from '../ui/words'
import { openModels } from './modelLinks'

const none: readonly ModelRow[] = []

/** What the message box may know of models: those of the providers that are ready, and which one answers next. */
export function useModelWorld(): ModelWorld {
  const say = useWords()
  const rows = useModels((state) => state.rows)
  const page = useModels((state) => state.page)
  const picked = useWork((state) => (state.current === null ? null : (state.chats[state.current]?.chosen ?? null)))
  return useMemo(() => {
    const ready = rows.filter((row) => isReady(row, page))
    const options = ready.flatMap((row) => optionsOf(row, page, say))
    const active = rows.find((row) => row.isActive)
    const current = picked ?? (active && active.model !== '' ? { provider: active.id, model: active.model } : null)
    const isPractice = (picked?.provider ?? active?.id) === 'practice' || (picked === null && active?.origin === 'practice')
    return {
      current, options,
      isBlind: current !== null && page !== null && isBlind(rows.find((row) => row.id === current.provider), current.model, page),
      name: isPractice ? say('provider.practice-name') : (picked?.model ?? active?.model ?? ''),
      onLook: () => ready.forEach((row) => { if (isUnasked(row, page)) void refreshModels(row.id) }),
      onDefault: active?.origin === 'environment' ? null : (choice) => void makeDefault(choice),
      onOpenModels: openModels,
    }
  }, [rows, page, picked, say])
}

/** As a request decides it: a picture is sent only where it is known that the model takes it. */
export function isBlind(row: Pick<ProviderRow, 'id' | 'quirks'> | undefined, model: string, page: Pick<CataloguePage, 'models'>): boolean {
  const facts = row && page.models[row.id]?.find((one) => one.id === model)?.facts
  return facts?.seesImages !== true || row?.quirks?.images === 'none'
}

/** Of the tutor there is nothing to ask, and a list that came is asked for again on its page only. */
function isUnasked(row: ProviderRow, page: CataloguePage | null): boolean {
  return row.origin !== 'practice' && (page?.models[row.id] ?? none).length === 0 && useModels.getState().lists[row.id] === undefined
}

function optionsOf(row: ProviderRow, page: CataloguePage | null, say: Speaker): readonly ModelOption[] {
  const known = page?.models[row.id] ?? none
  const isHere = row.origin === 'found'
  const option = (model: string, about: string): ModelOption => ({ choice: { provider: row.id, model }, providerName: row.origin === 'practice' ? say('provider.practice-name') : row.name, about, isDefault: row.isActive && row.model === model, isHere })
  if (row.origin === 'practice') return [option(row.model, say('provider.practice'))]
  const listed = known.map((one) => option(one.id, aboutOf(one, say)))
  return row.model === '' || known.some((one) => one.id === row.model) ? listed : [option(row.model, unknownAbout(say)), ...listed]
}

function unknownAbout(say: Speaker): string {
  return `${say('session.model-window-unknown')} · ${say('session.model-price-unknown')}`
}

/** Its window and what it costs; what nobody says is said to be unknown. */
function aboutOf({ facts: { windowTokens, prices } }: ModelRow, say: Speaker): string {
  const size = windowTokens === null ? say('session.model-window-unknown') : say('session.model-window', { tokens: windowTokens })
  const price = prices === null ? say('session.model-price-unknown') : say('session.model-price', { input: priceText(prices.input, prices.currency, say), output: priceText(prices.output, prices.currency, say) })
  return `${size} · ${price}`
}

/** The provider keeps it as its first model, and answers in new sessions. */
async function makeDefault({ provider, model }: ModelChoice): Promise<void> {
  const row = useModels.getState().rows.find((one) => one.id === provider)
  if (!row) return
  const isKept = row.origin === 'practice' || row.model === model || (await saveProvider({ id: row.id, name: row.name, baseUrl: row.baseUrl, protocol: row.protocol ?? 'openai', model }))
  if (isKept) await activate(provider)
}
