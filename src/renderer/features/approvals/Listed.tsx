import { Fragment } from 'react'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { inProject, isOutside } from './partLook'

/** Paths, hosts or names from outside, one after the other and none of them cut. With `root` they are paths: those that lead out of it are marked. */
export function Listed({ of, root }: { readonly of: readonly string[]; readonly root?: string }) {
  const say = useWords()
  return of.map((one, at) => (
    <Fragment key={at}>
      {at > 0 && say('approval.list-comma')}
      {root !== undefined && isOutside(one, root) && <span className="t-warn" aria-hidden>↗ </span>}
      {root !== undefined && one === root ? say('approval.the-project') : <Exact text={root === undefined ? one : inProject(one, root)} className="mono wrap-any" />}
    </Fragment>
  ))
}
