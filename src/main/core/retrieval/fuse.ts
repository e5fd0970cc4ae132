import type { CodeHit } from '../../../shared/domain/retrieval'
import type { RankedList } from '../ports/codeIndex'

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const k = 60

/**
 * One order out of many lists by reciprocal rank (R99): a place's score is the sum of 1 / (60 + rank) over the lists it is in,
 * ranks from 1. A place is its path, lines and text. Best first; equal scores in the order of their first appearance.
 */
export function fuse(lists: readonly RankedList[]): readonly CodeHit[] {
  const fused = new Map<string, CodeHit>()
  for (const { by, hits } of lists) {
    const inList = new Set<string>()
    for (const hit of hits) {
      const place = [hit.path, hit.startLine, hit.endLine, hit.text].join('\n')
      if (inList.has(place)) continue
      inList.add(place)
      const score = 1 / (k + inList.size)
      const known = fused.get(place)
      fused.set(place, known ? { ...known, score: known.score + score, by: known.by === by ? by : 'both' } : { ...hit, score, by })
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score)
}
