import { X } from 'lucide-react'
import { IconButton } from '../ui/Button'
import { Note } from '../ui/parts'
import { useWords } from '../ui/words'
import { useApp } from './appStore'

/** A fault that belongs to no page: it stays until it is put away. */
export function Toasts() {
  const say = useWords()
  const fault = useApp((state) => (state.workspace === null && state.page === 'work' ? null : state.fault))
  if (!fault) return null
  return <div className="toasts"><div className="toast"><div className="grow"><Note tone="bad" role="alert">{say.fact(fault)}</Note></div><IconButton icon={X} label={say('ui.close')} onClick={() => useApp.setState({ fault: null })} /></div></div>
}
