import type { ApprovalPreview, ApprovalRequest } from '../../../shared/domain/approval'
import type { DiffLine } from '../../ui/diffLines'
import { LineDiff } from '../../ui/LineDiff'
import { useWords } from '../../ui/words'
import { partsOfEdit, type EditPreview } from './editChanges'
import { endNotes } from './editWords'
import { Notes } from './Notes'

/** A change below the conversation: its lines where they are few, else a word about where it is read. */
export function DockedEdit({ preview, lines }: { readonly preview: EditPreview; readonly lines: readonly DiffLine[] | null }) {
  const say = useWords()
  return (
    <>
      <Notes notes={preview.before === null || preview.after === null ? preview.notes : [...preview.notes, ...endNotes(partsOfEdit(preview), {})]} />
      {lines ? <LineDiff lines={lines} name={say('approval.change')} /> : <p className="dim" style={{ padding: '10px 14px' }}>{say('approval.see-review')}</p>}
    </>
  )
}

interface BinaryProps {
  readonly request: ApprovalRequest
  readonly preview: Extract<ApprovalPreview, { readonly kind: 'binary' }>
}

/** A file that is no text: how large it is, and which content the answer is bound to. */
export function BinaryThing({ request, preview }: BinaryProps) {
  const say = useWords()
  const bound = request.baseHashes[preview.path] ?? ''
  const hash = /^[0-9a-f]{64}$/u.test(bound) ? bound : null
  const bytes = preview.beforeBytes ?? 0
  return (
    <div style={{ padding: '10px 14px' }}>
      <p className="dim">{say('approval.binary.about')}</p>
      <p className="wrap-any">{hash === null ? say('approval.binary.before-plain', { bytes }) : say('approval.binary.before', { bytes, hash })}</p>
      <p>{preview.afterBytes === null ? say('approval.binary.gone') : say('approval.binary.after', { bytes: preview.afterBytes })}</p>
    </div>
  )
}
