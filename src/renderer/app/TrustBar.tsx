import { Box, Link, OctagonX, ShieldCheck, Undo2, Unlink, WifiOff } from 'lucide-react'
import type { Cost } from '../../shared/domain/budget'
import type { SandboxFacts } from '../../shared/domain/sandbox'
import type { AskingLevel } from '../../shared/domain/session'
import type { SayCode } from '../../shared/words/codes'
import { useModels } from '../features/models/modelStore'
import { useTimeline } from '../features/timeline/timelineStore'
import { showTrust, useTrust } from '../features/trust/trustStore'
import { unknownCount, useRecovery } from '../features/work/recoveryStore'
import { useWork } from '../features/work/workStore'
import { costsText } from '../../shared/words/costText'
import { joined, useWords } from '../ui/words'
import { go, useApp, type RecordState } from './appStore'
import { stopAll } from './stopAll'

const noCosts: readonly Cost[] = []

/** The three promises as live facts. Each part leads to its page; a fault says its words, never a colour alone. */
export function TrustBar({ level }: { readonly level: AskingLevel }) {
  const say = useWords()
  const sandbox = useApp((state) => state.start?.sandbox)
  const record = useApp((state) => state.record)
  const isAsking = useTrust((state) => state.findings?.isAsking === true)
  return (
    <footer className="trust" aria-label={say('ui.guards')}>
      <button type="button" onClick={() => go('permissions')}><ShieldCheck className="i t-ok" size={14} aria-hidden /><span><b>{say('ui.trust.asks')}</b>{joined(say('ui.trust.asks'), say(`ui.trust.asks.${level}`))}</span></button>
      <span className="bar" />
      <SandboxPart facts={sandbox ?? null} />
      <span className="bar" />
      <UndoPart />
      <span className="bar" />
      <RecordPart record={record} />
      {isAsking ? <button type="button" className="end" onClick={showTrust}><b className="t-warn">{say('trust.not-yet')}</b></button> : <SpentPart />}
      <button type="button" className="stopall" title={say('run.stop-all-about')} onClick={() => void stopAll()}><OctagonX className="i t-bad" size={14} aria-hidden /><b>{say('run.stop-all')}</b></button>
    </footer>
  )
}

/** What the session on screen has used; leads to the page of usage. */
function SpentPart() {
  const say = useWords()
  const tokens = useWork((state) => (state.current === null ? undefined : state.chats[state.current])?.tokens)
  const costs = useWork((state) => (state.current === null ? undefined : state.chats[state.current])?.costs) ?? noCosts
  const total = (tokens?.input ?? 0) + (tokens?.output ?? 0)
  if (useIsOffline()) return <button type="button" className="end offline" title={say('ui.trust.offline')} onClick={() => go('models')}><WifiOff className="i t-warn" size={14} aria-hidden /><b className="t-warn cut">{say('ui.trust.offline')}</b></button>
  if (total === 0) return <span className="end" />
  return <button type="button" className="end spent" onClick={() => go('usage')}>{costs.length > 0 ? say('ui.trust.cost', { cost: costsText(costs, say.locale), tokens: total }) : say('ui.trust.tokens', { tokens: total })}</button>
}

/** Whether the provider that would answer the session on screen was out of reach the last time. */
function useIsOffline(): boolean {
  const picked = useWork((state) => (state.current === null ? undefined : state.chats[state.current])?.chosen?.provider)
  return useModels((state) => state.faults[picked ?? state.rows.find((row) => row.isActive)?.id ?? '']?.kind === 'offline')
}

/** What holds commands here, as the last self-test found it. */
function SandboxPart({ facts }: { readonly facts: SandboxFacts | null }) {
  const say = useWords()
  if (facts === null || facts.kind === 'testing') return <button type="button" onClick={() => go('settings')}><Box className="i faint" size={14} aria-hidden /><span><b>{say('ui.trust.sandbox')}</b>{joined(say('ui.trust.sandbox'), say('ui.trust.sandbox-testing'))}</span></button>
  if (facts.kind === 'on') return <button type="button" onClick={() => go('settings')}><Box className="i t-ok" size={14} aria-hidden /><span><b>{say('ui.trust.sandbox-on')}</b>{say('ui.trust.sandbox-on-about')}</span></button>
  return <button type="button" title={say.fact(facts.reason)} onClick={() => go('settings')}><Box className="i t-warn" size={14} aria-hidden /><span><b className="t-warn">{say('ui.trust.sandbox-none')}</b>{joined(say('ui.trust.sandbox-none'), say('ui.trust.sandbox-none-about'))}</span></button>
}

function UndoPart() {
  const say = useWords()
  const hasFolder = useApp((state) => state.workspace !== null)
  const { timeline, progress } = useTimeline()
  const skipped = timeline.rows.at(-1)?.unheld ?? 0
  const fault = progress?.fault ?? null
  const isBad = fault !== null || skipped > 0
  const about = !hasFolder ? say('ui.trust.undo-later') : fault !== null ? say(stoppedBy[fault.code] ?? 'ui.trust.undo-stopped') : skipped > 0 ? say('ui.trust.undo-skipped', { count: skipped }) : say('ui.trust.undo-points', { count: timeline.rows.length })
  return <button type="button" title={fault === null ? undefined : say.fact(fault)} onClick={() => go('timeline')}><Undo2 className={isBad ? 'i t-warn' : 'i t-ok'} size={14} aria-hidden /><span><b className={isBad ? 't-warn' : ''}>{say('ui.trust.undo')}</b>{joined(say('ui.trust.undo'), about)}</span></button>
}

/** Why the last snapshot could not be taken, in a few words; all others are said by the timeline. */
const stoppedBy: Readonly<Record<string, SayCode>> = {
  'snapshot.disk-full': 'ui.trust.undo-full',
  'snapshot.not-permitted': 'ui.trust.undo-denied',
  'snapshot.root-gone': 'ui.trust.undo-gone',
  'snapshot.stopped': 'ui.trust.undo-worker',
  'snapshot.cancelled': 'ui.trust.undo-next',
}

function RecordPart({ record }: { readonly record: RecordState | null }) {
  const say = useWords()
  const unknown = useRecovery(unknownCount)
  if (record === null) return <button type="button" onClick={() => go('audit')}><Link className="i faint" size={14} aria-hidden /><span><b>{say('ui.trust.record')}</b>{joined(say('ui.trust.record'), say('ui.trust.record-unread'))}</span></button>
  const isBroken = record.firstBroken !== null
  const Icon = isBroken ? Unlink : Link
  const about = isBroken ? say('ui.trust.record-broken', { entry: record.firstBroken ?? 0 }) : `${say(record.isChecked ? 'ui.trust.record-intact' : 'ui.trust.record-kept', { entries: record.entries })}${unknown > 0 ? say('ui.trust.record-unknown', { count: unknown }) : ''}`
  return <button type="button" title={say('ui.open-record')} onClick={() => go('audit')}><Icon className={isBroken ? 'i t-bad' : 'i t-ok'} size={14} aria-hidden /><span><b className={isBroken ? 't-bad' : ''}>{say('ui.trust.record')}</b>{joined(say('ui.trust.record'), about)}</span></button>
}
