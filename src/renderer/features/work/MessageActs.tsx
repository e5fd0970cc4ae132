import { Copy, GitFork, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ChatItem } from '../../../shared/domain/chatView'
import { IconButton } from '../../ui/Button'
import { useWords } from '../../ui/words'
import { editMessage, forkSession } from './sessionStore'
import { useWork } from './workStore'

interface MessageActsProps {
  readonly text: string
  readonly seq: number
  /** A message of the person's own. */
  readonly own?: Extract<ChatItem, { readonly kind: 'user' }>
  readonly children?: ReactNode
}

/** What can be done with a message; shown where the pointer or the keyboard is. */
export function MessageActs({ text, seq, own, children }: MessageActsProps) {
  const say = useWords()
  const fork = (side: 'before' | 'after'): void => {
    const { current, chats } = useWork.getState()
    if (current === null) return
    const title = chats[current]?.title || say('session.untitled')
    void forkSession(current, { messageSeq: seq, side }, say('session.fork-title', { title }))
  }
  const edit = (): void => {
    const { current } = useWork.getState()
    if (current !== null && own) editMessage(current, own)
  }
  return (
    <span className="end acts">
      {own && <IconButton icon={Pencil} label={say('session.edit-again')} onClick={edit} />}
      <IconButton icon={GitFork} label={say(own ? 'session.edit-fork' : 'session.fork-here')} onClick={() => fork(own ? 'before' : 'after')} />
      <IconButton icon={Copy} label={say('session.copy')} onClick={() => void navigator.clipboard.writeText(text)} />
      {children}
    </span>
  )
}
