import { Trash2 } from 'lucide-react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { closeDialog, removeServer, useServers } from './serverStore'

/** Asks once, and names what goes: the entry, its keys, its switches. */
export function RemoveDialog() {
  const say = useWords()
  const chosen = useServers((state) => state.chosen)
  const detail = useServers((state) => (state.chosen?.kind === 'server' ? state.details[state.chosen.name] : undefined))
  if (chosen?.kind !== 'server') return null
  const { name } = chosen
  const keys = [...(detail?.env ?? []), ...(detail?.headers ?? [])].filter((value) => value.place === 'keychain').map((value) => value.name)
  return (
    <Dialog name={say('servers.delete-name', { name })} isOpen onClose={closeDialog}>
      <div className="head"><h2 className="cut">{say('servers.delete-title')} <Exact text={name} /></h2></div>
      <div style={{ padding: '12px 16px', overflow: 'auto' }}>
        <p>{say('servers.delete-about')}</p>
        <ul className="bullets">
          <li>{say('servers.delete-entry')}</li>
          {keys.length > 0 && <li>{say('servers.delete-keys')} <Exact text={keys.join(', ')} className="mono wrap-any" /></li>}
          {detail?.isSignedIn === true && <li>{say('servers.delete-sign-in')}</li>}
          <li>{say('servers.delete-switches')}</li>
        </ul>
        <p className="dim">{say('servers.delete-record')}</p>
      </div>
      <div className="savebar"><span className="end row"><Button onClick={closeDialog}>{say('ui.cancel')}</Button><Button icon={Trash2} className="danger" onClick={() => void removeServer(name)}>{say('servers.delete')}</Button></span></div>
    </Dialog>
  )
}
