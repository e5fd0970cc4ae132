import { ArrowLeft, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import type { ChangedPath } from '../../../shared/ipc/timelineViews'
import { Button, IconButton } from '../../ui/Button'
import { diffLines } from '../../ui/diffLines'
import { Exact, PathText } from '../../ui/Exact'
import { OpenFileButton } from '../../ui/FileText'
import { Lazily } from '../../ui/Lazily'
import { LineDiff } from '../../ui/LineDiff'
import { LineCounts } from '../../ui/marks'
import { Chip, Note } from '../../ui/parts'
import { sizeText } from '../../ui/sizeText'
import { useWords } from '../../ui/words'
import { barsOf } from './FileDiff'
import { readReviewed, reviewTurn, useReview, type ReviewedFile, type ReviewedTurn } from './reviewStore'

/** Larger ones are drawn when asked for. */
const largeBytes = 300_000
const fewFiles = 30

export interface TurnReviewProps {
  readonly number: number
  readonly title: string
  readonly turn: ReviewedTurn
  readonly onBack: () => void
  /** Opens the plan; null where the turn cannot be undone, or was. */
  readonly onUndo: (() => void) | null
}

/** Every file that a turn changed, before against after, to read (R111). Nothing can be changed here. */
export function TurnReview({ number, title, turn, onBack, onUndo }: TurnReviewProps) {
  const say = useWords()
  const back = useRef<HTMLButtonElement>(null)
  const changes = useReview((state) => state.changes)
  const fault = useReview((state) => state.fault)
  useEffect(() => back.current?.focus(), [])
  useEffect(() => void reviewTurn(turn), [turn])
  const row = (change: ChangedPath) => <OneFile key={change.path} change={change} />
  return (
    <section className="page turnpage" style={{ display: 'flex', flexDirection: 'column' }} aria-label={say('turn.summary', { turn: number })}>
      <div className="head">
        <IconButton ref={back} icon={ArrowLeft} label={say('turn.review-back')} onClick={onBack} />
        <h1 className="cut">{say('turn.review-title', { turn: number, files: changes?.length ?? turn.paths.length })}</h1>
        <span className="cut dim grow"><Exact text={title} /></span>
        {onUndo && <Button size="small" icon={Undo2} onClick={onUndo}>{say('turn.undo')}…</Button>}
      </div>
      {fault && <div style={{ padding: 16 }}><Note tone="bad" role="alert"><Exact text={say.fact(fault)} /></Note></div>}
      {changes?.length === 0 && <div style={{ padding: 16 }}><Note tone="info">{say('turn.review-none')}</Note></div>}
      {changes && changes.length > 0 && (changes.length <= fewFiles
        ? <div className="turnreview" style={{ overflow: 'auto', paddingTop: 14 }}>{changes.map(row)}</div>
        : <Virtuoso className="turnreview" data={changes} computeItemKey={(_, change) => change.path} itemContent={(_, change) => row(change)} />)}
    </section>
  )
}

const effects = { added: 'timeline.created', modified: 'timeline.changed', deleted: 'timeline.deleted', mode: 'timeline.mode', type: 'timeline.type' } as const

function OneFile({ change }: { readonly change: ChangedPath }) {
  const say = useWords()
  const { path } = change
  return (
    <section className="card turnfile" aria-label={path}>
      <div className="row">
        <h2 className="small cut grow"><PathText path={path} limit={80} /></h2>
        <Chip>{say(effects[change.change])}</Chip>
        {change.lines && <LineCounts {...change.lines} />}
        {change.after && <OpenFileButton path={path} />}
      </div>
      <Lazily>{(isNear) => (isNear ? <Lines change={change} /> : <div style={{ height: 120 }} />)}</Lazily>
    </section>
  )
}

function Lines({ change }: { readonly change: ChangedPath }) {
  const file = useReview((state) => state.files.get(change.path))
  useEffect(() => void readReviewed(change), [change])
  return file ? <Compared change={change} file={file} /> : <div style={{ height: 120 }} aria-busy />
}

function Compared({ change, file }: { readonly change: ChangedPath; readonly file: ReviewedFile }) {
  const say = useWords()
  const [isAsked, setIsAsked] = useState(false)
  const { before, after, authors, fault } = file
  const size = (before?.sizeBytes ?? 0) + (after?.sizeBytes ?? 0)
  const isBinary = before?.text === null || after?.text === null
  const isLarge = size > largeBytes && !isAsked
  const lines = useMemo(() => (isBinary || isLarge ? null : diffLines(before?.text ?? '', after?.text ?? '')), [before, after, isBinary, isLarge])
  const bars = useMemo(() => (authors ? barsOf(authors) : null), [authors])
  const sizeOf = (version: typeof before): string => (version ? sizeText(version.sizeBytes, say) : say('timeline.no-file'))
  const note = (words: string, action?: () => void) => <div style={{ padding: 12 }}><Note tone="info" actions={action && <Button size="small" onClick={action}>{say('timeline.show-large')}</Button>}>{words}</Note></div>
  if (fault) return <div style={{ padding: 12 }}><Note tone="bad" role="alert"><Exact text={say.fact(fault)} /></Note></div>
  if (isBinary) return note(say('timeline.binary-sizes', { before: sizeOf(before), after: sizeOf(after) }))
  if (isLarge) return note(say('timeline.large', { size: sizeText(size, say) }), () => setIsAsked(true))
  if (lines === null) return note(say('turn.review-too-large', { size: sizeText(size, say) }))
  return <LineDiff lines={lines} name={change.path} bars={bars} />
}
