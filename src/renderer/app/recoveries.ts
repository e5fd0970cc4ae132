import { useMemo } from 'react'
import type { CallId, SnapshotId } from '../../shared/domain/ids'
import type { RollbackRecord } from '../../shared/domain/rollback'
import type { Author } from '../../shared/domain/snapshot'
import { planFor } from '../features/rollback/rollbackStore'
import type { UnknownAnswers } from '../features/timeline/timelineWorld'
import { labelOf } from '../features/work/callWords'
import { goesBack, settleUnknown, useRecovery } from '../features/work/recoveryStore'
import type { RecoveryLinks } from '../features/work/UnknownCall'
import { useWords, type Speaker } from '../ui/words'
import { go } from './appStore'
import { openRecordOf } from './wishes'

/** Opens the plan that takes back what changed since an unknown call began; nothing is written there before the person says so. */
export function recoveryLinks(say: Speaker): RecoveryLinks {
  return {
    onRollBack(recovery, call, what, own) {
      if (call.beforeSnapshot === null) return
      // No snapshot stands behind the call, so a plan could not tell its changes from the person's: its own are named.
      const target = { to: call.beforeSnapshot, ...(own.length > 0 ? { ofCall: call.callId, paths: [...own], keepUserEdits: false } : { keepUserEdits: true }) }
      void planFor({ target, title: say('recovery.plan', { what }), sessionId: recovery.sessionId, turnId: null, ...seenAuthors(call.beforeSnapshot) })
      go('plan')
    },
    onOpenRecord() {
      const call = useRecovery.getState().open.find(({ unknown }) => unknown !== null)?.unknown
      if (call) openRecordOf(call.callId)
      else go('audit')
    },
  }
}

/** Who changed what since the moment before an unknown call, as the conversation names it: a plan names it the same. */
export function seenAuthors(before: SnapshotId): { readonly authors?: ReadonlyMap<string, Author> } {
  const { open, changes } = useRecovery.getState()
  const call = open.find(({ unknown }) => unknown?.beforeSnapshot === before)?.unknown
  const seen = call && changes[call.callId]
  if (!seen || !('changes' in seen)) return {}
  return { authors: new Map(seen.changes.flatMap(({ path, author }) => (author === null ? [] : [[path, author] as const]))) }
}

/** The same answers for the timeline. */
export function useUnknownAnswers(): (callId: CallId) => UnknownAnswers | null {
  const say = useWords()
  const { open, changes } = useRecovery()
  return useMemo(() => (callId) => {
    const recovery = open.find(({ unknown }) => unknown?.callId === callId)
    const call = recovery?.unknown
    if (!recovery || !call) return null
    const { own, files } = goesBack(changes[callId] ?? null)
    const what = labelOf({ args: call.args, argumentsText: '', mcp: null }) || call.tool
    const settle = (answer: 'done' | 'again') => (): void => void settleUnknown(recovery.sessionId, callId, answer)
    return {
      rollBack: call.beforeSnapshot === null || files === 0 ? null : { files, onChoose: () => recoveryLinks(say).onRollBack(recovery, call, what, own) },
      onAgain: settle('again'),
      onDone: settle('done'),
    }
  }, [open, changes, say])
}

/** A rollback to the moment before an unknown call answers it: its files were taken back. */
export function settleRolledBack(done: RollbackRecord | null): void {
  if (done === null || done.scope === 'conversation' || (done.state !== 'applied' && done.state !== 'partly')) return
  for (const { sessionId, unknown } of useRecovery.getState().open) {
    if (unknown !== null && unknown.beforeSnapshot === done.plan.target.to) void settleUnknown(sessionId, unknown.callId, 'rolled-back')
  }
}
