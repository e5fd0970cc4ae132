import { Ellipsis } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { longLine } from '../../../shared/domain/changedText'
import type { ConflictView, PlanRow } from '../../../shared/domain/rollback'
import { Button, IconButton } from '../../ui/Button'
import { isComposing } from '../../ui/keys'
import { AuthorMark } from '../../ui/marks'
import { Menu } from '../../ui/Menu'
import { MergeEditor } from '../../ui/MergeEditor'
import type { MergeBlock } from '../../ui/mergeEditorProps'
import { useWords, type Speaker } from '../../ui/words'
import { ConflictList } from './ConflictList'
import { DetailFrame } from './DetailFrame'
import { layOut, type MergeSpan } from './mergeBlocks'
import { beginDraft, conflictsIn, openIn, settledAs, take, typedInto, type MergeDraft, type Take } from './mergeDraft'
import { draftOf } from './planDecisions'
import type { RollbackState } from './planState'
import { draft } from './rollbackStore'

const mostCharacters = 1_000_000
const settledWords = { open: 'timeline.plan.choose', earlier: 'timeline.plan.is-earlier', disk: 'timeline.plan.is-disk', both: 'timeline.plan.is-both', own: 'timeline.plan.is-own' } as const
const sides = ['earlier', 'disk', 'both'] as const
const takeWords = { earlier: 'timeline.plan.take-earlier', disk: 'timeline.plan.take-mine', both: 'timeline.plan.take-both' } as const
const allWords = { earlier: 'timeline.plan.all-earlier', disk: 'timeline.plan.all-mine', both: 'timeline.plan.all-both' } as const

interface ConflictProps {
  readonly row: PlanRow
  readonly view: ConflictView
  readonly state: RollbackState
}

/** Earlier, result, on disk now: every stretch that both changed is taken from one side, from both, or written anew (R77). */
export function Conflict({ row, view, state }: ConflictProps) {
  const say = useWords()
  const known = draftOf(row, state.drafts)
  const made = useMemo(() => (known?.kind === 'text' ? known.draft : beginDraft(view.parts, view.disk ?? undefined)), [known, view])
  const layout = useMemo(() => layOut(view, made), [view, made])
  const conflicts = conflictsIn(made)
  const open = openIn(made)
  // The stretch the caret is in; nobody has put it anywhere yet: the first open one.
  const [at, setAt] = useState<number | null>(null)
  const here = at !== null && conflicts.includes(at) ? at : (open.find((one) => at === null || one > at) ?? open[0] ?? conflicts[0] ?? null)
  const [shown, setShown] = useState({ block: -1, ticket: 0 })
  const reveal = (part: number | undefined): void => {
    if (part === undefined) return
    setAt(part)
    setShown(({ ticket }) => ({ block: layout.spans.findIndex((span) => span.part === part), ticket: ticket + 1 }))
  }
  const put = (next: MergeDraft): void => draft(row, { kind: 'text', draft: next })
  const choose = (places: readonly number[], side: Take): void => {
    const next = take(made, places, side)
    put(next)
    const left = openIn(next)
    reveal(left.find((one) => one > (places.at(-1) ?? 0)) ?? left[0])
  }
  useConflictKeys((by) => reveal(neighbour(conflicts, here, by)))
  const canType = canHold(view, made)
  const list = <ConflictList draft={made} at={here} canType={canType} onAt={setAt} onDraft={put} />
  const titles = { earlier: say('timeline.plan.earlier'), result: say('timeline.plan.result'), disk: say('timeline.plan.disk') }
  return (
    <DetailFrame row={row} state={state} about={<Count open={open.length} count={conflicts.length} />} actions={<Takes draft={made} at={here} onTake={choose} onStep={(by) => reveal(neighbour(conflicts, here, by))} />}>
      {canType && <div className="mghead small">
        <div className="ph"><b className="med">{titles.earlier}</b><span className="faint cut">{say('timeline.plan.as-it-was')}</span></div>
        <div className="ph"><b className="med">{titles.result}</b><span className="faint cut">{say('timeline.plan.type-here')}</span></div>
        <div className="ph"><AuthorMark kind="you" /><b className="med">{titles.disk}</b><span className="faint cut">{say('timeline.plan.with-yours')}</span></div>
      </div>}
      <div className="editor" data-esc="find">
        <div>
          {!canType ? list : <MergeEditor
            instead={list} texts={layout.texts} blocks={layout.spans.map((span) => blockOf(span, made, say))} path={row.path} name={say('timeline.plan.conflict-in', { path: row.path })} names={titles}
            isReadOnly={state.busy !== null} shown={shown} onType={(value, edits) => put(typedInto(made, edits, value))} onCaret={(line) => setAt(partAt(layout.spans, line))}
          />}
        </div>
      </div>
    </DetailFrame>
  )
}

