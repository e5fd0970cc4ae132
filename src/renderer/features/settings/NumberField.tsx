import { useState } from 'react'
import { useWords } from '../../ui/words'
import { NumberBox } from './NumberBox'

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onKeep: (value: number) => void
}

/** A whole number that is kept when its field is left or Enter is pressed, so that a half-typed one changes nothing. */
export function NumberField({ label, value, min, max, onKeep }: NumberFieldProps) {
  const say = useWords()
  const [draft, setDraft] = useState({ of: value, text: String(value) })
  const text = draft.of === value ? draft.text : String(value)
  const number = Number(text)
  const isGood = text.trim() !== '' && Number.isInteger(number) && number >= min && number <= max
  const keep = (): void => { if (isGood && number !== value) onKeep(number) }
  return <NumberBox label={label} text={text} fault={isGood ? null : say('settings.bad-number', { min, max })} width={84} onText={(typed) => setDraft({ of: value, text: typed })} onKeep={keep} />
}
