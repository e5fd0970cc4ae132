import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import type { IndexState } from '../../../shared/domain/retrieval'
import type { RetrievalSettings, Settings, WebSettings } from '../../../shared/domain/settings'
import { Button } from '../../ui/Button'
import { Choice, Switch } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { EndpointPart } from './EndpointPart'
import { KeptField } from './KeptField'
import { followChange, followLookup, loadEndpoints, rebuildIndex, useLookup } from './lookupStore'
import { ModelPick } from './ModelPick'
import { PrivateHosts } from './PrivateHosts'
import { Setting, SettingCard } from './SettingCard'

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
  if (phase === 'ready') return say(hasVectors ? 'web.set.index.ready' : 'web.set.index.ready-words', { files, chunks, vectors })
  return say(`web.set.index.${phase}`)
}

const addressFault = (say: Speaker) => (text: string): string | null => (/^https?:\/\/[^\s@/]+(?:\/\S*)?$/i.test(text) && URL.canParse(text) ? null : say('web.set.bad-address'))
const neededFault = (say: Speaker) => (text: string): string | null => (text === '' ? say('web.set.needed') : null)

function Embedding({ value, onChange }: { readonly value: RetrievalSettings['embedding']; readonly onChange: (value: RetrievalSettings['embedding']) => void }) {
  const say = useWords()
  const choose = (kind: 'none' | 'ollama' | 'compatible'): void => onChange(kind === 'none' ? null : kind === 'ollama' ? { kind, url: 'http://localhost:11434', model: 'bge-m3' } : { kind, url: 'https://api.openai.com/v1', model: 'text-embedding-3-small' })
  return (
    <>
      <Setting name={say('web.set.embedding')} about={say('web.set.embedding-about')}>
        <Choice label={say('web.set.embedding')} value={value?.kind ?? 'none'} onChange={choose} options={[{ value: 'none', label: say('web.set.none') }, { value: 'ollama', label: 'Ollama' }, { value: 'compatible', label: say('web.set.compatible') }]} />
      </Setting>
      {value && (
        <div className="setmore">
          <div className="row" style={{ alignItems: 'flex-start' }}>
            <KeptField label={say('web.set.embedding-address')} value={value.url} faultOf={addressFault(say)} onKeep={(url) => onChange({ ...value, url })} />
            <KeptField label={say('web.set.embedding-model')} value={value.model} faultOf={neededFault(say)} onKeep={(model) => onChange({ ...value, model })} />
          </div>
          <EndpointPart of="embedding" />
        </div>
      )}
    </>
  )
}

function Rerank({ value, onChange }: { readonly value: RetrievalSettings['rerank']; readonly onChange: (value: RetrievalSettings['rerank']) => void }) {
  const say = useWords()
  const first = useLookup((state) => state.providers[0])
  const choose = (kind: 'none' | 'model' | 'endpoint'): void => {
    if (kind === 'none') onChange(null)
    else if (kind === 'endpoint') onChange({ kind, url: 'https://api.jina.ai/v1', model: 'jina-reranker-v2-base-multilingual' })
    else if (first) onChange({ kind, choice: { provider: first.id, model: first.model } })
  }
  return (
    <>
      <Setting name={say('web.set.rerank')} about={say('web.set.rerank-about')}>
        <Choice label={say('web.set.rerank')} value={value?.kind ?? 'none'} onChange={choose} options={[{ value: 'none', label: say('web.set.none') }, { value: 'model', label: say('web.set.by-model'), isDisabled: !first }, { value: 'endpoint', label: say('web.set.by-endpoint') }]} />
      </Setting>
      {value?.kind === 'model' && <ModelPick name={say('web.set.rerank-model')} about={say('web.set.rerank-model-about')} value={value.choice} onChange={(choice) => onChange(choice && { kind: 'model', choice })} />}
      {value?.kind === 'endpoint' && (
        <div className="setmore">
          <div className="row" style={{ alignItems: 'flex-start' }}>
            <KeptField label={say('web.set.rerank-address')} value={value.url} faultOf={addressFault(say)} onKeep={(url) => onChange({ ...value, url })} />
            <KeptField label={say('web.set.rerank-name')} value={value.model} faultOf={neededFault(say)} onKeep={(model) => onChange({ ...value, model })} />
          </div>
          <EndpointPart of="rerank" />
        </div>
      )}
    </>
  )
}

const searchPlaces = { searxng: 'http://localhost:8080', brave: 'https://api.search.brave.com', tavily: 'https://api.tavily.com' } as const

function Search({ value, onChange }: { readonly value: WebSettings['search']; readonly onChange: (value: WebSettings['search']) => void }) {
  const say = useWords()
  const choose = (kind: 'none' | keyof typeof searchPlaces): void => onChange(kind === 'none' ? null : { kind, url: searchPlaces[kind] })
  return (
    <>
      <Setting name={say('web.set.search')} about={say('web.set.search-about')}>
        <Choice label={say('web.set.search')} value={value?.kind ?? 'none'} onChange={choose} options={[{ value: 'none', label: say('web.set.none') }, { value: 'searxng', label: say('web.service.searxng') }, { value: 'brave', label: say('web.service.brave') }, { value: 'tavily', label: say('web.service.tavily') }]} />
      </Setting>
      {value && (
        <div className="setmore">
          <KeptField label={say('web.set.search-address')} value={value.url} faultOf={addressFault(say)} onKeep={(url) => onChange({ ...value, url })} {...(value.kind === 'searxng' ? { hint: say('web.set.searxng-hint') } : {})} />
          <EndpointPart of="web-search" />
        </div>
      )}
    </>
  )
}
