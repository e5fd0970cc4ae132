import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { ProviderExtras } from '../../../shared/domain/catalogue'
import { Button, IconButton } from '../../ui/Button'
import { Choice, TextField } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { ownFaults, quirkKinds, quirkNames, readQuirk, type QuirkDraft } from './advancedDraft'
import { OwnModel } from './OwnModel'
import type { AdvancedDraft } from './useAdvancedDraft'

interface AdvancedPartProps {
  readonly draft: AdvancedDraft
  readonly onSave: (extras: Pick<ProviderExtras, 'quirks' | 'models'>) => Promise<boolean>
}

/** Where a provider differs from its protocol, and what the person knows of its models. */
export function AdvancedPart({ draft: { quirks, own, asked, setQuirks, addQuirk, setOwn, askFor, read }, onSave }: AdvancedPartProps) {
  const say = useWords()
  const [isTold, setIsTold] = useState(false)
  const save = async (): Promise<void> => {
    const extras = read()
    setIsTold(extras === null)
    if (extras !== null) await onSave(extras)
  }
  const free = quirkNames.filter((name) => !quirks.some((one) => one.name === name))
  return (
    <details className="card advanced" open={asked !== null || quirks.length + own.length > 0}>
      <summary className="med">{say('provider.advanced')}</summary>
      <div className="col" style={{ gap: 14 }}>
        <p className="small dim">{say('provider.advanced-about')}</p>
        <section className="col" style={{ gap: 10 }} aria-label={say('provider.quirks')}>
          <h4 className="med">{say('provider.quirks')}</h4>
          {quirks.map((draft) => <QuirkField key={draft.name} draft={draft} onChange={(text) => setQuirks(quirks.map((one) => (one.name === draft.name ? { ...one, text, isSet: true } : one)))} onRemove={() => setQuirks(quirks.filter((one) => one.name !== draft.name))} />)}
          {free.length > 0 && <Choice label={say('provider.quirk-add')} value="" onChange={(name) => { if (name !== '') addQuirk(name) }} options={[{ value: '', label: say('provider.quirk-add') }, ...free.map((name) => ({ value: name, label: name }))]} />}
        </section>
        <section className="col" style={{ gap: 10 }} aria-label={say('provider.own-models')}>
          <h4 className="med">{say('provider.own-models')}</h4>
          <p className="small dim">{say('provider.own-models-about')}</p>
          {own.map((draft) => <OwnModel key={draft.key} draft={draft} faults={ownFaults(draft, own)} isAsked={draft.id !== '' && draft.id === asked} onChange={(change) => setOwn(own.map((one) => (one.key === draft.key ? { ...one, ...change } : one)))} onRemove={() => setOwn(own.filter((one) => one.key !== draft.key))} />)}
          <span><Button size="small" icon={Plus} onClick={() => askFor('')}>{say('provider.own-model-add')}</Button></span>
        </section>
        {isTold && <Note tone="bad" role="alert">{say('provider.advanced-bad')}</Note>}
        <span><Button onClick={() => void save()}>{say('provider.advanced-save')}</Button></span>
      </div>
    </details>
  )
}

function QuirkField({ draft, onChange, onRemove }: { readonly draft: QuirkDraft; readonly onChange: (text: string) => void; readonly onRemove: () => void }) {
  const say = useWords()
  const { name, text, isSet } = draft
  const field = quirkKinds[name]
  const read = readQuirk(draft)
  const word = say(`provider.quirk.${name}`)
  const about = isSet ? word : say('provider.quirk-inherited', { about: word })
  const look = isSet ? 'grow' : 'grow inherited'
  const optionWord = (option: string | boolean | null): string => (option === null ? say('provider.quirk-left-out') : typeof option === 'string' ? option : say(option ? 'provider.quirk-yes' : 'provider.quirk-no'))
  return (
    <div className="row" style={{ alignItems: 'flex-start' }}>
      {field.kind === 'choice'
        ? <div className={`field ${look}`}><span className="lbl mono" aria-hidden>{name}</span><Choice label={name} value={text} onChange={onChange} options={field.options.map((option) => ({ value: String(option), label: optionWord(option) }))} /><p className="hint">{about}</p></div>
        : <TextField className={look} label={name} isMono value={text} hint={about} fault={read.ok || !isSet ? null : `${say.fact(read.fault)} ${about}`} onChange={(event) => onChange(event.target.value)} />}
      <span style={{ marginTop: 20 }}><IconButton icon={X} label={say('provider.quirk-remove', { field: name })} onClick={onRemove} /></span>
    </div>
  )
}
