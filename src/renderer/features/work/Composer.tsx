import { ArrowUp, AtSign, Square } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type ClipboardEvent, type KeyboardEvent, type RefObject, type SyntheticEvent } from 'react'
import type { SessionId } from '../../../shared/domain/ids'
import type { QueuedMessage } from '../../../shared/domain/messageQueue'
import type { Said } from '../../../shared/domain/result'
import { askingLevels, type AskingLevel } from '../../../shared/domain/session'
import { Button, IconButton } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { hasMod, isComposing } from '../../ui/keys'
import { optionId } from '../../ui/OfferList'
import { useWords } from '../../ui/words'
import { AttachButton } from './AttachButton'
import { Attached } from './Attached'
import { AttachedFiles } from './AttachedFiles'
import { ChosenSkills, SkillOffer } from './ChosenSkills'
import type { Typed } from './drafts'
import { ModelPicker, type ModelWorld } from './ModelPicker'
import { OfferNotes, OfferPanel } from './OfferPanel'
import { chooseOffer, closeOffers, dismissOffers, look, moveOffer, useOffers } from './offerStore'
import { pastedFiles, takeFiles } from './fileStore'
import { useReading } from './readingStore'
import { useDrop } from './useDrop'
import { useLongText } from './useLongText'
import type { OwnCommand } from './ownCommand'
import { Queued } from './Queued'
import { recoveryOf, useRecovery } from './recoveryStore'
import { SentMeter } from './SentMeter'
import { draftKey, draftOf, isNothing, setDraft, setLevel, stopTurn, submit, submitOwn } from './workStore'

interface ComposerProps {
  readonly typed: Typed
  readonly isRunning: boolean
  /** A message is on its way, and its turn has not begun. */
  readonly isSending: boolean
  readonly sessionId: SessionId
  readonly queued: readonly QueuedMessage[]
  readonly level: AskingLevel
  readonly models: ModelWorld
  readonly sendWith: 'enter' | 'mod-enter'
  readonly fault: Said | null
  /** Shows what the model is sent of the conversation. */
  readonly onOpenContext: () => void
  /** Does what was asked of the app itself; false when it was not done. */
  readonly onOwnCommand: (command: OwnCommand) => Promise<boolean>
}

/** Beyond this many characters the box keeps its full height: measuring the text at each key would freeze the window. */
const longDraft = 4000

/** The message box. It keeps its place and its focus whatever the agent does. */
export function Composer({ typed, isRunning, isSending, sessionId, queued, level, models, sendWith, fault, onOpenContext, onOwnCommand }: ComposerProps) {
  const say = useWords()
  const hint = useId()
  const listId = useId()
  const isHeldUp = useRecovery((state) => recoveryOf(sessionId)(state)?.unknown != null)
  const box = useRef<HTMLTextAreaElement>(null)
  const send = (isNow: boolean): void => {
    closeOffers()
    if (!submitOwn(onOwnCommand)) void submit(isNow)
    box.current?.focus()
  }
  const reading = useReading((state) => state.reading[draftKey()]?.length ?? 0)
  const { isOver, ...drop } = useDrop()
  const mention = (): void => {
    const { selectionStart = 0, value = '' } = box.current ?? {}
    const sign = /[^\s]$/.test(value.slice(0, selectionStart)) ? ' @' : '@'
    const caret = selectionStart + sign.length
    useOffers.setState({ caret: { at: caret } })
    setDraft(`${value.slice(0, selectionStart)}${sign}${value.slice(selectionStart)}`)
  }
  return (
    <div className="lane" style={{ paddingBottom: 14 }} data-zone="composer">
      <Queued sessionId={sessionId} queued={queued} isRunning={isRunning || isSending} isHeldUp={isHeldUp} onLeft={() => box.current?.focus()} />
      <div className="overbox"><OfferPanel listId={listId} /></div>
      <div className="composer" {...drop} data-over={isOver}>
        {isOver && <p className="dropword" role="status">{say('attach.drop')}</p>}
        <ChosenSkills skills={typed.skills} fault={fault} />
        <Attached attachments={typed.attachments} fault={fault} />
        <AttachedFiles sessionId={draftKey()} files={typed.files} fault={fault} blindModel={models.isBlind ? models.name : null} />
        <MessageField box={box} listId={listId} text={typed.text} sendWith={sendWith} onSend={send} />
        <OfferNotes />
        <SkillOffer text={typed.text} skills={typed.skills} />
        <div className="tools">
          <AttachButton />
          <IconButton icon={AtSign} label={say('session.attach')} onMouseDown={(event) => event.preventDefault()} onClick={mention} />
          <Menu
            trigger={<button type="button" className="pick" aria-label={say('session.level-is', { level: say(`ui.level.${level}`) })}>{say(`ui.level.${level}`)}</button>}
            items={askingLevels.map((one) => ({ key: one, label: say(`ui.level.${one}`), hint: say(`ui.level-hint.${one}`), onChoose: () => void setLevel(one) }))}
          />
          <ModelPicker models={models} />
          <SentMeter isRunning={isRunning} onOpenContext={onOpenContext} />
          <span className="end row">
            {isRunning && <Button size="small" icon={Square} onClick={stopTurn} aria-keyshortcuts="Escape">{say('session.stop')} <kbd aria-hidden>Esc</kbd></Button>}
            <Button size="small" look="primary" icon={ArrowUp} disabled={isNothing(typed) || reading > 0} aria-describedby={hint} onClick={() => send(false)}>{reading > 0 ? say('attach.sends-after', { count: reading }) : say('session.send')}</Button>
            <span id={hint} hidden>{isRunning ? say('session.send-waits') : say('session.send-now')}</span>
          </span>
        </div>
      </div>
    </div>
  )
}

