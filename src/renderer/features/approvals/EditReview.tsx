import { useMemo, useRef, useState } from 'react'
import { formOf, linesBefore } from '../../../shared/domain/changedText'
import { Button } from '../../ui/Button'
import { DiffEditor } from '../../ui/DiffEditor'
import { ReviewEditor } from '../../ui/ReviewEditor'
import { useChangeKeys } from '../../ui/useChangeKeys'
import { useWidth } from '../../ui/useWidth'
import { useWords } from '../../ui/words'
import { sidesOf } from './editBlocks'
import { EditBar } from './EditBar'
import { changesIn, keepPart, partsOfEdit, typed, type EditMarks, type EditPreview } from './editChanges'
import { EditList } from './EditList'
import { endNotes } from './editWords'
import { Notes } from './Notes'

/** A narrower review has one side under the other (DESIGN 5.3). */
const narrow = 900

interface EditReviewProps {
  readonly preview: EditPreview
  readonly marks: EditMarks
  readonly onMarks: (marks: EditMarks) => void
  readonly focusTicket: number
  readonly onSummary: () => void
}

/** A change of a file, decided about change by change, and typed in where the editor can hold it (R63). */
export function EditReview({ preview, marks, onMarks, focusTicket, onSummary }: EditReviewProps) {
  const say = useWords()
  const box = useRef<HTMLDivElement>(null)
  const parts = partsOfEdit(preview)
  const form = useMemo(() => formOf(parts), [parts])
  const changes = changesIn(parts, marks)
  const isOne = preview.before === null || preview.after === null
  const { shown, step } = useChangeKeys(box, isOne ? 0 : changes.length)
  const [wanted, setWanted] = useState<'side' | 'inline' | null>(null)
  const width = useWidth(box, narrow)
  const isInline = isOne || (wanted === null ? width < narrow : wanted === 'inline')
  const sides = useMemo(() => sidesOf(parts, marks), [parts, marks])
  const lines = useMemo(() => linesBefore(parts), [parts])
  const notes = useMemo(() => [...preview.notes, ...(isOne ? [] : endNotes(parts, marks))], [preview, isOne, parts, marks])
  const sideNames = { before: say('approval.on-disk'), after: say('approval.after') }
  const list = <EditList parts={parts} marks={marks} form={form} isFixed={isOne} name={say('approval.change')} onMarks={onMarks} onSummary={onSummary} />
  const isEditor = form === 'editor'
  return (
    <>
      <Notes notes={notes} />
      <Head preview={preview} isEditor={isEditor} isInline={isInline} count={isOne ? 0 : changes.length} onNext={() => step(1)} onSide={() => setWanted(isInline ? 'side' : 'inline')} />
      <div className="editor" data-esc="find" ref={box}>
        <div>
          {!isEditor && list}
          {isEditor && preview.after === null && <DiffEditor before={preview.before} after={null} path={preview.path} name={say('approval.change')} sideNames={sideNames} />}
          {isEditor && preview.after !== null && (
            <ReviewEditor
              instead={list} left={sides.left} right={sides.right} blocks={isOne ? sides.blocks.map((block) => ({ ...block, bar: null })) : sides.blocks} ownLines={sides.ownLines} isInline={isInline} path={preview.path} name={say('approval.change')} sideNames={sideNames} focusTicket={focusTicket} shown={shown}
              bars={changes.map((change, number) => {
                const part = parts[change.at]
                return part && <EditBar key={change.at} part={part} state={change.state} number={number} count={changes.length} line={lines[change.at] ?? 0} onKeep={(isKept) => onMarks(keepPart(marks, change.at, isKept))} />
              })}
              onType={(value, edits) => onMarks(typed(parts, marks, edits, value))}
            />
          )}
        </div>
      </div>
    </>
  )
}

interface HeadProps {
  readonly preview: EditPreview
  readonly isEditor: boolean
  readonly isInline: boolean
  readonly count: number
  readonly onNext: () => void
  readonly onSide: () => void
}

function Head({ preview, isEditor, isInline, count, onNext, onSide }: HeadProps) {
  const say = useWords()
  const isSide = !isInline && isEditor
  return (
    <div className="rvhead small dim">
      {isSide && <span className="half">{say('approval.on-disk')}</span>}
      <span className="grow">{(isEditor || preview.before === null || preview.after === null) && afterWords()}</span>
      {preview.before !== null && preview.after !== null && isEditor && <Button size="small" look="quiet" onClick={onSide}>{say(isInline ? 'approval.review.side' : 'approval.review.inline')}</Button>}
      {count > 1 && <><Button size="small" look="quiet" onClick={onNext}>{say('approval.review.next')}</Button><kbd aria-hidden>F7</kbd></>}
    </div>
  )

  function afterWords(): string {
    if (preview.after === null) return say('approval.gone-after')
    if (preview.before === null) return say(isEditor ? 'approval.review.new-file' : 'approval.review.new-file-long')
    return say('approval.after-editable')
  }
}
