import { Trash2 } from 'lucide-react'
import type { MemoryScope } from '../../../shared/domain/memory'
import type { Said } from '../../../shared/domain/result'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { clear, settleConflict } from './memoryActs'
import { useMemories, type MemoryState } from './memoryStore'

const close = (): void => useMemories.setState({ dialog: null })

/** What the page asks or tells over itself. */
export function MemoryDialogs() {
  const dialog = useMemories((state) => state.dialog)
  switch (dialog?.kind) {
    case 'clear': return <ClearDialog scope={dialog.scope} isAgain={dialog.isAgain} />
    case 'faults': return <FaultsDialog faults={dialog.faults} />
    case 'conflict': return <ConflictDialog dialog={dialog} />
    case undefined: return null
  }
}

/** Asks twice, each time with the name of the scope and the count. The second answer stands elsewhere than the first. */
function ClearDialog({ scope, isAgain }: { readonly scope: MemoryScope; readonly isAgain: boolean }) {
  const say = useWords()
  const count = useMemories((state) => state.head?.counts[scope] ?? 0)
  const name = say(`memory.clear-title.${scope}`)
  return (
    <Dialog name={name} isOpen onClose={close}>
      <div className="head"><h2 className="cut">{name}</h2></div>
      <div className="dialogbody"><p>{say(isAgain ? `memory.clear-again.${scope}` : `memory.clear-ask.${scope}`, { count })}</p></div>
      {isAgain
        ? <div className="savebar" key="again"><Button icon={Trash2} className="danger" onClick={() => void clear(scope)}>{say('memory.clear-all', { count })}</Button><Button className="end" autoFocus onClick={close}>{say('ui.cancel')}</Button></div>
        : <div className="savebar" key="first"><span className="end row"><Button autoFocus onClick={close}>{say('ui.cancel')}</Button><Button onClick={() => useMemories.setState({ dialog: { kind: 'clear', scope, isAgain: true } })}>{say('memory.clear-go-on')}</Button></span></div>}
    </Dialog>
  )
}

function FaultsDialog({ faults }: { readonly faults: readonly Said[] }) {
  const say = useWords()
  const name = say('memory.import-faults', { count: faults.length })
  return (
    <Dialog name={name} isOpen isWide onClose={close}>
      <div className="head"><h2 className="cut">{name}</h2></div>
      <div className="dialogbody"><p className="dim">{say('memory.import-faults-about')}</p><ul className="bullets">{faults.slice(0, 500).map((fault, at) => <li key={at}><Exact text={say.fact(fault)} className="wrap-any" /></li>)}</ul></div>
      <div className="savebar"><Button className="end" onClick={close}>{say('ui.close')}</Button></div>
    </Dialog>
  )
}

/** Both versions, to choose from; nothing was saved yet (g08). Closing goes on with the edit. */
function ConflictDialog({ dialog }: { readonly dialog: Extract<MemoryState['dialog'], { readonly kind: 'conflict' }> }) {
  const say = useWords()
  const { now, id } = dialog
  const mine = useMemories((state) => state.edits[id]?.text ?? '')
  const name = say('memory.conflict')
  return (
    <Dialog name={name} isOpen isWide onClose={() => void settleConflict('go-on')}>
      <div className="head"><h2 className="cut">{name}</h2></div>
      <div className="dialogbody">
        <p>{say('memory.changed')}</p>
        <div className="versions">
          <section aria-label={say('memory.conflict-now')}><h3 className="small dim">{say('memory.conflict-now')}</h3><div className="quote wrap-any">{now === null ? <span className="faint">{say('memory.conflict-gone')}</span> : <Exact text={now.text} />}</div></section>
          <section aria-label={say('memory.conflict-mine')}><h3 className="small dim">{say('memory.conflict-mine')}</h3><div className="quote wrap-any"><Exact text={mine} /></div></section>
        </div>
      </div>
      <div className="savebar">
        <Button look="quiet" onClick={() => void settleConflict('go-on')}>{say('memory.go-on')}</Button>
        <span className="end row"><Button onClick={() => void settleConflict('theirs')}>{say(now === null ? 'memory.keep-gone' : 'memory.keep-theirs')}</Button><Button onClick={() => void settleConflict('mine')}>{say(now === null ? 'memory.keep-new' : 'memory.keep-mine')}</Button></span>
      </div>
    </Dialog>
  )
}
