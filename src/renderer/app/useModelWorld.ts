import { useMemo } from 'react'
import type { ModelChoice } from '../../shared/domain/model'
import type { CataloguePage, ModelRow } from '../../shared/ipc/modelViews'
import type { ProviderRow } from '../../shared/ipc/views'
import { inheritedQuirks } from '../features/models/useAdvancedDraft'
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
    const answering = answeringOf(rows, picked)
    const isPractice = (picked?.provider ?? active?.id) === 'practice' || (picked === null && active?.origin === 'practice')
    return {
      current, options,
      isBlind: answering !== null && isBlind(answering.row, answering.model, page),
      name: isPractice ? say('provider.practice-name') : (picked?.model ?? (active?.model || active?.name) ?? ''),
      onLook: () => ready.forEach((row) => { if (isUnasked(row, page)) void refreshModels(row.id) }),
      onDefault: active?.origin === 'environment' ? null : (choice) => void makeDefault(choice),
      onOpenModels: openModels,
    }
  }, [rows, page, picked, say])
}

/** Who answers next, as far as the window knows: the model is `''` where the provider's own first one will. Null before the providers were read. */
export function answeringOf<Row extends Pick<ProviderRow, 'id' | 'isActive' | 'model'>>(rows: readonly Row[], picked: ModelChoice | null): { readonly row: Row | undefined; readonly model: string } | null {
  if (picked !== null) return { row: rows.find((row) => row.id === picked.provider), model: picked.model }
  const active = rows.find((row) => row.isActive)
  return active ? { row: active, model: active.model } : null
}

/** As a request decides it: a picture is sent only where it is known that the model takes it. What was not read yet is not known, and of a provider's first model only what holds of all of them is. */
export function isBlind(row: Pick<ProviderRow, 'id' | 'preset' | 'protocol' | 'quirks' | 'models'> | undefined, model: string, page: Pick<CataloguePage, 'models' | 'offered' | 'quirks'> | null): boolean {
  if (!row || !page) return true
  const known = page.models[row.id] ?? none
  const asked = model === '' ? known : known.filter((one) => one.id === model)
  const own = row.models?.find((one) => one.id === model)
  const images = own?.quirks?.images ?? row.quirks?.images ?? inheritedQuirks(row, row.protocol ?? 'openai', page)?.images
  return images === 'none' || asked.length === 0 || asked.some(({ facts }) => facts.seesImages !== true)
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
