import { Copy, FlaskConical, Trash2 } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import type { McpTransport } from '../../../shared/domain/mcp'
import type { McpServerDetail } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Segmented, Switch, TextField } from '../../ui/fields'
import { isComposing } from '../../ui/keys'
import { Chip, Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { ArgumentFields } from './ArgumentFields'
import { countChanges, faultsOf, hasSecrets, isOvertaken, type Draft, type DraftFaults } from './draft'
import { FileFault } from './FileFault'
import { duplicate, edit, revert, save, setChoice, showDialog, takenNames, test, useServers, type Chosen } from './serverStore'
import { StateCard } from './StateCard'
import { lookOf } from './stateWords'
import { TestSteps } from './TestSteps'
import { ValueRows } from './ValueRows'

interface FormProps {
  readonly chosen: Chosen
  readonly draft: Draft
  readonly hasKeychain: boolean
  readonly hasFolder: boolean
  readonly tabs: ReactNode
}

/** One server: its state, its fields, what is not saved yet. Nothing is written before Save. */
export function ServerForm({ chosen, draft, hasKeychain, hasFolder, tabs }: FormProps) {
  const say = useWords()
  const [phrase, setPhrase] = useState('')
  const detail = useServers((state) => (chosen.kind === 'server' ? (state.details[chosen.name] ?? null) : null))
  const page = useServers((state) => state.page)
  const fault = useServers((state) => state.fault)
  const isReadOnly = page?.fault != null || detail?.row.isOfProject === true
  const faults = faultsOf(draft, takenNames({ page, chosen }))
  const keep = async (): Promise<void> => { if (await save(phrase)) setPhrase('') }
  const onKey = (event: KeyboardEvent): void => { if (event.key === 'Enter' && isComposing(event)) event.preventDefault() }
  return (
    <form className="main server" aria-label={say('servers.form')} data-zone="server" tabIndex={-1} onKeyDown={onKey} onSubmit={(event) => { event.preventDefault(); if (!isReadOnly) void keep() }}>
      <FormHead draft={draft} detail={detail} isReadOnly={isReadOnly} />
      {tabs && <div className="row" style={{ padding: '8px 20px 0' }}>{tabs}</div>}
      <FileFault />
      <div className="fields">
        {fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} className="wrap-any" /></Note>}
        {isOvertaken(draft, detail?.form ?? null) && <Note tone="warn" role="alert">{say('servers.overtaken')}</Note>}
        {detail?.warnings.map((warning, at) => <Note key={at} tone="warn"><Exact text={say.fact(warning)} className="wrap-any" /></Note>)}
        {detail?.row.isOfProject === true && <Note tone="info"><Exact text={say('trust.server-read-only', { server: detail.row.name })} className="wrap-any" /></Note>}
        {detail && <StateCard detail={detail} />}
        {detail && hasFolder && detail.row.state.kind !== 'disabled' && <Switch label={say('servers.here')} isOn={detail.isOnHere} onChange={(isOn) => void setChoice(detail.row.name, { kind: 'here', isOn })} />}
        <Fields draft={draft} detail={detail} faults={faults} isReadOnly={isReadOnly} />
        {!hasKeychain && hasSecrets(draft) && <TextField label={say('provider.pass-phrase')} isSecret value={phrase} hint={say('servers.pass-phrase-hint')} onChange={(event) => setPhrase(event.target.value)} />}
      </div>
      <TestSteps chosen={chosen} />
      <SaveBar draft={draft} detail={detail} isReadOnly={isReadOnly} />
    </form>
  )
}

