import { useEffect } from 'react'
import type { ApprovalRequest } from '../../shared/domain/approval'
import type { Memory } from '../../shared/domain/memory'
import { said } from '../../shared/domain/result'
import { MemoryProposals } from '../features/approvals/MemoryProposals'
import { closeMemories, openMemories, setQuery, setShown, tellFault } from '../features/memory/memoryStore'
import { draftKey, selectSession, showPlace, useWork } from '../features/work/workStore'
import { chooseFolder, go, useApp } from './appStore'
import { MemoryView } from './pages'

/** The memory page beside what it needs of others: the draft it scores for, the proposals that wait, the way to a conversation. */
export function MemoryPage() {
  const hasFolder = useApp((state) => state.workspace !== null)
  const draft = useWork((state) => state.drafts[draftKey()] ?? '')
  useEffect(() => {
    if (hasFolder) openMemories(draft)
  }, [hasFolder, draft])
  useEffect(() => closeMemories, [])
  return <MemoryView hasFolder={hasFolder} proposals={<MemoryProposals onOpenCard={(request) => void openCard(request)} />} onChangeDraft={toMessage} onOpenFolder={() => void chooseFolder()} onOpenSource={openSource} />
}

function toMessage(): void {
  go('work')
  requestAnimationFrame(() => document.getElementById('message')?.focus())
}

/** To the card of a proposal, in its own session. */
async function openCard(request: ApprovalRequest): Promise<void> {
  go('work')
  await selectSession(request.sessionId)
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-zone="approval"]')?.focus())
}

/** To the place in the conversation where an entry was proposed or saved. */
function openSource({ source, atMs }: Memory): void {
  const { sessionId } = source
  if (sessionId === null) return
  if (!useWork.getState().sessions.some((session) => session.id === sessionId)) return tellFault(said('memory.no-source'))
  void selectSession(sessionId)
  showPlace(sessionId, source.kind === 'person' || source.callId === null ? { atMs } : { callId: source.callId })
  go('work')
}

/** Opens the page with a query, as `/memory` does. */
export function searchMemories(query: string): void {
  setShown('all')
  setQuery(query)
  go('memory')
}
