import { Copy } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { McpLogLine } from '../../../shared/domain/mcp'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { Switch } from '../../ui/fields'
import { useWords } from '../../ui/words'
import { filterLog, plainText } from './logText'
import { closeLog, followLog, useServers } from './serverStore'

const none: readonly McpLogLine[] = []
/** How often a log that is open is read again. */
const readMs = 1000

/** A server's log: its own lines and what the app did, newest last. The text can be selected and copied. */
export function LogDialog({ name }: { readonly name: string }) {
  const say = useWords()
  const lines = useServers((state) => (state.log?.name === name ? state.log.lines : none))
  const [wanted, setWanted] = useState('')
  const [isFollowing, setIsFollowing] = useState(true)
  const [isCopied, setIsCopied] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => filterLog(lines, wanted).map((line) => ({ ...line, text: plainText(line.text) })), [lines, wanted])
  useEffect(() => {
    const timer = setInterval(() => void followLog(), readMs)
    return () => clearInterval(timer)
  }, [])
  useLayoutEffect(() => {
    if (isFollowing && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [shown, isFollowing])
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(shown.map((line) => `${new Date(line.atMs).toISOString()} ${line.from} ${line.text}`).join('\n'))
    setIsCopied(true)
  }
  /** Whoever scrolls up reads; at the end it goes on. */
  const onScroll = (): void => {
    const { current } = box
    if (current) setIsFollowing(current.scrollHeight - current.scrollTop - current.clientHeight < 24)
  }
  return (
    <Dialog name={say('servers.log-of', { name })} isOpen isWide onClose={closeLog}>
      <div className="head">
        <h2 className="cut">{say('servers.log-of', { name })}</h2>
        <span className="end row">
          <input className="input" style={{ width: 200 }} aria-label={say('servers.filter')} placeholder={say('servers.filter')} value={wanted} onChange={(event) => setWanted(event.target.value)} />
          <Switch label={say('servers.follow')} isOn={isFollowing} onChange={setIsFollowing} />
          <Button size="small" icon={Copy} disabled={shown.length === 0} onClick={() => void copy()}>{say(isCopied ? 'servers.copied' : 'servers.copy')}</Button>
        </span>
      </div>
      <div ref={box} className="code log" role="log" aria-live="off" aria-label={say('servers.log-of', { name })} tabIndex={0} onScroll={onScroll}>
        {shown.map((line, at) => <LogRow key={at} line={line} />)}
        {shown.length === 0 && <p className="dim" style={{ padding: '6px 0' }}>{say(lines.length === 0 ? 'servers.log-empty' : 'servers.log-no-match')}</p>}
      </div>
      <div className="row" style={{ padding: '8px 12px', justifyContent: 'flex-end' }}><Button onClick={closeLog}>{say('ui.close')}</Button></div>
    </Dialog>
  )
}

function LogRow({ line }: { readonly line: McpLogLine }) {
  const say = useWords()
  return <div className="logline"><span className="faint">{new Date(line.atMs).toLocaleTimeString(say.locale, { hour12: false })}</span><span className={line.from === 'app' ? 't-info' : 'faint'}>{say(`servers.from.${line.from}`)}</span><span><Exact text={line.text} /></span></div>
}
