import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A dialog over the window; Esc and a click outside close it, focus goes back where it was. */
export function Dialog({ name, isOpen, onClose, children }: { readonly name: string; readonly isOpen: boolean; readonly onClose: () => void; readonly children: ReactNode }) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => { if (!open) onClose() }}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content className="dialog" aria-describedby={undefined}>
          <Radix.Title className="sr">{name}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
