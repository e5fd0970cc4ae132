import { Check, Download, FileText, Globe, OctagonX, FilePen, SquareTerminal, Trash2, type LucideIcon } from 'lucide-react'
import { Fragment } from 'react'
import type { ApprovalPreview, ApprovalRequest } from '../../../shared/domain/approval'
import type { PartAnswer } from '../../../shared/domain/rule'
import type { CommandPart } from '../../../shared/domain/verdict'
import { Exact } from '../../ui/Exact'
import { Seal } from '../../ui/marks'
import { joined, useWords } from '../../ui/words'
import { quoteWord, type Reading } from './cardText'
import { HiddenNote } from './HiddenNote'
import { Marked } from './Marked'
import { Listed } from './Listed'
import { partIcon, scriptOf, type PartIcon } from './partLook'
import { ReadBox } from './ReadBox'

type Command = Extract<ApprovalPreview, { readonly kind: 'command' }>

interface CommandTextProps {
  readonly preview: Pick<Command, 'command' | 'cwd'>
  readonly root: string
  readonly edited: string | null
  /** Runs of words that stand in a text from outside too. */
  readonly shared: readonly string[]
  readonly onEdit: (text: string) => void
  /** Its end was seen. */
  readonly onRead: (how: Reading) => void
}

/** The whole command, never cut; a long one scrolls in itself. It stays in view with its hidden characters. */
export function CommandText({ preview, root, edited, shared, onEdit, onRead }: CommandTextProps) {
  const say = useWords()
  const shown = edited ?? preview.command
  return (
    <>
      {edited === null
        ? <ReadBox name={say('approval.command')} className="code" onRead={onRead}><Marked text={preview.command} shared={shared} /></ReadBox>
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

interface PartsProps {
  readonly request: ApprovalRequest
  readonly preview: Command
  readonly root: string
  readonly isEdited: boolean
  /** Opens the rule that answers a part; null where that cannot be. */
  readonly onOpenRule: ((id: string) => void) | null
}

/** What was understood of each part of a command, and who would answer it. */
export function CommandParts({ request, preview, root, isEdited, onOpenRule }: PartsProps) {
  const say = useWords()
  if (isEdited) return <p className="small dim" style={{ padding: '8px 14px' }}>{say('approval.edited-command')}</p>
  if (preview.parts.length === 0) return <p className="small t-warn" style={{ padding: '8px 14px' }}>{say('approval.not-parsed')}</p>
  const rows = preview.parts.map((part, at) => ({ part, answer: request.partAnswers === undefined ? undefined : (request.partAnswers[at] ?? null) })).sort((a, b) => mostPressing(a.part, b.part))
  return <ul aria-label={say('approval.parts')}>{rows.map(({ part, answer }, at) => <Part key={at} part={part} answer={answer} root={root} onOpenRule={onOpenRule} />)}</ul>
}

const icons: Readonly<Record<PartIcon, { readonly icon: LucideIcon; readonly look: string }>> = {
  lost: { icon: OctagonX, look: 't-bad' }, answered: { icon: Check, look: 't-ok' }, deletes: { icon: Trash2, look: 't-warn' }, downloads: { icon: Download, look: 't-warn' },
  network: { icon: Globe, look: 't-warn' }, writes: { icon: FilePen, look: 't-warn' }, reads: { icon: FileText, look: 'faint' }, runs: { icon: SquareTerminal, look: 't-warn' },
}

/** More characters of a part scroll in themselves: the whole command stands above, and what follows must not lie far below. */
const longPart = 300

interface PartProps {
  readonly part: CommandPart
  /** Undefined in records of before it was told. */
  readonly answer: PartAnswer | null | undefined
  readonly root: string
  readonly onOpenRule: ((id: string) => void) | null
}

function Part({ part, answer, root, onOpenRule }: PartProps) {
  const say = useWords()
  const { icon: Icon, look } = icons[partIcon(part, answer ?? null)]
  const script = scriptOf(part)
  const typed = part.argv.map(quoteWord).join(' ')
  const reason = script === null ? say.fact(part.reason) : say('approval.part.script', part.reason.values)
  return (
    <li className="part">
      <Icon className={`i ${look}`} size={14} aria-hidden />
      <div>
        <div className={typed.length > longPart ? 'mono wrap-any longpart' : 'mono wrap-any'} {...(typed.length > longPart ? { tabIndex: 0 } : {})}><Exact text={typed} />{script !== null && <> → <Exact text={script} /></>}</div>
        <div className="small dim"><Exact text={reason} className="wrap-any" /><Effects part={part} root={root} after={reason} /></div>
      </div>
      <span className="tagv"><PartVerdict part={part} answer={answer} onOpenRule={onOpenRule} /></span>
    </li>
  )
}

/** What it reads, writes, deletes and reaches; nothing of it is cut. */
function Effects({ part, root, after }: { readonly part: CommandPart; readonly root: string; readonly after: string }) {
  const say = useWords()
  const effects = (['reads', 'writes', 'deletes', 'hosts'] as const).filter((name) => part[name].length > 0)
  return effects.map((name) => {
    const shown = name === 'hosts' ? part.hosts.map((host) => (host === '?' ? say('approval.host-unknown') : host)) : part[name]
    const label = say(`approval.effect.${name}`)
    return (
      <Fragment key={name}>
        {joined(after, label)}{' '}
        <Listed of={shown} {...(name === 'hosts' ? {} : { root })} />
        {say('approval.effect.end')}
      </Fragment>
    )
  })
}

function PartVerdict({ part, answer, onOpenRule }: Omit<PartProps, 'root'>) {
  const say = useWords()
  if (part.verdict === 'deny') return <span className="t-bad">{say('approval.part.deny')}</span>
  if (answer === undefined && part.canUndo && part.verdict === 'allowable') return <span className="t-ok">{say('approval.part.allowable')}</span>
  return (
    <>
      {!part.canUndo && <span className="t-bad">{say('approval.part.no-undo')}</span>}
      {!answer ? (part.canUndo || part.verdict === 'ask') && <span className="t-warn">{say('approval.part.ask')}</span> : <AnswerSeal answer={answer} onOpenRule={onOpenRule} />}
    </>
  )
}

/** Who would answer a part, with the seal of a standing answer. */
function AnswerSeal({ answer, onOpenRule }: { readonly answer: PartAnswer; readonly onOpenRule: ((id: string) => void) | null }) {
  const say = useWords()
  if (answer.by === 'readers') return <Seal kind="rule" word={say('approval.part.readers')} />
  if (answer.by === 'grant') return <Seal kind="rule" word={say('approval.part.grant')} />
  const seal = <Seal kind="rule" word={say('approval.part.rule', { rule: answer.id })} />
  return onOpenRule === null ? seal : <button type="button" className="sealbtn" onClick={() => onOpenRule(answer.id)}>{seal}</button>
}
