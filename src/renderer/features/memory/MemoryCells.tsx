import { ChevronDown, Pin, RotateCcw } from 'lucide-react'
import type { MouseEvent } from 'react'
import { memoryScopes, type Memory } from '../../../shared/domain/memory'
import type { MemoryRow } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { Menu } from '../../ui/Menu'
import { useWords } from '../../ui/words'
import { FactCell } from './FactCell'
import { restore, setPinned, setScope, tick } from './memoryActs'
import { useMemories } from './memoryStore'
import { ageWords, fateLooks, scoreWords, share, sourceWords } from './memoryWords'

interface CellsProps {
  readonly row: MemoryRow
  readonly index: number
  readonly isInBin: boolean
  readonly nowMs: number
  readonly onOpenSource: (memory: Memory) => void
  readonly onEdited: (index: number) => void
}

/** The cells of one entry. Its controls are reached by pointer, by Tab in the row that has the keyboard, or by the row's own keys. */
export function MemoryCells({ row, index, isInBin, nowMs, onOpenSource, onEdited }: CellsProps) {
  const say = useWords()
  const { memory, score } = row
  const isTicked = useMemories((state) => state.selected.has(memory.id))
  const tabIndex = useMemories((state) => (state.at === index ? 0 : -1))
  const onTick = (event: MouseEvent<HTMLInputElement>): void => void tick(index, event.currentTarget.checked, event.shiftKey)
  return (
    <>
      <td><input type="checkbox" className="cb" tabIndex={tabIndex} aria-label={say('memory.select', { text: memory.text.slice(0, 80) })} checked={isTicked} onClick={onTick} onChange={() => undefined} /></td>
      <td>{!isInBin && <button type="button" tabIndex={tabIndex} className={classes('btn quiet sm ic pin', memory.isPinned && 't-you')} aria-label={say('memory.pin')} aria-pressed={memory.isPinned} title={say(pinWords(memory))} onClick={() => void setPinned([memory], !memory.isPinned)}><Pin className="i" size={14} aria-hidden /></button>}</td>
      <td className="factcell"><FactCell row={row} isInBin={isInBin} onDone={() => onEdited(index)} /></td>
      <td>{isInBin ? <span className="chip">{say(`memory.scope.${memory.scope}`)}</span> : <ScopeMenu memory={memory} tabIndex={tabIndex} />}</td>
      <td className="small dim"><Source memory={memory} tabIndex={tabIndex} onOpen={onOpenSource} /></td>
      <td className="num small" title={new Date(memory.atMs).toLocaleString(say.locale)}>{ageWords(memory.deletedAtMs ?? memory.atMs, nowMs, say)}</td>
      {isInBin
        ? <td><Button size="small" icon={RotateCcw} tabIndex={tabIndex} onClick={() => void restore({ ids: [memory.id] })}>{say('memory.restore')}</Button></td>
        : <><td className="num mono" title={score ? scoreWords(score, memory, say) : undefined}>{score ? `${share(score.match)} × ${share(score.decay)}` : <span className="faint">–</span>}</td><td className="small"><Fate row={row} /></td></>}
    </>
  )
}

function pinWords({ isPinned, source }: Memory) {
  if (source.kind === 'outside') return isPinned ? 'memory.unpin-outside' : 'memory.pin-outside'
  return isPinned ? 'memory.unpin' : 'memory.pin'
}

function Fate({ row: { score } }: { readonly row: MemoryRow }) {
  const say = useWords()
  if (!score) return <span className="faint">–</span>
  const { icon: Icon, tone, code } = fateLooks[score.fate]
  return <span className={classes('row', tone)} style={{ gap: 6 }} title={score.fate === 'outside' ? say('memory.outside-hint') : undefined}><Icon className="i" size={14} aria-hidden /><span>{say(code, { tokens: score.tokens })}</span></span>
}

/** Leads to the conversation, where there is one. */
function Source({ memory, tabIndex, onOpen }: { readonly memory: Memory; readonly tabIndex: number; readonly onOpen: (memory: Memory) => void }) {
  const say = useWords()
  const words = <Exact text={sourceWords(memory.source, say)} />
  if (memory.source.sessionId === null) return words
  return <button type="button" className="link" tabIndex={tabIndex} title={say('memory.open-source')} onClick={() => onOpen(memory)}>{words}</button>
}

function ScopeMenu({ memory, tabIndex }: { readonly memory: Memory; readonly tabIndex: number }) {
  const say = useWords()
  const name = say(`memory.scope.${memory.scope}`)
  return (
    <Menu
      trigger={<button type="button" className="chip scope" tabIndex={tabIndex} aria-label={say('memory.scope-of', { scope: name })}>{name}<ChevronDown className="i" size={12} aria-hidden /></button>}
      items={memoryScopes.map((scope) => ({ key: scope, label: say(`memory.scope.${scope}`), isDisabled: scope === memory.scope, onChoose: () => void setScope([memory], scope) }))}
    />
  )
}
