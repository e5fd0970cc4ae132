import { Tooltip } from 'radix-ui'
import type { ReactElement } from 'react'

/** A tooltip around one focusable child. */
export function Tip({ text, keys, side = 'top', children }: { readonly text: string; readonly keys?: string; readonly side?: 'top' | 'right'; readonly children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" side={side} sideOffset={6} collisionPadding={8}>
          {text} {keys !== undefined && <kbd>{keys}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

export const TipProvider = Tooltip.Provider
