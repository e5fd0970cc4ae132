/** Acts once when an element comes into view, or within `margin` pixels of it; returns a stop. */
export function whenSeen(element: Element, act: () => void, margin = 0): () => void {
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting || entry.intersectionRatio > 0)) return
    watch.disconnect()
    act()
  }, { rootMargin: `${margin}px` })
  watch.observe(element)
  return () => watch.disconnect()
}
