import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface FactProps {
  readonly icon: LucideIcon
  readonly tone: string
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** One fact of a card, with its sign. */
export function Fact({ icon: Icon, tone, isWide = false, children }: FactProps) {
  return <div className={isWide ? 'fact wide' : 'fact'}><Icon className={`i ${tone}`} size={14} aria-hidden /><span>{children}</span></div>
}
