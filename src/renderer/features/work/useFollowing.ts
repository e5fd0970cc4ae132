import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Following {
  /** For the list's scroller. */
  readonly onScroller: (element: HTMLElement | Window | null) => void
  readonly isFollowing: boolean
  readonly jump: () => void
}

/**
 * Keeps the newest in view until the person scrolls up, and again when they come back to the end. Never while text is
 * selected. A card that docks or a window that shrinks is no wish to stop.
 */
export function useFollowing(content: unknown): Following {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [isFollowing, setIsFollowing] = useState(true)
  const last = useRef({ top: 0, height: 0, size: 0 })
  const toEnd = useCallback(() => scroller?.scrollTo({ top: scroller.scrollHeight }), [scroller])
  const onScroller = useCallback((element: HTMLElement | Window | null) => setScroller(element instanceof HTMLElement ? element : null), [])
  useEffect(() => {
    if (!scroller) return
    const onScroll = (): void => {
      const { scrollTop, clientHeight, scrollHeight } = scroller
      const before = last.current
      last.current = { top: scrollTop, height: clientHeight, size: scrollHeight }
      if (scrollHeight - scrollTop - clientHeight < 24) setIsFollowing(true)
      else if (scrollTop < before.top && clientHeight === before.height && scrollHeight >= before.size) setIsFollowing(false)
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => scroller.removeEventListener('scroll', onScroll)
  }, [scroller])
  useEffect(() => {
    if (!scroller || !isFollowing) return
    const resized = new ResizeObserver(() => { if (!hasSelection()) toEnd() })
    resized.observe(scroller)
    if (scroller.firstElementChild) resized.observe(scroller.firstElementChild)
    return () => resized.disconnect()
  }, [scroller, isFollowing, toEnd])
  useLayoutEffect(() => {
    if (isFollowing && !hasSelection()) toEnd()
  }, [content, isFollowing, toEnd])
  const jump = useCallback(() => {
    setIsFollowing(true)
    toEnd()
  }, [toEnd])
  return { onScroller, isFollowing, jump }
}

function hasSelection(): boolean {
  return (document.getSelection()?.isCollapsed ?? true) === false
}
