import { ChevronRight, FileText, Folder } from 'lucide-react'
import { useState } from 'react'
import type { AttachedFile, MessageAttachment } from '../../../shared/domain/event'
import type { ToolContent } from '../../../shared/domain/tool'
import { Exact } from '../../ui/Exact'
import { sizeText } from '../../ui/sizeText'
import { useWords } from '../../ui/words'
import { Contents } from './Contents'
import { StoredText } from './StoredText'

/** What went with a message: pictures as pictures, resources and files each opens to what the model read of it. */
export function MessageAttachments({ attachments, files }: { readonly attachments: readonly MessageAttachment[]; readonly files: readonly AttachedFile[] }) {
  const say = useWords()
  const texts = files.filter(({ text }) => text !== '')
  const pictures = files.flatMap(({ text, content }) => (text === '' ? content : []))
  return (
    <>
      {attachments.length > 0 && <ul className="calls" aria-label={say('session.attachments')} style={{ marginTop: 6 }}>{attachments.map((one, at) => <Row key={at} {...one} from={one.server} />)}</ul>}
      {texts.length > 0 && <ul className="calls" aria-label={say('attach.files')} style={{ marginTop: 6 }}>{texts.map((one, at) => <Row key={at} {...one} uri={one.name} from={one.path === null ? `↗ ${say('attach.outside')}` : ''} isFolder={one.path !== null && one.hash === undefined} />)}</ul>}
      {pictures.length > 0 && <div className="sentpictures"><Contents content={pictures} server="" /></div>}
    </>
  )
}

interface RowProps {
  readonly name: string
  readonly uri: string
  readonly from: string
  readonly text: string
  readonly outputRef: string | null
  readonly content: readonly ToolContent[]
  readonly isFolder?: boolean
}

function Row({ name, uri, from, text, outputRef, content, isFolder = false }: RowProps) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const bytes = content.reduce((sum, one) => sum + (one.kind === 'link' ? 0 : one.sizeBytes), 0)
  const Mark = isFolder ? Folder : FileText
  return (
    <li>
      <button type="button" className="call" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <ChevronRight className="i" size={14} aria-hidden style={isOpen ? { transform: 'rotate(90deg)' } : undefined} />
        <Mark className="i" size={14} aria-hidden />
        <span className="med cut"><Exact text={name} /></span>
        {from !== '' && <span className="small dim nowrap"><Exact text={from} /></span>}
        <span className="mono cut grow faint" title={uri}>{uri !== name && <Exact text={uri} />}</span>
        {outputRef !== null && <span className="small t-warn nowrap">{say('session.attachment.cut')}</span>}
        <span className="small faint nowrap">{text === '' && bytes > 0 ? sizeText(bytes, say) : say('session.characters', { count: text.length })}</span>
      </button>
      {isOpen && <div className="callbox"><StoredText text={text} outputRef={outputRef} /><Contents content={content} server={from} /></div>}
    </li>
  )
}
