import { Check, CircleDashed, CircleHelp, FlaskConical, OctagonX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ProviderRow, ProviderTest } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { TextField } from '../../ui/fields'
import { Chip, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { KeyPart, noSecret } from './KeyPart'
import { activate, isDraft, removeProvider, saveKey, saveProvider, testProvider, useModels } from './modelStore'
import { RemoveProvider } from './RemoveDialogs'

/** A provider: address, key, model; tested step by step; used when the person says so. */
export function ProviderForm({ row }: { readonly row: ProviderRow }) {
  const say = useWords()
  const [name, setName] = useState(row.name)
  const [baseUrl, setBaseUrl] = useState(row.baseUrl)
  const [model, setModel] = useState(row.model)
  const [secret, setSecret] = useState(noSecret)
  const [isRemoving, setIsRemoving] = useState(false)
  const test = useModels((state) => state.tests[row.id])
  const offered = useModels((state) => state.models[row.id]) ?? none
  const fault = useModels((state) => state.fault)
  const isOurs = row.origin === 'settings'
  const canChooseModel = row.origin === 'settings' || row.origin === 'found'
  const isChanged = name !== row.name || baseUrl !== row.baseUrl || model !== row.model
  const save = async (): Promise<boolean> => (!isChanged && !isDraft(row)) || saveProvider({ id: row.id, name: name.trim() === '' ? row.id : name.trim(), baseUrl: baseUrl.trim(), protocol: row.protocol ?? 'openai', model: model.trim() })
  // A key that stands in its field is meant: a test without it would only say that it is missing.
  const keep = async (): Promise<boolean> => {
    if (!(await save())) return false
    if (secret.key.trim() === '') return true
    setSecret(noSecret)
    if (await saveKey(row.id, secret.key, secret.phrase)) return true
    setSecret(secret)
    return false
  }
  const runTest = async (): Promise<void> => { if (await keep()) await testProvider(row.id) }
  const use = async (): Promise<void> => { if (await keep()) await activate(row.id) }
  return (
    <form className="page" aria-label={say('provider.provider')} onSubmit={(event) => { event.preventDefault(); void keep() }}>
      <div className="head">
        <h2 className="cut" style={{ fontSize: 15 }}>{row.origin === 'practice' ? say('provider.practice-name') : <Exact text={row.name} />}</h2>
        {row.isActive && <Chip tone="ok"><Check size={12} aria-hidden />{say('provider.in-use')}</Chip>}
        <span className="end row">
          {isOurs && <IconButton icon={Trash2} label={say('provider.remove')} onClick={() => (isDraft(row) ? void removeProvider(row) : setIsRemoving(true))} />}
          <Button size="small" icon={FlaskConical} disabled={test === 'running'} onClick={() => void runTest()}>{say('provider.test')}</Button>
          {!row.isActive && <Button size="small" look="primary" onClick={() => void use()}>{say('provider.use')}</Button>}
        </span>
      </div>
      <div className="col" style={{ padding: '16px 24px', gap: 16, maxWidth: 880, flex: 'none' }}>
        {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
        {row.origin !== 'settings' && <Note tone="info">{say(`provider.origin.${row.origin}`)}</Note>}
        {isOurs && <TextField label={say('provider.name')} value={name} onChange={(event) => setName(event.target.value)} />}
        {row.origin !== 'practice' && <TextField label={say('provider.address')} value={baseUrl} readOnly={!isOurs} isMono placeholder="https://api.example.com/v1" hint={say('provider.address-hint')} onChange={(event) => setBaseUrl(event.target.value)} />}
        <div>
          <TextField label={say('provider.model')} value={model} readOnly={!canChooseModel} isMono onChange={(event) => setModel(event.target.value)} />
          {offered.length > 0 && canChooseModel && <ul className="row" style={{ flexWrap: 'wrap', paddingTop: 6, gap: 6 }} aria-label={say('provider.offered')}>{offered.slice(0, 12).map((one) => <li key={one}><button type="button" className="chip mono" aria-pressed={one === model} onClick={() => setModel(one)}><Exact text={one} /></button></li>)}</ul>}
        </div>
        {(isOurs || row.origin === 'found') && <span><Button disabled={!isChanged} onClick={() => void keep()}>{say('provider.save')}</Button></span>}
        {isOurs && <KeyPart row={row} secret={secret} onSecret={setSecret} onSave={() => void keep()} />}
        {row.origin === 'environment' && row.key && <p className="hint">{say('provider.key-from-environment', { lastFour: row.key.lastFour })}</p>}
        {test !== undefined && <TestSteps test={test} />}
      </div>
      {isRemoving && <RemoveProvider row={row} onClose={() => setIsRemoving(false)} />}
    </form>
  )
}

const none: readonly string[] = []

/** Each step with its outcome; what was not reached is not claimed. */
function TestSteps({ test }: { readonly test: ProviderTest | 'running' }) {
  const say = useWords()
  if (test === 'running') return <p role="status" className="row dim"><CircleDashed className="i spin" size={14} aria-hidden />{say('provider.testing')}</p>
  return (
    <div className="card" style={{ padding: '10px 16px' }} role="status">
      <h3 className="strong">{say('provider.test-result')}</h3>
      <ol>
        {test.steps.map((step) => (
          <li key={step.step} className="row" style={{ padding: '4px 0', alignItems: 'flex-start' }}>
            <Outcome ok={step.ok} />
            <span style={{ width: 110 }} className="med">{say(`provider.step.${step.step}`)}</span>
            <span className="dim grow">{say.fact(step.say)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Outcome({ ok }: Pick<ProviderTest['steps'][number], 'ok'>) {
  const say = useWords()
  if (ok === null) return <CircleHelp className="i dim" size={14} aria-label={say('provider.not-known')} />
  return ok ? <Check className="i t-ok" size={14} aria-label={say('ui.ok')} /> : <OctagonX className="i t-bad" size={14} aria-label={say('ui.failed')} />
}
