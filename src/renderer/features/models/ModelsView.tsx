import { Boxes, Check, CircleDashed, KeyRound, Lock, OctagonX, PencilLine, Plus, SquareTerminal, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProviderRow } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Empty } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { addProvider, selectProvider, useModels, type ProviderFault } from './modelStore'
import type { UsedFor } from './modelWords'
import { ProviderForm } from './ProviderForm'
import { countChanges, useProviderDrafts } from './providerDrafts'
import { groupOf, isReady, needsKey, type ProviderGroup } from './providerState'

export interface ModelsViewProps {
  /** Which model does what besides conversations. */
  readonly usedFor: UsedFor
  /** Where these are chosen. */
  readonly roles: ReactNode
}

const groups: readonly { readonly group: ProviderGroup; readonly name: 'provider.ready' | 'provider.attention' | 'provider.not-ready' }[] = [{ group: 'ready', name: 'provider.ready' }, { group: 'attention', name: 'provider.attention' }, { group: 'not-ready', name: 'provider.not-ready' }]

/** Providers by state at the left, the chosen one at the right. */
export function ModelsView({ usedFor, roles }: ModelsViewProps) {
  const say = useWords()
  const { rows, selected, page, faults } = useModels()
  const shown = rows.find((row) => row.id === selected)
  const add = (): void => addProvider(say('provider.compatible'))
  return (
    <>
      <aside className="side modelside" aria-label={say('provider.providers')}>
        <div className="head"><h1>{say('provider.title')}</h1><span className="end"><IconButton icon={Plus} label={say('provider.add')} onClick={add} /></span></div>
        <div className="sidelist">
          {groups.map(({ group, name }) => {
            const own = rows.filter((row) => groupOf(row, page, faults[row.id]?.kind ?? null) === group)
            const hasMore = group === 'not-ready' && rows.some((row) => row.origin === 'catalogue')
            return (own.length > 0 || hasMore) && (
              <div key={group}>
                <h2 className="group">{say(name)}</h2>
                <ul>
                  {own.map((row) => <li key={row.id}><ProviderLink row={row} isSelected={row.id === selected} fault={faults[row.id] ?? null} /></li>)}
                  {hasMore && <li><button type="button" className="prov" onClick={add}><Plus className="i faint" size={14} aria-hidden /><span className="cut">{say('provider.any-address')}</span><span className="sub cut">{say('provider.not-set')}</span></button></li>}
                </ul>
              </div>
            )
          })}
        </div>
        <p className="small faint sidefoot">{say('provider.keys-stay')}</p>
      </aside>
      {shown
        ? <ProviderForm key={shown.id} row={shown} usedFor={usedFor} roles={roles} />
        : <div className="page empty"><Empty icon={Boxes} action={<Button onClick={add}>{say('provider.add')}</Button>}>{say('provider.none')}</Empty></div>}
    </>
  )
}

function ProviderLink({ row, isSelected, fault }: { readonly row: ProviderRow; readonly isSelected: boolean; readonly fault: ProviderFault | null }) {
  const say = useWords()
  const page = useModels((state) => state.page)
  const models = page?.models[row.id]?.length ?? 0
  const isChanged = useProviderDrafts((drafts) => countChanges(row, drafts[row.id]) > 0)
  const isOk = fault === null && !row.isKeySealed && isReady(row, page)
  return (
    <button type="button" className="prov" aria-current={isSelected ? 'true' : undefined} onClick={() => selectProvider(row.id)}>
      <StateIcon row={row} fault={fault} isReady={isOk} />
      <span className="row"><span className={isSelected ? 'cut med' : 'cut'}>{row.origin === 'practice' ? say('provider.practice-name') : <Exact text={row.name} />}</span>{isChanged && <PencilLine className="i faint" size={12} aria-label={say('servers.unsaved')} />}</span>
      <span className={fault ? 'sub cut t-bad' : row.isKeySealed || row.keyOf !== undefined || row.keyHeaders !== undefined ? 'sub cut t-warn' : 'sub cut'}>{stateOf(row, { fault, models, isReady: isOk, asksKey: needsKey(row, page) }, say)}</span>
    </button>
  )
}

function StateIcon({ row, fault, isReady: isOk }: { readonly row: ProviderRow; readonly fault: ProviderFault | null; readonly isReady: boolean }) {
  if (row.isKeySealed) return <Lock className="i t-warn" size={14} aria-hidden />
  if (fault) return fault.kind === 'offline' ? <WifiOff className="i t-bad" size={14} aria-hidden /> : <OctagonX className="i t-bad" size={14} aria-hidden />
  if (row.origin === 'practice') return <SquareTerminal className={row.isActive ? 'i t-ok' : 'i faint'} size={14} aria-hidden />
  if (isOk) return <Check className="i t-ok" size={14} aria-hidden />
  return row.key ? <KeyRound className="i faint" size={14} aria-hidden /> : <CircleDashed className="i faint" size={14} aria-hidden />
}

interface LinkFacts {
  readonly fault: ProviderFault | null
  readonly models: number
  readonly isReady: boolean
  readonly asksKey: boolean
}

function stateOf(row: ProviderRow, { fault, models, isReady: isOk, asksKey }: LinkFacts, say: Speaker): string {
  if (row.isKeySealed) return say(row.isActive ? 'provider.in-use-sealed' : 'provider.key-sealed')
  if (fault) return say(fault.kind === 'key' ? 'provider.refused-short' : fault.kind === 'offline' ? 'provider.unreachable-short' : 'provider.failed-short')
  if (row.keyOf !== undefined) return say('provider.key-of-short', { host: row.keyOf })
  if (row.keyHeaders !== undefined) return say('provider.headers-unsent-short')
  if (row.isActive) return say('provider.in-use')
  if (row.origin === 'practice') return say('provider.practice')
  if (row.origin === 'found') return models > 0 ? say('provider.here-models', { count: models }) : say('provider.found')
  if (row.key) return say(`provider.key.${row.key.place}`)
  if (isOk) return say('provider.ready-no-key')
  return say(row.origin === 'catalogue' && !asksKey ? 'provider.not-running' : 'provider.no-key')
}
