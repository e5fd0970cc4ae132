import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes'
import { Tip } from './Tip'

type Look = 'plain' | 'primary' | 'quiet'
type Size = 'small' | 'normal' | 'large'
const looks = { plain: '', primary: 'pri', quiet: 'quiet' } as const
const sizes = { small: 'sm', normal: '', large: 'lg' } as const

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: Look
  readonly size?: Size
  readonly icon?: LucideIcon
}

/** A button with a word. */
export function Button({ look = 'plain', size = 'normal', icon: Icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={classes('btn', looks[look], sizes[size], className)} {...rest}>
      {Icon && <Icon className="i" size={14} aria-hidden />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  /** Where a key finds it. */
  readonly 'data-rename'?: boolean
  readonly icon: LucideIcon
  readonly label: string
  /** A key that does the same, shown in the tooltip. */
  readonly keys?: string
}

/** A button without a word: it has a name and a tooltip with its key. */
export function IconButton({ icon: Icon, label, keys, look = 'quiet', size = 'small', className, ...rest }: IconButtonProps) {
  return (
    <Tip text={label} {...(keys === undefined ? {} : { keys })}>
      <button type="button" aria-label={label} className={classes('btn ic', looks[look], sizes[size], className)} {...rest}>
        <Icon className="i" size={14} aria-hidden />
      </button>
    </Tip>
  )
}
