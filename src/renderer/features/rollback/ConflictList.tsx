import { Check, TriangleAlert } from 'lucide-react'
import { differenceOf, flatOf } from '../../../shared/domain/changedText'
import type { ConflictPart } from '../../../shared/domain/rollback'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Chip } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { conflictsIn, resultOf, settledAs, shownText, take, typedInto, type MergeDraft, type Take } from './mergeDraft'

const settledWords = { earlier: 'timeline.plan.is-earlier', disk: 'timeline.plan.is-disk', both: 'timeline.plan.is-both', own: 'timeline.plan.is-own' } as const
const sides = ['earlier', 'disk', 'both'] as const
const takeWords = { earlier: 'timeline.plan.take-earlier', disk: 'timeline.plan.take-mine', both: 'timeline.plan.take-both' } as const

interface ConflictListProps {
  readonly draft: MergeDraft
  /** The one that is looked at. */
  readonly at: number | null
  readonly canType: boolean
  readonly onAt: (part: number) => void
  readonly onDraft: (draft: MergeDraft) => void
}

/** The conflicts one under the other: what the editor cannot hold, and what stands there until it is loaded. */
export function ConflictList({ draft, at, canType, onAt, onDraft }: ConflictListProps) {
  const say = useWords()
  const conflicts = conflictsIn(draft)
  const type = (part: number, value: string): void => {
    const from = draft.parts.slice(0, part).reduce((sum, one, index) => sum + flatOf(shownText(one, draft.texts[index] ?? null)).length, 0)
    const now = draft.parts[part]
    const edit = differenceOf(now ? flatOf(shownText(now, draft.texts[part] ?? null)) : '', value)
    const shown = flatOf(resultOf(draft))
    onDraft(typedInto(draft, [{ ...edit, from: edit.from + from }], shown.slice(0, from + edit.from) + edit.text + shown.slice(from + edit.from + edit.length)))
  }
  return (
    <div className="chlist" role="group" aria-label={say('timeline.plan.result')} tabIndex={0}>
      {!canType && <p className="chnote small dim">{say('timeline.plan.no-typing')}</p>}
      {conflicts.map((part, index) => {
        const conflict = draft.parts[part]
        return conflict?.kind === 'conflict' && <One key={part} conflict={conflict} own={draft.texts[part] ?? null} name={say('timeline.plan.conflict-at', { at: index + 1, count: conflicts.length })} isHere={at === part} canType={canType} onAt={() => onAt(part)} onTake={(side) => onDraft(take(draft, [part], side))} onType={(value) => type(part, value)} />
      })}
    </div>
  )
}

interface OneProps {
  readonly conflict: Extract<ConflictPart, { readonly kind: 'conflict' }>
  readonly own: string | null
  readonly name: string
  readonly isHere: boolean
  readonly canType: boolean
  readonly onAt: () => void
  readonly onTake: (side: Take) => void
  readonly onType: (value: string) => void
}

function One({ conflict, own, name, isHere, canType, onAt, onTake, onType }: OneProps) {
  const say = useWords()
  const settled = settledAs(conflict, own)
  return (
    <div role="group" aria-label={name} aria-current={isHere} onFocus={onAt}>
      <div className="chbar">
        <span className="med small nowrap grow" aria-hidden>{name}</span>
        {sides.map((side) => <Button key={side} size="small" look="quiet" onClick={() => onTake(side)}>{say(takeWords[side])}</Button>)}
        {settled === 'open' ? <Chip tone="warn"><TriangleAlert className="i" size={14} aria-hidden />{say('timeline.plan.choose')}</Chip> : <Chip tone="ok"><Check className="i" size={14} aria-hidden />{say(settledWords[settled])}</Chip>}
      </div>
      <div className="panes3">
        <Side title={say('timeline.plan.earlier')} text={conflict.earlier} />
        <div><div className="ph"><b className="med">{say('timeline.plan.result')}</b></div>{canType
          ? <textarea className="code" aria-label={say('timeline.plan.result')} spellCheck={false} value={flatOf(shownText(conflict, own))} onChange={(event) => onType(event.target.value)} />
          : <div className="code"><Exact text={shownText(conflict, own)} /></div>}</div>
        <Side title={say('timeline.plan.disk')} text={conflict.disk} />
      </div>
    </div>
  )
}

function Side({ title, text }: { readonly title: string; readonly text: string }) {
  const say = useWords()
  return <div><div className="ph"><b className="med">{title}</b></div>{text === '' ? <p className="plannote small dim">{say('timeline.plan.no-lines')}</p> : <div className="code"><Exact text={text} /></div>}</div>
}
