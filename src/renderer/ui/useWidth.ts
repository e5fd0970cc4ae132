import { useEffect, useState, type RefObject } from 'react'

/** How wide an element is, as it changes; `first` until it was measured. */
export function useWidth(box: RefObject<HTMLElement | null>, first: number): number {
  const [width, setWidth] = useState(first)
  useEffect(() => {
    if (!box.current) return
    const sized = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? first))
    sized.observe(box.current)
    return () => sized.disconnect()
  }, [box, first])
  return width
}
