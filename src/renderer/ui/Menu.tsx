import { DropdownMenu as Radix } from 'radix-ui'
import type { LucideIcon } from 'lucide-react'
import { useState, type ReactElement, type ReactNode } from 'react'

export interface MenuItem {
  readonly key: string
  readonly label: string
  readonly hint?: string
  readonly icon?: LucideIcon
  readonly isDisabled?: boolean
  readonly onChoose: () => void
}

interface MenuProps {
  readonly trigger: ReactElement
  readonly items: readonly MenuItem[]
  /** Stands above the items; nothing of it can be chosen. */
  readonly head?: ReactNode
  /** Which side of the trigger it keeps to. */
  readonly align?: 'start' | 'end'
  /** Whether it may open now; without it, always. */
  readonly canOpen?: () => boolean
}

/** A menu under its trigger. */
export function Menu({ trigger, items, head, align = 'start', canOpen = () => true }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={(wish) => setIsOpen(wish && canOpen())}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" sideOffset={4} align={align} collisionPadding={8} onCloseAutoFocus={stayWhereChosen}>
          {head !== undefined && <div className="menuhead">{head}</div>}
          {items.map(({ icon: Icon, ...item }) => (
            <Radix.Item key={item.key} disabled={item.isDisabled ?? false} onSelect={item.onChoose}>
              {Icon && <Icon className="i" size={14} aria-hidden />}
              <span className="cut grow">{item.label}</span>
              {item.hint !== undefined && <span className="small faint">{item.hint}</span>}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** What an item opened may have taken the keyboard; only otherwise it goes back to the trigger. */
function stayWhereChosen(event: Event): void {
  const at = document.activeElement
  if (at !== null && at !== document.body && at.closest('.menu') === null) event.preventDefault()
}
