import { Bell, Check, CircleHelp, Download, Ellipsis, GitFork, LoaderCircle, MessagesSquare, OctagonX, Pencil, Pin, PinOff, Trash2, Undo2, type LucideIcon } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { SessionSummary } from '../../../shared/domain/session'
import { exportFormats } from '../../../shared/ipc/sessionViews'
import { Button, IconButton } from '../../ui/Button'
import { ContextMenu } from '../../ui/ContextMenu'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { Menu, type MenuItem } from '../../ui/Menu'
import { useWords, type Speaker } from '../../ui/words'
import { recoveryOf, useRecovery } from './recoveryStore'
import { deleteSession, exportSession, pinSession, restoreSession, startRenaming, useSessionList } from './sessionStore'
import { renameSession, selectSession } from './workStore'

const stateLooks: Readonly<Record<SessionSummary['state'], { readonly icon: LucideIcon; readonly look: string }>> = {
  idle: { icon: Check, look: 'faint' }, running: { icon: LoaderCircle, look: 't-agent spin' }, waiting: { icon: Bell, look: 't-warn' }, stopped: { icon: OctagonX, look: 'faint' }, failed: { icon: OctagonX, look: 't-bad' },
}

const emptyLook = { icon: MessagesSquare, look: 'faint' } as const
const unknownLook = { icon: CircleHelp, look: 't-warn' } as const

interface SessionRowProps {
  readonly row: SessionSummary
  readonly isCurrent: boolean
  readonly onChosen: () => void
}

/** One session with its menu: by the button, by Shift+F10, F2 renames, Delete deletes. */
export function SessionRow({ row, isCurrent, onChosen }: SessionRowProps) {
  const say = useWords()
  const link = useRef<HTMLAnchorElement>(null)
  const isRenaming = useSessionList((state) => state.renaming === row.id)
  const title = row.title === '' ? say('session.untitled') : row.title
  const items = itemsOf(row, say)
  const focus = (): void => void requestAnimationFrame(() => link.current?.focus())
  if (isRenaming) return <li><TitleField row={row} onLeft={focus} /></li>
  return (
    <li className="sessrow">
      <ContextMenu name={say('session.menu', { title })} items={items} onClose={focus}>
        <SessionLink ref={link} row={row} title={title} isCurrent={isCurrent} onChosen={onChosen} />
      </ContextMenu>
      {row.deletedAtMs !== null && <Button className="restore" size="small" look="quiet" icon={Undo2} aria-label={say('session.restore-about', { title })} onClick={() => void restoreSession(row.id)}>{say('session.restore')}</Button>}
      <Menu align="end" trigger={<IconButton className="more" icon={Ellipsis} label={say('session.menu', { title })} />} items={items} />
    </li>
  )
}

function itemsOf(row: SessionSummary, say: Speaker): readonly MenuItem[] {
  const { id } = row
  const exports = exportFormats.map((format): MenuItem => ({ key: format, icon: Download, label: say(`session.export-${format}`), onChoose: () => void exportSession(id, format) }))
  if (row.deletedAtMs !== null) return [{ key: 'restore', icon: Undo2, label: say('session.restore'), onChoose: () => void restoreSession(id) }, ...exports]
  const isBusy = row.state === 'running' || row.state === 'waiting'
  return [
    { key: 'pin', icon: row.isPinned ? PinOff : Pin, label: say(row.isPinned ? 'session.unpin' : 'session.pin'), onChoose: () => void pinSession(row) },
    { key: 'rename', icon: Pencil, label: say('session.rename-short'), hint: 'F2', onChoose: () => startRenaming(id) },
    ...exports,
    { key: 'delete', icon: Trash2, label: say('session.delete'), hint: 'Del', isDisabled: isBusy, onChoose: () => void deleteSession(row) },
  ]
}

interface SessionLinkProps extends SessionRowProps {
  readonly ref: React.Ref<HTMLAnchorElement>
  readonly title: string
}

function SessionLink({ ref, row, title, isCurrent, onChosen, ...rest }: SessionLinkProps) {
  const say = useWords()
  const isUnknown = useRecovery((state) => recoveryOf(row.id)(state)?.unknown != null)
  // A title comes with the first message: one without has nothing in it that could be done.
  const isEmpty = row.title === '' && row.state === 'idle'
  const { icon: Icon, look } = isUnknown ? unknownLook : isEmpty ? emptyLook : stateLooks[row.state]
  const onKey = (event: KeyboardEvent<HTMLAnchorElement>): void => {
    if (isComposing(event)) return
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key]
    if (step !== undefined) goBy(event.currentTarget, step)
    else if (event.key === 'F2' && row.deletedAtMs === null) startRenaming(row.id)
    else if (event.key === 'Delete' && row.deletedAtMs === null) void deleteSession(row)
    else return
    event.preventDefault()
  }
  return (
    <a {...rest} ref={ref} className="sess" href={`#session-${row.id}`} aria-current={isCurrent ? 'true' : undefined} onKeyDown={onKey} onClick={(event) => { event.preventDefault(); void selectSession(row.id); onChosen() }}>
      {isCurrent && row.state === 'idle' ? <MessagesSquare className="i faint" size={14} aria-hidden /> : <Icon className={`i ${look}`} size={14} aria-hidden />}
      <span className={isCurrent ? 'cut med' : 'cut'}><Exact text={title} /></span>
      <span className={isUnknown || row.state === 'waiting' ? 'sub cut t-warn' : 'sub cut'}>
        {row.forkedFrom !== null && <><GitFork className="i" size={12} aria-hidden /> {say('session.forked')} · </>}
        {isUnknown ? say('recovery.row', { count: 1 }) : say(isEmpty ? 'session.row.empty' : `session.row.${row.state}`)}{!isCurrent && row.state === 'idle' ? ` · ${dayOf(row.lastAtMs, say)}` : ''}
      </span>
    </a>
  )
}

/** To the row above or below, in whatever group. */
function goBy(from: HTMLElement, step: 1 | -1): void {
  const rows = [...(from.closest('[data-zone]')?.querySelectorAll<HTMLElement>('.sess') ?? [])]
  rows[rows.indexOf(from) + step]?.focus()
}

function TitleField({ row, onLeft }: { readonly row: SessionSummary; readonly onLeft: () => void }) {
  const say = useWords()
  const [title, setTitle] = useState(row.title)
  const leave = (): void => {
    startRenaming(null)
    onLeft()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    if (event.key === 'Enter') void renameSession(row.id, title)
    if (event.key === 'Enter' || event.key === 'Escape') leave()
  }
  return <input className="input renamefield" data-esc="own" autoFocus maxLength={200} aria-label={say('session.rename')} value={title} onFocus={(event) => event.target.select()} onChange={(event) => setTitle(event.target.value)} onKeyDown={onKey} onBlur={() => startRenaming(null)} />
}

/** The hour of today, else the day. */
export function dayOf(atMs: number, say: Speaker): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString()
  return isToday ? say.time(atMs) : new Intl.DateTimeFormat(say.locale, { month: 'short', day: 'numeric' }).format(atMs)
}