interface MessageFieldProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly listId: string
  readonly text: string
  readonly sendWith: 'enter' | 'mod-enter'
  /** `isNow`: without waiting for the next step. */
  readonly onSend: (isNow: boolean) => void
}

/** Sets the caret too, which else would stand at the end. */
function putIn(text: string, caret: number): void {
  setDraft(text)
  useOffers.setState({ caret: { at: caret } })
}

/** Enter sends and Mod+Enter sends at once; with the other setting Mod+Enter and Mod+Shift+Enter do. Any other is a new line. */
function sendKey(event: KeyboardEvent, sendWith: MessageFieldProps['sendWith']): 'next' | 'now' | null {
  if (event.key !== 'Enter' || event.altKey) return null
  if (sendWith === 'enter') return event.shiftKey ? null : hasMod(event) ? 'now' : 'next'
  if (!hasMod(event)) return null
  return event.shiftKey ? 'now' : 'next'
}

/** The text itself. `@` and a `/` at its start open a list over it, which takes keys only while it is there. */
function MessageField({ box, listId, text, sendWith, onSend }: MessageFieldProps) {
  const say = useWords()
  const { trigger, offers, at, caret } = useOffers()
  const isOpen = trigger !== null
  const chosen = offers[at]
  useLayoutEffect(() => {
    const field = box.current
    if (!field || !caret) return
    // Whoever works elsewhere by now is left there.
    const isHere = document.activeElement === document.body || field.closest('[data-zone]')?.contains(document.activeElement)
    if (isHere) field.focus()
    field.setSelectionRange(caret.at, caret.at)
    look(field.value, caret.at)
  }, [box, caret])
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    if (isOpen && takesOfferKey(event)) return event.preventDefault()
    const sent = sendKey(event, sendWith)
    if (sent === null) return
    event.preventDefault()
    onSend(sent === 'now')
  }
  const takesOfferKey = (event: KeyboardEvent): boolean => {
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key]
    if (event.key === 'Escape') dismissOffers()
    else if (step !== undefined && offers.length > 0) moveOffer(step)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen && !event.shiftKey && !event.altKey && !hasMod(event)) void chooseOffer(chosen)
    else return false
    return true
  }
  const onLook = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>): void => {
    const { selectionStart, selectionEnd, value } = currentTarget
    // While a stretch is selected nobody asks for a list.
    look(value, selectionStart === selectionEnd ? selectionStart : 0)
  }
  useLongText(box, putIn)
  const onPaste = (event: ClipboardEvent): void => {
    const files = pastedFiles(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    const before = draftOf(draftKey()).files.length
    // A picture of the clipboard has no name of its own.
    void takeFiles(files, ({ name }, place) => (/^image\.\w+$/.test(name) ? say('attach.pasted', { number: before + place + 1 }) : name))
  }
  return (
    <textarea
      ref={box} id="message" aria-label={say('session.message')} placeholder={say('session.message-hint')} rows={1} data-long={text.length > longDraft} value={text} aria-autocomplete="list"
      {...(isOpen ? { 'data-esc': 'own' } : {})} {...(isOpen && offers.length > 0 ? { 'aria-controls': listId } : {})} {...(isOpen && chosen ? { 'aria-activedescendant': optionId(listId, at) } : {})}
      onChange={(event) => { setDraft(event.target.value); onLook(event) }} onSelect={onLook} onBlur={dismissOffers} onKeyDown={onKey} onPaste={onPaste}
    />
  )
}
