import { useEffect } from 'react'
import type { Settings } from '../../../shared/domain/settings'
import { useWords } from '../../ui/words'
import { followLookup } from './lookupStore'
import { ModelPick } from './ModelPick'
import { Setting } from './SettingCard'

interface ModelRolesProps {
  readonly settings: Pick<Settings, 'compaction' | 'retrieval'>
  /** The model of new sessions, in words. */
  readonly conversation: string
  readonly onChange: (change: Partial<Pick<Settings, 'compaction' | 'retrieval'>>) => void
}

/** Which model does what. What a role needs besides a model is set in Settings. */
export function ModelRoles({ settings: { compaction, retrieval }, conversation, onChange }: ModelRolesProps) {
  const say = useWords()
  useEffect(followLookup, [])
  const { rerank } = retrieval
  return (
    <section className="card modelfacts" aria-label={say('provider.roles')}>
      <h3 className="med">{say('provider.roles')}</h3>
      <Setting name={say('provider.role.conversation')} about={say('provider.role.conversation-about')}><span className="mono small">{conversation}</span></Setting>
      <ModelPick name={say('provider.role.summary')} about={say('provider.role.summary-about')} value={compaction.choice} onChange={(choice) => onChange({ compaction: { ...compaction, choice } })} />
      <ModelPick name={say('provider.role.rewrite')} about={say('provider.role.rewrite-about')} value={retrieval.rewrite} onChange={(rewrite) => onChange({ retrieval: { ...retrieval, rewrite } })} />
      {rerank?.kind === 'endpoint'
        ? <Setting name={say('provider.role.rerank')} about={say('provider.role.rerank-endpoint')}><span className="mono small">{rerank.model}</span></Setting>
        : <ModelPick name={say('provider.role.rerank')} about={say('provider.role.rerank-about')} value={rerank?.choice ?? null} onChange={(choice) => onChange({ retrieval: { ...retrieval, rerank: choice && { kind: 'model', choice } } })} />}
    </section>
  )
}
