import { MessagesSquare, PanelLeft, Pencil } from 'lucide-react'
import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import { emptyChat, type ChatView } from '../../../shared/domain/chatView'
import type { SessionId } from '../../../shared/domain/ids'
import type { AskingLevel } from '../../../shared/domain/session'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { costsText } from '../../../shared/words/costText'
import { isComposing } from '../../ui/keys'
import { Chip, Empty } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { spanText } from './callWords'
import { Composer } from './Composer'
import { Conversation } from './Conversation'
import type { Attachment, ChosenSkill, MessageFile } from './drafts'
import type { OwnCommand } from './ownCommand'
import type { PastLinks } from './Rows'
import type { ModelWorld } from './ModelPicker'
import { Programs } from './Programs'
import { SendFault } from './SendFault'
import { recoveryOf, useRecovery } from './recoveryStore'
import { SessionNotes } from './SessionNotes'
import { StatusLine } from './StatusLine'
import { Recovered, type RecoveryLinks } from './UnknownCall'
import { useNow } from '../../ui/useNow'
import { addToDraft, renameSession, useWork } from './workStore'

export interface WorkViewProps {
  readonly past: PastLinks
  /** How a call of which nobody knows how it ended can be looked at and taken back. */
  readonly recovery: RecoveryLinks & { readonly waiting: number }
  /** The card that waits for an answer; docks above the message box. */
  readonly approval: ReactNode
  /** A review stands beside: the lane gives way. */
  readonly isNarrowed: boolean
  readonly sendWith: 'enter' | 'mod-enter'
  readonly maxSteps: number
  /** What a new session will begin with. */
  readonly defaults: { readonly level: AskingLevel }
  readonly models: ModelWorld
  readonly sessionsButton: { readonly waiting: number; readonly onOpen: () => void } | null
  /** Stands at the end of the header: what is allowed in advance. */
  readonly headEnd?: ReactNode
  readonly onOpenModels: () => void
  readonly onReplaceKey: () => void
  readonly onOpenContext: () => void
  readonly onOwnCommand: (command: OwnCommand) => Promise<boolean>
  /** Keys that were sealed are there now. */
  readonly onUnsealed: () => void
}

const nobody = emptyChat('' as SessionId)

/** The conversation of the session on screen, with its message box. */
export function WorkView({ past, recovery: links, approval, isNarrowed, sendWith, maxSteps, defaults, sessionsButton, headEnd = null, models, onOpenModels, onReplaceKey, onOpenContext, onOwnCommand, onUnsealed }: WorkViewProps) {
  const current = useWork((state) => state.current)
  const chat = useWork((state) => (current === null ? undefined : state.chats[current])) ?? nobody
  const key = (current ?? 'new') as SessionId
  const text = useWork((state) => state.drafts[key]) ?? ''
  const attachments = useWork((state) => state.attached[key]) ?? nothing
  const files = useWork((state) => state.files[key]) ?? noFiles
  const skills = useWork((state) => state.chosen[key]) ?? noSkills
  const fault = useWork((state) => state.faults[key]) ?? null
  const sendingSinceMs = useWork((state) => state.sending[key]) ?? null
  const recovery = useRecovery(useMemo(() => recoveryOf(current), [current]))
  const isEmpty = chat.items.length === 0 && !chat.live
  return (
    <section className={isNarrowed ? 'main narrowed' : 'main'}>
      <Header key={`head-${key}`} chat={chat} current={current} maxSteps={maxSteps} sessionsButton={sessionsButton} headEnd={headEnd} isBrief={isNarrowed} />
      {isEmpty ? <FirstWords /> : <Conversation key={`chat-${key}`} chat={chat} past={past} />}
      <Programs />
      <StatusLine chat={chat} isCardShown={approval !== null || recovery?.unknown != null} sendingSinceMs={sendingSinceMs} />
      {recovery && <Recovered recovery={recovery} chat={chat} {...links} />}
      {approval && <div className="lane col">{approval}</div>}
      {fault && <SendFault key={`fault-${key}`} fault={fault} onOpenModels={onOpenModels} onReplaceKey={onReplaceKey} onUnsealed={onUnsealed} />}
      <SessionNotes sessionId={key} />
      <Composer
        typed={{ text, attachments, files, skills }} isRunning={chat.turn !== null} isSending={sendingSinceMs !== null} sessionId={key} queued={chat.queued} level={current === null ? defaults.level : chat.level}
        sendWith={sendWith} models={models} fault={fault} onOpenContext={onOpenContext} onOwnCommand={onOwnCommand}
      />
    </section>
  )
}

