import { useMemo } from 'react'
import type { CallId } from '../../shared/domain/ids'
import { Approvals } from '../features/approvals/Approvals'
import { cardOnScreen, useApprovals } from '../features/approvals/approvalStore'
import type { CardWorld } from '../features/approvals/cardWorld'
import { undoFromRow } from '../features/compaction/contextStore'
import { loadProviders } from '../features/models/modelStore'
import { TimelineList } from '../features/timeline/TimelineList'
import { openRow } from '../features/timeline/openMoment'
import { TimelinePane } from '../features/timeline/Timeline'
import { useTimeline } from '../features/timeline/timelineStore'
import { turnWish, undoCallWish } from '../features/timeline/timelineWishes'
import { useTrust } from '../features/trust/trustStore'
import { GrantsButton } from '../features/rules/GrantsDrawer'
import { pickModel, showPicks, type ModelOption } from '../features/work/modelPicks'
import type { PastLinks } from '../features/work/Rows'
import { SessionsPane } from '../features/work/SessionsPane'
import { selectSession, startNewSession, useWork } from '../features/work/workStore'
import { Splitter } from '../ui/Splitter'
import { useWords } from '../ui/words'
import { go, openFolder, resizeZone, toggleSessions, useApp } from './appStore'
import { runOwnCommand } from './ownCommands'
import { WorkView } from './pages'
import { useWhose, type useFacts } from './pastFacts'
import { useAllFacts } from './useAllFacts'
import { openModels, replaceKey } from './modelLinks'
import { recoveryLinks } from './recoveries'
import { pastOf, undoTurnWish, useTurnReview } from './turnPast'
import { useMedia } from './useMedia'
import { useModelWorld } from './useModelWorld'
import { useWaiting } from './useWaiting'
import { compareMoments, openDisk, openPlan, openRule, openRuleFor } from './wishes'

/** Work: sessions, conversation with the waiting card, a review beside it when one is open, the timeline. */
export function WorkPage() {
  const say = useWords()
  const { settings, sizes, isSessionsOpen, isTimelineOpen } = useApp()
  const current = useWork((state) => state.current)
  const waiting = useWaiting()
  const waitingHere = useApprovals((state) => state.open.filter((question) => question.sessionId === current).length)
  const cardPlace = useApprovals((state) => cardOnScreen(state, current)?.place ?? null)
  const world = useCardWorld()
  const models = useModelWorld()
  const isWide = useMedia('(min-width: 1280px)')
  const facts = useAllFacts()
  const whose = useWhose(facts.sessionId, 'pane')
  const past = usePastLinks(facts, models.options.find((one) => one.isHere) ?? null)
  const recovery = useMemo(() => ({ ...recoveryLinks(say), waiting: waitingHere }), [say, waitingHere])
  const isReview = cardPlace === 'review'
  const hasPane = isWide && isSessionsOpen && !isReview
  const hasDrawer = !isWide && !isSessionsOpen
  if (!settings) return null
  return (
    <main className="zones" style={{ minWidth: 0 }}>
      {(hasPane || hasDrawer) && <SessionsPane width={sizes.sessions} isDrawer={hasDrawer} onChosen={() => { if (hasDrawer) toggleSessions() }} openFolder={openFolder} />}
      {hasPane && <Splitter label={say('ui.resize-sessions')} size={sizes.sessions} min={160} max={420} side="left" onResize={(sessions) => resizeZone({ sessions })} />}
      <WorkView
        past={past} recovery={recovery} isNarrowed={isReview} sendWith={settings.sendWith} maxSteps={settings.maxSteps} defaults={{ level: settings.askingLevel }} models={models}
        sessionsButton={isWide ? null : { waiting, onOpen: toggleSessions }} headEnd={<GrantsButton />} onOpenModels={openModels} onReplaceKey={replaceKey} onOpenContext={openContextPage} onOwnCommand={runOwnCommand} onUnsealed={() => void loadProviders()}
        approval={cardPlace === 'docked' ? <Approvals world={world} /> : null}
      />
      {isReview && <Approvals world={world} />}
      {isWide && isTimelineOpen && !isReview && <Splitter label={say('ui.resize-timeline')} size={sizes.timeline} min={220} max={520} side="right" onResize={(timeline) => resizeZone({ timeline })} />}
      <TimelinePane
        facts={facts} width={sizes.timeline} isSpine={isReview || !isWide || !isTimelineOpen} onOpenPage={() => go('timeline')} onOpenNow={openDisk} onCompare={compareMoments} onWish={(wish) => openPlan(wish, say)}
        list={(rows) => <TimelineList rows={rows} selected={null} commands={facts.commands} whose={whose} isSpine={isReview || !isWide || !isTimelineOpen} onOpen={(row) => { openRow(row); go('timeline') }} onCompare={() => go('timeline')} />}
      />
    </main>
  )
}

