import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { DiffLine } from '../../ui/diffLines'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import type { Readers } from './cardText'
import type { CardWorld } from './cardWorld'
import { CommandParts } from './CommandThing'
import { BinaryThing, DockedEdit } from './DockedEdit'
import type { EditMarks } from './editChanges'
import { EditReview } from './EditReview'
import { FormThing } from './FormThing'
import { McpAbout } from './McpThing'
import { MemoryThing } from './MemoryThing'
import { Notes } from './Notes'
import { AddressThing, SamplingThing } from './ServerAsks'
import { FetchThing, SearchThing } from './WebThing'

interface ThingProps {
  readonly request: ApprovalRequest
  readonly lines: readonly DiffLine[] | null
  readonly isWhole: boolean
  readonly place: 'docked' | 'review'
  /** The person's text instead of the proposed one. */
  readonly edited: string | null
  readonly onEdit: (text: string) => void
  readonly marks: EditMarks
  readonly onMarks: (marks: EditMarks) => void
  /** The end of a text that scrolls in itself was seen. */
  readonly readers: Readers
  readonly focusTicket: number
  readonly world: CardWorld
}

/** What is to be signed, in full. */
export function Thing(props: ThingProps) {
  const { preview } = props.request
  switch (preview.kind) {
    case 'command': return <CommandParts request={props.request} preview={preview} root={props.world.root} isEdited={props.edited !== null} onOpenRule={props.world.onOpenRule} />
    case 'trial': return null
    case 'question': return <Question preview={preview} text={props.edited ?? ''} onAnswer={props.onEdit} name={props.request.callId} />
    case 'move': return <><div className="code thing"><Exact text={preview.from} />{'\n→ '}<Exact text={preview.to} /></div><Notes notes={preview.notes} /></>
    case 'binary': return <><BinaryThing request={props.request} preview={preview} /><Notes notes={preview.notes} /></>
    case 'arguments': return <><div className="code thing" tabIndex={0}><Exact text={preview.text} /></div><Notes notes={preview.notes} /></>
    case 'memory': return <MemoryThing preview={preview} edited={props.edited} onEdit={props.onEdit} onRead={props.readers.arguments} />
    case 'fetch': return <FetchThing preview={preview} onRead={props.readers.arguments} />
    case 'web-search': return <SearchThing preview={preview} onRead={props.readers.arguments} />
    case 'mcp': return <McpAbout preview={preview} onRead={props.readers.change} />
    case 'sampling': return <SamplingThing preview={preview} onRead={props.readers.messages} />
    case 'elicitation': return <FormThing preview={preview} edited={props.edited} onEdit={props.onEdit} onRead={props.readers.messages} />
    case 'open-address': return <AddressThing preview={preview} onRead={props.readers.messages} />
    case 'edit': return props.place === 'docked' ? <DockedEdit preview={preview} lines={props.isWhole ? props.lines : null} /> : <EditReview preview={preview} marks={props.marks} onMarks={props.onMarks} focusTicket={props.focusTicket} onSummary={() => props.readers.change('seen')} />
  }
}

interface QuestionProps {
  readonly preview: Extract<ApprovalRequest['preview'], { readonly kind: 'question' }>
  readonly text: string
  readonly onAnswer: (text: string) => void
  readonly name: string
}

function Question({ preview, text, onAnswer, name }: QuestionProps) {
  const say = useWords()
  return (
    <div style={{ padding: '10px 14px' }}>
      <p className="wrap-any" style={{ fontSize: 'var(--text-prose)', lineHeight: 'var(--lh-prose)' }}><Exact text={preview.question} /></p>
      {preview.options.length > 0 && (
        <div role="radiogroup" aria-label={say('approval.options')} className="col" style={{ padding: '8px 0' }}>
          {preview.options.map((option) => (
            <label key={option} className="row" style={{ minHeight: 28 }}>
              <input type="radio" name={name} checked={text === option} onChange={() => onAnswer(option)} /><span className="wrap-any"><Exact text={option} /></span>
            </label>
          ))}
        </div>
      )}
      <textarea className="input" aria-label={say('approval.your-answer')} placeholder={say('approval.your-answer-hint')} rows={2} value={text} onChange={(event) => onAnswer(event.target.value)} style={{ marginTop: 6 }} />
    </div>
  )
}
