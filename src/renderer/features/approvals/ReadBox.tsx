import type { ReactNode, UIEvent } from 'react'
import { classes } from '../../ui/classes'

interface ReadBoxProps {
  readonly name: string
  /** Its end was seen. */
  readonly onRead: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** A text that is never cut: it wraps, and a long one scrolls in itself. */
export function ReadBox({ name, onRead, className, children }: ReadBoxProps) {
  return <div className={classes('thing', className)} tabIndex={0} role="group" aria-label={name} onScroll={(event) => { if (isAtEnd(event)) onRead() }}>{children}</div>
}

/** Whether a scroll reached the end of its box. */
export function isAtEnd({ currentTarget }: UIEvent<HTMLElement>): boolean {
  return currentTarget.scrollTop + currentTarget.clientHeight >= currentTarget.scrollHeight - 8
}
