import { X } from 'lucide-react'
import { IconButton } from '../ui/Button'
import { Note } from '../ui/parts'
import { useWords } from '../ui/words'
import { stoppedText, tellStopped, useStopped } from './stopAll'

/** What was stopped, in a row of its own above the guards: it covers nothing, and goes by itself. */
export function StoppedBar() {
  const say = useWords()
  const stopped = useStopped((state) => state.stopped)
  if (!stopped) return null
  return <div className="stoppedbar"><Note tone="ok" role="status" actions={<IconButton icon={X} label={say('ui.close')} onClick={() => tellStopped(null)} />}>{stoppedText(stopped, say)}</Note></div>
}
