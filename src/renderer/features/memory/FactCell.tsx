import { TriangleAlert } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import type { MemoryRow } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { leading, useWords } from '../../ui/words'
import { beginEdit, dropEdit, leaveEdit, saveEdit, typeEdit } from './memoryActs'
import { setTyping, useMemories, type Edit } from './memoryStore'

/** Of many that contradict one entry; the others say so in their own rows. */
const shownAgainst = 3

/** The fact, edited in its place; what it may contradict stands under it. */
export function FactCell({ row, isInBin, onDone }: { readonly row: MemoryRow; readonly isInBin: boolean; readonly onDone: () => void }) {
  const say = useWords()
  const edit = useMemories((state) => state.edits[row.memory.id])
  const { text } = row.memory
  return (
    <>
      {edit
        ? <EditField edit={edit} onDone={onDone} />
        : isInBin ? <span className="wrap-any"><Exact text={text} /></span>
          : <button type="button" className="factbutton wrap-any" tabIndex={-1} title={say('memory.edit-hint')} onClick={() => beginEdit(row.memory)}><Exact text={text} /></button>}
      {row.contradicts.slice(0, shownAgainst).map((other) => (
        <p key={other} className="small t-warn against"><TriangleAlert className="i" size={14} aria-hidden /><span>{leading(say('memory.contradicts'))}<Exact text={other} className="wrap-any" /></span></p>
      ))}
      {row.contradicts.length > shownAgainst && <p className="small t-warn against more">{say('memory.contradicts-more', { count: row.contradicts.length - shownAgainst })}</p>}
    </>
  )
}

/** Enter saves, Esc cancels. It keeps what is typed whatever happens around it; only an unchanged one closes by itself. */
export function EditField({ edit, onDone }: { readonly edit: Edit; readonly onDone: () => void }) {
  const say = useWords()
  const field = useRef<HTMLTextAreaElement>(null)
  const { id } = edit
  useLayoutEffect(() => {
    const element = field.current
    // Whoever works elsewhere by now is left there: rows also come back by a search or a scroll.
    const isHere = document.activeElement === document.body || document.activeElement?.closest('.memtable') != null
    if (!isHere || !element) return
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
  }, [])
  useEffect(() => () => setTyping(false), [])
  const save = (): void => void saveEdit(id).then((isSaved) => { if (isSaved) onDone() })
  const cancel = (): void => {
    dropEdit(id)
    onDone()
  }
  const onKey = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (isComposing(event)) return
    if (event.key === 'Escape') cancel()
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    event.preventDefault()
    save()
  }
  return (
    <div className="editfact" data-esc="own">
      <textarea
        ref={field} className="input" aria-label={say('memory.fact')} aria-invalid={edit.fault !== null} aria-describedby={`${id}-hint`} rows={1} value={edit.text} onKeyDown={onKey}
        onChange={(event) => typeEdit(id, event.target.value)} onFocus={() => setTyping(true)} onBlur={() => { setTyping(false); leaveEdit(id) }}
      />
      <div className="row">
        <p id={`${id}-hint`} className={edit.fault ? 'small t-bad grow' : 'small faint grow'} role={edit.fault ? 'alert' : undefined}>{edit.fault ? say.fact(edit.fault) : say('memory.edit-keys')}</p>
        {/* Pressing a button must not first close the field it belongs to. */}
        <Button size="small" look="quiet" onMouseDown={(event) => event.preventDefault()} onClick={cancel}>{say('ui.cancel')}</Button>
        <Button size="small" onMouseDown={(event) => event.preventDefault()} onClick={save}>{say('memory.save')}</Button>
      </div>
    </div>
  )
}
