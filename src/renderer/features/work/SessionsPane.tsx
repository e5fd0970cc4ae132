import { Bell, Check, CircleHelp, LoaderCircle, MessagesSquare, OctagonX, Plus, type LucideIcon } from 'lucide-react'
import type { SessionSummary } from '../../../shared/domain/session'
import { IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { keyName } from '../../ui/keys'
import { useWords, type Speaker } from '../../ui/words'
import { recoveryOf, useRecovery } from './recoveryStore'
import { selectSession, startNewSession, useWork } from './workStore'

const stateLooks: Readonly<Record<SessionSummary['state'], { readonly icon: LucideIcon; readonly look: string }>> = {
  idle: { icon: Check, look: 'faint' }, running: { icon: LoaderCircle, look: 't-agent spin' }, waiting: { icon: Bell, look: 't-warn' }, stopped: { icon: OctagonX, look: 'faint' }, failed: { icon: OctagonX, look: 't-bad' },
}

const unknownLook = { icon: CircleHelp, look: 't-warn' } as const

/** The sessions of this folder, what works or waits first. */
export function SessionsPane({ width, isDrawer, onChosen }: { readonly width: number; readonly isDrawer: boolean; readonly onChosen: () => void }) {
  const say = useWords()
  const sessions = useWork((state) => state.sessions)
  const current = useWork((state) => state.current)
  const isActive = (row: SessionSummary): boolean => row.state === 'running' || row.state === 'waiting'
  const groups = [{ name: say('session.active'), rows: sessions.filter(isActive) }, { name: say('session.earlier'), rows: sessions.filter((row) => !isActive(row)) }]
  return (
    <aside className={isDrawer ? 'side drawer' : 'side'} style={isDrawer ? undefined : { width }} aria-label={say('session.sessions')} data-zone="sessions" tabIndex={-1}>
      <div className="head">
        <h2>{say('session.title')}</h2>
        <span className="end"><IconButton icon={Plus} label={say('session.new')} keys={keyName('Mod+N')} onClick={() => { startNewSession(); onChosen() }} /></span>
      </div>
      <div style={{ overflow: 'auto', flex: 1, minHeight: 0 }}>
        {sessions.length === 0 && <p className="small faint" style={{ padding: 12 }}>{say('session.none')}</p>}
        {groups.map((group) => group.rows.length > 0 && (
          <div key={group.name}>
            <h3 className="group">{group.name}</h3>
            <ul>{group.rows.map((row) => <li key={row.id}><SessionLink row={row} isCurrent={row.id === current} onChosen={onChosen} /></li>)}</ul>
          </div>
        ))}
      </div>
    </aside>
  )
}

function SessionLink({ row, isCurrent, onChosen }: { readonly row: SessionSummary; readonly isCurrent: boolean; readonly onChosen: () => void }) {
  const say = useWords()
  const isUnknown = useRecovery((state) => recoveryOf(row.id)(state)?.unknown != null)
  const { icon: Icon, look } = isUnknown ? unknownLook : stateLooks[row.state]
  return (
    <a className="sess" href={`#session-${row.id}`} aria-current={isCurrent ? 'true' : undefined} onClick={(event) => { event.preventDefault(); void selectSession(row.id); onChosen() }}>
      {isCurrent && row.state === 'idle' ? <MessagesSquare className="i faint" size={14} aria-hidden /> : <Icon className={`i ${look}`} size={14} aria-hidden />}
      <span className={isCurrent ? 'cut med' : 'cut'}><Exact text={row.title === '' ? say('session.untitled') : row.title} /></span>
      <span className={isUnknown || row.state === 'waiting' ? 'sub cut t-warn' : 'sub cut'}>{isUnknown ? say('recovery.row', { count: 1 }) : say(`session.row.${row.state}`)}{!isCurrent && row.state === 'idle' ? ` · ${dayOf(row.lastAtMs, say)}` : ''}</span>
    </a>
  )
}

function dayOf(atMs: number, say: Speaker): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString()
  return isToday ? say.time(atMs) : new Intl.DateTimeFormat(say.locale, { month: 'short', day: 'numeric' }).format(atMs)
}
