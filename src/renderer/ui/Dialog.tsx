import { Dialog as Radix } from 'radix-ui'
import { useRef, type ReactNode } from 'react'
import { classes } from './classes'

interface DialogProps {
  readonly name: string
  readonly isOpen: boolean
  /** For tables and logs. */
  readonly isWide?: boolean
  readonly className?: string
  /** It asks something that a stray click or key must not answer: a click outside does nothing, and no button has the keyboard at first. */
  readonly isAsking?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the window; Esc and a click outside close it, focus goes back where it was. */
export function Dialog({ name, isOpen, isWide = false, className, isAsking = false, onClose, children }: DialogProps) {
  const content = useRef<HTMLDivElement>(null)
  const asking = {
    onPointerDownOutside: (event: Event) => event.preventDefault(),
    onInteractOutside: (event: Event) => event.preventDefault(),
    onOpenAutoFocus: (event: Event) => { event.preventDefault(); content.current?.focus() },
  }
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => { if (!open) onClose() }}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content ref={content} className={classes('dialog', isWide && 'wide', className)} aria-describedby={undefined} {...(isAsking ? asking : {})}>
          <Radix.Title className="sr">{name}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
