import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from './classes'

interface DialogProps {
  readonly name: string
  readonly isOpen: boolean
  /** For tables and logs. */
  readonly isWide?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the window; Esc and a click outside close it, focus goes back where it was. */
export function Dialog({ name, isOpen, isWide = false, onClose, children }: DialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => { if (!open) onClose() }}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content className={classes('dialog', isWide && 'wide')} aria-describedby={undefined}>
          <Radix.Title className="sr">{name}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
