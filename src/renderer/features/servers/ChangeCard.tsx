import { TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { McpChange } from '../../../shared/domain/mcp'
import { Button } from '../../ui/Button'
import { diffLines } from '../../ui/diffLines'
import { Exact } from '../../ui/Exact'
import { LineDiff } from '../../ui/LineDiff'
import { Chip } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { review } from './serverStore'

interface ChangeProps {
  readonly server: string
  readonly change: McpChange
  readonly registered: string | null
  /** The tool is off, so nothing waits for an answer. */
  readonly isOff?: boolean
}

/** How long what was changed has to be on screen before accepting it counts: a change that comes under a click is not accepted by it. */
const armMs = 600

/** One changed definition: old and new by line and word, what a scan found in it, and the two answers. */
export function ChangeCard({ server, change, registered, isOff = false }: ChangeProps) {
  const say = useWords()
  const isArmed = useArmed(change.hash)
  const name = change.subject === 'start' ? say('servers.start-of', { name: server }) : change.tool
  return (
    <section className="card change" aria-label={say('servers.change-of', { name })}>
      <div className="row top">
        <TriangleAlert className="i t-warn" size={14} aria-hidden />
        {change.subject === 'start' ? <span className="med cut">{name}</span> : <Exact text={name} className="mono med cut" />}
        {registered !== null && <span className="end small faint cut"><Exact text={registered} /></span>}
      </div>
      <Difference change={change} name={say('servers.difference', { name })} />
      {change.warnings.map((warning, at) => <div key={at} className="note bad" role="note"><TriangleAlert className="i" size={14} aria-hidden /><Exact text={say.fact(warning)} className="wrap-any" /></div>)}
      <div className="row bottom">
        {isOff ? <Chip>{say('servers.kept-off')}</Chip> : <Button look="primary" onClick={() => void review(server, change, false)}>{say('servers.keep-off')}</Button>}
        <Button aria-disabled={!isArmed} className={isArmed ? '' : 'off'} onClick={() => { if (isArmed) void review(server, change, true) }}>{say('servers.accept-change')}</Button>
        <span className="end small faint">{say('servers.both-recorded')}</span>
      </div>
    </section>
  )
}

function useArmed(hash: string): boolean {
  const [armed, setArmed] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setArmed(hash), armMs)
    return () => clearTimeout(timer)
  }, [hash])
  return armed === hash
}

function Difference({ change, name }: { readonly change: McpChange; readonly name: string }) {
  const say = useWords()
  const lines = useMemo(() => diffLines(change.before, change.after), [change])
  if (lines) return <div className="difference" tabIndex={0} role="region" aria-label={name}><LineDiff lines={lines} name={name} hasWords /></div>
  // Too large to compare here: both, whole.
  return (
    <div className="difference" tabIndex={0} role="region" aria-label={name}>
      {(['before', 'after'] as const).map((side) => <div key={side}><p className="small faint" style={{ padding: '6px 14px 0' }}>{say(`servers.${side}`)}</p><pre className="code quote" style={{ padding: '4px 14px' }}><Exact text={change[side]} /></pre></div>)}
    </div>
  )
}
