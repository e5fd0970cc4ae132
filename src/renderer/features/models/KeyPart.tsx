import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ProviderRow } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { unseal, useModels } from './modelStore'
import { RemoveKey } from './RemoveDialogs'

/** What is typed and not yet kept; it leaves the window with the next save and never comes back. */
export interface Secret {
  readonly key: string
  readonly phrase: string
}

export const noSecret: Secret = { key: '', phrase: '' }

interface KeyPartProps {
  readonly row: ProviderRow
  readonly secret: Secret
  readonly onSecret: (secret: Secret) => void
  readonly onSave: () => void
}

/** A provider's key: typed, replaced, unsealed, removed; never shown. */
export function KeyPart({ row, secret, onSecret, onSave }: KeyPartProps) {
  const say = useWords()
  const [isRemoving, setIsRemoving] = useState(false)
  const kept = useModels((state) => (state.kept?.provider === row.id ? state.kept.place : null))
  const { key, phrase } = secret
  const isThere = row.key !== null || row.isKeySealed
  const open = async (): Promise<void> => {
    onSecret({ key, phrase: '' })
    await unseal(phrase)
  }
  return (
    <fieldset className="col" style={{ gap: 10 }}>
      <div className="row" style={{ alignItems: 'flex-end' }}>
        <TextField className="grow" label={say('provider.key')} isSecret value={key} placeholder={row.key ? `••••••••••••${row.key.lastFour}` : ''} onChange={(event) => onSecret({ key: event.target.value, phrase })} />
        <Button icon={KeyRound} disabled={key.trim() === ''} onClick={onSave}>{say('provider.save-key')}</Button>
        {isThere && <Button onClick={() => setIsRemoving(true)}>{say('provider.remove-key')}</Button>}
      </div>
      {(!row.hasKeychain || row.isSealed) && <TextField label={say('provider.pass-phrase')} isSecret value={phrase} hint={say(row.hasKeychain ? 'provider.pass-phrase-opens' : 'provider.pass-phrase-hint')} onChange={(event) => onSecret({ key, phrase: event.target.value })} />}
      {row.isSealed && <div className="row"><Note tone="warn">{say(row.isKeySealed ? 'provider.sealed' : 'provider.others-sealed')}</Note><Button disabled={phrase === ''} onClick={() => void open()}>{say('provider.unseal')}</Button></div>}
      <p className="hint" role="status">{row.key ? say(`provider.key-place.${row.key.place}`, { lastFour: row.key.lastFour }) : !row.isKeySealed && say('provider.key-none')}{kept !== null && <> {say('provider.key-kept')}</>}</p>
      {isRemoving && <RemoveKey row={row} onClose={() => setIsRemoving(false)} />}
    </fieldset>
  )
}
