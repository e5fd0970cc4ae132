import { ContextMenu as Radix } from 'radix-ui'
import type { ReactElement } from 'react'
import type { MenuItem } from './Menu'

interface ContextMenuProps {
  readonly name: string
  /** What it opens over: one element. */
  readonly children: ReactElement
  readonly items: readonly MenuItem[]
  /** Where the keyboard goes when nothing else took it. */
  readonly onClose: () => void
}

/** The menu of what lies under the pointer or has the keyboard (Shift+F10). Without items it does not open. */
export function ContextMenu({ name, children, items, onClose }: ContextMenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      {items.length > 0 && (
        <Radix.Portal>
          <Radix.Content className="menu" aria-label={name} collisionPadding={8} onCloseAutoFocus={(event) => { event.preventDefault(); if (isLost()) onClose() }}>
            {items.map(({ icon: Icon, ...item }) => (
              <Radix.Item key={item.key} disabled={item.isDisabled ?? false} onSelect={item.onChoose}>
                {Icon && <Icon className="i" size={14} aria-hidden />}
                <span className="cut grow">{item.label}</span>
                {item.hint !== undefined && <span className="small faint">{item.hint}</span>}
              </Radix.Item>
            ))}
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  )
}

/** Nothing has the keyboard but the menu that goes. */
function isLost(): boolean {
  const at = document.activeElement
  return at === null || at === document.body || at.closest('.menu') !== null
}
