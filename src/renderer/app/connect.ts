import type { SessionId } from '../../shared/domain/ids'
import type { Workspace } from '../../shared/domain/session'
import { connectApprovals } from '../features/approvals/approvalStore'
import { connectAudit, forgetAudit } from '../features/audit/auditStore'
import { connectContext } from '../features/compaction/contextStore'
import { closeFile, closeFinder } from '../features/files/fileStore'
import { connectPlaces, places } from '../features/files/placeStore'
import { connectMemories, forgetMemories } from '../features/memory/memoryStore'
import { connectModels, loadProviders } from '../features/models/modelStore'
import { connectRollback, useRollback } from '../features/rollback/rollbackStore'
import { connectRules, enterRules } from '../features/rules/ruleStore'
import { connectServers, loadServers } from '../features/servers/serverStore'
import { connectSkillList, loadSkillList } from '../features/skills/skillListStore'
import { connectDisk, forgetDisk } from '../features/timeline/nowStore'
import { closePath } from '../features/timeline/pathStore'
import { forgetRoom } from '../features/timeline/roomStore'
import { connectTimeline, enterTimeline, loadTimeline } from '../features/timeline/timelineStore'
import { connectUsage } from '../features/usage/usageStore'
import { connectTrust, forgetTrust, loadTrust } from '../features/trust/trustStore'
import { connectRecovery, loadRecoveries } from '../features/work/recoveryStore'
import { connectSkills, loadSkills } from '../features/work/skillStore'
import { connectWork, loadSessions, useWork } from '../features/work/workStore'
import { warmDiffEditor } from '../ui/DiffEditor'
import { whenIdle } from '../ui/whenIdle'
import { followOtherTurns } from './otherTurns'
import { settleRolledBack } from './recoveries'
import { connectApp, useApp, verifyRecord } from './appStore'

/** A change opens its review by itself only when nobody types: the box is empty, and no text field has the caret. */
function mayReview(sessionId: SessionId): boolean {
  const { current, drafts } = useWork.getState()
  const { activeElement } = document
  const isTyping = activeElement?.matches('textarea, input, [contenteditable="true"]') ?? false
  return current === sessionId && (drafts[sessionId] ?? '') === '' && !isTyping
}

/** What changed in the folder is shown by itself only when nobody types; until then the trust bar says it. */
function mayAsk(): boolean {
  const { activeElement } = document
  return !(activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement) || activeElement.value === ''
}

/** Connects every store to the bridge; returns a stop. */
export async function connect(): Promise<() => void> {
  // A rollback that took place is a new moment of the folder.
  const followRollback = useRollback.subscribe((now, before) => { if (now.done !== before.done) { void loadTimeline(); settleRolledBack(now.done) } })
  const stops = [connectWork(), connectRecovery(), connectTimeline(), connectDisk(), connectRollback(), connectServers(), connectSkills(), connectSkillList(), connectMemories(), connectAudit(), connectRules(), connectTrust(mayAsk), followRollback, connectUsage(), connectContext(), connectModels(), connectPlaces(), followOtherTurns()]
  const enter = ({ id }: Workspace): void => {
    enterRules(id)
    enterTimeline(id)
    closePath()
    places.forgetAll()
    closeFile()
    closeFinder()
    forgetRoom()
    forgetMemories()
    forgetAudit()
    forgetTrust()
    void loadTrust()
    void loadSessions()
    void loadRecoveries()
    void loadTimeline().then(forgetDisk)
    // What is switched off is kept by folder.
    void loadServers()
  }
  const leave = (): void => {
    forgetTrust()
    enterRules(null)
  }
  stops.push(await connectApp(enter, () => void loadProviders(), leave))
  const stop = (): void => stops.forEach((one) => one())
  // A host that did not start answers nothing else; the window says why.
  if (useApp.getState().start?.stopped) return stop
  stops.push(connectApprovals(mayReview))
  void loadProviders()
  // Nothing of this is needed for the first picture.
  stops.push(whenIdle(() => void loadServers()), whenIdle(() => void loadSkills()), whenIdle(() => void loadSkillList()), whenIdle(() => void verifyRecord()), whenIdle(warmDiffEditor))
  return stop
}
