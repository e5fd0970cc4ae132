import type { Said } from '../../../shared/domain/result'
import type { PlanRow } from '../../../shared/domain/rollback'
import { bitsText } from '../../../shared/domain/snapshot'
import { DiffEditor } from '../../ui/DiffEditor'
import { Note } from '../../ui/parts'
import { sizeText } from '../../ui/sizeText'
import { useWords, type Speaker } from '../../ui/words'
import { Conflict } from './Conflict'
import { DetailFrame } from './DetailFrame'
import type { RollbackState, RowLook, RowSide } from './planState'
import { RowChanges } from './RowChanges'
import { WholeConflict } from './WholeConflict'

interface RowDetailProps {
  readonly row: PlanRow
  readonly look: RowLook
  readonly state: RollbackState
}

/** What a row would write, and what is to decide about it. */
export function RowDetail({ row, look, state }: RowDetailProps) {
  const say = useWords()
  switch (look.kind) {
    case 'reading': return <DetailFrame row={row} state={state}><div className="plannote dim" role="status">{say('timeline.plan.reading')}</div></DetailFrame>
    case 'fault': return <DetailFrame row={row} state={state}><div className="plannote"><Note tone="bad" role="alert">{say.fact(look.fault)}</Note></div></DetailFrame>
    case 'conflict': return look.view.earlier === null || look.view.disk === null ? <WholeConflict row={row} look={look} state={state} /> : <Conflict row={row} view={look.view} state={state} />
    case 'texts': return <Texts row={row} look={look} state={state} />
  }
}

function Texts({ row, look, state }: RowDetailProps & { readonly look: Extract<RowLook, { readonly kind: 'texts' }> }) {
  const say = useWords()
  const { disk, after } = look
  const notes = notesOf(row, disk, after)
  const [before, now] = [textOf(disk), textOf(after)]
  const canCompare = (disk === null || before !== null) && (after === null || now !== null) && (disk !== null || after !== null)
  const isStill = row.action === 'leave' || row.action === 'cannot'
  if (canCompare && before !== null && now !== null && before !== now && !isStill) return <RowChanges row={row} disk={before} after={now} notes={notes} state={state} />
  const isShown = canCompare && before !== now
  // What is left is not written: beside the disk stands what the point holds.
  const sideNames = { before: say('timeline.plan.disk'), after: say(isStill ? 'timeline.plan.earlier' : 'timeline.plan.after') }
  return (
    <DetailFrame row={row} state={state}>
      {[...notes, ...(isStill ? [row.reason] : []), ...(canCompare || (disk === null && after === null) ? [] : [sizesSaid(disk, after, say)])].map((note, at) => <p key={at} className="plannote small dim">{say.fact(note)}</p>)}
      {isShown && <>
        <div className="rvhead small dim"><span className="half">{sideNames.before}</span><span className="grow">{sideNames.after}</span></div>
        <div className="editor"><div><DiffEditor before={before} after={now} path={row.path} name={say('timeline.plan.changes-of', { path: row.path })} sideNames={sideNames} /></div></div>
      </>}
    </DetailFrame>
  )
}

function textOf(side: RowSide): string | null {
  return side !== null && side.entry.mode.startsWith('100') ? (side.version?.text ?? null) : null
}

/** What of a row is no line: what kind of thing it is, and its permissions. */
function notesOf(row: PlanRow, disk: RowSide, after: RowSide): readonly Said[] {
  const kinds = [disk, after].map(kindSaid)
  const notes: Said[] = kinds.some((kind) => kind !== null) ? [{ code: 'timeline.plan.kinds', values: { before: kinds[0] ?? wordFor(disk), after: kinds[1] ?? wordFor(after) } }] : []
  const [from, to] = [row.from, row.to]
  const isMode = from !== null && to !== null && from.mode.startsWith('100') && to.mode.startsWith('100') && bitsText(from) !== bitsText(to)
  if (isMode && row.action !== 'leave') notes.push({ code: 'timeline.plan.bits', values: { before: bitsText(from), after: bitsText(to) } })
  if (row.action === 'delete') notes.push({ code: 'timeline.plan.goes', values: {} })
  if (row.action === 'recreate') notes.push({ code: 'timeline.plan.comes', values: {} })
  return notes
}

function kindSaid(side: RowSide): Said | null {
  if (side?.entry.mode === '120000') return { code: 'timeline.file-link', values: { target: side.version?.text ?? '' } }
  return side?.entry.mode === '40000' ? { code: 'timeline.plan.folder', values: {} } : null
}

function wordFor(side: RowSide): Said {
  return { code: side === null ? 'timeline.no-file' : 'timeline.plan.a-file', values: {} }
}

/** For what cannot be shown as text. */
function sizesSaid(disk: RowSide, after: RowSide, say: Speaker): Said {
  const size = (side: RowSide): string => (side === null ? say('timeline.no-file') : sizeText(side.version?.sizeBytes ?? 0, say))
  return { code: 'timeline.binary-sizes', values: { before: size(disk), after: size(after) } }
}