const noHooks: CardWorld['hooks'] = []

/** What a waiting card may know and ask of the window. */
function useCardWorld(): CardWorld {
  const root = useApp((state) => state.workspace?.root) ?? ''
  const sandbox = useApp((state) => state.start?.sandbox) ?? null
  const sessionId = useWork((state) => state.current)
  const sessions = useWork((state) => state.sessions)
  const hooks = useTrust((state) => state.findings?.hooks) ?? noHooks
  return useMemo(() => ({
    root, sandbox, sessionId, hooks,
    titleOf: (id) => sessions.find((row) => row.id === id)?.title || null,
    onSession: (id) => void selectSession(id),
    onRule: openRuleFor,
    onOpenRule: openRule,
  }), [root, sandbox, sessionId, hooks, sessions])
}

function openContextPage(): void {
  go('context')
}

/** What the conversation's rows may ask of the timeline and the models. */
function usePastLinks(facts: ReturnType<typeof useFacts>, here: ModelOption | null): PastLinks {
  const say = useWords()
  const timeline = useTimeline((state) => state.timeline)
  return useMemo(() => {
    const byCall = new Map(timeline.rows.filter((row) => row.kind === 'after-call' && row.callId !== null).map((row) => [row.callId as CallId, row]))
    const wishFor = (callId: CallId) => undoCallWish(callId, facts.commands.get(callId) ?? byCall.get(callId)?.changed.map((change) => change.path).join(', ') ?? '')
    return {
      onOpenModels: openModels,
      onReplaceKey: replaceKey,
      onOtherModel: () => showPicks(true),
      here: here && { model: here.choice.model, onUse: () => void pickModel(here.choice) },
      onOpenRule: openRule,
      onOpenContext: openContextPage,
      onCompact: () => void runOwnCommand({ kind: 'compact', words: '' }),
      onNewSession: startNewSession,
      onUndoCompaction: (compactionId) => { if (facts.sessionId !== null) void undoFromRow(facts.sessionId, compactionId).then((done) => { if (!done.ok) openContextPage() }) },
      turns: {
        pastOf: pastOf(timeline, facts),
        onReview: (turnId) => { useTurnReview.setState({ turnId }); go('turn') },
        onUndo: (turnId) => { const wish = undoTurnWish(timeline, facts, turnId); if (wish) openPlan(wish, say) },
      },
      linesOf: (callId) => byCall.get(callId)?.lines ?? null,
      canUndo: (callId) => (byCall.get(callId)?.changed.length ?? 0) > 0,
      onUndoCall: (callId) => { const wish = wishFor(callId); if (wish) openPlan(wish, say) },
      onRollBackTurn: (turnId) => {
        const turn = facts.turns.find((one) => one.turnId === turnId)
        const wish = turn && turnWish(turn)
        if (wish) openPlan(wish, say)
      },
    }
  }, [timeline, facts, say, here])
}
