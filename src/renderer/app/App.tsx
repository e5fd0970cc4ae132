import { useEffect, useMemo, type ReactNode } from 'react'
import { asId, type RollbackId } from '../../shared/domain/ids'
import type { Said } from '../../shared/domain/result'
import type { Settings } from '../../shared/domain/settings'
import { ApprovalCall } from '../features/approvals/Approvals'
import { activate, chooseProvider, useModels } from '../features/models/modelStore'
import { closePlan, undoAlone } from '../features/rollback/rollbackStore'
import { useServers } from '../features/servers/serverStore'
import { ModelRoles } from '../features/settings/ModelRoles'
import { railBadge } from '../features/servers/stateWords'
import { brokenOf, useSkillList, type SkillPlace } from '../features/skills/skillListStore'
import { openRow } from '../features/timeline/openMoment'
import { rowItems } from '../features/timeline/rowItems'
import { showTrust, useTrust } from '../features/trust/trustStore'
import { TimelineList } from '../features/timeline/TimelineList'
import { useTimeline } from '../features/timeline/timelineStore'
import type { TimelineWorld } from '../features/timeline/timelineWorld'
import { chooseSkill } from '../features/work/offerStore'
import { selectSession, showPlace, useWork } from '../features/work/workStore'
import { copyExactly } from '../ui/exactCopy'
import { Note } from '../ui/parts'
import { TipProvider } from '../ui/Tip'
import { useWords, Words } from '../ui/words'
import { changeSettings, chooseFolder, go, leaveFolder, localeOf, openDropped, openFolder, startPractice, testSandbox, useApp } from './appStore'
import { AuditPage } from './AuditPage'
import { ErrorBoundary } from './ErrorBoundary'
import { FileDialogs, FileLinksOf } from './FileParts'
import { useKeyboard } from './keyboard'
import { MemoryPage } from './MemoryPage'
import { CompactionView, ModelsView, RollbackView, ServersView, SettingsView, SkillsView, TimelinePage, TrustDialog, TurnReview, UsageView, WelcomeView } from './pages'
import { Palette } from './Palette'
import { useAllFacts } from './useAllFacts'
import { PermissionsDrawer, PermissionsPage } from './PermissionsPage'
import { useCallSaid, useFacts, useOtherCalls, useWhose } from './pastFacts'
import { Rail } from './Rail'
import { useUnknownAnswers } from './recoveries'
import { StoppedBar } from './StoppedBar'
import { TitleBar } from './TitleBar'
import { Toasts } from './Toasts'
import { TrustBar } from './TrustBar'
import { turnOf, turnPast, undoTurnWish, useTurnReview } from './turnPast'
import { useMedia } from './useMedia'
import { useTheme } from './useTheme'
import { useWaiting } from './useWaiting'
import { openPlan, openRecordOf } from './wishes'
import { WorkPage } from './WorkPage'

/** The whole window. */
export function App() {
  const start = useApp((state) => state.start)
  const settings = useApp((state) => state.settings)
  const locale = localeOf(start, settings)
  useTheme(settings?.theme ?? 'system', locale)
  useKeyboard()
  useEffect(copyExactly, [])
  return (
    <Words locale={locale}>
      <TipProvider delayDuration={500}>
        <Boundary><Frame /></Boundary>
      </TipProvider>
    </Words>
  )
}

function Boundary({ children }: { readonly children: ReactNode }) {
  return <ErrorBoundary say={useWords()}>{children}</ErrorBoundary>
}

