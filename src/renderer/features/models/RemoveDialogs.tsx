import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProviderRow } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { removeKey, removeProvider } from './modelStore'

interface RemoveProps {
  readonly row: ProviderRow
  readonly onClose: () => void
}

/** What goes with a provider, before it goes. */
export function RemoveProvider({ row, onClose }: RemoveProps) {
  const say = useWords()
  return (
    <RemoveDialog name={say('provider.remove-name', { name: row.name })} title={<>{say('provider.remove-title')} <Exact text={row.name} /></>} answer={say('provider.remove')} onClose={onClose} onRemove={() => void removeProvider(row)}>
      <p>{say('provider.remove-about')}</p>
      <ul className="bullets">
        <li>{say('provider.remove-address')} <Exact text={row.baseUrl} className="mono wrap-any" /></li>
        {row.model !== '' && <li>{say('provider.remove-model')} <Exact text={row.model} className="mono wrap-any" /></li>}
        <KeyLine row={row} />
      </ul>
      {row.isActive && <p>{say('provider.remove-active')}</p>}
      <p className="dim">{say('provider.remove-stays')}{(row.key !== null || row.isKeySealed || row.keyOf !== undefined) && <> {say('provider.key-still-works')}</>}</p>
    </RemoveDialog>
  )
}

/** The key alone: the provider stays. */
export function RemoveKey({ row, onClose }: RemoveProps) {
  const say = useWords()
  return (
    <RemoveDialog name={say('provider.remove-key-name', { name: row.name })} title={<>{say('provider.remove-key-title')} <Exact text={row.name} /></>} answer={say('provider.remove-key')} onClose={onClose} onRemove={() => void removeKey(row.id)}>
      <p>{say('provider.remove-about')}</p>
      <ul className="bullets"><KeyLine row={row} /></ul>
      <p className="dim">{say('provider.remove-key-stays')} {say('provider.key-still-works')}</p>
    </RemoveDialog>
  )
}

function KeyLine({ row }: Pick<RemoveProps, 'row'>) {
  const say = useWords()
  if (row.isKeySealed) return <li>{say('provider.remove-sealed-key')}</li>
  if (row.keyOf !== undefined) return <li>{say('provider.remove-key-of', { host: row.keyOf })}</li>
  return row.key && <li>{say(`provider.key-place.${row.key.place}`, { lastFour: row.key.lastFour })}</li>
}

interface RemoveDialogProps {
  readonly name: string
  readonly title: ReactNode
  readonly answer: string
  readonly children: ReactNode
  readonly onClose: () => void
  readonly onRemove: () => void
}

function RemoveDialog({ name, title, answer, children, onClose, onRemove }: RemoveDialogProps) {
  const say = useWords()
  return (
    <Dialog name={name} isOpen onClose={onClose}>
      <div className="head"><h2 className="cut">{title}</h2></div>
      <div style={{ padding: '12px 16px', overflow: 'auto' }}>{children}</div>
      <div className="savebar"><span className="end row"><Button onClick={onClose}>{say('ui.cancel')}</Button><Button icon={Trash2} className="danger" onClick={() => { onClose(); onRemove() }}>{answer}</Button></span></div>
    </Dialog>
  )
}
