import { useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { useWords } from '../../ui/words'
import { revokeAll } from './ruleStore'

/** Ends everything that is allowed in advance; asks once, with the count. */
export function RevokeAll({ count }: { readonly count: number }) {
  const say = useWords()
  const [isAsking, setIsAsking] = useState(false)
  const title = say('permission.revoke-all-title', { count })
  return (
    <>
      <Button size="small" disabled={count === 0} onClick={() => setIsAsking(true)}>{say('permission.revoke-all')}</Button>
      <Dialog name={title} isOpen={isAsking} isAsking onClose={() => setIsAsking(false)}>
        <div className="dialogbody">
          <h2 className="strong" aria-hidden>{title}</h2>
          <p className="dim">{say('permission.revoke-all-about')}</p>
        </div>
        <div className="savebar">
          <span className="end row">
            <Button look="quiet" onClick={() => setIsAsking(false)}>{say('permission.cancel')}</Button>
            <Button onClick={() => { setIsAsking(false); void revokeAll() }}>{say('permission.revoke-all')}</Button>
          </span>
        </div>
      </Dialog>
    </>
  )
}
