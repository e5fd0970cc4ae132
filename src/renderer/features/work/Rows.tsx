import { ChevronRight, LoaderCircle, Undo2 } from 'lucide-react'
import { memo, useState, type ReactNode } from 'react'
import type { CallView, ChatItem, LiveReply } from '../../../shared/domain/chatView'
import type { GrowingCall } from '../../../shared/domain/event'
import type { CallId, CompactionId, TurnId } from '../../../shared/domain/ids'
import type { LineCount } from '../../../shared/domain/snapshot'
import { IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { FileText } from '../../ui/FileText'
import { Markdown } from '../../ui/Markdown'
import { AuthorMark } from '../../ui/marks'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { BudgetRow } from './BudgetRow'
import { CallRow, ReadsRow } from './CallRow'
import { spanText, ToolIcon, verbOf } from './callWords'
import { CompactedRow, SummaryFailed, type FailedLinks } from './CompactedRow'
import { currentHit, useFind } from './findStore'
import { partOf } from './findText'
import { MemoriesRow } from './MemoriesRow'
import { MessageAttachments } from './MessageAttachments'
import { MessageActs } from './MessageActs'
import { ModelWays, type ModelLinks } from './ModelWays'
import { unknownCalls, useRecovery } from './recoveryStore'
import { SkillRow } from './SkillRow'
import type { TurnLinks } from './TurnSummary'
import { openLink } from './workStore'

/** What the conversation needs from the timeline, the models and the rules, which are other features. */
export interface PastLinks extends FailedLinks, ModelLinks {
  /** Shows the rule that let a call run. */
  readonly onOpenRule?: (id: string) => void
  readonly linesOf: (callId: CallId) => LineCount | null
  readonly onUndoCall: (callId: CallId) => void
  readonly canUndo: (callId: CallId) => boolean
  readonly onRollBackTurn: (turnId: TurnId) => void
  /** What the end of a turn shows and offers; absent where nothing is known of the past. */
  readonly turns?: TurnLinks
  /** Shows what the model is sent of the conversation, and takes a compaction back. */
  readonly onOpenContext?: () => void
  readonly onUndoCompaction?: (compactionId: CompactionId) => void
}

/** One row of the conversation. */
export const ItemRow = memo(function ItemRow({ item, past }: { readonly item: ChatItem; readonly past: PastLinks }) {
  const say = useWords()
  switch (item.kind) {
    case 'user': return <OwnMessage item={item} past={past} />
    case 'thinking': return <Thought seq={item.seq} text={item.text} label={item.durationMs === null ? say('session.thought') : say('session.thought-for', { span: spanText(item.durationMs, say) })} />
    case 'agent':
      return (
        <article className="msg">
          <AgentName model={item.choice.model} acts={<MessageActs text={item.text} seq={item.seq} />} />
          <div data-find={partOf.row(item.seq)}><Markdown text={item.text} onOpenLink={openLink} /></div>
          {!item.isComplete && <p className="small t-warn">{say('session.broken-off')}</p>}
        </article>
      )
    case 'calls': return <Calls calls={item.calls} past={past} />
    case 'skill': return <SkillRow item={item} />
    case 'memories': return <MemoriesRow memories={item.memories} />
    case 'note': return item.say.code === 'compaction.failed' ? <SummaryFailed fact={item.say} links={past} /> : <div className="pb-3"><Note tone="info">{say.fact(item.say)}</Note></div>
    case 'compacted': return <CompactedRow item={item} onView={past.onOpenContext ?? null} onUndo={past.onUndoCompaction ?? null} />
    case 'budget': return <BudgetRow item={item} />
    case 'ended': return item.say.code === 'compaction.failed-full' ? <SummaryFailed fact={item.say} links={past} /> : <Ended item={item} past={past} />
    case 'rolled-back': return <div className="endline"><Undo2 size={12} aria-hidden />{say(item.isUndone ? 'session.rollback-undone' : `session.rolled-back.${item.scope}`, { files: item.files })}</div>
  }
})

function AgentName({ model, acts }: { readonly model: string; readonly acts?: ReactNode }) {
  const say = useWords()
  return <div className="who"><AuthorMark kind="agent" /><b>{say('ui.author.agent')}</b><Exact text={model} />{acts}</div>
}

function OwnMessage({ item, past }: { readonly item: Extract<ChatItem, { readonly kind: 'user' }>; readonly past: PastLinks }) {
  const say = useWords()
  return (
    <article className="msg me">
      <div className="who">
        <AuthorMark kind="you" /><b>{say('ui.author.you')}</b>{say.time(item.atMs)}
        <MessageActs text={item.text} seq={item.seq} own={item}><IconButton icon={Undo2} label={say('session.roll-back-before')} onClick={() => past.onRollBackTurn(item.turnId)} /></MessageActs>
      </div>
      {item.text !== '' && <div className="body" data-find={partOf.row(item.seq)}><FileText text={item.text} /></div>}
      <MessageAttachments attachments={item.attachments} files={item.files} />
    </article>
  )
}

function Thought({ seq = null, text, label }: { readonly seq?: number | null; readonly text: string; readonly label: string }) {
  const [isOpened, setIsOpen] = useState(false)
  const isFound = useFind((state) => seq !== null && currentHit(state)?.part === partOf.row(seq))
  const isOpen = isOpened || isFound
  return (
    <div style={{ paddingBottom: 12 }}>
      <button type="button" className="think" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <ChevronRight className="i" size={14} aria-hidden style={isOpen ? { transform: 'rotate(90deg)' } : undefined} />{label}
      </button>
      {isOpen && <div className="thought" {...(seq === null ? {} : { 'data-find': partOf.row(seq) })}><FileText text={text} /></div>}
    </div>
  )
}

/** Reads that stand together become one row; whatever asks or changes stands alone. */
function Calls({ calls, past }: { readonly calls: readonly CallView[]; readonly past: PastLinks }) {
  const unknown = useRecovery(unknownCalls)
  const groups: CallView[][] = []
  for (const one of calls) {
    // It does not run any more, and nobody knows how it ended.
    const call: CallView = unknown.includes(one.callId) ? { ...one, progress: 'approved', status: 'unknown' } : one
    const last = groups.at(-1)
    if (isQuiet(call) && last?.[0] && isQuiet(last[0])) last.push(call)
    else groups.push([call])
  }
  return (
    <ul className="calls">
      {groups.map((group) => {
        const [call] = group
        if (!call) return null
        if (group.length > 1) return <ReadsRow key={call.callId} calls={group} onOpenRule={past.onOpenRule ?? null} />
        return <CallRow key={call.callId} call={call} onOpenRule={past.onOpenRule ?? null} lines={past.linesOf(call.callId)} onUndo={past.canUndo(call.callId) ? () => past.onUndoCall(call.callId) : null} />
      })}
    </ul>
  )
}

function isQuiet(call: CallView): boolean {
  return call.effect === 'read' && call.mcp === null && call.content.length === 0 && call.decidedBy !== 'person' && call.decidedBy !== 'policy' && call.progress !== 'waiting' && call.tool !== 'ask_user' && (call.status === null || call.status === 'ok')
}

function Ended({ item, past }: { readonly item: Extract<ChatItem, { readonly kind: 'ended' }>; readonly past: ModelLinks }) {
  const say = useWords()
  if (item.reason === 'cancelled') return <div className="endline">{say.fact(item.say)}</div>
  const isFault = item.reason === 'error' || item.reason === 'incomplete'
  return <div className="pb-4"><Note tone={isFault ? 'bad' : 'warn'} actions={<ModelWays fact={item.say} {...past} />}>{say.fact(item.say)}</Note></div>
}

/** The reply that is being made, and the arguments that grow. */
export function LiveRow({ live, model }: { readonly live: LiveReply; readonly model: string }) {
  const say = useWords()
  return (
    <div>
      {live.thinking !== '' && <Thought text={live.thinking} label={say('session.thinking')} />}
      {live.brokenText !== '' && <div className="broken"><Exact text={live.brokenText} /></div>}
      {live.retrying && <div className="pb-3"><Note tone="warn">{say.fact(live.retrying)}</Note></div>}
      {live.text !== '' && (
        <article className={live.growing.length === 0 ? 'msg growing' : 'msg'}>
          <AgentName model={model} />
          <Markdown text={live.text} isGrowing onOpenLink={openLink} />
        </article>
      )}
      {live.growing.length > 0 && (
        <ul className="calls">
          {live.growing.map((call) => <GrowingRow key={call.index} {...call} />)}
        </ul>
      )}
    </div>
  )
}

function GrowingRow({ name, tail, characters }: GrowingCall) {
  const say = useWords()
  return (
    <li className="call growing">
      <ToolIcon tool={name} />
      <span className="med nowrap">{verbOf(name, say)}</span>
      <span className="mono cut grow" style={{ direction: 'ltr' }}><Exact text={tail.slice(-120)} /></span>
      <span className="small nowrap">{say('session.growing', { characters })}</span>
      <LoaderCircle className="i spin" size={14} aria-hidden />
    </li>
  )
}
