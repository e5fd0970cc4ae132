import { ExternalLink, KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ProviderRow } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { openPage, unseal, useModels } from './modelStore'
import { isOpenOnTheWay } from './providerState'
import { RemoveKey } from './RemoveDialogs'

/** What is typed and not yet kept; it leaves the window with the next save and never comes back. */
export interface Secret {
  readonly key: string
  readonly phrase: string
}

export const noSecret: Secret = { key: '', phrase: '' }

interface KeyPartProps {
  readonly row: ProviderRow
  /** As it stands in the form, saved or not. */
  readonly address: string
  readonly secret: Secret
  readonly onSecret: (secret: Secret) => void
  readonly onSave: () => void
}

/** A provider's key: typed, replaced, unsealed, removed; never shown. */
export function KeyPart({ row, address, secret, onSecret, onSave }: KeyPartProps) {
  const say = useWords()
  const [isRemoving, setIsRemoving] = useState(false)
  const kept = useModels((state) => (state.kept?.provider === row.id ? state.kept.place : null))
  const isWanted = useModels((state) => state.isKeyWanted)
  const { key, phrase } = secret
  const isThere = (row.key !== null && row.key.place !== 'environment') || row.isKeySealed || row.keyOf !== undefined
  const open = async (): Promise<void> => {
    onSecret({ key, phrase: '' })
    await unseal(phrase)
  }
  return (
    <fieldset className="col" style={{ gap: 10 }}>
      <div className="row" style={{ alignItems: 'flex-end' }}>
        <TextField className="grow" label={say('provider.key')} isSecret autoFocus={isWanted} value={key} placeholder={row.key ? `••••••••••••${row.key.lastFour}` : ''} onChange={(event) => onSecret({ key: event.target.value, phrase })} />
        <Button icon={KeyRound} disabled={key.trim() === ''} onClick={onSave}>{say('provider.save-key')}</Button>
        {isThere && <Button onClick={() => setIsRemoving(true)}>{say('provider.remove-key')}</Button>}
      </div>
      {(!row.hasKeychain || row.isSealed) && <TextField label={say('provider.pass-phrase')} isSecret value={phrase} hint={say(row.hasKeychain ? 'provider.pass-phrase-opens' : 'provider.pass-phrase-hint')} onChange={(event) => onSecret({ key, phrase: event.target.value })} />}
      {row.isSealed && <div className="row"><Note tone="warn">{say(row.isKeySealed ? 'provider.sealed' : 'provider.others-sealed')}</Note><Button disabled={phrase === ''} onClick={() => void open()}>{say('provider.unseal')}</Button></div>}
      {isOpenOnTheWay(address) && (isThere || row.key !== null || key.trim() !== '') && <Note tone="warn">{say('provider.key-in-the-open')}</Note>}
      {row.keyOf !== undefined && <Note tone="warn">{say('provider.key-of', { host: row.keyOf })}</Note>}
      <p className="hint" role="status">{row.key ? keyPlace(row.key, say) : !row.isKeySealed && row.keyOf === undefined && say('provider.key-none')}{kept !== null && <> {say('provider.key-kept')}</>}</p>
      <Variables row={row} />
      {isRemoving && <RemoveKey row={row} onClose={() => setIsRemoving(false)} />}
    </fieldset>
  )
}

/** Where a key comes from. */
export function keyPlace({ place, lastFour, variable }: NonNullable<ProviderRow['key']>, say: Speaker): string {
  return variable === undefined ? say(`provider.key-place.${place}`, { lastFour }) : say('provider.key-place.variable', { lastFour, variable })
}

/** What of the environment would come first, and where keys are made. */
function Variables({ row }: { readonly row: ProviderRow }) {
  const say = useWords()
  const entry = useModels((state) => state.page?.offered.find((one) => one.id === row.preset))
  if (!entry) return null
  const variables = entry.keyVariables.join(', ')
  const unused = (row.unusedVariables ?? []).join(', ')
  const { keyPage, docs } = entry
  return (
    <>
      {unused !== '' && <p className="hint">{say('provider.key-elsewhere', { variables: unused, host: hostOf(entry.baseUrl) })}</p>}
      {variables !== '' && row.key?.variable === undefined && hostOf(entry.baseUrl) === hostOf(row.baseUrl) && unused === '' && <p className="hint">{say('provider.key-would-win', { variables })}</p>}
      {(keyPage ?? docs) !== null && <span className="row wrap" style={{ gap: 6 }}>
        {keyPage !== null && <Button size="small" look="quiet" icon={ExternalLink} onClick={() => openPage(keyPage)}>{say('provider.key-page')}</Button>}
        {docs !== null && <Button size="small" look="quiet" icon={ExternalLink} onClick={() => openPage(docs)}>{say('provider.docs')}</Button>}
      </span>}
    </>
  )
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}