/** Monaco makes every lone CR a line end, and very long lines slow. */
function canHold({ earlier, disk }: ConflictView, { parts }: MergeDraft): boolean {
  const texts = [earlier ?? '', disk ?? '', ...parts.flatMap((part) => (part.kind === 'same' ? [part.text] : [part.earlier, part.disk]))]
  return texts.reduce((sum, text) => sum + text.length, 0) <= 2 * mostCharacters && !texts.some((text) => /\r(?!\n)/u.test(text) || text.split('\n').some((line) => line.length > longLine))
}

function blockOf({ part, ...spans }: MergeSpan, { parts, texts }: MergeDraft, say: Speaker): MergeBlock {
  const conflict = part === null ? undefined : parts[part]
  if (part === null || !conflict) return { ...spans, look: 'merged', label: null }
  const settled = settledAs(conflict, texts[part] ?? null)
  return { ...spans, look: settled === 'open' ? 'open' : 'settled', label: say(settledWords[settled]) }
}

/** The conflict that a line of the result is in; outside of all, none. */
function partAt(spans: readonly MergeSpan[], line: number): number | null {
  return spans.find(({ part, result }) => part !== null && ((result.from <= line && line < result.to) || (result.from === result.to && result.from === line)))?.part ?? null
}

function neighbour(conflicts: readonly number[], here: number | null, by: 1 | -1): number | undefined {
  const index = here === null ? -1 : conflicts.indexOf(here)
  return conflicts[(index + by + conflicts.length) % conflicts.length]
}

function Count({ open, count }: { readonly open: number; readonly count: number }) {
  const say = useWords()
  return <span className={open > 0 ? 'small t-warn' : 'small dim'} role="status">{open > 0 ? say('timeline.plan.open-of', { open, count }) : say('timeline.plan.none-open', { count })}</span>
}

interface TakesProps {
  readonly draft: MergeDraft
  readonly at: number | null
  readonly onTake: (places: readonly number[], side: Take) => void
  readonly onStep: (by: 1 | -1) => void
}

/** Buttons for the conflict that the caret is in, or the next open one; in the menu, for all that are open. */
function Takes({ draft: made, at, onTake, onStep }: TakesProps) {
  const say = useWords()
  const conflicts = conflictsIn(made)
  const open = openIn(made)
  const all = open.length > 0 ? open : conflicts
  return (
    <>
      {conflicts.length > 1 && at !== null && <span className="small dim nowrap">{say('timeline.plan.conflict-at', { at: conflicts.indexOf(at) + 1, count: conflicts.length })}</span>}
      {sides.map((side) => <Button key={side} size="small" look={side === 'both' ? 'quiet' : 'plain'} disabled={at === null} onClick={() => { if (at !== null) onTake([at], side) }}>{say(takeWords[side])}</Button>)}
      {conflicts.length > 1 && <>
        <Button size="small" look="quiet" onClick={() => onStep(1)}>{say('timeline.plan.next-conflict')}</Button><kbd aria-hidden>F7</kbd>
        <Menu align="end" trigger={<IconButton icon={Ellipsis} label={say('timeline.plan.for-all')} />} items={sides.map((side) => ({ key: side, label: say(allWords[side], { count: all.length }), onChoose: () => onTake(all, side) }))} />
      </>}
    </>
  )
}

/** F7 and Shift+F7, as between the changes of a text. */
function useConflictKeys(step: (by: 1 | -1) => void): void {
  const now = useRef(step)
  useEffect(() => { now.current = step })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F7' || event.ctrlKey || event.altKey || event.metaKey || isComposing(event) || event.repeat || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      now.current(event.shiftKey ? -1 : 1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
