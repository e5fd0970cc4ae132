import { Clock, X } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import type { SessionId } from '../../../shared/domain/ids'
import type { QueuedMessage } from '../../../shared/domain/messageQueue'
import type { Result } from '../../../shared/domain/result'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { deliverQueued, rewriteQueued, withdrawQueued } from './queueActs'
import { addToDraft, isNothing, putBackWhereEmpty, tellFault } from './workStore'

export interface QueuedProps {
  readonly sessionId: SessionId
  readonly queued: readonly QueuedMessage[]
  readonly isRunning: boolean
  /** A call of which nobody knows how it ended waits for the person: the turn goes on with nothing before that. */
  readonly isHeldUp: boolean
  /** Back to the message box. */
  readonly onLeft: () => void
}

/** Messages that wait for the next step of the running turn, or for the person. They are in the record: a reload loses none. */
export function Queued({ queued, ...rest }: QueuedProps) {
  return queued.map((message) => <QueuedRow key={message.messageId} message={message} {...rest} />)
}

function QueuedRow({ sessionId, message, isRunning, isHeldUp, onLeft }: Omit<QueuedProps, 'queued'> & { readonly message: QueuedMessage }) {
  const say = useWords()
  const why = useId()
  const [text, setText] = useState<string | null>(null)
  const { messageId, attachments = [], files = [], skills = [] } = message
  const act = (done: Promise<Result<unknown>>): void => void done.then((result) => { if (!result.ok) tellFault(sessionId, result.fault) })
  const withdraw = async (): Promise<Result<unknown>> => {
    const done = await withdrawQueued(sessionId, messageId)
    if (done.ok) putBackWhereEmpty(sessionId, message)
    return done
  }
  const leave = (): void => {
    setText(null)
    onLeft()
  }
  const keep = async (): Promise<void> => {
    const words = text?.trim() ?? ''
    if (isNothing({ ...message, text: words })) return
    leave()
    const done = await rewriteQueued(sessionId, messageId, words)
    if (done.ok) return
    // It was delivered meanwhile as it was: what was typed since is not lost.
    addToDraft(words)
    tellFault(sessionId, done.fault)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    if (event.key === 'Escape') leave()
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    event.preventDefault()
    void keep()
  }
  return (
    <div className="queued">
      <Clock size={14} className="i" aria-hidden />
      {text === null
        ? <span className="grow cut">{say(isRunning ? 'session.queued' : 'session.held')} <Exact text={message.text} /></span>
        : <textarea className="input grow" data-esc="own" autoFocus rows={Math.min(6, text.split('\n').length)} aria-label={say('session.queued-edit')} value={text} onChange={(event) => setText(event.target.value)} onKeyDown={onKey} />}
      {skills.length > 0 && <span className="faint nowrap">{say('skill.with', { count: skills.length })}</span>}
      {attachments.length + files.length > 0 && <span className="faint nowrap">{say('session.with-attachments', { count: attachments.length + files.length })}</span>}
      {text === null
        ? <>
            <Button size="small" look="quiet" onClick={() => setText(message.text)}>{say('session.edit')}</Button>
            {isHeldUp && <span id={why} className="faint nowrap">{say('session.deliver-held-up')}</span>}
            <Button size="small" look="quiet" disabled={isHeldUp} aria-describedby={isHeldUp ? why : undefined} onClick={() => act(deliverQueued(sessionId, messageId))}>{say(isRunning && !isHeldUp ? 'session.deliver-stop' : 'session.deliver')}</Button>
            <IconButton icon={X} label={say('session.remove-queued')} onClick={() => { act(withdraw()); onLeft() }} />
          </>
        : <>
            <Button size="small" look="quiet" disabled={isNothing({ text, attachments, files })} onClick={() => void keep()}>{say('session.queued-keep')}</Button>
            <IconButton icon={X} label={say('session.queued-leave')} onClick={leave} />
          </>}
    </div>
  )
}
