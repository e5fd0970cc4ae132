import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { EditField } from './FactCell'
import { useMemories, type MemoryState } from './memoryStore'

/** What the scores are for: the text in the message box. */
export function DraftLine({ onChange }: { readonly onChange: () => void }) {
  const say = useWords()
  const draft = useMemories((state) => state.draft)
  const isInBin = useMemories((state) => state.shown === 'bin')
  const isEmpty = draft.trim() === ''
  if (isInBin) return null
  return (
    <div className="draftline">
      {isEmpty ? <span className="faint cut grow">{say('memory.no-draft')}</span> : <><span className="small faint nowrap">{say('memory.for-draft')}</span><span className="cut grow"><Exact text={draft.slice(0, 500)} /></span></>}
      <Button size="small" look="quiet" onClick={onChange}>{say(isEmpty ? 'memory.write-draft' : 'memory.change-draft')}</Button>
    </div>
  )
}

/** Whether an entry is in what was read of the list. */
function isListed({ chunks }: MemoryState, id: string): boolean {
  return Object.values(chunks).some((rows) => rows.some((row) => row.memory.id === id))
}

/** Changes whose entries left the list while they were typed: nothing typed is lost because of a search or somebody else's change. */
export function UnsavedEdits() {
  const say = useWords()
  const state = useMemories()
  const lost = Object.values(state.edits).filter((edit) => state.shown === 'bin' || !isListed(state, edit.id))
  if (lost.length === 0) return null
  return (
    <div className="card memadd">
      <p className="small dim">{say('memory.editing')}</p>
      {lost.map((edit) => <EditField key={edit.id} edit={edit} onDone={() => undefined} />)}
    </div>
  )
}