function FormHead({ draft, detail, isReadOnly }: { readonly draft: Draft; readonly detail: McpServerDetail | null; readonly isReadOnly: boolean }) {
  const say = useWords()
  const look = detail && lookOf(detail.row, say)
  const isOn = !(detail?.form.isDisabled ?? draft.isDisabled)
  const turn = (on: boolean): void => {
    if (detail) void setChoice(detail.row.name, { kind: 'disabled', isOn: !on })
    else edit({ isDisabled: !on })
  }
  return (
    <div className="head">
      <h2 className="cut">{detail ? <Exact text={detail.row.name} /> : say('servers.new')}</h2>
      {look && <Chip {...(look.tone ? { tone: look.tone } : {})}>{look.word}</Chip>}
      <span className="end row">
        {detail && <Button size="small" look="quiet" icon={Copy} disabled={isReadOnly} onClick={() => void duplicate()}>{say('servers.duplicate')}</Button>}
        {detail && <Button size="small" look="quiet" icon={Trash2} disabled={isReadOnly} onClick={() => showDialog('remove')}>{say('servers.delete')}</Button>}
        <Switch label={say('servers.enabled')} hasWord={false} isOn={isOn} isDisabled={isReadOnly} onChange={turn} />
      </span>
    </div>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly detail: McpServerDetail | null
  readonly faults: DraftFaults
  readonly isReadOnly: boolean
}

function Fields({ draft, detail, faults, isReadOnly }: FieldsProps) {
  const say = useWords()
  const transports: readonly { readonly value: McpTransport; readonly label: string; readonly isDisabled: boolean }[] = [
    { value: 'stdio', label: say('servers.transport.stdio'), isDisabled: isReadOnly },
    { value: 'http', label: say('servers.transport.http'), isDisabled: isReadOnly },
  ]
  /** What is missing is said once it was to be saved; what is wrong, at once. */
  const told = (field: 'name' | 'command' | 'url' | 'timeout'): string | null => {
    const fault = faults[field]
    return fault && (draft.isTried || draft[field].trim() !== '') ? say.fact(fault) : null
  }
  return (
    <>
      <div className="pair">
        <TextField label={say('servers.name')} isMono autoFocus={detail === null} value={draft.name} readOnly={isReadOnly} fault={told('name')} onChange={(event) => edit({ name: event.target.value })} />
        <div className="field"><span className="lbl" aria-hidden>{say('servers.transport')}</span><Segmented label={say('servers.transport')} value={draft.transport} options={transports} onChange={(transport) => edit({ transport })} /></div>
      </div>
      {draft.transport === 'stdio' ? (
        <>
          <TextField label={say('servers.command')} isMono value={draft.command} readOnly={isReadOnly} fault={told('command') ?? programFault(detail, draft, say)} onChange={(event) => edit({ command: event.target.value })} />
          <ArgumentFields args={draft.args} isReadOnly={isReadOnly} />
          <ValueRows list="env" values={draft.env} detail={detail} faults={faults.values} isTried={draft.isTried} isReadOnly={isReadOnly} />
          <TextField label={say('servers.cwd')} isMono value={draft.cwd} readOnly={isReadOnly} placeholder={say('servers.cwd-default')} onChange={(event) => edit({ cwd: event.target.value })} />
        </>
      ) : (
        <>
          <TextField label={say('servers.address')} isMono value={draft.url} readOnly={isReadOnly} fault={told('url')} placeholder="https://mcp.example.com/mcp" onChange={(event) => edit({ url: event.target.value })} />
          <ValueRows list="headers" values={draft.headers} detail={detail} faults={faults.values} isTried={draft.isTried} isReadOnly={isReadOnly} />
        </>
      )}
      <TextField label={say('servers.timeout')} inputMode="numeric" value={draft.timeout} readOnly={isReadOnly} fault={told('timeout')} placeholder={say('servers.timeout-default')} style={{ maxWidth: 240 }} onChange={(event) => edit({ timeout: event.target.value })} />
    </>
  )
}

/** What is wrong with the program of a server that failed to start; once the field is changed, that is not known. */
function programFault(detail: McpServerDetail | null, draft: Draft, say: Speaker): string | null {
  const state = detail?.row.state
  if (state?.kind !== 'failed' || draft.command !== detail?.form.command) return null
  if (state.say.code === 'mcp.not-on-path') return say('servers.fault.not-found')
  return state.say.code === 'mcp.no-program' || state.say.code === 'mcp.not-executable' ? say.fact(state.say) : null
}

function SaveBar({ draft, detail, isReadOnly }: { readonly draft: Draft; readonly detail: McpServerDetail | null; readonly isReadOnly: boolean }) {
  const say = useWords()
  const isSaving = useServers((state) => state.isSaving)
  const isTesting = useServers((state) => (state.chosen === null ? false : Object.values(state.tests).some((run) => run.isRunning)))
  const changes = countChanges(draft, detail?.form ?? null)
  const isNew = detail === null
  return (
    <div className="savebar">
      <span className="small dim cut" role="status">{isReadOnly ? say('servers.is-read-only') : isNew ? say('servers.not-saved') : changes > 0 ? say('servers.changes', { count: changes }) : say('servers.no-changes')}</span>
      <span className="end row">
        <Button look="quiet" disabled={changes === 0 && !isNew} onClick={revert}>{say('servers.revert')}</Button>
        <Button icon={FlaskConical} disabled={isTesting} onClick={() => void test()}>{say('servers.test')}</Button>
        <Button type="submit" look="primary" disabled={isReadOnly || isSaving || (changes === 0 && !isNew)}>{say('servers.save')}</Button>
      </span>
    </div>
  )
}
