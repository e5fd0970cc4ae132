import { useEffect, useMemo, useRef, useState } from 'react'
import type { CallId } from '../../../shared/domain/ids'
import type { TrialRow } from '../../../shared/domain/sandbox'
import type { TrialFileText } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { DiffEditor } from '../../ui/DiffEditor'
import { diffLines, hunksOf } from '../../ui/diffLines'
import { PathText } from '../../ui/Exact'
import { LineDiff } from '../../ui/LineDiff'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { loadTrialFile, useTrial } from './trialStore'
import { useNextChange } from './useNextChange'

/** More changed lines than these are told first, and drawn when asked for (DESIGN section 9). */
const manyLines = 2000

/** One file of a trial, before and after; the bar beside a line says that the command changed it. */
export function TrialDiff({ callId, trialId, row }: { readonly callId: CallId; readonly trialId: string; readonly row: TrialRow }) {
  const say = useWords()
  const found = useTrial((state) => (state.trialId === trialId ? state.files[row.path] : undefined))
  const [isWanted, setIsWanted] = useState(false)
  const isLong = row.added + row.removed > manyLines && !isWanted
  const isText = row.kind !== 'folder' && !row.isBinary
  useEffect(() => { if (isText && !isLong) void loadTrialFile(callId, trialId, row.path) }, [callId, trialId, row.path, isText, isLong])
  if (isLong) return <><Head row={row} /><div className="trialnote"><p>{say('approval.trial.long', { count: row.added + row.removed })}</p><Button size="small" onClick={() => setIsWanted(true)}>{say('approval.trial.show')}</Button></div></>
  if (!isText) return <><Head row={row} /><Sizes row={row} /></>
  if (found === undefined) return <><Head row={row} /><div className="grow" aria-busy /></>
  if (!found.ok) return <><Head row={row} /><Note tone="bad">{say.fact(found.fault)}</Note></>
  return <Texts row={row} text={found.value} />
}

function Texts({ row, text }: { readonly row: TrialRow; readonly text: TrialFileText }) {
  const say = useWords()
  const box = useRef<HTMLDivElement>(null)
  const isLost = text.before === null && text.after === null
  const lines = useMemo(() => (isLost ? null : diffLines(text.before ?? '', text.after ?? '')), [text, isLost])
  const count = useMemo(() => (lines === null ? 0 : hunksOf(lines).hunks.length), [lines])
  const { at, next } = useNextChange(box, count)
  if (isLost) return <><Head row={row} /><Sizes row={row} /></>
  const name = say('approval.trial.change', { path: row.path })
  return (
    <>
      <Head row={row} {...(count > 1 ? { changes: { at, count, onNext: next } } : {})} />
      {lines === null
        ? <div className="editor"><div><DiffEditor before={text.before} after={text.after} path={row.path} name={name} sideNames={{ before: say('approval.on-disk'), after: say('approval.trial.in-copy') }} /></div></div>
        : <div className="grow trialtext" ref={box} tabIndex={0} role="group" aria-label={name}><LineDiff lines={lines} name={name} author="cmd" /></div>}
    </>
  )
}

interface HeadProps {
  readonly row: TrialRow
  readonly changes?: { readonly at: number; readonly count: number; readonly onNext: () => void }
}

function Head({ row, changes }: HeadProps) {
  const say = useWords()
  return (
    <p className="trialhead">
      <span className="med cut"><PathText path={row.path} limit={60} /></span>
      {changes && <span className="small dim nowrap">{say('approval.trial.changes', { at: changes.at + 1, count: changes.count })}</span>}
      {changes && <span className="end row"><Button size="small" look="quiet" onClick={changes.onNext}>{say('approval.trial.next')} <kbd aria-hidden>F7</kbd></Button></span>}
    </p>
  )
}

/** What is no text to compare: sizes, and the beginning of each side's hash. */
function Sizes({ row }: { readonly row: TrialRow }) {
  const say = useWords()
  if (row.kind === 'folder') return <p className="trialnote dim">{say(`approval.trial.folder.${row.change}`)}</p>
  const side = (bytes: number | null, hash: string | null) => (bytes === null ? say('approval.trial.no-file') : say('approval.trial.side', { bytes, hash: hash?.slice(0, 12) ?? '' }))
  return (
    <div className="trialnote">
      <p className="dim">{say(row.isBinary ? 'approval.trial.not-text' : 'approval.trial.not-shown')}</p>
      <p>{say('approval.trial.before', { side: side(row.beforeBytes, row.beforeHash) })}</p>
      <p>{say('approval.trial.after', { side: side(row.afterBytes, row.afterHash) })}</p>
    </div>
  )
}
