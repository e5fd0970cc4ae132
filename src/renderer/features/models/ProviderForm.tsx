import { Check, FlaskConical, OctagonX, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { protocols, type ProviderExtras } from '../../../shared/domain/catalogue'
import type { ProviderSettings } from '../../../shared/domain/settings'
import type { ProviderRow } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Choice, TextField } from '../../ui/fields'
import { Chip, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { AdvancedPart } from './AdvancedPart'
import { KeyPart, keyPlace, noSecret, type Secret } from './KeyPart'
import { ModelTable } from './ModelTable'
import { activate, isDraft, removeProvider, saveKey, saveProvider, showProvider, testProvider, useModels, type TestView } from './modelStore'
import type { UsedFor } from './modelWords'
import { NetworkCard } from './NetworkCard'
import { countChanges, dropDraft, editDraft, hasChangedFields, keptFields, useProviderDrafts, type ProviderDraft, type ProviderFields } from './providerDrafts'
import { RemoveProvider } from './RemoveDialogs'
import { TestSteps } from './TestSteps'
import { useAdvancedDraft } from './useAdvancedDraft'

interface ProviderFormProps {
  readonly row: ProviderRow
  readonly usedFor: UsedFor
  readonly roles: ReactNode
}

const noDraft: ProviderDraft = {}

function fieldsOf(row: ProviderRow, draft: ProviderDraft): ProviderFields {
  const kept = keptFields(row)
  return { name: draft.name ?? kept.name, baseUrl: draft.baseUrl ?? kept.baseUrl, model: draft.model ?? kept.model, protocol: draft.protocol ?? kept.protocol }
}

function settingsOf(id: string, { name, baseUrl, model, protocol }: ProviderFields): ProviderSettings {
  return { id, name: name.trim() === '' ? id : name.trim(), baseUrl: baseUrl.trim(), protocol, model: model.trim() }
}

/** A form as it is being filled in, and what its buttons do. */
function useProviderForm(row: ProviderRow) {
  const draft = useProviderDrafts((drafts) => drafts[row.id]) ?? noDraft
  const fields = fieldsOf(row, draft)
  const [phrase, setPhrase] = useState('')
  const secret: Secret = { key: draft.key ?? '', phrase }
  const isChanged = hasChangedFields(row, draft)
  const change = (part: Partial<ProviderFields>): void => editDraft(row.id, part)
  const setSecret = ({ key, phrase: opened }: Secret): void => {
    if (key === '') dropDraft(row.id, 'key')
    else editDraft(row.id, { key })
    setPhrase(opened)
  }
  // A key that stands in its field is meant: a test without it would only say that it is missing.
  const keep = async (part: Partial<ProviderFields> = {}): Promise<boolean> => {
    const hasKey = secret.key.trim() !== ''
    // One that is built in can be tried as it is; it is set up by its key, or by what is changed of it.
    const isToKeep = isChanged || isDraft(row) || Object.keys(part).length > 0 || (row.origin === 'catalogue' && hasKey)
    change(part)
    if (isToKeep && !(await saveProvider(settingsOf(row.id, { ...fields, ...part })))) return false
    dropDraft(row.id, 'fields')
    if (!hasKey) return true
    // It leaves the window at once; only one that was not taken comes back.
    setSecret(noSecret)
    if (await saveKey(row.id, secret.key, secret.phrase)) return true
    setSecret(secret)
    return false
  }
  const keepAdvanced = async (extras: Pick<ProviderExtras, 'quirks' | 'models'>): Promise<boolean> => {
    const isKept = await saveProvider({ ...settingsOf(row.id, fields), ...extras })
    if (isKept) for (const part of ['fields', 'advanced'] as const) dropDraft(row.id, part)
    return isKept
  }
  return { draft, fields, secret, isChanged, change, setSecret, keep, keepAdvanced }
}

/** A provider: key, address, model; tested step by step; its models; used when the person says so. */
export function ProviderForm({ row, usedFor, roles }: ProviderFormProps) {
  const say = useWords()
  const { draft, fields, secret, isChanged, change, setSecret, keep, keepAdvanced } = useProviderForm(row)
  const [isRemoving, setIsRemoving] = useState(false)
  const advanced = useAdvancedDraft(row, fields.protocol)
  const test = useModels((state) => state.tests[row.id])
  const isKeyWanted = useModels((state) => state.isKeyWanted)
  const network = useModels((state) => state.page?.network)
  const isOurs = row.origin === 'settings' || row.origin === 'catalogue'
  const isChosenHere = isOurs || row.origin === 'found'
  const runTest = async (): Promise<void> => { if (await keep()) await testProvider(row.id) }
  const use = async (part: Partial<ProviderFields> = {}): Promise<void> => { if (await keep(part)) await activate(row.id) }
  return (
    <form className="page" aria-label={say('provider.provider')} onSubmit={(event) => { event.preventDefault(); void keep() }}>
      <FormHead row={row} test={test} onTest={() => void runTest()} onUse={() => void use()} onRemove={row.origin === 'settings' ? () => (isDraft(row) ? void removeProvider(row) : setIsRemoving(true)) : null} />
      <div className="modelbody">
        <Faults row={row} />
        {row.keyHeaders && <Note tone="warn">{say('provider.headers-unsent', { names: row.keyHeaders.join(', ') })}</Note>}
        {row.origin !== 'settings' && <Note tone="info">{say(`provider.origin.${row.origin}`)}</Note>}
        <div className="modelpair">
          {isOurs && <KeyPart key={`key-${isKeyWanted}`} row={row} address={fields.baseUrl} secret={secret} onSecret={setSecret} onSave={() => void keep()} />}
          <Place row={row} fields={fields} canEdit={isOurs} canChooseModel={isChosenHere} onChange={change} />
        </div>
        {isChosenHere && <SaveRow row={row} changes={countChanges(row, draft)} canSave={isChanged} onSave={() => void keep()} />}
        {row.origin === 'environment' && row.key && <p className="hint">{keyPlace(row.key, say)}</p>}
        {test !== undefined && <TestSteps test={test} />}
        {row.origin !== 'practice' && <ModelTable row={row} model={fields.model} usedFor={usedFor} onDefault={isChosenHere ? (model) => void use({ model }) : null} onEdit={isOurs && !isDraft(row) ? (model) => advanced.askFor(model.id) : null} />}
        {isOurs && !isDraft(row) && <AdvancedPart draft={advanced} onSave={keepAdvanced} />}
        <div className="modelpair">{roles}{network && <NetworkCard network={network} />}</div>
      </div>
      {isRemoving && <RemoveProvider row={row} onClose={() => setIsRemoving(false)} />}
    </form>
  )
}

/** Saves the fields above it, and says what of the whole form is not saved. */
function SaveRow({ row, changes, canSave, onSave }: { readonly row: ProviderRow; readonly changes: number; readonly canSave: boolean; readonly onSave: () => void }) {
  const say = useWords()
  return (
    <span className="row">
      <Button disabled={!canSave} onClick={onSave}>{say('provider.save')}</Button>
      {changes > 0 && <Button look="quiet" onClick={() => dropDraft(row.id)}>{say('servers.revert')}</Button>}
      <span className="small dim" role="status">{changes > 0 && say('servers.changes', { count: changes })}</span>
    </span>
  )
}

interface FormHeadProps {
  readonly row: ProviderRow
  readonly test: TestView | undefined
  readonly onTest: () => void
  readonly onUse: () => void
  readonly onRemove: (() => void) | null
}

function FormHead({ row, test, onTest, onUse, onRemove }: FormHeadProps) {
  const say = useWords()
  const answered = test?.steps.find((step) => step.step === 'address' && step.ok === true && step.say.code === 'model.test-address-ok')
  return (
    <div className="head">
      <h2 className="cut" style={{ fontSize: 15 }}>{row.origin === 'practice' ? say('provider.practice-name') : <Exact text={row.name} />}</h2>
      {row.origin !== 'practice' && <span className="small faint nowrap">{say(`provider.protocol.${row.protocol ?? 'openai'}`)}</span>}
      {row.isActive && <Chip tone="ok"><Check size={12} aria-hidden />{say('provider.in-use')}</Chip>}
      {answered && <Chip tone="ok"><Check size={12} aria-hidden />{say('provider.answered', { ms: Number(answered.say.values['ms'] ?? 0) })}</Chip>}
      <span className="end row">
        {onRemove && <IconButton icon={Trash2} label={say('provider.remove')} onClick={onRemove} />}
        <Button size="small" icon={FlaskConical} disabled={test?.isRunning ?? false} onClick={onTest}>{say('provider.test')}</Button>
        {!row.isActive && <Button size="small" look="primary" onClick={onUse}>{say('provider.use')}</Button>}
      </span>
    </div>
  )
}

/** What went wrong with the last change, and with the last request. */
function Faults({ row }: { readonly row: ProviderRow }) {
  const say = useWords()
  const fault = useModels((state) => state.fault)
  // What a test found stands below, step by step.
  const failed = useModels((state) => (state.tests[row.id] ? undefined : state.faults[row.id]))
  return (
    <>
      {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
      {failed && <section className="card failure"><div className="row"><OctagonX className="i t-bad" size={14} aria-hidden /><h3 className="med"><Exact text={row.name} /></h3><span className="time">{say.time(failed.atMs)}</span></div><p className="dim wrap-any">{say.fact(failed.say)}</p>{failed.kind === 'key' && row.origin === 'settings' && <Button size="small" onClick={() => showProvider(row.id, true)}>{say('provider.replace-key')}</Button>}</section>}
    </>
  )
}

interface PlaceProps {
  readonly row: ProviderRow
  readonly fields: ProviderFields
  readonly canEdit: boolean
  readonly canChooseModel: boolean
  readonly onChange: (change: Partial<ProviderFields>) => void
}

/** What it is called, where it is, how it is talked to, and its first model. */
function Place({ row, fields, canEdit, canChooseModel, onChange }: PlaceProps) {
  const say = useWords()
  const isBuiltIn = row.preset === row.id
  return (
    <div className="col" style={{ gap: 12 }}>
      {canEdit && !isBuiltIn && <TextField label={say('provider.name')} value={fields.name} onChange={(event) => onChange({ name: event.target.value })} />}
      {row.origin !== 'practice' && <TextField label={say('provider.address')} value={fields.baseUrl} readOnly={!canEdit} isMono placeholder="https://api.example.com/v1" hint={say('provider.address-hint')} onChange={(event) => onChange({ baseUrl: event.target.value })} />}
      {canEdit && <div className="field"><span className="lbl" aria-hidden>{say('provider.protocol')}</span><Choice label={say('provider.protocol')} value={fields.protocol} onChange={(protocol) => onChange({ protocol })} options={protocols.map((value) => ({ value, label: say(`provider.protocol.${value}`) }))} /></div>}
      <TextField label={say('provider.model')} value={fields.model} readOnly={!canChooseModel} isMono {...(canChooseModel ? { hint: say('provider.model-hint') } : {})} onChange={(event) => onChange({ model: event.target.value })} />
    </div>
  )
}
