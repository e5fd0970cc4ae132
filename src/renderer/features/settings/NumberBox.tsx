import { useId } from 'react'
import { classes } from '../../ui/classes'

interface NumberBoxProps {
  readonly label: string
  readonly text: string
  /** What is wrong with it; null while it can be kept. */
  readonly fault: string | null
  readonly width: number
  readonly placeholder?: string
  readonly onText: (text: string) => void
  readonly onKeep: () => void
}

/** A short field for a number, with a sentence under it where it cannot be kept. It is kept when the field is left or Enter is pressed. */
export function NumberBox({ label, text, fault, width, placeholder, onText, onKeep }: NumberBoxProps) {
  const id = useId()
  return (
    <span className="numbox">
      <input
        className={classes('input', 'num')} style={{ width }} inputMode="numeric" aria-label={label} aria-invalid={fault !== null} {...(fault === null ? {} : { 'aria-describedby': id })} {...(placeholder === undefined ? {} : { placeholder })}
        value={text} onChange={(event) => onText(event.target.value)} onBlur={onKeep} onKeyDown={(event) => { if (event.key === 'Enter') onKeep() }}
      />
      {fault !== null && <span id={id} className="hint t-bad">{fault}</span>}
    </span>
  )
}
