import { Plus, Server } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { Segmented } from '../../ui/fields'
import { Menu } from '../../ui/Menu'
import { Empty, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { FileFault } from './FileFault'
import { ImportDialog } from './ImportDialog'
import { PasteDialog } from './PasteDialog'
import { RemoveDialog } from './RemoveDialog'
import { ServerForm } from './ServerForm'
import { ServerList } from './ServerList'
import { ServerPanel } from './ServerPanel'
import { addServer, besideOf, draftShown, keyOf, showDialog, useServers } from './serverStore'

export interface ServersViewProps {
  /** Where there is no keychain, a new secret needs a pass phrase to be kept. */
  readonly hasKeychain: boolean
  /** The switch for the opened folder is only there with one. */
  readonly hasFolder: boolean
  /** Where three panes have no room, the tools are a tab of the form's place. */
  readonly isNarrow: boolean
}

/** The servers: a list by what needs attention, the chosen one's form, what its tools are and how they changed (R44, R54). */
export function ServersView({ hasKeychain, hasFolder, isNarrow }: ServersViewProps) {
  const dialog = useServers((state) => state.dialog)
  return (
    <>
      <Side />
      <Chosen hasKeychain={hasKeychain} hasFolder={hasFolder} isNarrow={isNarrow} />
      {dialog === 'import' && <ImportDialog hasKeychain={hasKeychain} />}
      {dialog === 'paste' && <PasteDialog hasKeychain={hasKeychain} />}
      {dialog === 'remove' && <RemoveDialog />}
    </>
  )
}

function Side() {
  const say = useWords()
  const page = useServers((state) => state.page)
  const isReadOnly = page?.fault != null
  return (
    <aside className="side servers" aria-label={say('servers.list')} data-zone="servers" tabIndex={-1}>
      <div className="head">
        <h1>{say('servers.title')}</h1>
        <span className="end row" style={{ gap: 2 }}>
          <Button size="small" look="quiet" disabled={isReadOnly} onClick={() => showDialog('import')}>{say('servers.import')}</Button>
          <AddMenu isDisabled={isReadOnly} />
        </span>
      </div>
      <div style={{ overflow: 'auto', flex: 1, minHeight: 0 }}>{page && <ServerList page={page} />}</div>
      <div className="small faint foot">
        {page?.isDeferred === true && <p>{say('servers.deferred')}</p>}
        <p>{say('servers.kept-in')}</p>
      </div>
    </aside>
  )
}

/** The trigger is a plain button, so that the menu can hold on to it. */
function AddMenu({ isDisabled }: { readonly isDisabled: boolean }) {
  const say = useWords()
  return (
    <Menu
      trigger={<button type="button" className="btn quiet sm ic" aria-label={say('servers.add')} title={say('servers.add')} disabled={isDisabled}><Plus className="i" size={14} aria-hidden /></button>}
      items={[
        { key: 'stdio', label: say('servers.add.command'), onChoose: () => addServer({ transport: 'stdio' }) },
        { key: 'http', label: say('servers.add.address'), onChoose: () => addServer({ transport: 'http' }) },
        { key: 'paste', label: say('servers.add.paste'), onChoose: () => showDialog('paste') },
        { key: 'import', label: say('servers.add.import'), onChoose: () => showDialog('import') },
      ]}
    />
  )
}

function Chosen({ hasKeychain, hasFolder, isNarrow }: ServersViewProps) {
  const say = useWords()
  const page = useServers((state) => state.page)
  const chosen = useServers((state) => state.chosen)
  const draft = useServers(draftShown)
  // A tab belongs to its form; beside it there is room for another server that waits.
  const beside = useServers((state) => (isNarrow ? (state.chosen?.kind === 'server' ? state.chosen.name : null) : besideOf(state)))
  const detail = useServers((state) => (beside === null ? undefined : state.details[beside]))
  const [tab, setTab] = useState<'form' | 'tools'>('form')
  if (page === null) return <div className="page" aria-busy />
  if (chosen === null) return <div className="page">{page.fault === null ? <NoServers /> : <FileFault />}</div>
  const tabs = isNarrow && detail && (
    <Segmented label={say('servers.part')} value={tab} onChange={setTab} options={[{ value: 'form', label: say('servers.part.form') }, { value: 'tools', label: detail.row.changes > 0 ? say('servers.tools-changed', { count: detail.row.changes }) : say('servers.part.tools') }]} />
  )
  const isFormShown = !isNarrow || tab === 'form' || !detail
  return (
    <>
      {isFormShown && (draft ? <ServerForm key={keyOf(chosen)} chosen={chosen} draft={draft} hasKeychain={hasKeychain} hasFolder={hasFolder} tabs={tabs} /> : <Unread />)}
      {detail && (!isNarrow || tab === 'tools') && <ServerPanel key={detail.row.name} detail={detail} isAlone={isNarrow} tabs={tabs} />}
    </>
  )
}

/** The form of a server whose details did not come: said, if there is a reason. */
function Unread() {
  const say = useWords()
  const fault = useServers((state) => state.fault)
  return <div className="page" aria-busy={fault === null}>{fault && <div style={{ padding: 16 }}><Note tone="bad" role="alert">{say.fact(fault)}</Note></div>}</div>
}

function NoServers() {
  const say = useWords()
  return (
    <Empty icon={Server} action={<span className="row"><Button look="primary" onClick={() => addServer()}>{say('servers.add.command')}</Button><Button onClick={() => showDialog('paste')}>{say('servers.add.paste')}</Button><Button onClick={() => showDialog('import')}>{say('servers.import')}</Button></span>}>
      {say('servers.none')}
    </Empty>
  )
}
