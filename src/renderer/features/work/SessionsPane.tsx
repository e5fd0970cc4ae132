import { ArrowLeft, Plus, Trash2 } from 'lucide-react'
import type { SessionSummary } from '../../../shared/domain/session'
import { Button, IconButton } from '../../ui/Button'
import { Switch } from '../../ui/fields'
import { isComposing, keyName } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { SessionHits } from './SessionHits'
import { SessionRow } from './SessionRow'
import { searchSessions, showBin, useSessionList } from './sessionStore'
import { startNewSession, useWork } from './workStore'

interface SessionsPaneProps {
  readonly width: number
  readonly isDrawer: boolean
  readonly onChosen: () => void
  /** Opens another project, in which something was found. */
  readonly openFolder: (root: string) => Promise<void>
}

/** The sessions of this folder: pinned ones, then what works or waits, then the others; searched by title and by what was said. */
export function SessionsPane({ width, isDrawer, onChosen, openFolder }: SessionsPaneProps) {
  const say = useWords()
  const query = useSessionList((state) => state.query)
  const isBinOpen = useSessionList((state) => state.isBinOpen)
  return (
    <aside className={isDrawer ? 'side drawer' : 'side'} style={isDrawer ? undefined : { width }} aria-label={say('session.sessions')} data-zone="sessions" tabIndex={-1}>
      <div className="head">
        {isBinOpen && <IconButton icon={ArrowLeft} label={say('session.deleted-back')} onClick={() => showBin(false)} />}
        <h2>{isBinOpen ? say('session.bin') : say('session.title')}</h2>
        <span className="end"><IconButton icon={Plus} label={say('session.new')} keys={keyName('Mod+N')} onClick={() => { startNewSession(); onChosen() }} /></span>
      </div>
      {!isBinOpen && <SearchBox />}
      <div style={{ overflow: 'auto', flex: 1, minHeight: 0 }}>
        {isBinOpen ? <Bin onChosen={onChosen} /> : <Groups onChosen={onChosen} />}
        {!isBinOpen && query.trim() !== '' && <SessionHits onChosen={onChosen} openFolder={openFolder} />}
      </div>
      {!isBinOpen && <BinButton />}
    </aside>
  )
}

function SearchBox() {
  const say = useWords()
  const query = useSessionList((state) => state.query)
  const isEverywhere = useSessionList((state) => state.isEverywhere)
  return (
    <div className="sesssearch">
      <input
        type="search" className="input" data-esc={query === '' ? undefined : 'own'} aria-label={say('session.search')} placeholder={say('session.search-hint')} value={query} spellCheck={false} maxLength={1000}
        onChange={(event) => searchSessions(event.target.value)} onKeyDown={(event) => { if (!isComposing(event) && event.key === 'Escape') searchSessions('') }}
      />
      {query.trim() !== '' && <span className="small"><Switch label={say('session.search-all')} isOn={isEverywhere} onChange={(isOn) => searchSessions(query, isOn)} /></span>}
    </div>
  )
}

function isActive(row: SessionSummary): boolean {
  return row.state === 'running' || row.state === 'waiting'
}

function Groups({ onChosen }: Pick<SessionsPaneProps, 'onChosen'>) {
  const say = useWords()
  const sessions = useWork((state) => state.sessions)
  const current = useWork((state) => state.current)
  const query = useSessionList((state) => state.query).trim().toLowerCase()
  const here = sessions.filter((row) => row.deletedAtMs === null)
  const shown = here.filter((row) => query === '' || row.title.toLowerCase().includes(query))
  const groups = [
    { name: say('session.pinned'), rows: shown.filter((row) => row.isPinned) },
    { name: say('session.active'), rows: shown.filter((row) => !row.isPinned && isActive(row)) },
    { name: say('session.earlier'), rows: shown.filter((row) => !row.isPinned && !isActive(row)) },
  ]
  if (shown.length === 0) return <p className="small faint" style={{ padding: 12 }}>{say(here.length === 0 ? 'session.none' : 'session.no-title')}</p>
  return groups.map((group) => group.rows.length > 0 && (
    <div key={group.name}>
      <h3 className="group">{group.name}</h3>
      <ul>{group.rows.map((row) => <SessionRow key={row.id} row={row} isCurrent={row.id === current} onChosen={onChosen} />)}</ul>
    </div>
  ))
}

function Bin({ onChosen }: Pick<SessionsPaneProps, 'onChosen'>) {
  const say = useWords()
  const sessions = useWork((state) => state.sessions)
  const current = useWork((state) => state.current)
  const rows = sessions.filter((row) => row.deletedAtMs !== null)
  return (
    <>
      <p className="small faint" style={{ padding: 12 }}>{say(rows.length === 0 ? 'session.deleted-none' : 'session.deleted-about')}</p>
      <ul>{rows.map((row) => <SessionRow key={row.id} row={row} isCurrent={row.id === current} onChosen={onChosen} />)}</ul>
    </>
  )
}

function BinButton() {
  const say = useWords()
  const count = useWork((state) => state.sessions.filter((row) => row.deletedAtMs !== null).length)
  if (count === 0) return null
  return <div className="sessfoot"><Button size="small" look="quiet" icon={Trash2} onClick={() => showBin(true)}>{say('session.deleted-count', { count })}</Button></div>
}
