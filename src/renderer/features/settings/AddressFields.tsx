import { TextField } from '../../ui/fields'
import { useWords } from '../../ui/words'

interface AddressFieldProps {
  readonly label: string
  readonly value: string
  readonly hint?: string
  readonly onChange: (text: string) => void
}

/** The address of a service. */
export function AddressField({ label, value, hint, onChange }: AddressFieldProps) {
  const say = useWords()
  return <TextField className="grow" label={label} isMono value={value} fault={isAddress(value) ? null : say('web.set.bad-address')} {...(hint === undefined ? {} : { hint })} onChange={(event) => onChange(event.target.value.trim())} />
}

interface AddressAndModelProps {
  readonly value: { readonly url: string; readonly model: string }
  readonly labels: { readonly url: string; readonly model: string }
  readonly onChange: (value: { readonly url: string; readonly model: string }) => void
}

/** The address of a service and a model of it. */
export function AddressAndModel({ value: { url, model }, labels, onChange }: AddressAndModelProps) {
  const say = useWords()
  return (
    <div className="row" style={{ alignItems: 'flex-start' }}>
      <AddressField label={labels.url} value={url} onChange={(text) => onChange({ url: text, model })} />
      <TextField className="grow" label={labels.model} isMono value={model} fault={model === '' ? say('web.set.needed') : null} onChange={(event) => onChange({ url, model: event.target.value.trimStart() })} />
    </div>
  )
}

/** What an address of a service may be: http or https, without a name or password in it. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s@/]+(?:\/\S*)?$/i.test(text) && URL.canParse(text)
}
