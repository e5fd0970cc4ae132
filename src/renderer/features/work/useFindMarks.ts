import { useEffect, type RefObject } from 'react'
import { mark, rangesIn, unmark } from '../../ui/hitMarks'
import { currentHit, useFind } from './findStore'
import { patternOf, type Hit } from './findText'

/** Marks the hits in the rows that are drawn, again whenever those change, and brings the one that is shown into view. */
export function useFindMarks(box: RefObject<HTMLElement | null>): void {
  const isOpen = useFind((state) => state.isOpen)
  const query = useFind((state) => state.query)
  const hit = useFind(currentHit)
  useEffect(() => {
    const root = box.current
    const pattern = isOpen ? patternOf(query) : null
    if (!root || pattern === null) return undefined
    let isShown = false
    let frame = 0
    const draw = (): void => {
      frame = 0
      const parts = [...root.querySelectorAll('[data-find]')]
      const found = parts.map((part) => ({ part, ranges: rangesIn(part, pattern) }))
      const shown = hit && rangeOf(found, hit)
      mark(found.flatMap(({ ranges }) => ranges), shown)
      if (shown && !isShown) {
        isShown = true
        shown.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
      }
    }
    const soon = (): void => { frame ||= requestAnimationFrame(draw) }
    const changed = new MutationObserver(soon)
    changed.observe(root, { subtree: true, childList: true, characterData: true })
    soon()
    return () => {
      changed.disconnect()
      cancelAnimationFrame(frame)
      unmark()
    }
  }, [box, isOpen, query, hit])
}

/** What is drawn of a text may hold fewer hits than the text: marks of Markdown are not there. The last one stands in then. */
function rangeOf(found: readonly { readonly part: Element; readonly ranges: readonly Range[] }[], hit: Hit): Range | null {
  const ranges = found.find(({ part }) => part.getAttribute('data-find') === hit.part)?.ranges ?? []
  return ranges[hit.nth] ?? ranges.at(-1) ?? null
}