function Frame() {
  const page = useApp((state) => state.page)
  const isPaletteOpen = useApp((state) => state.isPaletteOpen)
  const start = useApp((state) => state.start)
  const fallback = useApp((state) => state.settings?.askingLevel) ?? 'writes'
  const level = useWork((state) => (state.current === null ? undefined : state.chats[state.current])?.level) ?? fallback
  const waiting = useWaiting()
  const servers = useServers((state) => state.page)
  const hasBrokenSkill = useSkillList((state) => state.page !== null && brokenOf(state.page).length > 0)
  const broken = useApp((state) => state.broken)
  if (broken !== null) throw new Error(broken)
  return (
    <FileLinksOf>
    <div className="win">
      <TitleBar />
      <Rail page={page} waiting={waiting} servers={railBadge(servers)} hasBrokenSkill={hasBrokenSkill} />
      {start ? <CurrentPage /> : <main className="page" aria-busy />}
      <StoppedBar />
      <TrustBar level={level} />
      <ApprovalCall />
      <Toasts />
      <FolderTrust />
      <PermissionsDrawer />
      {isPaletteOpen && <Palette />}
      <FileDialogs />
    </div>
    </FileLinksOf>
  )
}

function CurrentPage() {
  const { page, workspace, settings, start } = useApp()
  if (!start || !settings) return null
  if (start.stopped) return <Stopped fault={start.stopped} folder={start.dataFolder.path} />
  switch (page) {
    case 'context': return <main className="zones"><ContextPart /></main>
    case 'turn': return <main className="zones"><ReviewOfTurn /></main>
    case 'audit': return <main className="zones"><AuditPage /></main>
    case 'models': return <main className="zones"><Models settings={settings} /></main>
    case 'memory': return <main className="zones"><MemoryPage /></main>
    case 'servers': return <main className="zones"><Servers /></main>
    case 'skills': return <main className="zones"><Skills /></main>
    case 'permissions': return <main className="zones"><PermissionsPage /></main>
    case 'usage': return <main className="zones"><Usage /></main>
    case 'settings': return <main className="zones"><SettingsView settings={settings} start={start} faults={start.faults} onChange={changeSettings} onTrust={workspace ? showTrust : null} onTestSandbox={() => void testSandbox()} onPermissions={() => go('permissions')} /></main>
    case 'plan': return <main className="zones"><Plan onBack={() => { closePlan(); go('timeline') }} /></main>
    case 'timeline': return <main className="zones"><History /></main>
    case 'work': return workspace ? <WorkPage /> : <main className="zones"><Welcome /></main>
  }
}

/** The question what the opened folder may tell the agent; it comes up by itself when something was never decided. */
function FolderTrust() {
  const workspace = useApp((state) => state.workspace)
  const isOpen = useTrust((state) => state.open !== null)
  return workspace && isOpen && <TrustDialog name={workspace.name} onCloseFolder={() => void leaveFolder()} />
}

/** The host did not start: what happened, where the data lies, what to do. */
function Stopped({ fault, folder }: { readonly fault: Said; readonly folder: string }) {
  const say = useWords()
  return (
    <main className="empty">
      <Note tone="bad" role="alert">{say.fact(fault)}</Note>
      <p className="dim">{say('ui.stopped', { folder })}</p>
    </main>
  )
}

/** The page of models, with the roles as the settings have them. */
function Models({ settings }: { readonly settings: Settings }) {
  const say = useWords()
  const { compaction, retrieval: { rewrite, rerank } } = settings
  const usedFor = useMemo(() => ({ summary: compaction.choice, rewrite, rerank: rerank?.kind === 'model' ? rerank.choice : null }), [compaction, rewrite, rerank])
  const active = useModels((state) => state.rows.find((row) => row.isActive))
  return <ModelsView usedFor={usedFor} roles={<ModelRoles settings={settings} conversation={active?.origin === 'practice' ? say('provider.practice-name') : (active?.model ?? '')} onChange={(change) => void changeSettings(change)} />} />
}

function Usage() {
  const sessionId = useWork((state) => state.current)
  const project = useApp((state) => state.workspace?.name) ?? null
  return <UsageView sessionId={sessionId} project={project} onSession={(id) => { void selectSession(id); go('work') }} />
}

/** The plan, with the calls of other sessions that it takes back. */
function Plan({ onBack }: { readonly onBack: () => void }) {
  return <RollbackView others={useOtherCalls()} onBack={onBack} />
}

