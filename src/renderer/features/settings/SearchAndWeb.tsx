import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import type { IndexState } from '../../../shared/domain/retrieval'
import type { RetrievalSettings, Settings, WebSettings } from '../../../shared/domain/settings'
import type { EndpointName } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { Choice, Switch } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { AddressAndModel, AddressField, isAddress } from './AddressFields'
import { DraftButtons } from './DraftButtons'
import { EndpointPart } from './EndpointPart'
import { KeptField } from './KeptField'
import { followChange, followLookup, loadEndpoints, rebuildIndex, useLookup } from './lookupStore'
import { ModelPick } from './ModelPick'
import { PrivateHosts } from './PrivateHosts'
import { Setting, SettingCard } from './SettingCard'
import { useDraft, type Draft } from './useDraft'

interface SearchAndWebProps {
  readonly retrieval: RetrievalSettings
  readonly web: WebSettings
  /** Resolves when the main process has it. */
  readonly onChange: (change: Partial<Pick<Settings, 'retrieval' | 'web'>>) => Promise<void>
}

/** How the project is searched, and what of the web may be reached. */
export function SearchAndWeb({ retrieval, web, onChange: send }: SearchAndWebProps) {
  const say = useWords()
  useEffect(followLookup, [])
  // Which endpoints there are follows from these.
  useEffect(() => void loadEndpoints(), [retrieval, web])
  const onChange = (part: Parameters<typeof send>[0]): void => followChange(send(part))
  const change = (more: Partial<RetrievalSettings>): void => onChange({ retrieval: { ...retrieval, ...more } })
  return (
    <>
      <SettingCard title={say('web.set.title')}>
        <Setting name={say('web.set.index')} about={say('web.set.index-about')}><Switch label={say('web.set.index')} isOn={retrieval.isOn} onChange={(isOn) => change({ isOn })} hasWord={false} /></Setting>
        {retrieval.isOn && <Index hasVectors={retrieval.embedding !== null} />}
        <Embedding value={retrieval.embedding} onChange={(embedding) => change({ embedding })} />
        <ModelPick name={say('web.set.rewrite')} about={say('web.set.rewrite-about')} value={retrieval.rewrite} onChange={(rewrite) => change({ rewrite })} />
        <Rerank value={retrieval.rerank} onChange={(rerank) => change({ rerank })} />
        {retrieval.rerank !== null && <div className="setmore"><KeptField label={say('web.set.threshold')} hint={say('web.set.threshold-about')} value={String(retrieval.threshold)} faultOf={(text) => (isShare(text) ? null : say('web.set.threshold-bad'))} onKeep={(text) => change({ threshold: Number(text) })} /></div>}
      </SettingCard>
      <SettingCard title={say('web.set.web-title')}>
        <Search value={web.search} onChange={(search) => onChange({ web: { ...web, search } })} />
        <PrivateHosts value={web.privateHosts} onChange={(privateHosts) => onChange({ web: { ...web, privateHosts } })} />
      </SettingCard>
    </>
  )
}

function isShare(text: string): boolean {
  return /^\d(?:\.\d{1,4})?$/.test(text) && Number(text) <= 1
}

/** How the index stands, in one line. */
function Index({ hasVectors }: { readonly hasVectors: boolean }) {
  const say = useWords()
  const index = useLookup((state) => state.index)
  if (index === null) return null
  return (
    <div className="setmore">
      <div className="row">
        {/* Figures that run are seen, not read out. */}
        <p className="small dim grow" role="status" aria-live={index.phase === 'indexing' ? 'off' : 'polite'}>{indexWords(index, hasVectors, say)}</p>
        {index.phase !== 'off' && <Button icon={RefreshCw} size="small" disabled={index.phase === 'starting'} onClick={() => void rebuildIndex()}>{say('web.set.rebuild')}</Button>}
      </div>
      {index.fault && <Note tone="bad" role="alert">{say.fact(index.fault)}</Note>}
    </div>
  )
}

function indexWords({ phase, files, waiting, chunks, vectors }: IndexState, hasVectors: boolean, say: Speaker): string {
  if (phase === 'indexing') return say('web.set.index.indexing', { files, waiting })
  if (phase === 'ready') return say(!hasVectors ? 'web.set.index.ready-words' : vectors === 0 ? 'web.set.index.ready-none' : 'web.set.index.ready', { files, chunks, vectors })
  return say(`web.set.index.${phase}`)
}

interface PlaceProps<Value> {
  readonly value: Value | null
  readonly onChange: (value: Value | null) => void
}

