import { FilePen, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { Virtuoso } from 'react-virtuoso'
import type { TrialRow } from '../../../shared/domain/sandbox'
import { Exact, PathText } from '../../ui/Exact'
import { LineCounts } from '../../ui/marks'
import { useWords } from '../../ui/words'
import { isOutside } from './partLook'
import { trialCounts, type TrialPreview } from './trialFacts'

const looks = { changed: { icon: FilePen, look: 'dim' }, created: { icon: Plus, look: 't-ok' }, deleted: { icon: Trash2, look: 't-bad' } } as const

/** More rows than these are drawn as they come into view. */
const fewRows = 200

interface TrialFilesProps {
  readonly preview: TrialPreview
  readonly root: string
  readonly selected: string | null
  readonly onSelect: (path: string) => void
}

/** Every path that the trial changed, and what it was refused. */
export function TrialFiles({ preview, root, selected, onSelect }: TrialFilesProps) {
  const say = useWords()
  const { files } = preview
  const row = (file: TrialRow) => <FileRow file={file} isSelected={file.path === selected} isStale={preview.changedSince.includes(file.path)} onSelect={onSelect} />
  const name = say('approval.trial.list')
  return (
    <div className="trialfiles">
      <TrialCounts files={files} />
      {files.length <= fewRows
        ? <ul className="grow" style={{ overflow: 'auto' }} aria-label={name}>{files.map((file) => <li key={file.path}>{row(file)}</li>)}</ul>
        : <div className="grow" role="group" aria-label={name}><Virtuoso style={{ height: '100%' }} data={files} itemContent={(_, file) => row(file)} /></div>}
      <Refused preview={preview} root={root} />
    </div>
  )
}

/** How many files, and of which kind. */
export function TrialCounts({ files }: { readonly files: readonly TrialRow[] }) {
  const say = useWords()
  const counts = trialCounts(files)
  const kinds = (['changed', 'created', 'deleted'] as const).filter((kind) => counts[kind] > 0).map((kind) => say(`approval.trial.count.${kind}`, { count: counts[kind] }))
  return <p className="trialhead small"><span className="med">{say('approval.trial.files', { count: files.length })}</span><span className="dim">{kinds.join(say.locale === 'en' ? ', ' : '，')}</span></p>
}

interface FileRowProps {
  readonly file: TrialRow
  readonly isSelected: boolean
  /** It is no longer on disk what the copy was made of. */
  readonly isStale: boolean
  readonly onSelect: (path: string) => void
}

function FileRow({ file, isSelected, isStale, onSelect }: FileRowProps) {
  const say = useWords()
  const { icon: Icon, look } = looks[file.change]
  return (
    <button type="button" className="ff" aria-current={isSelected ? 'true' : undefined} onClick={() => onSelect(file.path)}>
      <Icon className={`i ${look}`} size={14} aria-hidden /><span className="sr">{say(`approval.trial.${file.change}`)} </span>
      <span className="cut grow"><PathText path={file.path} limit={34} /></span>
      {isStale && <span className="small t-warn nowrap">{say('approval.trial.stale')}</span>}
      {file.kind !== 'file' ? <span className="small faint nowrap">{say(`approval.trial.${file.kind}`)}</span> : file.isBinary ? <span className="small faint nowrap">{say('approval.trial.binary')}</span> : <LineCounts added={file.added} removed={file.removed} />}
    </button>
  )
}

/** What the sandbox kept the command from while it ran; nothing where nothing was. */
export function Refused({ preview, root }: { readonly preview: TrialPreview; readonly root: string }) {
  const say = useWords()
  if (preview.refused.length === 0) return null
  return (
    <div className="refused small t-warn">
      <TriangleAlert className="i" size={14} aria-hidden />
      <div>
        <p>{say('approval.trial.refused')}</p>
        <ul>{preview.refused.map(({ kind, what }, at) => <li key={at}>{say(`approval.trial.refused.${kind}`)} {kind === 'write' && isOutside(what, root) && <span aria-hidden>↗ </span>}<Exact text={what} className="mono wrap-any" /></li>)}</ul>
      </div>
    </div>
  )
}
