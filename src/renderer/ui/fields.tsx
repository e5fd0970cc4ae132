import { useId, type ComponentProps, type ReactNode } from 'react'
import { classes } from './classes'

interface TextFieldProps extends ComponentProps<'input'> {
  readonly label: string
  readonly hint?: ReactNode
  readonly fault?: string | null
  /** Its characters are hidden on screen; it stays a text box for everybody who hears the page. */
  readonly isSecret?: boolean
  /** For addresses, names of models, paths. */
  readonly isMono?: boolean
}

/** One line of text with its label; a fault is announced with the field. */
export function TextField({ label, hint, fault = null, isMono = false, isSecret = false, className, ...rest }: TextFieldProps) {
  const id = useId()
  const told = fault !== null || hint !== undefined
  return (
    <div className={classes('field', className)}>
      <label className="lbl" htmlFor={id}>{label}</label>
      <input id={id} className={classes('input', isMono && 'mono', isSecret && 'secret')} spellCheck={false} autoComplete="off" aria-invalid={fault !== null} {...(told ? { 'aria-describedby': `${id}-hint` } : {})} {...rest} />
      {told && <p id={`${id}-hint`} className={classes('hint', fault !== null && 't-bad')}>{fault ?? hint}</p>}
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string; readonly isDisabled?: boolean }[]
  readonly onChange: (value: Value) => void
  readonly isDisabled?: boolean
}

/** A combobox without a visible label of its own: `label` is its name. */
export function Choice<Value extends string>({ label, value, options, onChange, isDisabled = false }: ChoiceProps<Value>) {
  return (
    <select className="input" aria-label={label} value={value} disabled={isDisabled} onChange={(event) => onChange(event.target.value as Value)}>
      {options.map((option) => <option key={option.value} value={option.value} disabled={option.isDisabled ?? false}>{option.label}</option>)}
    </select>
  )
}

/** A few choices in one bar; radios underneath, so arrows move. */
export function Segmented<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <div className="seg" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} disabled={option.isDisabled ?? false} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  )
}

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isDisabled?: boolean
  /** False where its word stands elsewhere on screen: then `label` is only heard. */
  readonly hasWord?: boolean
}

/** An on/off switch with its word beside it. */
export function Switch({ label, isOn, onChange, isDisabled = false, hasWord = true }: SwitchProps) {
  return (
    <span className="row">
      <button type="button" role="switch" className="sw" aria-label={label} aria-checked={isOn} disabled={isDisabled} onClick={() => onChange(!isOn)} />
      {hasWord && <span aria-hidden>{label}</span>}
    </span>
  )
}

/** A tick without a visible label: `label` is its name. */
export function Tick({ label, isOn, onChange, isDisabled = false }: { readonly label: string; readonly isOn: boolean; readonly onChange: (isOn: boolean) => void; readonly isDisabled?: boolean }) {
  return <input type="checkbox" className="cb" aria-label={label} checked={isOn} disabled={isDisabled} onChange={(event) => onChange(event.target.checked)} />
}
