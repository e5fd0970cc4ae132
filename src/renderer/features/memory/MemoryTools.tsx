import { Search, X } from 'lucide-react'
import { IconButton } from '../../ui/Button'
import { Segmented } from '../../ui/fields'
import { Meter } from '../../ui/Meter'
import { isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { setQuery, setShown, useMemories, type Shown } from './memoryStore'

/** Search, what is shown, and how much of the room in the prompt the entries would take. */
export function Tools() {
  const say = useWords()
  const shown = useMemories((state) => state.shown)
  const query = useMemories((state) => state.query)
  const counts = useMemories((state) => state.head?.counts) ?? { project: 0, general: 0, bin: 0 }
  const all = { all: counts.project + counts.general, ...counts }
  return (
    <div className="memtools">
      <span className="searchfield" data-esc={query === '' ? undefined : 'own'}>
        <Search className="i faint" size={14} aria-hidden />
        <input
          type="search" className="input" aria-label={say('memory.search')} placeholder={say('memory.search')} value={query} spellCheck={false}
          onChange={(event) => setQuery(event.target.value, 'isComposing' in event.nativeEvent && event.nativeEvent.isComposing === true)} onCompositionEnd={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => { if (event.key === 'Escape' && !isComposing(event)) setQuery('') }}
        />
        {query !== '' && <IconButton icon={X} label={say('memory.show-all')} onClick={() => setQuery('')} />}
      </span>
      <Segmented<Shown> label={say('memory.shown')} value={shown} onChange={setShown} options={(['all', 'project', 'general', 'bin'] as const).map((value) => ({ value, label: say(`memory.shown.${value}`, { count: all[value] }) }))} />
      <Found />
      <Budget />
    </div>
  )
}

/** How many a search found; heard too. */
function Found() {
  const say = useWords()
  const isSearch = useMemories((state) => state.query.trim() !== '' && state.progress === 'read')
  const total = useMemories((state) => state.head?.total ?? 0)
  return <span className="small dim nowrap" role="status">{isSearch && say('memory.found', { count: total })}</span>
}

function Budget() {
  const say = useWords()
  const budget = useMemories((state) => state.head?.budget)
  const hasDraft = useMemories((state) => state.draft.trim() !== '')
  if (!budget) return null
  return (
    <span className="end row small dim">
      <span className="nowrap">{hasDraft ? say('memory.budget', { ...budget }) : say('memory.budget-limit', { limit: budget.limit })}</span>
      <Meter value={budget.tokens} of={budget.limit} />
    </span>
  )
}
