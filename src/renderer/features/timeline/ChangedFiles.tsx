import { Ellipsis } from 'lucide-react'
import type { ComponentProps } from 'react'
import { TableVirtuoso, type ItemProps } from 'react-virtuoso'
import type { Author } from '../../../shared/domain/snapshot'
import type { ChangedPath } from '../../../shared/ipc/timelineViews'
import { IconButton } from '../../ui/Button'
import { PathText } from '../../ui/Exact'
import { AuthorMark, LineCounts } from '../../ui/marks'
import { Menu } from '../../ui/Menu'
import { useWords } from '../../ui/words'
import { fileItems } from './fileItems'
import { authorMarks, authorWord } from './rowWords'
import { openFile, useTimeline, type Look } from './timelineStore'
import { useTimelineWorld } from './timelineWorld'

/** So many rows are drawn at once; of more, only those near the window are in the page. */
const fewRows = 100
const listPx = 260

const effects = { added: 'timeline.created', modified: 'timeline.changed', deleted: 'timeline.deleted', mode: 'timeline.mode', type: 'timeline.type' } as const

interface FilesProps {
  readonly look: Look
  readonly changes: readonly ChangedPath[]
  /** Who changed a path after this; null where that says nothing. */
  readonly since: ((path: string) => readonly Author[]) | null
}

/** The paths that differ; a row opens its comparison. */
export function ChangedFiles({ look, changes, since }: FilesProps) {
  const say = useWords()
  const rest = look.count - changes.length
  return (
    <div className="card tlfiles">
      {changes.length <= fewRows
        ? <div style={{ overflow: 'auto', maxHeight: listPx }}><Frame><thead><Head hasSince={since !== null} /></thead><tbody>{changes.map((change) => <FileRow key={change.path} path={change.path}><Cells look={look} change={change} since={since} /></FileRow>)}</tbody></Frame></div>
        : <TableVirtuoso style={{ height: listPx }} data={changes} components={parts} computeItemKey={(_, change) => change.path} fixedHeaderContent={() => <Head hasSince={since !== null} />} itemContent={(_, change) => <Cells look={look} change={change} since={since} />} />}
      {rest > 0 && <p className="small dim" style={{ padding: '6px 10px' }}>{say('timeline.more-files', { count: rest })}</p>}
    </div>
  )
}

const parts = { Table: Frame, TableRow: VirtualRow }

function Frame({ context: _context, ...props }: ComponentProps<'table'> & { readonly context?: unknown }) {
  const say = useWords()
  return <table {...props} aria-label={say('timeline.files')} />
}

function VirtualRow({ item, context: _context, ...props }: ItemProps<ChangedPath> & { readonly context?: unknown }) {
  return <FileRow path={item.path} {...props} />
}

function FileRow({ path, ...props }: ComponentProps<'tr'> & { readonly path: string }) {
  const isOpen = useTimeline((state) => state.file?.change.path === path)
  return <tr {...props} aria-selected={isOpen} />
}

function Head({ hasSince }: { readonly hasSince: boolean }) {
  const say = useWords()
  return <tr><th scope="col">{say('timeline.file')}</th><th scope="col">{say('timeline.effect')}</th>{hasSince && <th scope="col">{say('timeline.since-by')}</th>}<th scope="col" className="num">{say('timeline.lines')}</th><th scope="col" className="c-more"><span className="sr">{say('timeline.more-column')}</span></th></tr>
}

function Cells({ look, change, since }: Pick<FilesProps, 'look' | 'since'> & { readonly change: ChangedPath }) {
  const say = useWords()
  const { onWish } = useTimelineWorld()
  return (
    <>
      <td><button type="button" className="mono filebtn" onClick={() => void openFile(change)}><PathText path={change.path} limit={52} /></button></td>
      <td className="nowrap">{say(effects[change.change])}</td>
      {since && <td><span className="row" style={{ flexWrap: 'wrap', rowGap: 2 }}>{since(change.path).map((author) => <span key={author} className="row small nowrap" style={{ gap: 5 }}>{authorMarks[author].map((kind) => <AuthorMark key={kind} kind={kind} />)}{authorWord(author, say)}</span>)}</span></td>}
      <td className="num">{change.lines && <LineCounts {...change.lines} />}</td>
      <td className="c-more"><Menu align="end" trigger={<IconButton icon={Ellipsis} label={say('timeline.more-about', { path: change.path })} />} items={fileItems(look, change, say, onWish)} /></td>
    </>
  )
}
