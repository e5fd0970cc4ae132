import { CircleCheck, CircleHelp, OctagonX } from 'lucide-react'
import type { ApprovalPreview } from '../../../shared/domain/approval'
import type { CommandPart } from '../../../shared/domain/verdict'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { quoteWord, type Reading } from './cardText'
import { HiddenNote } from './HiddenNote'
import { ReadBox } from './ReadBox'

type Command = Extract<ApprovalPreview, { readonly kind: 'command' }>

interface CommandTextProps {
  readonly preview: Command
  readonly root: string
  readonly edited: string | null
  readonly onEdit: (text: string) => void
  /** Its end was seen. */
  readonly onRead: (how: Reading) => void
}

/** The whole command, never cut; a long one scrolls in itself. It stays in view with its hidden characters. */
export function CommandText({ preview, root, edited, onEdit, onRead }: CommandTextProps) {
  const say = useWords()
  const shown = edited ?? preview.command
  return (
    <>
      {edited === null
        ? <ReadBox name={say('approval.command')} className="code" onRead={onRead}><Exact text={preview.command} /></ReadBox>
        : <textarea className="input code" data-esc="own" style={{ border: 0, borderRadius: 0, padding: '9px 14px' }} autoFocus aria-label={say('approval.command')} rows={Math.min(10, shown.split('\n').length + 1)} value={shown} spellCheck={false} onChange={(event) => onEdit(event.target.value)} />}
      <HiddenNote text={shown}>{edited !== null && <> <Exact text={shown} className="mono wrap-any" /></>}</HiddenNote>
      {preview.cwd !== '' && preview.cwd !== '.' && preview.cwd !== root && <p className="small dim" style={{ padding: '6px 14px' }}>{say('approval.in-folder')} <Exact text={preview.cwd} className="mono" /></p>}
    </>
  )
}

const pressing = { deny: 0, ask: 1, allowable: 3 } as const

/** What cannot be undone or needs the person comes first: it must not lie below the fold. Otherwise in the order they run. */
function mostPressing(a: CommandPart, b: CommandPart): number {
  const rank = (part: CommandPart): number => Math.min(pressing[part.verdict], part.canUndo ? 3 : 0)
  return rank(a) - rank(b)
}

/** What was understood of each part of a command. */
export function CommandParts({ preview, isEdited }: { readonly preview: Command; readonly isEdited: boolean }) {
  const say = useWords()
  return (
    <>
      {!isEdited
        ? preview.parts.length === 0 ? <p className="small t-warn" style={{ padding: '8px 14px' }}>{say('approval.not-parsed')}</p> : <ul aria-label={say('approval.parts')}>{[...preview.parts].sort(mostPressing).map((part, at) => <Part key={at} part={part} />)}</ul>
        : <p className="small dim" style={{ padding: '8px 14px' }}>{say('approval.edited-command')}</p>}
    </>
  )
}

const verdictLooks = {
  allowable: { icon: CircleCheck, look: 't-ok', code: 'approval.part.allowable' },
  ask: { icon: CircleHelp, look: 't-warn', code: 'approval.part.ask' },
  deny: { icon: OctagonX, look: 't-bad', code: 'approval.part.deny' },
} as const
const undoLook = { icon: OctagonX, look: 't-bad', code: 'approval.part.no-undo' } as const

function Part({ part }: { readonly part: CommandPart }) {
  const say = useWords()
  const { icon: Icon, look, code } = part.canUndo ? verdictLooks[part.verdict] : undoLook
  const effects = (['reads', 'writes', 'deletes', 'hosts'] as const).filter((name) => part[name].length > 0)
  return (
    <li className="part">
      <Icon className={`i ${look}`} size={14} aria-hidden />
      <div>
        <div className="mono wrap-any"><Exact text={part.argv.map(quoteWord).join(' ')} /></div>
        <div className="small dim">{say.fact(part.reason)}</div>
        {effects.map((name) => <div key={name} className="small dim">{say(`approval.effect.${name}`)} <Exact text={part[name].join(', ')} className="mono wrap-any" /></div>)}
      </div>
      <span className={`tagv ${look}`}>{say(code)}{!part.canUndo && part.verdict === 'ask' && <><br /><span className="t-warn">{say('approval.part.ask')}</span></>}</span>
    </li>
  )
}
