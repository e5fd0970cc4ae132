import { Trash2 } from 'lucide-react'
import type { Said } from '../../../shared/domain/result'
import { IconButton } from '../../ui/Button'
import { Choice, TextField } from '../../ui/fields'
import { useWords } from '../../ui/words'
import type { OwnField, OwnModelDraft } from './advancedDraft'

interface OwnModelProps {
  readonly draft: OwnModelDraft
  readonly faults: Readonly<Partial<Record<OwnField, Said>>>
  /** It was asked for from the table: the keyboard goes to its first fact. */
  readonly isAsked: boolean
  readonly onChange: (change: Partial<OwnModelDraft>) => void
  readonly onRemove: () => void
}

const texts = [{ field: 'windowTokens', word: 'provider.own.window' }, { field: 'maxOutputTokens', word: 'provider.own.output' }] as const
const abilities = [{ field: 'callsTools', word: 'provider.own.tools' }, { field: 'seesImages', word: 'provider.own.images' }, { field: 'thinks', word: 'provider.own.thinks' }] as const
const prices = [{ field: 'currency', word: 'provider.own.currency' }, { field: 'input', word: 'provider.own.in' }, { field: 'cachedInput', word: 'provider.own.cached' }, { field: 'cacheWrite', word: 'provider.own.written' }, { field: 'output', word: 'provider.own.out' }] as const

/** What the person knows of one model. */
export function OwnModel({ draft, faults, isAsked, onChange, onRemove }: OwnModelProps) {
  const say = useWords()
  const fault = (field: OwnField): string | null => {
    const wrong = faults[field]
    return wrong ? say.fact(wrong) : null
  }
  const options = [{ value: '' as const, label: say('provider.unknown') }, { value: 'yes' as const, label: say('provider.quirk-yes') }, { value: 'no' as const, label: say('provider.quirk-no') }]
  return (
    <fieldset className="ownmodel" aria-label={draft.id}>
      <div className="row" style={{ alignItems: 'flex-start' }}>
        <TextField className="grow" label={say('provider.own.id')} isMono value={draft.id} fault={fault('id')} onChange={(event) => onChange({ id: event.target.value })} />
        <span style={{ marginTop: 20 }}><IconButton icon={Trash2} label={say('provider.own-model-remove', { model: draft.id })} onClick={onRemove} /></span>
      </div>
      <div className="ownfields">
        {texts.map(({ field, word }) => <TextField key={field} label={say(word)} autoFocus={isAsked && field === 'windowTokens'} value={draft[field]} placeholder={say('provider.unknown')} fault={fault(field)} onChange={(event) => onChange({ [field]: event.target.value })} />)}
        {abilities.map(({ field, word }) => <div key={field} className="field"><span className="lbl" aria-hidden>{say(word)}</span><Choice label={say(word)} value={draft[field]} options={options} onChange={(value) => onChange({ [field]: value })} /></div>)}
        {prices.map(({ field, word }) => <TextField key={field} label={say(word)} value={draft[field]} placeholder={say('provider.unknown')} fault={fault(field)} onChange={(event) => onChange({ [field]: event.target.value })} />)}
      </div>
    </fieldset>
  )
}