const noSkills: readonly ChosenSkill[] = []
const noFiles: readonly MessageFile[] = []
const nothing: readonly Attachment[] = []

function Header({ chat, current, maxSteps, sessionsButton, headEnd, isBrief }: { readonly chat: ChatView; readonly current: SessionId | null; readonly maxSteps: number; readonly sessionsButton: WorkViewProps['sessionsButton']; readonly headEnd: ReactNode; readonly isBrief: boolean }) {
  const say = useWords()
  const title = chat.title === '' ? say(current === null ? 'session.new' : 'session.untitled') : chat.title
  const [name, setName] = useState<string | null>(null)
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    if (event.key === 'Escape') setName(null)
    if (event.key !== 'Enter' || name === null || current === null) return
    void renameSession(current, name)
    setName(null)
  }
  return (
    <div className="head">
      {sessionsButton && <Button size="small" look="quiet" icon={PanelLeft} onClick={sessionsButton.onOpen}>{say('session.title')}{sessionsButton.waiting > 0 && <Chip tone="warn">{sessionsButton.waiting}</Chip>}</Button>}
      {name === null
        ? <><h1 className="cut" onDoubleClick={() => { if (current !== null) setName(chat.title) }}><Exact text={title} /></h1>{current !== null && !isBrief && <IconButton icon={Pencil} data-rename label={say('session.rename-it')} keys="F2" onClick={() => setName(chat.title)} />}</>
        : <input className="input" data-esc="own" autoFocus aria-label={say('session.rename')} value={name} onChange={(event) => setName(event.target.value)} onKeyDown={onKey} onBlur={() => setName(null)} />}
      {chat.turns > 0 && !isBrief && <Chip>{say('session.turn', { turn: chat.turns })}</Chip>}
      {chat.turn && !isBrief && <span className="small faint nowrap"><Progress sinceMs={chat.turn.startedAtMs} step={chat.turn.step} maxSteps={maxSteps} /></span>}
      {chat.costs.length > 0 && !isBrief && <span className="small faint nowrap" title={say('session.cost-about')}>{costsText(chat.costs, say.locale)}</span>}
      {headEnd !== null && <span className="end">{headEnd}</span>}
    </div>
  )
}

function Progress({ sinceMs, step, maxSteps }: { readonly sinceMs: number; readonly step: number; readonly maxSteps: number }) {
  const say = useWords()
  return <>{say('session.step', { step, maxSteps })} · {spanText(Math.floor((useNow() - sinceMs) / 1000) * 1000, say)}</>
}

const starters = ['session.starter.explain', 'session.starter.bug', 'session.starter.test'] as const

/** No message yet: one sentence, three starters; the message box itself is the button. */
function FirstWords() {
  const say = useWords()
  const start = (text: string): void => {
    addToDraft(text)
    document.getElementById('message')?.focus()
  }
  return (
    <div className="chat empty" role="log" aria-label={say('session.conversation')} aria-live="off" data-zone="conversation">
      <Empty icon={MessagesSquare} action={<div className="row" style={{ flexWrap: 'wrap', justifyContent: 'center' }}>{starters.map((code) => <Button key={code} size="small" onClick={() => start(say(code))}>{say(code)}</Button>)}</div>}>
        {say('session.first-words')}
      </Empty>
    </div>
  )
}
