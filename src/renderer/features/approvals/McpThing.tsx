import { useState } from 'react'
import type { ApprovalPreview } from '../../../shared/domain/approval'
import type { McpChange } from '../../../shared/domain/mcp'
import { Button } from '../../ui/Button'
import { diffLines } from '../../ui/diffLines'
import { Exact } from '../../ui/Exact'
import { LineDiff } from '../../ui/LineDiff'
import { Note } from '../../ui/parts'
import { joined, useWords } from '../../ui/words'
import { readArguments } from './answerOf'
import type { Reading } from './cardText'
import { HiddenNote } from './HiddenNote'
import { isAtEnd, ReadBox } from './ReadBox'

type Preview = Extract<ApprovalPreview, { readonly kind: 'mcp' }>

/** What a tool of a server is: what is no longer as it was accepted, and the server's own words. */
export function McpAbout({ preview, onRead }: { readonly preview: Preview; readonly onRead: (how: Reading) => void }) {
  return (
    <>
      {preview.change && <Change change={preview.change} onRead={onRead} />}
      <Description key={preview.description} text={preview.description} />
      <HiddenNote text={preview.description} />
    </>
  )
}

interface McpArgumentsProps {
  readonly preview: Preview
  readonly edited: string | null
  readonly onEdit: (text: string) => void
  readonly onRead: (how: Reading) => void
  /** Above zero once the person chose to edit: a card that only comes back takes no focus. */
  readonly focusTicket: number
}

/** What goes to the server, whole, and what is to be known of it. However long the server's words are, it stays in view. */
export function McpArguments({ preview, edited, onEdit, onRead, focusTicket }: McpArgumentsProps) {
  const say = useWords()
  return (
    <>
      <p className="lbl">{say('approval.arguments')}</p>
      {edited === null
        ? <ReadBox name={say('approval.arguments')} className="code given" onRead={onRead}>{preview.text.trim() === '{}' ? <span className="faint">{say('approval.no-arguments')}</span> : <Exact text={preview.text} />}</ReadBox>
        : <ArgumentsField text={edited} hasFocus={focusTicket > 0} onEdit={onEdit} onRead={() => onRead('scrolled')} />}
      <HiddenNote text={edited ?? preview.text}>{edited !== null && <> <Exact text={edited} className="mono wrap-any" /></>}</HiddenNote>
      {preview.notes.length > 0 && <div className="mcpnotes">{preview.notes.map((note, at) => <Note key={at} tone="warn"><Exact text={say.fact(note)} className="wrap-any" /></Note>)}</div>}
    </>
  )
}

function Change({ change, onRead }: { readonly change: McpChange; readonly onRead: (how: Reading) => void }) {
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
        className="input code given" data-esc="own" autoFocus={hasFocus} aria-label={say('approval.arguments')} aria-invalid={!result.ok}
        rows={Math.min(14, text.split('\n').length + 1)} value={text} spellCheck={false} onChange={(event) => onEdit(event.target.value)} onScroll={(event) => { if (isAtEnd(event)) onRead() }}
      />
      {!result.ok && <p className="small t-bad" role="status" style={{ padding: '4px 14px' }}>{say.fact(result.fault)}</p>}
    </>
  )
}
