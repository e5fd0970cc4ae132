import type { MouseEvent, RefObject } from 'react'
import type { ArmState } from '../../ui/armingClock'
import { usePointerGuard } from '../../ui/pointerGuard'

interface Answering {
  /** Of every button that answers. */
  readonly inert: { readonly 'aria-disabled': boolean }
  /** A click that counts only once the card is armed, and not under a pointer that was there before it (R70). */
  readonly answer: (act: () => void) => (event: MouseEvent) => void
}

/** How the buttons in `box` answer. `content` is all that would be signed. */
export function useAnswers(box: RefObject<HTMLElement | null>, content: string, arm: ArmState): Answering {
  const isArmed = arm === 'armed'
  const pointerCounts = usePointerGuard(box, content, isArmed)
  return {
    inert: { 'aria-disabled': !isArmed },
    // `detail` is 0 for a click that a key made.
    answer: (act) => (event) => { if (isArmed && (event.detail === 0 || pointerCounts())) act() },
  }
}
