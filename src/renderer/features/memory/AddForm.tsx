import { useId, type KeyboardEvent } from 'react'
import { Button } from '../../ui/Button'
import { Segmented } from '../../ui/fields'
import { isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { saveAdding } from './memoryActs'
import { useMemories } from './memoryStore'

/** A new entry, written above the table. What is typed stays until it is saved or given up. */
export function AddForm() {
  const say = useWords()
  const hint = useId()
  const adding = useMemories((state) => state.adding)
  if (!adding) return null
  const change = (more: Partial<typeof adding>): void => useMemories.setState({ adding: { ...adding, fault: null, ...more } })
  const close = (): void => useMemories.setState({ adding: null })
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    if (event.key === 'Escape' && adding.text.trim() === '') close()
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    event.preventDefault()
    void saveAdding()
  }
  return (
    <form className="card memadd" aria-label={say('memory.new')} data-esc="own" onSubmit={(event) => { event.preventDefault(); void saveAdding() }}>
      <textarea className="input" autoFocus aria-label={say('memory.new')} aria-describedby={hint} aria-invalid={adding.fault !== null} rows={2} value={adding.text} onChange={(event) => change({ text: event.target.value })} onKeyDown={onKey} />
      <div className="row">
        <Segmented label={say('memory.scope')} value={adding.scope} onChange={(scope) => change({ scope })} options={(['project', 'general'] as const).map((value) => ({ value, label: say(`memory.scope.${value}`) }))} />
        <p id={hint} className={adding.fault ? 'small t-bad grow' : 'small faint grow'} role={adding.fault ? 'alert' : undefined}>{adding.fault ? say.fact(adding.fault) : say('memory.edit-keys')}</p>
        <Button size="small" look="quiet" onClick={close}>{say('ui.cancel')}</Button>
        <Button size="small" look="primary" type="submit">{say('memory.save')}</Button>
      </div>
    </form>
  )
}
