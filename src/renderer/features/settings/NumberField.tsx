import { useState } from 'react'

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onKeep: (value: number) => void
}

/** A whole number that is kept when its field is left or Enter is pressed, so that a half-typed one changes nothing. */
export function NumberField({ label, value, min, max, onKeep }: NumberFieldProps) {
  const [draft, setDraft] = useState({ of: value, text: String(value) })
  const text = draft.of === value ? draft.text : String(value)
  const number = Number(text)
  const isGood = text.trim() !== '' && Number.isInteger(number) && number >= min && number <= max
  const keep = (): void => { if (isGood && number !== value) onKeep(number) }
  return <input className="input num" style={{ width: 84 }} inputMode="numeric" aria-label={label} aria-invalid={!isGood} title={isGood ? undefined : `${min}–${max}`} value={text} onChange={(event) => setDraft({ of: value, text: event.target.value })} onBlur={keep} onKeyDown={(event) => { if (event.key === 'Enter') keep() }} />
}
