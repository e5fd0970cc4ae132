import { FileText, Folder, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SessionId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import { IconButton } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { sizeText } from '../../ui/sizeText'
import { useWords } from '../../ui/words'
import { readContent } from './contentStore'
import type { MessageFile } from './drafts'
import { removeFile } from './fileStore'
import { endReading, useReading, type ReadingFile } from './readingStore'

const none: readonly ReadingFile[] = []

interface AttachedFilesProps {
  readonly sessionId: SessionId
  readonly files: readonly MessageFile[]
  readonly fault: Said | null
  /** The model that answers next, where it is not known to take pictures. */
  readonly blindModel: string | null
}

/** The files and pictures that go with the message in the box; one that could not be read when it was sent says so. */
export function AttachedFiles({ sessionId, files, fault, blindModel }: AttachedFilesProps) {
  const say = useWords()
  const reading = useReading((state) => state.reading[sessionId] ?? none)
  if (files.length === 0 && reading.length === 0) return null
  const named = fault === null ? [] : Object.values(fault.values)
  return (
    <>
      <ul className="attached" aria-label={say('attach.files')}>
        {files.map((file) => <Chip key={file.kind === 'project' ? file.path : file.ref} file={file} isFailed={named.includes(nameOf(file))} />)}
        {reading.map((one) => (
          <li key={`reading ${one.id}`} className="chip faint">
            <span className="cut" role="status"><Exact text={say('attach.reading', { name: one.name })} /></span>
            <IconButton icon={X} label={say('attach.reading-stop', { name: one.name })} onClick={() => endReading(sessionId, one)} />
          </li>
        ))}
      </ul>
      {blindModel !== null && files.some(isPicture) && <p className="small t-warn" role="status" style={{ padding: '4px 10px 0' }}>{say('attach.unseen', { model: blindModel })}</p>}
    </>
  )
}

function Chip({ file, isFailed }: { readonly file: MessageFile; readonly isFailed: boolean }) {
  const say = useWords()
  const name = nameOf(file)
  const notes = file.kind === 'kept' ? file.notes.map((note) => say.fact(note)) : []
  return (
    <li className={classes('chip', isFailed && 'bad')} title={[name, ...notes].join('\n')}>
      {isPicture(file) ? <Thumbnail file={file} /> : file.kind === 'project' && file.isFolder ? <Folder className="i" size={14} aria-hidden /> : <FileText className="i" size={14} aria-hidden />}
      <span className={classes('cut', file.kind === 'project' && 'mono')}><Exact text={name} /></span>
      {file.kind === 'project' && file.isFolder && <span className="sr">{say('attach.folder')}</span>}
      {file.kind === 'kept' && <span className="faint nowrap">{sizeText(file.sizeBytes, say)}{file.pixels && ` · ${say('attach.pixels', file.pixels)}`}</span>}
      {file.kind === 'kept' && !isPicture(file) && <span className="t-warn nowrap">↗ {say('attach.outside')}</span>}
      {notes.map((note) => <span key={note} className="faint cut">{note}</span>)}
      {isFailed && <span>{say('session.attachment.failed')}</span>}
      <IconButton icon={X} label={say('session.attachment.remove', { name })} onClick={() => removeFile(file)} />
    </li>
  )
}

function isPicture(file: MessageFile): file is Extract<MessageFile, { readonly kind: 'kept' }> {
  return file.kind === 'kept' && file.mimeType !== 'text/plain'
}

function nameOf(file: MessageFile): string {
  return file.kind === 'project' ? file.path : file.name
}

function Thumbnail({ file: { ref, mimeType } }: { readonly file: Extract<MessageFile, { readonly kind: 'kept' }> }) {
  const [src, setSrc] = useState<string | null>(null)
  useEffect(() => {
    let isHere = true
    void readContent(ref).then((read) => { if (isHere && read.ok) setSrc(`data:${mimeType};base64,${read.value}`) })
    return () => { isHere = false }
  }, [ref, mimeType])
  return src === null ? <span className="chipthumb" /> : <img className="chipthumb" src={src} alt="" draggable={false} />
}