function Embedding({ value, onChange }: PlaceProps<NonNullable<RetrievalSettings['embedding']>>) {
  const say = useWords()
  const draft = useDraft(value, onChange)
  const shown = draft.value
  const choose = (kind: 'none' | 'ollama' | 'compatible'): void => {
    if (kind === 'none') return removePlace(draft, value, onChange)
    draft.change(kind === value?.kind ? value : kind === 'ollama' ? { kind, url: 'http://localhost:11434', model: 'bge-m3' } : { kind, url: 'https://api.openai.com/v1', model: 'text-embedding-3-small' })
  }
  return (
    <>
      <Setting name={say('web.set.embedding')} about={say('web.set.embedding-about')}>
        <Choice label={say('web.set.embedding')} value={shown?.kind ?? 'none'} onChange={choose} options={[{ value: 'none', label: say('web.set.none') }, { value: 'ollama', label: 'Ollama' }, { value: 'compatible', label: say('web.set.compatible') }]} />
      </Setting>
      {shown && (
        <div className="setmore">
          <AddressAndModel value={shown} labels={{ url: say('web.set.embedding-address'), model: say('web.set.embedding-model') }} onChange={(place) => draft.change({ ...shown, ...place })} />
          <Place draft={draft} of="embedding" name={say('web.set.embedding')} canUse={isAddress(shown.url) && shown.model.trim() !== ''} />
        </div>
      )}
    </>
  )
}

function Rerank({ value, onChange }: PlaceProps<NonNullable<RetrievalSettings['rerank']>>) {
  const say = useWords()
  const first = useLookup((state) => state.providers[0])
  const draft = useDraft(value, onChange)
  const shown = draft.value
  const choose = (kind: 'none' | 'model' | 'endpoint'): void => {
    if (kind === 'none') return removePlace(draft, value, onChange)
    if (kind === value?.kind) draft.drop()
    else if (kind === 'endpoint') draft.change({ kind, url: 'https://api.jina.ai/v1', model: 'jina-reranker-v2-base-multilingual' })
    else if (first) draft.change({ kind, choice: { provider: first.id, model: first.model } })
  }
  return (
    <>
      <Setting name={say('web.set.rerank')} about={say('web.set.rerank-about')}>
        <Choice label={say('web.set.rerank')} value={shown?.kind ?? 'none'} onChange={choose} options={[{ value: 'none', label: say('web.set.none') }, { value: 'model', label: say('web.set.by-model'), isDisabled: !first }, { value: 'endpoint', label: say('web.set.by-endpoint') }]} />
      </Setting>
      {shown?.kind === 'model' && (
        <>
          <ModelPick name={say('web.set.rerank-model')} about={say('web.set.rerank-model-about')} value={shown.choice} onChange={(choice) => (choice === null ? removePlace(draft, value, onChange) : draft.change({ kind: 'model', choice }))} />
          <div className="setmore"><DraftButtons draft={draft} name={say('web.set.rerank')} canUse /></div>
        </>
      )}
      {shown?.kind === 'endpoint' && (
        <div className="setmore">
          <AddressAndModel value={shown} labels={{ url: say('web.set.rerank-address'), model: say('web.set.rerank-name') }} onChange={(place) => draft.change({ ...shown, ...place })} />
          <Place draft={draft} of="rerank" name={say('web.set.rerank')} canUse={isAddress(shown.url) && shown.model.trim() !== ''} />
        </div>
      )}
    </>
  )
}

const searchPlaces = { searxng: 'http://localhost:8080', brave: 'https://api.search.brave.com', tavily: 'https://api.tavily.com' } as const

function Search({ value, onChange }: PlaceProps<NonNullable<WebSettings['search']>>) {
  const say = useWords()
  const draft = useDraft(value, onChange)
  const shown = draft.value
  const choose = (kind: 'none' | keyof typeof searchPlaces): void => (kind === 'none' ? removePlace(draft, value, onChange) : draft.change(kind === value?.kind ? value : { kind, url: searchPlaces[kind] }))
  return (
    <>
      <Setting name={say('web.set.search')} about={say('web.set.search-about')}>
        <Choice label={say('web.set.search')} value={shown?.kind ?? 'none'} onChange={choose} options={[{ value: 'none', label: say('web.set.none') }, { value: 'searxng', label: say('web.service.searxng') }, { value: 'brave', label: say('web.service.brave') }, { value: 'tavily', label: say('web.service.tavily') }]} />
      </Setting>
      {shown && (
        <div className="setmore">
          <AddressField label={say('web.set.search-address')} value={shown.url} onChange={(url) => draft.change({ ...shown, url })} {...(shown.kind === 'searxng' ? { hint: say('web.set.searxng-hint') } : {})} />
          <Place draft={draft} of="web-search" name={say('web.set.search')} canUse={isAddress(shown.url)} />
        </div>
      )}
    </>
  )
}

/** None is kept at once: from then on nothing is sent there. */
function removePlace<Value>(draft: Draft<Value>, kept: Value | null, onChange: (value: null) => void): void {
  draft.drop()
  if (kept !== null) onChange(null)
}

/** The button that keeps a place; its key and its test when that is done, since both belong to the place that is kept. */
function Place({ draft, of, name, canUse }: { readonly draft: Draft<unknown>; readonly of: EndpointName; readonly name: string; readonly canUse: boolean }) {
  return (
    <>
      <DraftButtons draft={draft} name={name} canUse={canUse} />
      {!draft.isChanged && <EndpointPart of={of} />}
    </>
  )
}
