import { useState } from 'react'
import { TextField } from '../../ui/fields'

interface KeptFieldProps {
  readonly label: string
  readonly value: string
  readonly placeholder?: string
  readonly hint?: string
  /** Why a text cannot be kept; null when it can. */
  readonly faultOf: (text: string) => string | null
  readonly onKeep: (text: string) => void
}

/** A text that is kept when its field is left or Enter is pressed, so that a half-typed one changes nothing. */
export function KeptField({ label, value, placeholder, hint, faultOf, onKeep }: KeptFieldProps) {
  const [draft, setDraft] = useState<{ readonly of: string; readonly text: string }>({ of: value, text: value })
  const text = draft.of === value ? draft.text : value
  const fault = text === value ? null : faultOf(text.trim())
  const keep = (): void => { if (fault === null && text.trim() !== value) onKeep(text.trim()) }
  return (
    <TextField
      className="grow" label={label} isMono value={text} fault={fault} {...(hint === undefined ? {} : { hint })} {...(placeholder === undefined ? {} : { placeholder })}
      onChange={(event) => setDraft({ of: value, text: event.target.value })} onBlur={keep} onKeyDown={(event) => { if (event.key === 'Enter' && !event.nativeEvent.isComposing) keep() }}
    />
  )
}
