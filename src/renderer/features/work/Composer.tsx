import { ArrowUp, Clock, Square, X } from 'lucide-react'
import { useId, useRef, type KeyboardEvent, type ClipboardEvent } from 'react'
import type { Said } from '../../../shared/domain/result'
import { askingLevels, type AskingLevel } from '../../../shared/domain/session'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Menu } from '../../ui/Menu'
import { Note } from '../../ui/parts'
import { hasMod, isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { deliverQueued, editQueued, removeQueued, setDraft, setLevel, stopTurn, submit } from './workStore'

interface ComposerProps {
  readonly draft: string
  readonly isRunning: boolean
  readonly queued: readonly string[]
  readonly level: AskingLevel
  readonly model: string
  readonly sendWith: 'enter' | 'mod-enter'
  readonly fault: Said | null
  readonly onOpenModels: () => void
}

/** Beyond this many characters the box keeps its full height: measuring the text at each key would freeze the window. */
const longDraft = 4000
const longPaste = 20_000

/** The message box. It keeps its place and its focus whatever the agent does. */
export function Composer({ draft, isRunning, queued, level, model, sendWith, fault, onOpenModels }: ComposerProps) {
  const say = useWords()
  const hint = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || isComposing(event) || event.shiftKey || event.altKey) return
    if ((sendWith === 'enter') === hasMod(event)) return
    event.preventDefault()
    void submit()
  }
  // The browser takes a long paste line by line, for minutes; put in at once it costs one layout. Its own undo is the price.
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const text = event.clipboardData.getData('text/plain')
    if (text.length < longPaste) return
    event.preventDefault()
    const { selectionStart, selectionEnd, value } = event.currentTarget
    setDraft(`${value.slice(0, selectionStart)}${text}${value.slice(selectionEnd)}`)
  }
  const send = (): void => {
    void submit()
    box.current?.focus()
  }
  return (
    <div className="lane" style={{ paddingBottom: 14 }} data-zone="composer">
      {fault && <div className="pb-2"><Note tone="bad" role="alert">{say.fact(fault)}</Note></div>}
      {queued.map((text, at) => (
        <div className="queued" key={at}>
          <Clock size={14} className="i" aria-hidden />
          <span className="grow cut">{say(isRunning ? 'session.queued' : 'session.held')} <Exact text={text} /></span>
          <Button size="small" look="quiet" onClick={() => { editQueued(at); box.current?.focus() }}>{say('session.edit')}</Button>
          {!isRunning && <Button size="small" look="quiet" onClick={() => void deliverQueued(at)}>{say('session.deliver')}</Button>}
          <IconButton icon={X} label={say('session.remove-queued')} onClick={() => removeQueued(at)} />
        </div>
      ))}
      <div className="composer">
        <textarea ref={box} id="message" aria-label={say('session.message')} placeholder={say('session.message-hint')} rows={1} data-long={draft.length > longDraft} value={draft} onChange={(event) => setDraft(event.target.value)} onPaste={onPaste} onKeyDown={onKey} />
        <div className="tools">
          <Menu
            trigger={<button type="button" className="pick" aria-label={say('session.level-is', { level: say(`ui.level.${level}`) })}>{say(`ui.level.${level}`)}</button>}
            items={askingLevels.map((one) => ({ key: one, label: say(`ui.level.${one}`), hint: say(`ui.level-hint.${one}`), onChoose: () => void setLevel(one) }))}
          />
          <button type="button" className="pick" onClick={onOpenModels}>{model === '' ? say('session.no-model') : <Exact text={model} />}</button>
          <span className="end row">
            {isRunning && <Button size="small" icon={Square} onClick={stopTurn} aria-keyshortcuts="Escape">{say('session.stop')} <kbd aria-hidden>Esc</kbd></Button>}
            <Button size="small" look="primary" icon={ArrowUp} disabled={draft.trim() === ''} aria-describedby={hint} onClick={send}>{say('session.send')}</Button>
            <span id={hint} hidden>{isRunning ? say('session.send-waits') : say('session.send-now')}</span>
          </span>
        </div>
      </div>
    </div>
  )
}
