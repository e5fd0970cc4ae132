import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { DiffLine } from '../../ui/diffLines'
import { DiffEditor } from '../../ui/DiffEditor'
import { Exact } from '../../ui/Exact'
import { LineDiff } from '../../ui/LineDiff'
import { useWords } from '../../ui/words'
import type { Readers } from './cardText'
import type { CardWorld } from './cardWorld'
import { CommandParts } from './CommandThing'
import { FormThing } from './FormThing'
import { McpAbout } from './McpThing'
import { MemoryThing } from './MemoryThing'
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
  /** The end of a text that scrolls in itself was seen. */
  readonly readers: Readers
  readonly focusTicket: number
  readonly world: CardWorld
}

/** What is to be signed, in full. */
export function Thing(props: ThingProps) {
  const { preview } = props.request
  const say = useWords()
  switch (preview.kind) {
    case 'command': return <CommandParts request={props.request} preview={preview} root={props.world.root} isEdited={props.edited !== null} onOpenRule={props.world.onOpenRule} />
    case 'trial': return null
    case 'question': return <Question preview={preview} text={props.edited ?? ''} onAnswer={props.onEdit} name={props.request.callId} />
    case 'move': return <><div className="code thing"><Exact text={preview.from} />{'\n→ '}<Exact text={preview.to} /></div><Notes notes={preview.notes} /></>
    case 'binary': return <><p style={{ padding: '10px 14px' }}>{say('approval.binary', { before: preview.beforeBytes ?? 0, after: preview.afterBytes ?? 0 })}</p><Notes notes={preview.notes} /></>
    case 'arguments': return <><div className="code thing" tabIndex={0}><Exact text={preview.text} /></div><Notes notes={preview.notes} /></>
    case 'memory': return <MemoryThing preview={preview} edited={props.edited} onEdit={props.onEdit} onRead={props.readers.arguments} />
    case 'fetch': return <FetchThing preview={preview} onRead={props.readers.arguments} />
    case 'web-search': return <SearchThing preview={preview} onRead={props.readers.arguments} />
    case 'mcp': return <McpAbout preview={preview} onRead={props.readers.change} />
    case 'sampling': return <SamplingThing preview={preview} onRead={props.readers.messages} />
    case 'elicitation': return <FormThing preview={preview} edited={props.edited} onEdit={props.onEdit} onRead={props.readers.messages} />
    case 'open-address': return <AddressThing preview={preview} onRead={props.readers.messages} />
    case 'edit': return <><Notes notes={preview.notes} /><Change {...props} /></>
  }
}

function Change({ request, lines, isWhole, place, onEdit, focusTicket }: ThingProps) {
  const say = useWords()
  const { preview } = request
  if (preview.kind !== 'edit') return null
  if (place === 'docked') {
    if (lines && isWhole) return <LineDiff lines={lines} name={say('approval.change')} />
    return <p className="dim" style={{ padding: '10px 14px' }}>{say('approval.see-review')}</p>
  }
  const sideNames = { before: say('approval.on-disk'), after: say('approval.after') }
  return (
    <>
      <div className="row small dim" style={{ padding: '8px 14px', borderBottom: '1px solid var(--line)' }}>
        {preview.before !== null && <span className="grow">{sideNames.before}</span>}
        <span className="grow">{preview.after === null ? say('approval.gone-after') : say('approval.after-editable')}</span>
      </div>
      <div className="editor" data-esc="find">
        <div><DiffEditor before={preview.before} after={preview.after} path={preview.path} name={say('approval.change')} sideNames={sideNames} focusTicket={focusTicket} {...(preview.after === null ? {} : { onEdit })} /></div>
      </div>
    </>
  )
}

function Notes({ notes }: { readonly notes: readonly Parameters<ReturnType<typeof useWords>['fact']>[0][] }) {
  const say = useWords()
  if (notes.length === 0) return null
  return <ul className="small dim" style={{ padding: '8px 14px 4px' }}>{notes.map((note, at) => <li key={at}>{say.fact(note)}</li>)}</ul>
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
