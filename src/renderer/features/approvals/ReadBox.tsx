import { useEffect, useRef, type ReactNode, type UIEvent } from 'react'
import { classes } from '../../ui/classes'
import { whenSeen } from '../../ui/whenSeen'
import type { Reading } from './cardText'

interface ReadBoxProps {
  readonly name: string
  /** Its end came into view, or was scrolled to. Another function for another text: then it is looked at anew. */
  readonly onRead: (how: Reading) => void
  readonly className?: string
  readonly children: ReactNode
}

/** A text that is never cut: it wraps, and a long one scrolls in itself. */
export function ReadBox({ name, onRead, className, children }: ReadBoxProps) {
  const end = useRef<HTMLSpanElement>(null)
  useEffect(() => (end.current ? whenSeen(end.current, () => onRead('seen')) : undefined), [onRead])
  return (
    <div className={classes('thing', className)} tabIndex={0} role="group" aria-label={name} onScroll={(event) => { if (isAtEnd(event)) onRead('scrolled') }}>
      {children}
      <span ref={end} className="textend" aria-hidden />
    </div>
  )
}

/** Whether a scroll reached the end of its box. */
export function isAtEnd({ currentTarget }: UIEvent<HTMLElement>): boolean {
  return currentTarget.scrollTop + currentTarget.clientHeight >= currentTarget.scrollHeight - 8
}
