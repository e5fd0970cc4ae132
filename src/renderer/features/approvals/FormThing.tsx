import { useId, type ReactNode } from 'react'
import type { ApprovalPreview } from '../../../shared/domain/approval'
import type { McpFormField } from '../../../shared/domain/mcp'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { joined, useWords } from '../../ui/words'
import type { Reading } from './cardText'
import { faultOf, isTouched, readDraft, shownValue, type FormDraft } from './formValues'
import { HiddenNote } from './HiddenNote'
import { ReadBox } from './ReadBox'

interface FormThingProps {
  readonly preview: Extract<ApprovalPreview, { readonly kind: 'elicitation' }>
  /** What was filled in so far, as the store keeps it. */
  readonly edited: string | null
  readonly onEdit: (text: string) => void
  readonly onRead: (how: Reading) => void
}

/** The form that a server asks the person to fill in. Nothing of it leaves before it is allowed. */
export function FormThing({ preview, edited, onEdit, onRead }: FormThingProps) {
  const say = useWords()
  const draft = readDraft(edited)
  const goes = say('approval.form.goes', { server: preview.server })
  const texts = preview.fields.flatMap((field) => [field.title, field.name, field.description, ...field.options.map((option) => option.title)])
  return (
    <>
      {preview.message !== '' && <ReadBox name={say('approval.sampling.user')} className="quoted" onRead={onRead}><Exact text={preview.message} /></ReadBox>}
      <HiddenNote text={[preview.message, ...texts].join('')} />
      <form className="fields" data-esc="own" aria-label={say('approval.form.name', { server: preview.server })} onSubmit={(event) => event.preventDefault()}>
        {preview.fields.map((field) => <Field key={field.name} field={field} draft={draft} onChange={(value) => onEdit(JSON.stringify({ ...draft, [field.name]: value }))} />)}
        <Note tone="info">{goes}{joined(goes, say('approval.form.answers'))}</Note>
      </form>
    </>
  )
}

interface FieldProps {
  readonly field: McpFormField
  readonly draft: FormDraft
  readonly onChange: (value: FormDraft[string]) => void
}

function Field({ field, draft, onChange }: FieldProps) {
  const say = useWords()
  const id = useId()
  const fault = isTouched(field, draft) ? faultOf(field, draft) : null
  const value = shownValue(field, draft)
  const told = { id: `${id}-told`, fault: fault && say.fact(fault), text: field.description }
  const label = <><Exact text={field.title === '' ? field.name : field.title} />{field.isRequired && <span className="faint"> {say('approval.form.required')}</span>}</>
  if (field.kind === 'boolean') {
    return <div><label className="row"><input type="checkbox" className="cb" checked={value === true} aria-describedby={told.id} onChange={(event) => onChange(event.target.checked)} /><span>{label}</span></label><Told {...told} /></div>
  }
  if (field.kind === 'choice' || field.kind === 'choices') {
    return <Options label={label} told={<Told {...told} />} field={field} chosen={typeof value === 'object' ? value : typeof value === 'string' ? [value] : []} onChange={onChange} />
  }
  return (
    <div className="field">
      <label className="lbl" htmlFor={id}>{label}</label>
      <input
        id={id} className="input" autoComplete="off" spellCheck={false} value={String(value)} aria-required={field.isRequired} aria-invalid={fault !== null} aria-describedby={told.id}
        {...(field.kind === 'text' ? {} : { inputMode: 'decimal' as const })} onChange={(event) => onChange(event.target.value)}
      />
      <Told {...told} />
    </div>
  )
}

function Told({ id, fault, text }: { readonly id: string; readonly fault: string | null; readonly text: string }) {
  return <div id={id}>{text !== '' && <p className="hint wrap-any"><Exact text={text} /></p>}{fault !== null && <p className="hint t-bad">{fault}</p>}</div>
}

interface OptionsProps {
  readonly label: ReactNode
  readonly told: ReactNode
  readonly field: McpFormField
  readonly chosen: readonly string[]
  readonly onChange: (value: FormDraft[string]) => void
}

/** Every option stands there as it is: a list of the system would not box hidden characters. */
function Options({ label, told, field, chosen, onChange }: OptionsProps) {
  const say = useWords()
  const name = useId()
  const isOne = field.kind === 'choice'
  const tick = (value: string, isOn: boolean): void => onChange(isOne ? value : isOn ? [...chosen, value] : chosen.filter((one) => one !== value))
  return (
    <fieldset>
      <legend className="lbl">{label}</legend>
      {isOne && !field.isRequired && <label className="row option"><input type="radio" name={name} checked={(chosen[0] ?? '') === ''} onChange={() => onChange('')} /><span className="faint">{say('approval.form.choose')}</span></label>}
      {field.options.map((option) => (
        <label className="row option" key={option.value}>
          <input type={isOne ? 'radio' : 'checkbox'} {...(isOne ? { name } : { className: 'cb' })} checked={chosen.includes(option.value)} onChange={(event) => tick(option.value, event.target.checked)} />
          <span className="wrap-any"><Exact text={option.title === '' ? option.value : option.title} /></span>
        </label>
      ))}
      {told}
    </fieldset>
  )
}
