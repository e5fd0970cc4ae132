import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { EndpointName } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { cancelTest, removeEndpointKey, saveEndpointKey, testEndpoint, useLookup } from './lookupStore'

/** The key of an endpoint, and one real request to it. The key is typed, replaced, removed; never shown. */
export function EndpointPart({ of }: { readonly of: EndpointName }) {
  const say = useWords()
  const row = useLookup((state) => state.endpoints.find((one) => one.of === of))
  const hasKeychain = useLookup((state) => state.hasKeychain)
  const test = useLookup((state) => state.tests[of])
  const fault = useLookup((state) => state.faults[of])
  const [key, setKey] = useState('')
  const [phrase, setPhrase] = useState('')
  const place = row?.key ?? null
  const isThere = (place !== null && place.place !== 'environment') || row?.isKeySealed === true || row?.keyOf !== undefined
  const save = (): void => {
    void saveEndpointKey(of, key.trim(), phrase)
    setKey('')
    setPhrase('')
  }
  return (
    <fieldset className="col" style={{ gap: 8 }}>
      <div className="row" style={{ alignItems: 'flex-end' }}>
        <TextField className="grow" label={say('provider.key')} isSecret value={key} placeholder={place ? `••••••••••••${place.lastFour}` : say('web.set.key-optional')} onChange={(event) => setKey(event.target.value)} />
        <Button icon={KeyRound} disabled={key.trim() === ''} onClick={save}>{say('provider.save-key')}</Button>
        {isThere && <Button onClick={() => void removeEndpointKey(of)}>{say('provider.remove-key')}</Button>}
        <Button disabled={row?.url == null} onClick={() => void (test === 'running' ? cancelTest(of) : testEndpoint(of))}>{say(test === 'running' ? 'ui.cancel' : 'provider.test')}</Button>
      </div>
      {!hasKeychain && key !== '' && <TextField label={say('provider.pass-phrase')} isSecret value={phrase} hint={say('provider.pass-phrase-hint')} onChange={(event) => setPhrase(event.target.value)} />}
      {row?.keyOf !== undefined && <Note tone="warn">{say('provider.key-of', { host: row.keyOf })}</Note>}
      {row?.isKeySealed && <p className="hint">{say('web.key-sealed')}</p>}
      {place !== null && !row?.isKeySealed && <p className="hint">{say(`provider.key-place.${place.place}`, { lastFour: place.lastFour })}</p>}
      {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
      {test === 'running' && <p className="hint" role="status">{say('web.set.testing')}</p>}
      {test !== undefined && test !== 'running' && <Note tone={test.ok ? 'ok' : 'bad'} role="status">{say.fact(test.ok ? test.value : test.fault)}</Note>}
    </fieldset>
  )
}
