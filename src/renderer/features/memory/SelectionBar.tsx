import { ArrowLeftRight, Pin, PinOff, RotateCcw, Trash2, X } from 'lucide-react'
import { memoryScopes } from '../../../shared/domain/memory'
import { Button, IconButton } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { useWords } from '../../ui/words'
import { remove, restore, setPinned, setScope, tickNone } from './memoryActs'
import { useMemories } from './memoryStore'

/** What can be done with the ticked entries. */
export function SelectionBar() {
  const say = useWords()
  const selected = useMemories((state) => state.selected)
  const selecting = useMemories((state) => state.selecting)
  const isInBin = useMemories((state) => state.shown === 'bin')
  const picks = [...selected.values()]
  if (picks.length === 0 && selecting === null) return isInBin ? <p className="small dim binnote">{say('memory.bin-note')}</p> : null
  const ids = picks.map((pick) => pick.id)
  const isPinned = picks.every((pick) => pick.isPinned)
  return (
    <div className="selbar" role="group" aria-label={say('memory.selected', { count: picks.length })}>
      <span className="med nowrap" role="status">{selecting === null ? say('memory.selected', { count: picks.length }) : say('memory.selecting', { count: selecting })}</span>
      {selecting === null && (isInBin
        ? <Button size="small" icon={RotateCcw} onClick={() => void restore({ ids })}>{say('memory.restore')}</Button>
        : (
          <>
            <Button size="small" icon={isPinned ? PinOff : Pin} onClick={() => void setPinned(picks, !isPinned)}>{say(isPinned ? 'memory.unpin' : 'memory.pin')}</Button>
            <Menu
              trigger={<button type="button" className="btn sm"><ArrowLeftRight className="i" size={14} aria-hidden />{say('memory.change-scope')}</button>}
              items={memoryScopes.map((scope) => ({ key: scope, label: say(`memory.scope.${scope}`), onChoose: () => void setScope(picks, scope) }))}
            />
            <Button size="small" icon={Trash2} onClick={() => void remove(ids)}>{say('memory.delete')}</Button>
          </>
        ))}
      <IconButton icon={X} label={say('memory.select-none')} onClick={tickNone} />
      <span className="end small dim">{say('memory.bin-note')}</span>
    </div>
  )
}
