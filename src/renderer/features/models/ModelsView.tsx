import { Boxes, Check, CircleDashed, KeyRound, Lock, Plus, SquareTerminal } from 'lucide-react'
import type { ProviderRow } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Empty } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { addProvider, selectProvider, useModels } from './modelStore'
import { ProviderForm } from './ProviderForm'

/** Providers by state at the left, the chosen one at the right. */
export function ModelsView() {
  const say = useWords()
  const rows = useModels((state) => state.rows)
  const selected = useModels((state) => state.selected)
  const shown = rows.find((row) => row.id === selected)
  const groups = [
    { name: say('provider.ready'), rows: rows.filter(isReady) },
    { name: say('provider.not-ready'), rows: rows.filter((row) => !isReady(row)) },
  ]
  return (
    <>
      <aside className="side" style={{ width: 260 }} aria-label={say('provider.providers')}>
        <div className="head"><h1>{say('provider.title')}</h1><span className="end"><IconButton icon={Plus} label={say('provider.add')} onClick={() => addProvider(say('provider.compatible'))} /></span></div>
        <div style={{ overflow: 'auto', flex: 1, minHeight: 0 }}>
          {groups.map((group) => group.rows.length > 0 && (
            <div key={group.name}>
              <h2 className="group">{group.name}</h2>
              <ul>{group.rows.map((row) => <li key={row.id}><ProviderLink row={row} isSelected={row.id === selected} /></li>)}</ul>
            </div>
          ))}
        </div>
        <p className="small faint" style={{ padding: 16 }}>{say('provider.keys-stay')}</p>
      </aside>
      {shown
        ? <ProviderForm key={shown.id} row={shown} />
        : <div className="page empty"><Empty icon={Boxes} action={<Button onClick={() => addProvider(say('provider.compatible'))}>{say('provider.add')}</Button>}>{say('provider.none')}</Empty></div>}
    </>
  )
}

/** Something that could answer now: an address and a model, and a key where none is known to be unneeded. */
function isReady(row: ProviderRow): boolean {
  if (row.origin === 'practice' || row.origin === 'found') return true
  return row.baseUrl !== '' && row.model !== ''
}

function ProviderLink({ row, isSelected }: { readonly row: ProviderRow; readonly isSelected: boolean }) {
  const say = useWords()
  return (
    <button type="button" className="prov" aria-current={isSelected ? 'true' : undefined} onClick={() => selectProvider(row.id)}>
      <StateIcon row={row} />
      <span className={isSelected ? 'cut med' : 'cut'}>{row.origin === 'practice' ? say('provider.practice-name') : <Exact text={row.name} />}</span>
      <span className="sub cut">{stateOf(row, say)}</span>
    </button>
  )
}

function StateIcon({ row }: { readonly row: ProviderRow }) {
  if (row.isKeySealed) return <Lock className="i t-warn" size={14} aria-hidden />
  if (row.isActive) return <Check className="i t-ok" size={14} aria-hidden />
  if (row.origin === 'practice') return <SquareTerminal className="i faint" size={14} aria-hidden />
  return row.key ? <KeyRound className="i faint" size={14} aria-hidden /> : <CircleDashed className="i faint" size={14} aria-hidden />
}

function stateOf(row: ProviderRow, say: Speaker): string {
  if (row.isKeySealed) return say(row.isActive ? 'provider.in-use-sealed' : 'provider.key-sealed')
  if (row.isActive) return say('provider.in-use')
  if (row.origin === 'practice') return say('provider.practice')
  if (row.origin === 'found') return say('provider.found')
  return row.key ? say(`provider.key.${row.key.place}`) : say('provider.no-key')
}
