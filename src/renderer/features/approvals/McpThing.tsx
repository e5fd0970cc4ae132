import { useState } from 'react'
import type { ApprovalPreview } from '../../../shared/domain/approval'
import type { McpChange } from '../../../shared/domain/mcp'
import type { Said } from '../../../shared/domain/result'
import { Button } from '../../ui/Button'
import { diffLines } from '../../ui/diffLines'
import { Exact } from '../../ui/Exact'
import { LineDiff } from '../../ui/LineDiff'
import { Note } from '../../ui/parts'
import { joined, useWords } from '../../ui/words'
import { readArguments } from './answerOf'
import type { ReadPart } from './cardText'
import { HiddenNote } from './HiddenNote'
import { isAtEnd, ReadBox } from './ReadBox'

interface McpThingProps {
  readonly preview: Extract<ApprovalPreview, { readonly kind: 'mcp' }>
  readonly edited: string | null
  readonly onEdit: (text: string) => void
  readonly onRead: (part: ReadPart) => void
  /** Above zero once the person chose to edit: a card that only comes back takes no focus. */
  readonly focusTicket: number
}

/** A call of a server's tool: what is no longer as accepted, the server's words, the arguments whole, what is to be known of them. */
export function McpThing({ preview, edited, onEdit, onRead, focusTicket }: McpThingProps) {
  const say = useWords()
  return (
    <>
      {preview.change && <Change change={preview.change} onRead={() => onRead('change')} />}
      <Description key={preview.description} text={preview.description} />
      <p className="lbl">{say('approval.arguments')}</p>
      {edited === null
        ? <ReadBox name={say('approval.arguments')} className="code" onRead={() => onRead('arguments')}>{preview.text.trim() === '{}' ? <span className="faint">{say('approval.no-arguments')}</span> : <Exact text={preview.text} />}</ReadBox>
        : <ArgumentsField text={edited} hasFocus={focusTicket > 0} onEdit={onEdit} onRead={() => onRead('arguments')} />}
      <HiddenNote text={preview.description + (edited ?? preview.text)}>{edited !== null && <> <Exact text={edited} className="mono wrap-any" /></>}</HiddenNote>
    </>
  )
}

/** What is to be known of the arguments before they leave; it stays in view beside the answers. */
export function McpNotes({ notes }: { readonly notes: readonly Said[] }) {
  const say = useWords()
  if (notes.length === 0) return null
  return <div className="mcpnotes">{notes.map((note, at) => <Note key={at} tone="warn"><Exact text={say.fact(note)} className="wrap-any" /></Note>)}</div>
}

function Change({ change, onRead }: { readonly change: McpChange; readonly onRead: () => void }) {
  const say = useWords()
  const lines = diffLines(change.before, change.after)
  const date = new Intl.DateTimeFormat(say.locale, { dateStyle: 'medium' }).format(change.acceptedAtMs)
  const differs = say(`approval.change.${change.subject}`, { date })
  return (
    <>
      <div className="col gap-2" style={{ padding: '10px 14px' }}>
        <Note tone="warn"><b>{differs}</b>{joined(differs, say('approval.change.accepts'))}</Note>
        {change.warnings.map((warning, at) => <Note key={at} tone="bad"><Exact text={say.fact(warning)} className="wrap-any" /></Note>)}
      </div>
      <ReadBox name={say('approval.change.name')} className="code flush" onRead={onRead}>
        {lines ? <LineDiff lines={lines} name={say('approval.change')} hasWords /> : <Exact text={change.after} />}
      </ReadBox>
    </>
  )
}

const foldedLines = 6
const foldedCharacters = 540

/** What a server says of its tool; its words, not ours. */
function Description({ text }: { readonly text: string }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  if (text.trim() === '') return <p className="lbl">{say('approval.mcp-no-words')}</p>
  const isLong = text.length > foldedCharacters || text.split('\n').length > foldedLines
  return (
    <>
      <p className="lbl">{say('approval.mcp-says')}</p>
      <div style={{ padding: '0 14px 8px' }}>
        <div className={isLong && !isOpen ? 'wrap-any folded' : 'wrap-any'}><Exact text={text} /></div>
        {isLong && <Button size="small" look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>{say(isOpen ? 'approval.fold' : 'approval.unfold')}</Button>}
      </div>
    </>
  )
}

function ArgumentsField({ text, hasFocus, onEdit, onRead }: { readonly text: string; readonly hasFocus: boolean; readonly onEdit: (text: string) => void; readonly onRead: () => void }) {
  const say = useWords()
  const result = readArguments(text)
  return (
    <>
      <textarea
        className="input code" data-esc="own" style={{ border: 0, borderRadius: 0, padding: '9px 14px', whiteSpace: 'pre-wrap' }} autoFocus={hasFocus} aria-label={say('approval.arguments')} aria-invalid={!result.ok}
        rows={Math.min(14, text.split('\n').length + 1)} value={text} spellCheck={false} onChange={(event) => onEdit(event.target.value)} onScroll={(event) => { if (isAtEnd(event)) onRead() }}
      />
      {!result.ok && <p className="small t-bad" role="status" style={{ padding: '4px 14px' }}>{say.fact(result.fault)}</p>}
    </>
  )
}