/** What the model knows of the conversation on screen. */
function ContextPart() {
  const current = useWork((state) => state.current)
  const title = useWork((state) => state.sessions.find((row) => row.id === current)?.title) ?? ''
  const session = useMemo(() => (current === null ? null : { id: current, title }), [current, title])
  const toTurn = (atMs: number): void => {
    if (current !== null) showPlace(current, { atMs })
    go('work')
  }
  return <CompactionView session={session} onBack={() => go('work')} onTurn={toTurn} />
}

/** Every file that a turn changed. */
function ReviewOfTurn() {
  const say = useWords()
  const facts = useFacts()
  const turnId = useTurnReview((state) => state.turnId)
  const timeline = useTimeline((state) => state.timeline)
  const turn = turnId === null ? null : turnOf(facts, turnId)
  const past = useMemo(() => (turnId === null ? null : turnPast(timeline, facts, turnId)), [timeline, facts, turnId])
  const back = (): void => {
    if (turn) showPlace(turn.sessionId, { atMs: turn.atMs })
    go('work')
  }
  if (turnId === null || turn === null || past === null) return null
  const wish = past.state === 'back' ? null : undoTurnWish(timeline, facts, turnId)
  return <TurnReview number={past.number} title={turn.title} turn={past} onBack={back} onUndo={wish && (() => openPlan(wish, say))} />
}

function History() {
  const say = useWords()
  const facts = useAllFacts()
  const whose = useWhose(facts.sessionId, 'page')
  const selected = useTimeline((state) => state.selected)
  const sayCall = useCallSaid()
  const choiceOf = useUnknownAnswers()
  const world = useMemo<TimelineWorld>(() => ({ facts, sayCall, choiceOf, onWish: (wish) => openPlan(wish, say), onOpenRecord: openRecordOf }), [facts, sayCall, choiceOf, say])
  const undoRollback = (rollbackId: string): void => {
    void undoAlone(asId<RollbackId>(rollbackId))
    go('plan')
  }
  return <TimelinePage world={world} onUndoRollback={undoRollback} list={(rows) => <TimelineList rows={rows} selected={selected} commands={facts.commands} whose={whose} isSpine={false} onOpen={openRow} menu={(row) => rowItems(row, world, say)} />} />
}

/** Whether a secret needs a pass phrase is known from the keys of models: they are kept in the same place. */
function Servers() {
  const hasFolder = useApp((state) => state.workspace !== null)
  const hasKeychain = useModels((state) => state.rows.length === 0 || state.rows.some((row) => row.hasKeychain))
  const isWide = useMedia('(min-width: 1100px)')
  return <ServersView hasKeychain={hasKeychain} hasFolder={hasFolder} isNarrow={!isWide} />
}

/** A skill goes to the box of the session that is open; without a folder there is none. */
function Skills() {
  const hasFolder = useApp((state) => state.workspace !== null)
  const isWide = useMedia('(min-width: 1100px)')
  const use = (place: SkillPlace): void => {
    go('work')
    void chooseSkill(place).then(() => requestAnimationFrame(() => document.getElementById('message')?.focus()))
  }
  return <SkillsView isNarrow={!isWide} onUse={hasFolder ? use : null} onTrust={showTrust} />
}

function Welcome() {
  const say = useWords()
  const { start, fault, isOpening } = useApp()
  const rows = useModels((state) => state.rows)
  const found = rows.find((row) => row.origin === 'found')
  if (!start) return null
  return (
    <WelcomeView
      start={start} fault={fault} isOpening={isOpening} found={found ?? null} hasKey={rows.some((row) => row.key !== null)}
      onPractise={() => void startPractice()} onUseFound={() => { if (found) void activate(found.id).then(chooseFolder) }} onChooseProvider={() => { go('models'); void chooseProvider(say('provider.compatible')) }}
      onChooseFolder={() => void chooseFolder()} onOpenFolder={(root) => void openFolder(root)} onDropFile={(file) => void openDropped(file)}
    />
  )
}
