import { FileText, X } from 'lucide-react'
import type { Said } from '../../../shared/domain/result'
import { IconButton } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import type { Attachment } from './drafts'
import { detach } from './workStore'

/** The resources that go with the message in the box; one that could not be read says so. */
export function Attached({ attachments, fault }: { readonly attachments: readonly Attachment[]; readonly fault: Said | null }) {
  const say = useWords()
  if (attachments.length === 0) return null
  const named = fault === null ? [] : Object.values(fault.values)
  return (
    <ul className="attached" aria-label={say('session.attachments')}>
      {attachments.map((one) => {
        const isFailed = named.includes(one.uri)
        return (
          <li key={`${one.server} ${one.uri}`} className={classes('chip', isFailed && 'bad')} title={one.uri}>
            <FileText className="i" size={14} aria-hidden />
            <span className="cut"><Exact text={one.name} /></span>
            <span className="faint cut"><Exact text={one.server} /></span>
            {isFailed && <span>{say('session.attachment.failed')}</span>}
            <IconButton icon={X} label={say('session.attachment.remove', { name: one.name })} onClick={() => detach(one)} />
          </li>
        )
      })}
    </ul>
  )
}
