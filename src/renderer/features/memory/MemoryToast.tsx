import { Button } from '../../ui/Button'
import { NoticeToast } from '../../ui/NoticeToast'
import { useWords } from '../../ui/words'
import { tell, useMemories } from './memoryStore'

/** What was done with the memory, with the way back; it goes by itself after ten seconds. */
export function MemoryToast({ isOnPage, onOpen }: { readonly isOnPage: boolean; readonly onOpen: () => void }) {
  const say = useWords()
  const notice = useMemories((state) => state.notice)
  if (!notice) return null
  const { tone, undo } = notice
  return (
    <NoticeToast tone={tone} words={say.fact(notice.say)} onClose={() => tell(null)}>
      {undo && <Button size="small" onClick={() => { tell(null); void undo() }}>{say('memory.undo')}</Button>}
      {notice.leadsToPage && !isOnPage && <Button size="small" look="quiet" onClick={() => { tell(null); onOpen() }}>{say('memory.open')}</Button>}
    </NoticeToast>
  )
}
