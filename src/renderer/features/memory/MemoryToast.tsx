import { CircleCheck, OctagonX, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { tell, useMemories } from './memoryStore'

/** What was done with the memory, with the way back; it goes by itself after ten seconds. */
export function MemoryToast({ isOnPage, onOpen }: { readonly isOnPage: boolean; readonly onOpen: () => void }) {
  const say = useWords()
  const notice = useMemories((state) => state.notice)
  if (!notice) return null
  const { tone, undo } = notice
  const Icon = tone === 'ok' ? CircleCheck : OctagonX
  return (
    <div className="toast" role={tone === 'ok' ? 'status' : 'alert'}>
      <Icon className={tone === 'ok' ? 'i t-ok' : 'i t-bad'} size={14} aria-hidden style={{ marginTop: 5 }} />
      <span className="grow toastwords"><Exact text={say.fact(notice.say)} /></span>
      {undo && <Button size="small" onClick={() => { tell(null); void undo() }}>{say('memory.undo')}</Button>}
      {notice.leadsToPage && !isOnPage && <Button size="small" look="quiet" onClick={() => { tell(null); onOpen() }}>{say('memory.open')}</Button>}
      <IconButton icon={X} label={say('ui.close')} onClick={() => tell(null)} />
    </div>
  )
}
