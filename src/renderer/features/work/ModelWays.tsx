import { Box } from 'lucide-react'
import type { Said } from '../../../shared/domain/result'
import { modelFaultKind } from '../../../shared/domain/modelFaultKind'
import { Button } from '../../ui/Button'
import { useWords } from '../../ui/words'
import { isMendedInModels } from './modelFaults'

/** Where a person can go on from a fault of a model. */
export interface ModelLinks {
  readonly onOpenModels: () => void
  /** To the key of the provider that answers here. */
  readonly onReplaceKey: () => void
  /** To the list of models that are ready. */
  readonly onOtherModel: () => void
  /** A model on this computer, for where the network is gone. */
  readonly here?: { readonly model: string; readonly onUse: () => void } | null
}

/** The ways on from a fault: another key, another model, the page of models. Nothing for what no model can help with. */
export function ModelWays({ fact, onOpenModels, onReplaceKey, onOtherModel, here = null }: ModelLinks & { readonly fact: Said }) {
  const say = useWords()
  const kind = modelFaultKind(fact)
  if (kind !== 'key' && kind !== 'offline' && !isMendedInModels(fact)) return null
  return (
    <span className="row wrap">
      {kind === 'key' ? <Button size="small" look="primary" onClick={onReplaceKey}>{say('session.replace-key')}</Button> : <Button size="small" onClick={onOpenModels}>{say('session.open-models')}</Button>}
      {kind === 'offline' && here && <Button size="small" icon={Box} onClick={here.onUse}>{say('session.use-model', { model: here.model })}</Button>}
      <Button size="small" onClick={onOtherModel}>{say('session.other-model')}</Button>
    </span>
  )
}
