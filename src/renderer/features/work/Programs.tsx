import { ChevronRight, ExternalLink, SquareTerminal } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ProgramRow } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { openPort, usePrinted, watchPrinted } from './programStore'
import { endProgram, useWork } from './workStore'

/** Programs that finished commands left running: with their ports; each can be looked at and ended here (R113). */
export function Programs() {
  const programs = useWork((state) => state.programs)
  if (programs.length === 0) return null
  return <ul className="lane">{programs.map((program) => <Program key={program.pid} program={program} />)}</ul>
}

function Program({ program }: { readonly program: ProgramRow }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li className="program">
      <div className="queued">
        <SquareTerminal size={14} className="i t-cmd" aria-hidden />
        <span className="grow cut" title={program.command}>{say('session.left-running')} <Exact text={program.command} className="mono" /> <span className="faint">{say('session.process', { pid: String(program.pid) })}</span></span>
        {program.ports.map(({ port, isHttp }) => isHttp
          ? <Button key={port} size="small" look="quiet" icon={ExternalLink} onClick={() => openPort(port)}>{say('session.open-port', { port: String(port) })}</Button>
          : <span key={port} className="small nowrap faint num">{say('session.port', { port: String(port) })}</span>)}
        <Button size="small" look="quiet" icon={ChevronRight} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>{say('session.program-output')}</Button>
        <Button size="small" onClick={() => void endProgram(program.pid)}>{say('session.end-program')}</Button>
      </div>
      {isOpen && <Printed callId={program.callId} />}
    </li>
  )
}

/** The end of what it prints, as it goes on. Turned round twice, so that the end stays in sight. */
function Printed({ callId }: { readonly callId: string }) {
  const say = useWords()
  const text = usePrinted((state) => state[callId])
  useEffect(() => watchPrinted(callId), [callId])
  if (text === undefined) return null
  return (
    <div className="code printed" tabIndex={0} role="log" aria-label={say('session.program-output')}>
      <div>{text === null || text === '' ? <span className="faint">{say('session.program-silent')}</span> : text.trimEnd().split('\n').map((line, at) => <div key={at}><Exact text={line} /></div>)}</div>
    </div>
  )
}
