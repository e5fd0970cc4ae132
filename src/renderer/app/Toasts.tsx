import { X } from 'lucide-react'
import { MemoryToast } from '../features/memory/MemoryToast'
import { useMemories } from '../features/memory/memoryStore'
import { SessionToast } from '../features/work/SessionToast'
import { useSessionList } from '../features/work/sessionStore'
import { IconButton } from '../ui/Button'
import { Note } from '../ui/parts'
import { useWords } from '../ui/words'
import { go, useApp } from './appStore'

/** A fault that belongs to no page: it stays until it is put away. Beside it what was done with the memory, with its undo. */
export function Toasts() {
  const say = useWords()
  const fault = useApp((state) => (state.workspace === null && state.page === 'work' ? null : state.fault))
  const isOnMemory = useApp((state) => state.page === 'memory')
  const hasNotice = useMemories((state) => state.notice !== null)
  const hasSessionNotice = useSessionList((state) => state.notice !== null)
  if (!fault && !hasNotice && !hasSessionNotice) return null
  return (
    <div className={isOnMemory ? 'toasts low' : 'toasts'}>
      {fault && <div className="toast"><div className="grow"><Note tone="bad" role="alert">{say.fact(fault)}</Note></div><IconButton icon={X} label={say('ui.close')} onClick={() => useApp.setState({ fault: null })} /></div>}
      <SessionToast />
      <MemoryToast isOnPage={isOnMemory} onOpen={() => go('memory')} />
    </div>
  )
}
