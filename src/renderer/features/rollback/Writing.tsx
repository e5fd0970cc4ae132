import { useWords } from '../../ui/words'
import type { RollbackState } from './planState'

/** How far the writing is: in words, and as a bar. `before`: what is said while nothing is known of it. */
export function Writing({ progress, before }: Pick<RollbackState, 'progress'> & { readonly before: string }) {
  const say = useWords()
  if (!progress || progress.total === 0) return <span>{before}</span>
  const { done, total } = progress
  return (
    <>
      <span>{say('timeline.plan.progress', { done, total })}</span>
      <progress className="writebar" max={total} value={done} aria-label={say('timeline.plan.progress', { done, total })} />
    </>
  )
}
