import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { countHidden } from '../../ui/hiddenText'
import { useWords } from '../../ui/words'

/** Says how many characters of a text cannot be seen; nothing where there are none. */
export function HiddenNote({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  const say = useWords()
  const count = countHidden(text)
  if (count === 0) return null
  return <div className="note bad" style={{ borderRadius: 0 }}><Eye className="i" size={14} aria-hidden /><span>{say('approval.hidden', { count })}{children}</span></div>
}
