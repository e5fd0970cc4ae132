import { useEffect, useRef, type RefObject } from 'react'

let last: { readonly x: number; readonly y: number } | null = null
if (typeof window !== 'undefined') window.addEventListener('pointermove', (event) => { last = { x: event.clientX, y: event.clientY } }, { capture: true, passive: true })

/**
 * Swallows clicks of a pointer that already lay on the answers when the card came or changed: it has to leave and come back,
 * or at least move again once the card is armed. Returns whether a click counts.
 */
export function usePointerGuard(answers: RefObject<HTMLElement | null>, content: string, isArmed: boolean): () => boolean {
  const isHeld = useRef(false)
  useEffect(() => {
    const box = answers.current?.getBoundingClientRect()
    isHeld.current = box !== undefined && last !== null && last.x >= box.left && last.x <= box.right && last.y >= box.top && last.y <= box.bottom
  }, [answers, content])
  useEffect(() => {
    const element = answers.current
    if (!element) return
    const free = (): void => { isHeld.current = false }
    element.addEventListener('pointerleave', free)
    if (isArmed) element.addEventListener('pointermove', free)
    return () => {
      element.removeEventListener('pointerleave', free)
      element.removeEventListener('pointermove', free)
    }
  }, [answers, isArmed])
  return () => !isHeld.current
}
