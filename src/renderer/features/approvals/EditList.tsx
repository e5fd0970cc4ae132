import { useEffect, useRef, useState } from 'react'
import { changedLines, linesBefore, longLine, type TextForm, type TextPart } from '../../../shared/domain/changedText'
import { Button } from '../../ui/Button'
import { ChangeLines, drawnCharacters } from '../../ui/ChangeLines'
import { whenSeen } from '../../ui/whenSeen'
import { joined, useWords, type Speaker } from '../../ui/words'
import { EditBar } from './EditBar'
import { changesIn, keepPart, type EditMarks } from './editChanges'
import { shownTexts } from './editWords'

/** So many changes stand there at once. */
const pageSize = 100
/** A longer change is opened by the person. */
const openCharacters = 20_000

interface EditListProps {
  readonly parts: readonly TextPart[]
  readonly marks: EditMarks
  readonly form: TextForm
  /** Only shown: a deletion, or nothing to decide about apart. */
  readonly isFixed: boolean
  readonly name: string
  readonly onMarks: (marks: EditMarks) => void
  /** The summary was in view. */
  readonly onSummary: () => void
}

/** A change as a list of its changes: what the editor cannot hold, and what stands there until it is loaded. */
export function EditList({ parts, marks, form, isFixed, name, onMarks, onSummary }: EditListProps) {
  const say = useWords()
  const changes = changesIn(parts, marks)
  const [shown, setShown] = useState(pageSize)
  const lines = linesBefore(parts)
  const all = (isKept: boolean): void => onMarks(changes.reduce((now, change) => keepPart(now, change.at, isKept), marks))
  return (
    <div className="chlist" role="group" aria-label={name} tabIndex={0}>
      {form === 'large' && <Summary parts={parts} count={changes.length} onSeen={onSummary} onAll={isFixed ? null : all} />}
      {form === 'long-lines' && <p className="chnote small dim">{say('approval.review.long-lines', { limit: longLine })}{!isFixed && noTyping(say)}</p>}
      {form === 'lone-ends' && <p className="chnote small dim">{say('approval.review.lone-ends')}{!isFixed && noTyping(say)}</p>}
      {changes.slice(0, shown).map((change, number) => {
        const part = parts[change.at]
        return part && <Change key={change.at} part={part} mark={marks[change.at]} state={change.state} number={number} count={changes.length} line={lines[change.at] ?? 0} isFixed={isFixed} startsOpen={form !== 'large'} onKeep={(isKept) => onMarks(keepPart(marks, change.at, isKept))} />
      })}
      {changes.length > shown && <p className="chnote"><Button size="small" onClick={() => setShown(shown + pageSize)}>{say('approval.review.more', { count: Math.min(pageSize, changes.length - shown) })}</Button></p>}
    </div>
  )
}

/** A sentence behind another one. */
function noTyping(say: Speaker): string {
  const sentence = say('approval.review.no-typing')
  return joined(sentence, sentence)
}

/** How much it is, before any of it. Signing waits until this was seen. */
function Summary({ parts, count, onSeen, onAll }: { readonly parts: readonly TextPart[]; readonly count: number; readonly onSeen: () => void; readonly onAll: ((isKept: boolean) => void) | null }) {
  const say = useWords()
  const place = useRef<HTMLDivElement>(null)
  const tell = useRef(onSeen)
  useEffect(() => { tell.current = onSeen })
  useEffect(() => (place.current ? whenSeen(place.current, () => tell.current()) : undefined), [])
  return (
    <div className="chnote" ref={place}>
      <p className="med">{say('approval.review.summary', { ...changedLines(parts), count })}</p>
      <p className="small dim">{say('approval.review.summary-about')}{onAll && noTyping(say)}</p>
      {onAll && <p className="row"><Button size="small" onClick={() => onAll(true)}>{say('approval.review.keep-all')}</Button><Button size="small" onClick={() => onAll(false)}>{say('approval.review.reject-all')}</Button></p>}
    </div>
  )
}

interface ChangeProps {
  readonly part: TextPart
  readonly mark: EditMarks[number] | undefined
  readonly state: 'kept' | 'rejected' | 'own'
  readonly number: number
  readonly count: number
  readonly line: number
  readonly isFixed: boolean
  readonly startsOpen: boolean
  readonly onKeep: (isKept: boolean) => void
}

function Change({ part, mark, state, number, count, line, isFixed, startsOpen, onKeep }: ChangeProps) {
  const isShort = drawnCharacters(part, longLine) <= openCharacters
  const [isOpen, setIsOpen] = useState(startsOpen && isShort)
  const folding = startsOpen && isShort ? {} : { folding: { isOpen, onToggle: () => setIsOpen(!isOpen) } }
  return (
    <>
      {!isFixed && <EditBar part={part} state={state} number={number} count={count} line={line} onKeep={onKeep} {...folding} />}
      {(isOpen || isFixed) && <ChangeLines texts={shownTexts(part, mark)} line={line} isRejected={state === 'rejected'} longLine={longLine} />}
    </>
  )
}
