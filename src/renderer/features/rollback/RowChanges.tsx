import { Check, Minus } from 'lucide-react'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import { flatOf, formOf, linesBefore, longLine, partsBetween, summaryOf, type TextPart } from '../../../shared/domain/changedText'
import type { Said } from '../../../shared/domain/result'
import type { PlanRow } from '../../../shared/domain/rollback'
import { Button } from '../../ui/Button'
import { ChangeBar } from '../../ui/ChangeBar'
import { ChangeLines, drawnCharacters } from '../../ui/ChangeLines'
import { Chip } from '../../ui/parts'
import { ReviewEditor } from '../../ui/ReviewEditor'
import { useChangeKeys } from '../../ui/useChangeKeys'
import { useWidth } from '../../ui/useWidth'
import { useWords } from '../../ui/words'
import { DetailFrame } from './DetailFrame'
import { changePlaces, sidesWithout, textWithout } from './leftOut'
import { fateOf, leftOf, linesBetween } from './planDecisions'
import type { RollbackState } from './planState'
import { leaveChanges } from './rollbackStore'

/** A narrower pane has one side under the other. */
const narrow = 900
/** So many changes stand in a list at once; a longer one is opened by the person. */
const pageSize = 100
const openCharacters = 20_000

interface RowChangesProps {
  readonly row: PlanRow
  readonly disk: string
  readonly after: string
  readonly notes: readonly Said[]
  readonly state: RollbackState
}

/** What a row changes in a text, decided about change by change (R77). */
export function RowChanges({ row, disk, after, notes, state }: RowChangesProps) {
  const say = useWords()
  const box = useRef<HTMLDivElement>(null)
  const parts = useMemo(() => partsBetween(disk, after), [disk, after])
  const places = useMemo(() => changePlaces(parts), [parts])
  const lines = useMemo(() => linesBefore(parts), [parts])
  const form = useMemo(() => formOf(parts), [parts])
  const isOut = fateOf(row, state).by === 'unticked'
  const left = leftOf(row, state.left)?.numbers ?? nobody
  const shownLeft = useMemo(() => (isOut ? places.map((_, number) => number) : left), [isOut, places, left])
  const sides = useMemo(() => sidesWithout(parts, shownLeft), [parts, shownLeft])
  const { shown, step } = useChangeKeys(box, places.length)
  const [wanted, setWanted] = useState<'side' | 'inline' | null>(null)
  const width = useWidth(box, narrow)
  const isInline = wanted === null ? width < narrow : wanted === 'inline'
  const keep = (number: number, isKept: boolean): void => {
    const numbers = isKept ? left.filter((one) => one !== number) : [...left, number].sort((a, b) => a - b)
    leaveChanges(row, { numbers, total: places.length, lines: linesBetween(disk, textWithout(parts, numbers)) })
  }
  const bars = places.map((at, number) => {
    const part = parts[at]
    return part && <PlanBar key={at} part={part} number={number} count={places.length} line={lines[at] ?? 0} isKept={!shownLeft.includes(number)} isFixed={isOut} onKeep={(isKept) => keep(number, isKept)} />
  })
  const list = <ChangeList parts={parts} places={places} lines={lines} left={shownLeft} bars={bars} isLarge={form === 'large'} name={say('timeline.plan.changes-of', { path: row.path })} />
  return (
    <DetailFrame
      row={row} state={state} about={<span className="small dim" role="status">{say('approval.review.foot-count', { kept: places.length - shownLeft.length, total: places.length })}</span>}
      actions={<>
        {form === 'editor' && <Button size="small" look="quiet" onClick={() => setWanted(isInline ? 'side' : 'inline')}>{say(isInline ? 'approval.review.side' : 'approval.review.inline')}</Button>}
        {places.length > 1 && <><Button size="small" look="quiet" onClick={() => step(1)}>{say('approval.review.next')}</Button><kbd aria-hidden>F7</kbd></>}
      </>}
    >
      {notes.map((note, at) => <p key={at} className="plannote small dim">{say.fact(note)}</p>)}
      <div className="rvhead small dim">{!isInline && form === 'editor' && <span className="half">{say('timeline.plan.disk')}</span>}<span className="grow">{say('timeline.plan.after')}</span></div>
      <div className="editor" data-esc="find" ref={box}>
        <div>
          {form !== 'editor' ? list : <ReviewEditor
            instead={list} left={sides.left} right={sides.right} blocks={sides.blocks} ownLines={nobody} bars={bars} isInline={isInline} path={row.path} name={say('timeline.plan.changes-of', { path: row.path })}
            sideNames={{ before: say('timeline.plan.disk'), after: say('timeline.plan.after') }} isReadOnly onType={nothing} focusTicket={0} shown={shown}
          />}
        </div>
      </div>
    </DetailFrame>
  )
}

const nobody: readonly number[] = []
const nothing = (): void => undefined

interface PlanBarProps {
  readonly part: TextPart
  readonly number: number
  readonly count: number
  readonly line: number
  readonly isKept: boolean
  readonly isFixed: boolean
  readonly onKeep: (isKept: boolean) => void
}

function PlanBar({ part, line, isKept, ...rest }: PlanBarProps) {
  const say = useWords()
  const names = { tick: say('timeline.plan.change-tick'), keep: say('timeline.plan.change-make'), reject: say('timeline.plan.change-leave') }
  const state = isKept ? <Chip tone="info"><Check className="i" size={14} aria-hidden />{say('timeline.plan.change-made')}</Chip> : <Chip><Minus className="i" size={14} aria-hidden />{say('timeline.plan.change-left')}</Chip>
  return <ChangeBar {...rest} isKept={isKept} summary={say.fact(summaryOf(part, !isKept, line))} names={names} state={state} />
}

interface ChangeListProps {
  readonly parts: readonly TextPart[]
  readonly places: readonly number[]
  readonly lines: readonly number[]
  readonly left: readonly number[]
  readonly bars: readonly ReactNode[]
  readonly isLarge: boolean
  readonly name: string
}

/** The changes one after the other: what the editor cannot hold, and what stands there until it is loaded. */
function ChangeList({ parts, places, lines, left, bars, isLarge, name }: ChangeListProps) {
  const say = useWords()
  const [shown, setShown] = useState(pageSize)
  return (
    <div className="chlist" role="group" aria-label={name} tabIndex={0}>
      {places.slice(0, shown).map((at, number) => {
        const part = parts[at]
        return part && <div key={at}>{bars[number]}<ChangeBody part={part} line={lines[at] ?? 0} isLeft={left.includes(number)} startsOpen={!isLarge} /></div>
      })}
      {places.length > shown && <p className="chnote"><Button size="small" onClick={() => setShown(shown + pageSize)}>{say('approval.review.more', { count: Math.min(pageSize, places.length - shown) })}</Button></p>}
    </div>
  )
}

function ChangeBody({ part, line, isLeft, startsOpen }: { readonly part: TextPart; readonly line: number; readonly isLeft: boolean; readonly startsOpen: boolean }) {
  const say = useWords()
  const texts = { before: flatOf(part.before), after: flatOf(part.after) }
  const isShort = drawnCharacters(texts, longLine) <= openCharacters
  const [isOpen, setIsOpen] = useState(startsOpen && isShort)
  if (!isOpen) return <p className="chnote"><Button size="small" look="quiet" onClick={() => setIsOpen(true)}>{say('approval.review.show')}</Button></p>
  return <ChangeLines texts={texts} line={line} isRejected={isLeft} longLine={longLine} />
}
