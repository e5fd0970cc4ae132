import { PencilLine } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
import type { McpPage, McpServerRow } from '../../../shared/ipc/views'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { choose, keyOf, useServers, type Chosen } from './serverStore'
import { groupOf, lookOf, type Group } from './stateWords'

const groups: readonly Group[] = ['attention', 'running', 'not-running']

/** The servers in three groups; what is not kept yet stands on top. Arrows move. */
export function ServerList({ page }: { readonly page: McpPage }) {
  const say = useWords()
  const list = useRef<HTMLDivElement>(null)
  const drafts = useServers((state) => state.drafts)
  const begun = Object.keys(drafts).filter((key) => key.startsWith('new:'))
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button.prov') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLElement)
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus()
  }
  return (
    <div ref={list} onKeyDown={onKey} style={{ paddingBottom: 8 }}>
      {begun.length > 0 && <><h2 className="group">{say('servers.group.new')}</h2><ul>{begun.map((key) => <li key={key}><NewLink id={Number(key.slice(4))} name={drafts[key]?.name ?? ''} /></li>)}</ul></>}
      {groups.map((group) => {
        const rows = page.servers.filter((row) => groupOf(row) === group)
        const faults = group === 'attention' ? page.faults : []
        if (rows.length === 0 && faults.length === 0) return null
        return (
          <div key={group}>
            <h2 className="group">{say(`servers.group.${group}`)}</h2>
            <ul>{rows.map((row) => <li key={row.name}><ServerLink row={row} isDraft={`server:${row.name}` in drafts} /></li>)}</ul>
            {faults.length > 0 && <ul className="col" style={{ gap: 6, padding: '6px 8px' }} aria-label={say('servers.faults')}>{faults.map((fault, at) => <li key={at}><Note tone="warn"><Exact text={say.fact(fault)} className="wrap-any" /></Note></li>)}</ul>}
          </div>
        )
      })}
    </div>
  )
}

function useIsChosen(chosen: Chosen): boolean {
  return useServers((state) => state.chosen !== null && keyOf(state.chosen) === keyOf(chosen))
}

function ServerLink({ row, isDraft }: { readonly row: McpServerRow; readonly isDraft: boolean }) {
  const say = useWords()
  const look = lookOf(row, say)
  const chosen: Chosen = { kind: 'server', name: row.name }
  const isChosen = useIsChosen(chosen)
  return (
    <button type="button" className="prov" aria-current={isChosen ? 'true' : undefined} onClick={() => choose(chosen)}>
      <look.icon className={`i ${look.tone ? `t-${look.tone}` : 'faint'} ${row.state.kind === 'starting' ? 'spin' : ''}`} size={14} aria-hidden />
      <span className="row"><span className={isChosen ? 'cut med' : 'cut'}><Exact text={row.name} /></span>{row.isOfProject && <span className="chip">{say('trust.of-project')}</span>}{isDraft && <PencilLine className="i faint" size={12} aria-label={say('servers.unsaved')} />}</span>
      <span className={look.tone === 'bad' || look.tone === 'warn' ? `sub cut t-${look.tone}` : 'sub cut'} title={look.line}><Exact text={look.line} /></span>
    </button>
  )
}

function NewLink({ id, name }: { readonly id: number; readonly name: string }) {
  const say = useWords()
  const chosen: Chosen = { kind: 'new', id }
  const isChosen = useIsChosen(chosen)
  return (
    <button type="button" className="prov" aria-current={isChosen ? 'true' : undefined} onClick={() => choose(chosen)}>
      <PencilLine className="i faint" size={14} aria-hidden />
      <span className={isChosen ? 'cut med' : 'cut'}>{name.trim() === '' ? say('servers.new') : <Exact text={name} />}</span>
      <span className="sub cut">{say('servers.not-saved')}</span>
    </button>
  )
}
