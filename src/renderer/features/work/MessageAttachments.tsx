import { ChevronRight, FileText } from 'lucide-react'
import { useState } from 'react'
import type { MessageAttachment } from '../../../shared/domain/event'
import { Exact } from '../../ui/Exact'
import { sizeText } from '../../ui/sizeText'
import { useWords } from '../../ui/words'
import { Contents } from './Contents'
import { StoredText } from './StoredText'

/** The resources that went with a message; each opens to what the model read of it. */
export function MessageAttachments({ attachments }: { readonly attachments: readonly MessageAttachment[] }) {
  const say = useWords()
  if (attachments.length === 0) return null
  return <ul className="calls" aria-label={say('session.attachments')} style={{ marginTop: 6 }}>{attachments.map((one, at) => <Row key={at} attachment={one} />)}</ul>
}

function Row({ attachment }: { readonly attachment: MessageAttachment }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const { server, uri, name, text, outputRef, content } = attachment
  const bytes = content.reduce((sum, one) => sum + (one.kind === 'link' ? 0 : one.sizeBytes), 0)
  return (
    <li>
      <button type="button" className="call" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <ChevronRight className="i" size={14} aria-hidden style={isOpen ? { transform: 'rotate(90deg)' } : undefined} />
        <FileText className="i" size={14} aria-hidden />
        <span className="med cut"><Exact text={name} /></span>
        <span className="small dim nowrap"><Exact text={server} /></span>
        <span className="mono cut grow faint" title={uri}>{uri !== name && <Exact text={uri} />}</span>
        {outputRef !== null && <span className="small t-warn nowrap">{say('session.attachment.cut')}</span>}
        <span className="small faint nowrap">{text === '' && bytes > 0 ? sizeText(bytes, say) : say('session.characters', { count: text.length })}</span>
      </button>
      {isOpen && <div className="callbox"><StoredText text={text} outputRef={outputRef} /><Contents content={content} server={server} /></div>}
    </li>
  )
}
