import { useId, useState, type KeyboardEvent } from 'react'
import { Exact } from './Exact'
import { isComposing } from './keys'
import { OfferList, optionId } from './OfferList'

interface SuggestFieldProps {
  readonly label: string
  /** Said behind the label: required. */
  readonly mark: string
  readonly hint: string
  readonly fault: string | null
  readonly listName: string
  readonly value: string
  readonly suggestions: readonly string[]
  readonly hasFocus: boolean
  readonly onChange: (value: string) => void
  /** The field was entered, or its list is not wanted any more. */
  readonly onWish: (isWanted: boolean) => void
}

/** One line of free text with a list of how it could go on. Nothing is highlighted before an arrow key: Enter stays what it was. */
export function SuggestField({ label, mark, hint, fault, listName, value, suggestions, hasFocus, onChange, onWish }: SuggestFieldProps) {
  const id = useId()
  const [at, setAt] = useState(-1)
  const shown = suggestions.filter((one) => one !== value)
  const isOpen = shown.length > 0
  const take = (one: string | undefined): void => {
    if (one !== undefined) onChange(one)
    setAt(-1)
    onWish(false)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event) || !isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt(((at < 0 && step < 0 ? 0 : at) + step + shown.length) % shown.length)
    else if (event.key === 'Enter' && at >= 0) take(shown[at])
    else if (event.key === 'Escape') take(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const list = `${id}-list`
  return (
    <div className="field suggest">
      <label className="lbl" htmlFor={id}><Exact text={label} />{mark !== '' && <span className="faint"> {mark}</span>}</label>
      <input
        id={id} className="input mono" role="combobox" aria-expanded={isOpen} aria-autocomplete="list" {...(isOpen ? { 'aria-controls': list } : {})} {...(isOpen && at >= 0 ? { 'aria-activedescendant': optionId(list, at) } : {})}
        autoComplete="off" spellCheck={false} autoFocus={hasFocus} aria-required={mark !== ''} aria-invalid={fault !== null} aria-describedby={`${id}-hint`} value={value}
        onChange={(event) => { setAt(-1); onChange(event.target.value) }} onFocus={() => onWish(true)} onBlur={() => onWish(false)} onKeyDown={onKey}
      />
      {isOpen && <OfferList id={list} name={listName} at={at} options={shown.map((one) => ({ key: one, content: <Exact text={one} className="mono" /> }))} onChoose={(index) => take(shown[index])} />}
      <div id={`${id}-hint`}>{hint !== '' && <p className="hint wrap-any"><Exact text={hint} /></p>}{fault !== null && <p className="hint t-bad">{fault}</p>}</div>
    </div>
  )
}
