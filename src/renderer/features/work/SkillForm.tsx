import { useId, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import type { Skill, SkillInput, SkillInputs } from '../../../shared/domain/skill'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { closeForm, submitSkill } from './offerStore'
import { faultOf, givenInputs, startText, type TypedValues } from './skillInputs'

/** Asks for the inputs of a skill (R59): what is not given is as the skill says, and what it needs has to be there. */
export function SkillForm({ skill, given }: { readonly skill: Pick<Skill, 'name' | 'description' | 'inputs'>; readonly given: SkillInputs }) {
  const say = useWords()
  const [typed, setTyped] = useState<TypedValues>(() => Object.fromEntries(skill.inputs.map((input) => [input.name, startText(input, given)])))
  const [isTried, setIsTried] = useState(false)
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    setIsTried(true)
    if (skill.inputs.every((input) => faultOf(input, typed) === null)) submitSkill(givenInputs(skill.inputs, typed))
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isComposing(event)) return
    event.stopPropagation()
    closeForm()
  }
  const label = say('skill.form', { name: skill.name })
  return (
    <form className="offerform" data-esc="own" aria-label={label} noValidate onSubmit={onSubmit} onKeyDown={onKey}>
      <p className="med"><Exact text={label} /></p>
      {skill.description !== '' && <p className="small dim wrap-any"><Exact text={skill.description} /></p>}
      {skill.inputs.map((input, at) => {
        const fault = isTried ? faultOf(input, typed) : null
        return <Field key={input.name} input={input} value={typed[input.name] ?? ''} fault={fault === null ? null : say(fault)} hasFocus={at === 0} onChange={(value) => setTyped({ ...typed, [input.name]: value })} />
      })}
      <div className="row"><span className="end row"><Button size="small" look="quiet" onClick={closeForm}>{say('ui.cancel')}</Button><Button size="small" look="primary" type="submit">{say('skill.form.use')}</Button></span></div>
    </form>
  )
}

interface FieldProps {
  readonly input: SkillInput
  readonly value: string
  readonly fault: string | null
  readonly hasFocus: boolean
  readonly onChange: (value: string) => void
}

/** One input with its label, what it is for, and what is wrong with it. */
function Field({ input, value, fault, hasFocus, onChange }: FieldProps) {
  const say = useWords()
  const id = useId()
  const isRequired = input.fallback === null
  const shared = { id, autoFocus: hasFocus, 'aria-required': isRequired, 'aria-invalid': fault !== null, 'aria-describedby': `${id}-hint`, value }
  const options: readonly (readonly [value: string, label: ReactNode])[] = input.type === 'boolean' ? [['true', say('skill.form.yes')], ['false', say('skill.form.no')]] : input.options.map((option) => [option, option])
  return (
    <div className="field">
      <label className="lbl" htmlFor={id}><Exact text={input.name} />{isRequired && <span className="faint"> {say('session.form.required')}</span>}</label>
      {input.type === 'boolean' || input.type === 'choice'
        ? <select className="input" {...shared} onChange={(event) => onChange(event.target.value)}>{isRequired && <option value="">{say('skill.form.choose')}</option>}{options.map(([one, shown]) => <option key={one} value={one}>{shown}</option>)}</select>
        : <input className="input mono" {...shared} inputMode={input.type === 'number' ? 'decimal' : 'text'} autoComplete="off" spellCheck={false} onChange={(event) => onChange(event.target.value)} />}
      <div id={`${id}-hint`}>
        {input.description !== '' && <p className="hint wrap-any"><Exact text={input.description} /></p>}
        {fault !== null && <p className="hint t-bad">{fault}</p>}
      </div>
    </div>
  )
}
