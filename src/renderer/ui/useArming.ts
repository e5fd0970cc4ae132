import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import { ArmingClock, type ArmState } from './armingClock'

const lookAgainMs = 250

/** The arming of a card on screen. `content` is everything the person would sign; any change of it begins anew. */
export function useArming(card: RefObject<HTMLElement | null>, content: string): ArmState {
  const [clock] = useState(() => new ArmingClock())
  useEffect(() => {
    const element = card.current
    if (!element) return
    let isWhole = false
    const look = (): void => {
      clock.setVisible(isWhole && document.visibilityState === 'visible')
      clock.setFocused(document.hasFocus())
    }
    const seen = new IntersectionObserver(([entry]) => {
      isWhole = (entry?.intersectionRatio ?? 0) >= 0.99
      look()
    }, { threshold: [0, 0.5, 0.99, 1] })
    seen.observe(element)
    const told = ['focus', 'blur'] as const
    told.forEach((name) => window.addEventListener(name, look))
    document.addEventListener('visibilitychange', look)
    // A window that is shown with a card in it, or with the keyboard already in it, need not tell.
    const watch = setInterval(look, lookAgainMs)
    return () => {
      seen.disconnect()
      told.forEach((name) => window.removeEventListener(name, look))
      document.removeEventListener('visibilitychange', look)
      clearInterval(watch)
      clock.stop()
    }
  }, [card, clock])
  useEffect(() => clock.restart(), [clock, content])
  return useSyncExternalStore(clock.subscribe, clock.read)
}
