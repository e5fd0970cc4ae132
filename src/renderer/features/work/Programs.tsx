import { SquareTerminal } from 'lucide-react'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { endProgram, useWork } from './workStore'

/** Programs that finished commands left running: each can be ended here (R113). */
export function Programs() {
  const say = useWords()
  const programs = useWork((state) => state.programs)
  if (programs.length === 0) return null
  return (
    <ul className="lane">
      {programs.map((program) => (
        <li key={program.pid} className="queued">
          <SquareTerminal size={14} className="i t-cmd" aria-hidden />
          <span className="grow cut">{say('session.left-running')} <Exact text={program.command} className="mono" /> <span className="faint">{say('session.process', { pid: String(program.pid) })}</span></span>
          <Button size="small" onClick={() => void endProgram(program.pid)}>{say('session.end-program')}</Button>
        </li>
      ))}
    </ul>
  )
}
