import { useWords } from '../../ui/words'
import { countChanges, partsOfEdit, type EditMarks, type EditPreview } from './editChanges'
import { filled } from './filled'

/** How much of a change will be written, and with whose words. */
export function EditFoot({ preview, marks }: { readonly preview: EditPreview; readonly marks: EditMarks }) {
  const say = useWords()
  if (preview.after === null) return null
  const { total, kept, own, isElsewhere } = countChanges(partsOfEdit(preview), marks)
  if (preview.before === null) return own > 0 ? <span className="small t-you">{say('approval.with-your-edit')}</span> : null
  const elsewhere = isElsewhere && <> {say('approval.review.foot-elsewhere')}</>
  if (kept === 0) return <span className="small dim">{say('approval.review.foot-none')}{elsewhere}</span>
  if (kept === total && own === 0 && !isElsewhere) return <span className="small dim">{say('approval.review.foot-all', { total })}</span>
  return <span className="small dim">{filled(say, own > 0 ? 'approval.review.foot-own' : 'approval.review.foot', { kept: <b className="t-1">{say('approval.review.foot-count', { kept, total })}</b> }, { own })}{elsewhere}</span>
}
