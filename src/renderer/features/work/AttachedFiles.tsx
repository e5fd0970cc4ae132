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
import { removeFile, useFiles } from './fileStore'

const none: readonly string[] = []

/** The files and pictures that go with the message in the box; one that could not be read when it was sent says so. */
export function AttachedFiles({ sessionId, files, fault }: { readonly sessionId: SessionId; readonly files: readonly MessageFile[]; readonly fault: Said | null }) {
  const say = useWords()
  const reading = useFiles((state) => state.reading[sessionId] ?? none)
  if (files.length === 0 && reading.length === 0) return null
  const named = fault === null ? [] : Object.values(fault.values)
  return (
    <ul className="attached" aria-label={say('attach.files')}>
      {files.map((file) => <Chip key={file.kind === 'project' ? file.path : file.ref} file={file} isFailed={named.includes(nameOf(file))} />)}
      {reading.map((name, at) => <li key={`reading ${at}`} className="chip faint" role="status"><span className="cut"><Exact text={say('attach.reading', { name })} /></span></li>)}
    </ul>
  )
}

function Chip({ file, isFailed }: { readonly file: MessageFile; readonly isFailed: boolean }) {
  const say = useWords()
  const name = nameOf(file)
  const isPicture = file.kind === 'kept' && file.mimeType !== 'text/plain'
  const notes = file.kind === 'kept' ? file.notes.map((note) => say.fact(note)) : []
  return (
    <li className={classes('chip', isFailed && 'bad')} title={[name, ...notes].join('\n')}>
      {isPicture ? <Thumbnail file={file} /> : file.kind === 'project' && file.isFolder ? <Folder className="i" size={14} aria-hidden /> : <FileText className="i" size={14} aria-hidden />}
      <span className={classes('cut', file.kind === 'project' && 'mono')}><Exact text={name} /></span>
      {file.kind === 'project' && file.isFolder && <span className="sr">{say('attach.folder')}</span>}
      {file.kind === 'kept' && <span className="faint nowrap">{sizeText(file.sizeBytes, say)}{file.pixels && ` · ${say('attach.pixels', file.pixels)}`}</span>}
      {file.kind === 'kept' && !isPicture && <span className="t-warn nowrap">↗ {say('attach.outside')}</span>}
      {notes.map((note) => <span key={note} className="faint cut">{note}</span>)}
      {isFailed && <span>{say('session.attachment.failed')}</span>}
      <IconButton icon={X} label={say('session.attachment.remove', { name })} onClick={() => removeFile(file)} />
    </li>
  )
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
