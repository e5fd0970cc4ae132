import { useMemo } from 'react'
import type { TimelineFacts } from '../features/timeline/timelineWishes'
import { useWork } from '../features/work/workStore'
import { otherTurns } from './otherTurns'
import { useFacts } from './pastFacts'

/** What the timeline is told, with the turns of the other sessions. */
export function useAllFacts(): TimelineFacts {
  const facts = useFacts()
  const others = useWork(otherTurns)
  return useMemo(() => (others.length === 0 ? facts : { ...facts, otherTurns: others }), [facts, others])
}
