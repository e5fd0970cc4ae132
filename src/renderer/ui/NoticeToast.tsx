import { CircleCheck, OctagonX, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './Button'
import { Exact } from './Exact'
import { useWords } from './words'

/** What was just done, or why it was not, with what can be done about it as children. */
export function NoticeToast({ tone, words, onClose, children }: { readonly tone: 'ok' | 'bad'; readonly words: string; readonly onClose: () => void; readonly children: ReactNode }) {
  const say = useWords()
  const Icon = tone === 'ok' ? CircleCheck : OctagonX
  return (
    <div className="toast" role={tone === 'ok' ? 'status' : 'alert'}>
      <Icon className={tone === 'ok' ? 'i t-ok' : 'i t-bad'} size={14} aria-hidden style={{ marginTop: 5 }} />
      <span className="grow toastwords"><Exact text={words} /></span>
      {children}
      <IconButton icon={X} label={say('ui.close')} onClick={onClose} />
    </div>
  )
}
