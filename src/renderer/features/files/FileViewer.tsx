import { Copy, FolderOpen, GitCompare, RefreshCw, SquareArrowOutUpRight, X } from 'lucide-react'
import { said, type Said } from '../../../shared/domain/result'
import type { SnapshotId } from '../../../shared/domain/ids'
import { Button, IconButton } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact, PathText } from '../../ui/Exact'
import { Segmented } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { sizeText } from '../../ui/sizeText'
import { TextEditor } from '../../ui/TextEditor'
import { useWords, type Speaker } from '../../ui/words'
import { closeFile, openInEditor, readNow, showInFolder, showSide, tellOfFile, useFiles, type Shown } from './fileStore'

interface FileViewerProps {
  /** Compares that moment with the disk. */
  readonly onCompare: (moment: SnapshotId) => void
}

/** A file of the opened folder, to read: at a line, as it is on disk now or as it was after a turn (R111). */
export function FileViewer({ onCompare }: FileViewerProps) {
  const say = useWords()
  const shown = useFiles((state) => state.shown)
  return (
    <Dialog name={say('files.viewer')} isOpen={shown !== null} className="fileview" onClose={closeFile}>
      {shown && <><Head shown={shown} /><Facts shown={shown} onCompare={onCompare} /><Body shown={shown} /></>}
    </Dialog>
  )
}

function Head({ shown }: { readonly shown: Shown }) {
  const say = useWords()
  return (
    <div className="head">
      <h2 className="cut"><PathText path={shown.path} limit={90} /></h2>
      {shown.line !== null && <span className="small faint nowrap">{say('files.line', { line: shown.line })}</span>}
      <span className="end"><IconButton icon={X} label={say('files.close')} keys="Esc" onClick={closeFile} /></span>
    </div>
  )
}

function Facts({ shown, onCompare }: { readonly shown: Shown } & FileViewerProps) {
  const say = useWords()
  const { path, view, moment, side, notice } = shown
  const tell = (act: Promise<Said | null>): void => void act.then(tellOfFile)
  const copy = (): void => void navigator.clipboard.writeText(path).then(() => tellOfFile(said('files.copied')))
  return (
    <div className="filefacts">
      {moment === null
        ? <span className="small dim">{say('files.now')}</span>
        : <Segmented label={say('files.shown')} value={side} onChange={(wish) => void showSide(wish)} options={[{ value: 'now', label: say('files.now') }, { value: 'then', label: say('files.after-turn', { turn: moment.turn }) }]} />}
      {moment !== null && <Button size="small" look="quiet" icon={GitCompare} onClick={() => { closeFile(); onCompare(moment.id) }}>{say('files.compare')}</Button>}
      {side === 'now' && view?.kind === 'text' && <span className="small faint">{factsText(view, say)}</span>}
      <span className="end">
        <Button size="small" icon={SquareArrowOutUpRight} onClick={() => tell(openInEditor(shown))}>{say('files.open-editor')}</Button>
        <IconButton icon={FolderOpen} label={say('files.show-folder')} onClick={() => tell(showInFolder(path))} />
        <IconButton icon={Copy} label={say('files.copy-path')} onClick={copy} />
        <IconButton icon={RefreshCw} label={say('files.reread')} onClick={() => void readNow(view?.kind === 'text')} />
      </span>
      <span className="sr" role="status">{notice?.code === 'files.copied' && say.fact(notice)}</span>
      {notice !== null && notice.code !== 'files.copied' && <div style={{ flexBasis: '100%' }}><Note tone="bad" role="alert"><Exact text={say.fact(notice)} className="wrap-any" /></Note></div>}
    </div>
  )
}

function factsText({ encoding, lineEnds, sizeBytes }: Extract<NonNullable<Shown['view']>, { readonly kind: 'text' }>, say: Speaker): string {
  return say('files.facts', { encoding, lineEnds: say(`files.ends.${lineEnds}`), size: sizeText(sizeBytes, say) })
}

function Body({ shown }: { readonly shown: Shown }) {
  const say = useWords()
  const { view, fault, side, path } = shown
  if (fault !== null) return <div className="filebody"><Note tone="bad" role="alert"><Exact text={say.fact(fault)} className="wrap-any" /></Note></div>
  if (side === 'then') return <div className="filebody"><Then shown={shown} /></div>
  if (view === null) return <div className="filebody" aria-busy />
  return (
    <div className="filebody">
      {view.kind === 'asks' && <Note tone="warn" actions={<Button size="small" onClick={() => void readNow(true)}>{say('files.show-anyway')}</Button>}><Exact text={say.fact(view.reason)} className="wrap-any" /></Note>}
      {view.kind === 'binary' && <Note tone="info">{say('files.binary', { size: sizeText(view.sizeBytes, say) })}</Note>}
      {view.kind === 'too-large' && <Note tone="info">{say('files.too-large', { limit: sizeText(view.limitBytes, say) })}</Note>}
      {view.kind === 'text' && (view.encoding === 'GB18030' || view.encoding === 'Latin-1') && <Note tone="info">{say(view.encoding === 'GB18030' ? 'files.guessed' : 'files.unknown-encoding')}</Note>}
      {view.kind === 'text' && <PastEnd text={view.text} line={shown.line} />}
      {view.kind === 'text' && <Text shown={shown} text={view.text} name={path} />}
    </div>
  )
}

function Then({ shown }: { readonly shown: Shown }) {
  const say = useWords()
  const { then, moment, path } = shown
  if (then === undefined) return <div aria-busy />
  if (then === null) return <Note tone="info">{say('files.not-then')}</Note>
  if (then.text === null) return <Note tone="info">{say('files.binary', { size: sizeText(then.sizeBytes, say) })}</Note>
  return <Text shown={shown} text={then.text} name={`${path}, ${say('files.after-turn', { turn: moment?.turn ?? 0 })}`} />
}

/** The file has moved on since somebody named that line. */
function PastEnd({ text, line }: { readonly text: string; readonly line: number | null }) {
  const say = useWords()
  if (line === null) return null
  const lines = text.split('\n').length
  return line > lines ? <Note tone="warn">{say('files.past-end', { lines, line })}</Note> : null
}

function Text({ shown, text, name }: { readonly shown: Shown; readonly text: string; readonly name: string }) {
  return <div className="editor"><div><TextEditor text={text} path={shown.path} name={name} line={shown.line} column={shown.column} takesFocus /></div></div>
}
