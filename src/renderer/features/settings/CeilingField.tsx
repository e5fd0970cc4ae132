import { useState } from 'react'
import { useWords } from '../../ui/words'
import { NumberBox } from './NumberBox'

interface CeilingFieldProps {
  readonly label: string
  readonly value: number | null
  readonly min: number
  readonly max: number
  readonly onKeep: (value: number | null) => void
}

/** A whole number, or none where the field is empty. It is kept when its field is left or Enter is pressed. */
export function CeilingField({ label, value, min, max, onKeep }: CeilingFieldProps) {
  const say = useWords()
  const kept = value === null ? '' : String(value)
  const [draft, setDraft] = useState({ of: kept, text: kept })
  const text = draft.of === kept ? draft.text : kept
  const number = Number(text)
  const isGood = text.trim() === '' || (Number.isInteger(number) && number >= min && number <= max)
  const keep = (): void => { if (isGood && text.trim() !== kept) onKeep(text.trim() === '' ? null : number) }
  return <NumberBox label={label} text={text} fault={isGood ? null : say('settings.bad-number-or-none', { min, max })} width={112} placeholder={say('settings.budget-none')} onText={(typed) => setDraft({ of: kept, text: typed })} onKeep={keep} />
}
