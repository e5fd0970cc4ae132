import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import { ArmingClock, type ArmState } from './armingClock'

const focusCheckMs = 250

/** The arming of a card on screen. `content` is everything the person would sign; any change of it begins anew. */
export function useArming(card: RefObject<HTMLElement | null>, content: string): ArmState {
  const [clock] = useState(() => new ArmingClock())
  useEffect(() => {
    const element = card.current
    if (!element) return
    const seen = new IntersectionObserver(([entry]) => clock.setVisible((entry?.intersectionRatio ?? 0) >= 0.99 && document.visibilityState === 'visible'), { threshold: [0, 0.5, 0.99, 1] })
    seen.observe(element)
    const focus = (): void => clock.setFocused(document.hasFocus())
    focus()
    window.addEventListener('focus', focus)
    window.addEventListener('blur', focus)
    // A window that was shown with the keyboard already in it tells nobody.
    const watch = setInterval(focus, focusCheckMs)
    return () => {
      seen.disconnect()
      clearInterval(watch)
      window.removeEventListener('focus', focus)
      window.removeEventListener('blur', focus)
      clock.stop()
    }
  }, [card, clock])
  useEffect(() => clock.restart(), [clock, content])
  return useSyncExternalStore(clock.subscribe, clock.read)
}
