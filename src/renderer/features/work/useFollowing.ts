import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Following {
  /** For the list's scroller. */
  readonly onScroller: (element: HTMLElement | Window | null) => void
  /** For the list, when its rows were measured and its height is another. */
  readonly onHeight: () => void
  readonly isFollowing: boolean
  readonly jump: () => void
  /** Stays where it is from now on. */
  readonly stay: () => void
}

/** How long a scroll may come after the hand that made it. */
const handMs = 400
const upKeys = new Set(['PageUp', 'ArrowUp', 'Home'])

/** A turn of the wheel or a key that goes up. */
function goesUp(event: Event): boolean {
  if (event instanceof WheelEvent) return event.deltaY < 0
  return event instanceof KeyboardEvent && upKeys.has(event.key)
}

/**
 * Keeps the newest in view until the person scrolls up, and again when they come back to the end. Never while text is
 * selected. A card that docks or a window that shrinks is no wish to stop; nor is the list's own moving while it measures.
 */
export function useFollowing(content: unknown): Following {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [isFollowing, setIsFollowing] = useState(true)
  // Read before React has drawn what it means: text that grows meanwhile must not pull the person back.
  const follows = useRef(true)
  const hand = useRef({ atMs: -handMs, top: 0 })
  const follow = useCallback((isWanted: boolean) => {
    follows.current = isWanted
    setIsFollowing(isWanted)
  }, [])
  const toEnd = useCallback(() => {
    if (follows.current && !hasSelection()) scroller?.scrollTo({ top: scroller.scrollHeight })
  }, [scroller])
  const onScroller = useCallback((element: HTMLElement | Window | null) => setScroller(element instanceof HTMLElement ? element : null), [])
  useEffect(() => {
    if (!scroller) return
    const touched = (event: Event): void => {
      hand.current = { atMs: performance.now(), top: scroller.scrollTop }
      if (goesUp(event) && scroller.scrollTop > 0) follow(false)
    }
    const onScroll = (): void => {
      const isByHand = performance.now() - hand.current.atMs < handMs
      const isUp = isByHand && scroller.scrollTop < hand.current.top
      if (isUp) follow(false)
      else if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 24) follow(true)
    }
    const hands = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
    scroller.addEventListener('scroll', onScroll, { passive: true })
    hands.forEach((name) => scroller.addEventListener(name, touched, { passive: true }))
    return () => {
      scroller.removeEventListener('scroll', onScroll)
      hands.forEach((name) => scroller.removeEventListener(name, touched))
    }
  }, [scroller, follow])
  useEffect(() => {
    if (!scroller) return
    const resized = new ResizeObserver(toEnd)
    resized.observe(scroller)
    if (scroller.firstElementChild) resized.observe(scroller.firstElementChild)
    return () => resized.disconnect()
  }, [scroller, toEnd])
  useLayoutEffect(toEnd, [content, toEnd])
  const jump = useCallback(() => {
    follow(true)
    toEnd()
  }, [follow, toEnd])
  const stay = useCallback(() => follow(false), [follow])
  // The list tells of its height before the page has it, and moves by itself once more.
  const onHeight = useCallback(() => void requestAnimationFrame(toEnd), [toEnd])
  return { onScroller, onHeight, isFollowing, jump, stay }
}

function hasSelection(): boolean {
  return (document.getSelection()?.isCollapsed ?? true) === false
}
