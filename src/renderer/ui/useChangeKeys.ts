import { useEffect, useRef, useState, type RefObject } from 'react'
import { isComposing } from './keys'

/** Which change is looked at; a new ticket means: bring it into view. */
export interface ShownChange {
  readonly bar: number
  readonly ticket: number
}

/**
 * F7 and Shift+F7 go to the next and the previous change and round again, and put the keyboard on its tick, where Space keeps
 * or rejects it. Nothing else round it takes the keyboard.
 */
export function useChangeKeys(box: RefObject<HTMLElement | null>, count: number): { readonly shown: ShownChange; readonly step: (by: 1 | -1) => void } {
  const [shown, setShown] = useState<ShownChange>({ bar: -1, ticket: 0 })
  const step = (by: 1 | -1): void => {
    if (count > 0) setShown(({ bar, ticket }) => ({ bar: bar < 0 && by < 0 ? count - 1 : (bar + by + count) % count, ticket: ticket + 1 }))
  }
  const now = useRef(step)
  useEffect(() => { now.current = step })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F7' || event.ctrlKey || event.altKey || event.metaKey || isComposing(event) || event.repeat || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      now.current(event.shiftKey ? -1 : 1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (shown.ticket === 0) return
    const bar = box.current?.querySelector<HTMLElement>(`[data-change="${shown.bar}"]`)
    bar?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true })
    if (bar?.closest('.rv') === null) bar.scrollIntoView({ block: 'center' })
  }, [box, shown])
  return { shown, step }
}
