import { ArrowLeft, RotateCcw } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { Virtuoso } from 'react-virtuoso'
import type { PathMoment } from '../../../shared/ipc/timelineViews'
import { Button, IconButton } from '../../ui/Button'
import { Exact, PathText } from '../../ui/Exact'
import { AuthorMark } from '../../ui/marks'
import { Chip, Note } from '../../ui/parts'
import { sizeText } from '../../ui/sizeText'
import { TextEditor } from '../../ui/TextEditor'
import { useWords } from '../../ui/words'
import { restoreFile } from './fileItems'
import { closePath, openPath, type PathLook } from './pathStore'
import { authorMarks, authorWord, momentText } from './rowWords'
import { useTimeline } from './timelineStore'
import { useTimelineWorld } from './timelineWorld'
import { whenText } from './whenText'

/** More than these are drawn as they are scrolled to. */
const fewMoments = 100

/** A file as it was at a moment, to read; beside it every moment that changed it. */
export function PathView({ look }: { readonly look: PathLook }) {
  const say = useWords()
  const back = useRef<HTMLButtonElement>(null)
  const { facts, onWish } = useTimelineWorld()
  const timeline = useTimeline((state) => state.timeline)
  const { path, at, fault } = look
  const moment = useMemo(() => momentText(at, 'b', timeline, facts, say), [at, timeline, facts, say])
  // What it was opened from is gone from the page.
  useEffect(() => back.current?.focus(), [path])
  const isBroken = timeline.rows.some((row) => row.id === at && row.missing > 0)
  return (
    <>
      <div className="head">
        <IconButton ref={back} icon={ArrowLeft} label={say('timeline.back')} onClick={closePath} />
        <h2 className="cut"><PathText path={path} limit={48} /></h2>
        <span className="chip cut pathat" title={moment}><span className="cut"><Exact text={moment} /></span></span>
        {at !== null && look.entry !== null && !isBroken && <span className="end"><Button size="small" icon={RotateCcw} onClick={() => restoreFile(path, at, say, onWish)}>{say('timeline.restore-file')}</Button></span>}
      </div>
      <div className="pathview">
        <div className="col grow" style={{ gap: 10 }}>
          {fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} /></Note>}
          <Text look={look} moment={moment} />
        </div>
        <History look={look} />
      </div>
    </>
  )
}

function Text({ look, moment }: { readonly look: PathLook; readonly moment: string }) {
  const say = useWords()
  const { path, entry, version } = look
  if (entry === null) return <Note tone="info">{say('timeline.file-gone')}</Note>
  if (entry.mode === '40000') return <Note tone="info">{say('timeline.file-folder')}</Note>
  if (version === null) return <div className="card grow" aria-busy />
  if (entry.mode === '120000') return <Note tone="info"><Exact text={say('timeline.file-link', { target: version.text ?? '' })} className="wrap-any" /></Note>
  if (version.text === null) return <Note tone="info">{say('timeline.file-binary', { size: sizeText(version.sizeBytes, say) })}</Note>
  return <div className="card editor"><div><TextEditor text={version.text} path={path} name={`${path}, ${moment}`} /></div></div>
}

function History({ look }: { readonly look: PathLook }) {
  const say = useWords()
  const { history, path, at } = look
  const row = (moment: PathMoment) => <Moment moment={moment} isOpen={moment.id === at} onOpen={() => void openPath({ path, entry: moment.entry }, moment.id)} />
  return (
    <section className="card pathhistory" aria-label={say('timeline.history-of')}>
      <h3 className="small med dim">{say('timeline.history-of')}</h3>
      {history === null && <div aria-busy />}
      {history?.length === 0 && <p className="small dim" style={{ padding: '0 12px' }}>{say('timeline.history-none')}</p>}
      {history && history.length > 0 && (history.length <= fewMoments
        ? <ul>{history.map((moment) => <li key={moment.id}>{row(moment)}</li>)}</ul>
        : <Virtuoso style={{ flex: 1 }} data={history} itemContent={(_, moment) => row(moment)} />)}
    </section>
  )
}

function Moment({ moment, isOpen, onOpen }: { readonly moment: PathMoment; readonly isOpen: boolean; readonly onOpen: () => void }) {
  const say = useWords()
  const { facts } = useTimelineWorld()
  const { author, kind, callId, entry } = moment
  const isRollback = kind === 'after-rollback'
  const command = callId === null ? undefined : facts.commands.get(callId)
  return (
    <button type="button" className="pathmoment" aria-current={isOpen ? 'true' : undefined} onClick={onOpen}>
      {isRollback ? <AuthorMark kind="system" /> : authorMarks[author].map((one) => <AuthorMark key={one} kind={one} isHollow={author === 'unknown'} />)}
      <span className="cut grow">{isRollback ? say('ui.author.rollback') : command === undefined ? authorWord(author, say) : <><span className="sr">{authorWord(author, say)}: </span><Exact text={command} className="mono" /></>}</span>
      {entry === null && <Chip tone="bad">{say('timeline.deleted')}</Chip>}
      <span className="time">{whenText(moment.atMs, say)}</span>
    </button>
  )
}
