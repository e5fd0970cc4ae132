import { Trash2 } from 'lucide-react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { closeForget, forget, useRoom } from './roomStore'
import { useTimeline } from './timelineStore'
import { whenText } from './whenText'

/** How many points would go, and how many stay because something needs them. Nothing goes before the answer. */
export function ForgetDialog() {
  const say = useWords()
  const asks = useRoom((state) => state.asks)
  const isBusy = useRoom((state) => state.isBusy)
  const row = useTimeline((state) => state.timeline.rows.find((one) => one.id === asks?.before))
  if (asks === null) return null
  const { would, fault } = asks
  const name = say('timeline.let-go-title', { date: row ? whenText(row.atMs, say) : '' })
  return (
    <Dialog name={name} isOpen isAsking onClose={closeForget}>
      <div className="head"><h2 className="cut">{name}</h2></div>
      <div className="dialogbody">
        {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
        {would === null && !fault && <p className="dim" role="status">{say('timeline.let-go-counting')}</p>}
        {would && (would.points === 0 ? <p>{say('timeline.let-go-none')}</p> : <><p>{say('timeline.let-go-count', { count: would.points })}</p><p className="dim">{say('timeline.let-go-files')}</p></>)}
        {would && would.kept > 0 && <Note tone="info">{say('timeline.let-go-kept', { count: would.kept })}</Note>}
      </div>
      <div className="savebar">
        {would && would.points > 0 && <Button icon={Trash2} className="danger" disabled={isBusy} onClick={() => void forget()}>{say('timeline.let-go-do', { count: would.points })}</Button>}
        <Button className="end" autoFocus onClick={closeForget}>{say('ui.cancel')}</Button>
      </div>
    </Dialog>
  )
}
