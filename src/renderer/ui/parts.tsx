import { CircleCheck, Info, OctagonX, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes'

export type Tone = 'ok' | 'warn' | 'bad' | 'info'
const icons = { ok: CircleCheck, warn: TriangleAlert, bad: OctagonX, info: Info } as const

/** A state in one word, always with its word. */
export function Chip({ tone, children }: { readonly tone?: Tone | 'you' | 'agent' | 'cmd'; readonly children: ReactNode }) {
  return <span className={classes('chip', tone)}>{children}</span>
}

/** A line of plain speech on its wash: what happened, what to do. */
export function Note({ tone, children, actions, role }: { readonly tone: Tone; readonly children: ReactNode; readonly actions?: ReactNode; readonly role?: 'status' | 'alert' }) {
  const Icon = icons[tone]
  return (
    <div className={classes('note', tone)} role={role}>
      <Icon className="i" size={14} aria-hidden />
      <div className="grow">{children}</div>
      {actions}
    </div>
  )
}

/** An empty place: one sentence that says what will appear, and one button. */
export function Empty({ icon: Icon, children, action }: { readonly icon: LucideIcon; readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className="empty">
      <Icon className="i faint" size={18} aria-hidden />
      <p className="dim">{children}</p>
      {action}
    </div>
  )
}
