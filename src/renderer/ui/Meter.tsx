import { classes } from './classes'

/** How full something is; its figures stand beside it in words, so it is not heard. */
export function Meter({ value, of, tone }: { readonly value: number; readonly of: number; readonly tone?: 'warn' }) {
  return <span className={classes('meter', tone)} aria-hidden><span style={{ width: `${of > 0 ? Math.min(100, (value / of) * 100) : 0}%` }} /></span>
}
