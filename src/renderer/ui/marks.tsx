import { classes } from './classes'

/** Who did it; `system` is a rollback, the folder or the app's start. */
export type MarkKind = 'agent' | 'you' | 'command' | 'system'
const colours = { agent: 'g-agent', you: 'g-you', command: 'g-cmd', system: 'g-sys' } as const

/** The shape of an author: square, circle, triangle, diamond. Hollow: waiting, unknown or taken back. */
export function AuthorMark({ kind, isHollow = false }: { readonly kind: MarkKind; readonly isHollow?: boolean }) {
  return (
    <svg className={classes('g', colours[kind], isHollow && 'hollow')} viewBox="0 0 14 14" aria-hidden>
      {kind === 'agent' && <rect x="2.5" y="2.5" width="9" height="9" rx="2" />}
      {kind === 'you' && <circle cx="7" cy="7" r="4.8" />}
      {kind === 'command' && <path d="M7 1.8 12.4 11.6H1.6z" />}
      {kind === 'system' && <path d="M7 1.4 12.6 7 7 12.6 1.4 7z" />}
    </svg>
  )
}

export type SealKind = 'signed' | 'rule' | 'refused' | 'waiting'
const sealClasses = { signed: 'seal-you', rule: 'seal-rule', refused: 'seal-no', waiting: 'seal-wait' } as const
const sealPaths = { signed: 'm4 7.2 2.2 2.2L10.2 5', rule: 'M4 5.5h6M4 8.5h6', refused: 'm4.5 4.5 5 5m0-5-5 5', waiting: 'M7 4v3.2l2 1.3' } as const

/** Who let a call happen. The word is part of it: colour and shape alone say nothing. */
export function Seal({ kind, word }: { readonly kind: SealKind; readonly word: string }) {
  return (
    <span className={classes('seal', sealClasses[kind])}>
      <svg viewBox="0 0 14 14" aria-hidden>
        <rect x="1" y="1" width="12" height="12" rx="3" />
        <path d={sealPaths[kind]} />
      </svg>
      <span>{word}</span>
    </span>
  )
}

/** The sign of the app. */
export function AppMark({ isBig = false }: { readonly isBig?: boolean }) {
  return (
    <svg className={classes('mark', isBig && 'big')} viewBox="0 0 20 20" aria-hidden>
      <rect x="1" y="1" width="18" height="18" rx="5" />
      <path className="m1" d="m4.6 10 2.7 3.2L11 6.6" />
      <path className="m2" d="m9.6 10.8 2 2.4L15.8 6.6" />
    </svg>
  )
}

/** Lines added and removed. Nothing is drawn for none. */
export function LineCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  if (added === 0 && removed === 0) return null
  return (
    <span className="pm">
      {added > 0 && <ins>+{added}</ins>}
      {removed > 0 && <del>−{removed}</del>}
    </span>
  )
}
