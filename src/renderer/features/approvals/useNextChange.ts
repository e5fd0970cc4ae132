import { useEffect, useState, type RefObject } from 'react'
import { isComposing } from '../../ui/keys'

/** F7 and Shift+F7 go through the changes of a text, one after the other and round again. */
export function useNextChange(box: RefObject<HTMLElement | null>, count: number): { readonly at: number; readonly next: () => void } {
  const [place, setPlace] = useState(0)
  const at = count === 0 ? 0 : place % count
  const go = (by: 1 | -1): void => {
    const to = (at + by + count) % count
    setPlace(to)
    box.current?.querySelectorAll('[data-hunk]')[to]?.scrollIntoView({ block: 'center' })
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F7' || isComposing(event) || event.repeat || count === 0 || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      go(event.shiftKey ? -1 : 1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
  return { at, next: () => { if (count > 0) go(1) } }
}
