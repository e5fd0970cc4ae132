import { DropdownMenu as Radix } from 'radix-ui'
import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'

export interface MenuItem {
  readonly key: string
  readonly label: string
  readonly hint?: string
  readonly icon?: LucideIcon
  readonly isDisabled?: boolean
  readonly onChoose: () => void
}

/** A menu under its trigger. */
export function Menu({ trigger, items }: { readonly trigger: ReactElement; readonly items: readonly MenuItem[] }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" sideOffset={4} align="start" collisionPadding={8} onCloseAutoFocus={stayWhereChosen}>
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
