import { useEffect } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import { checkFresh, useApprovals } from './approvalStore'

/** How often a file on screen is looked at again; at every return to the window it is too. */
const againMs = 4000

/** Whether the change of a file was overtaken: somebody changed the file since it was read. Main checks it once more when it is allowed. */
export function useStale(request: ApprovalRequest): boolean {
  const isStale = useApprovals((state) => state.stale[request.nonce]) ?? false
  const isChecked = request.preview.kind === 'edit'
  useEffect(() => {
    if (!isChecked) return
    const look = (): void => { if (document.visibilityState === 'visible') void checkFresh(request) }
    look()
    const watch = setInterval(look, againMs)
    window.addEventListener('focus', look)
    return () => {
      clearInterval(watch)
      window.removeEventListener('focus', look)
    }
  }, [request, isChecked])
  return isStale
}
