import type { RollbackRecord } from '../../shared/domain/rollback'
import { planFor } from '../features/rollback/rollbackStore'
import { settleUnknown, useRecovery } from '../features/work/recoveryStore'
import type { RecoveryLinks } from '../features/work/UnknownCall'
import type { Speaker } from '../ui/words'
import { go } from './appStore'
import { openRecordOf } from './wishes'

/** Opens the plan that takes back what changed since an unknown call began; nothing is written there before the person says so. */
export function recoveryLinks(say: Speaker): RecoveryLinks {
  return {
    onRollBack(recovery, call, what, own) {
      if (call.beforeSnapshot === null) return
      // No snapshot stands behind the call, so a plan could not tell its changes from the person's: its own are named.
      const target = { to: call.beforeSnapshot, ...(own.length > 0 ? { paths: [...own], keepUserEdits: false } : { keepUserEdits: true }) }
      void planFor({ target, title: say('recovery.plan', { what }), sessionId: recovery.sessionId, turnId: null })
      go('plan')
    },
    onOpenRecord() {
      const call = useRecovery.getState().open.find(({ unknown }) => unknown !== null)?.unknown
      if (call) openRecordOf(call.callId)
      else go('audit')
    },
  }
}

/** A rollback to the moment before an unknown call answers it: its files were taken back. */
export function settleRolledBack(done: RollbackRecord | null): void {
  if (done === null || done.scope === 'conversation' || (done.state !== 'applied' && done.state !== 'partly')) return
  for (const { sessionId, unknown } of useRecovery.getState().open) {
    if (unknown !== null && unknown.beforeSnapshot === done.plan.target.to) void settleUnknown(sessionId, unknown.callId, 'rolled-back')
  }
}
