import { useEffect, useRef, type RefObject } from 'react'
import { hasMod, isComposing } from '../../ui/keys'

interface CardActs {
  readonly allow: (() => void) | null
  readonly deny: () => void
  readonly edit: (() => void) | null
}

/**
 * F8 goes to the card and Shift+F8 back to where the caret was; Mod+Shift+Y, N and M answer an armed card while no dialog is
 * open. A held key answers nothing: the repeat was meant for something else.
 */
export function useCardKeys(card: RefObject<HTMLElement | null>, isArmed: boolean, acts: CardActs): void {
  const now = useRef({ isArmed, acts })
  useEffect(() => { now.current = { isArmed, acts } })
  const before = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isComposing(event) || event.repeat || document.querySelector('[role="dialog"]')) return
      if (event.key === 'F8' && !hasMod(event)) {
        event.preventDefault()
        if (event.shiftKey) return before.current?.focus()
        if (!card.current?.contains(document.activeElement)) before.current = document.activeElement as HTMLElement | null
        return card.current?.focus()
      }
      if (!hasMod(event) || !event.shiftKey || !now.current.isArmed) return
      const act = { y: now.current.acts.allow, n: now.current.acts.deny, m: now.current.acts.edit }[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [card])
}
