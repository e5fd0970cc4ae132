import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

interface PopoverProps {
  readonly name: string
  readonly trigger: ReactElement
  readonly className: string
  readonly onOpen: (isOpen: boolean) => void
  /** Where something else opens or closes it too. */
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** Something to look at beside its trigger; Esc and a click elsewhere close it. */
export function Popover({ name, trigger, className, onOpen, isOpen, children }: PopoverProps) {
  return (
    <Radix.Root onOpenChange={onOpen} {...(isOpen === undefined ? {} : { open: isOpen })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal><Radix.Content className={className} aria-label={name} side="top" align="start" sideOffset={6} collisionPadding={8}>{children}</Radix.Content></Radix.Portal>
    </Radix.Root>
  )
}
