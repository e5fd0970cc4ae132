import type { ModelChoice } from '../../../shared/domain/model'
import { Choice } from '../../ui/fields'
import { useWords } from '../../ui/words'
import { KeptField } from './KeptField'
import { useLookup } from './lookupStore'
import { Setting } from './SettingCard'

interface ModelPickProps {
  readonly name: string
  readonly about: string
  readonly value: ModelChoice | null
  readonly onChange: (value: ModelChoice | null) => void
}

/** A provider that is set up, and a model of it by name; or none. */
export function ModelPick({ name, about, value, onChange }: ModelPickProps) {
  const say = useWords()
  const providers = useLookup((state) => state.providers)
  // One that is gone stays to be seen until another is chosen.
  const known = value === null || providers.some((one) => one.id === value.provider) ? providers : [...providers, { id: value.provider, name: value.provider, model: value.model }]
  const choose = (id: string): void => {
    const provider = known.find((one) => one.id === id)
    onChange(provider ? { provider: id, model: provider.model } : null)
  }
  return (
    <>
      <Setting name={name} about={about}>
        <Choice label={name} value={value?.provider ?? ''} onChange={choose} options={[{ value: '', label: say('web.set.none') }, ...known.map((one) => ({ value: one.id, label: one.name }))]} />
      </Setting>
      {value && <div className="setmore"><KeptField label={say('web.set.model-of', { name })} value={value.model} faultOf={() => null} onKeep={(model) => onChange({ ...value, model })} /></div>}
    </>
  )
}
