import { LogIn, LogOut, OctagonX, Play, RefreshCw, ScrollText, Square } from 'lucide-react'
import type { McpServerState } from '../../../shared/domain/mcp'
import type { McpServerDetail } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useNow } from '../../ui/useNow'
import { joined, useWords } from '../../ui/words'
import { plainText } from './logText'
import { LogDialog } from './LogDialog'
import { showLog, signIn, signOut, startNow, stopServer, useServers } from './serverStore'
import { countsOf } from './stateWords'

/** How the server is, and what can be done about it. */
export function StateCard({ detail }: { readonly detail: McpServerDetail }) {
  const { name, state } = detail.row
  const isLogOpen = useServers((one) => one.log?.name === name)
  return (
    <>
      {state.kind === 'failed' ? <FailureCard name={name} state={state} /> : state.kind === 'sign-in' ? <SignInCard name={name} /> : <StateLine detail={detail} />}
      {isLogOpen && <LogDialog name={name} />}
    </>
  )
}

function LogButton({ name }: { readonly name: string }) {
  const say = useWords()
  return <Button size="small" look="quiet" icon={ScrollText} onClick={() => void showLog(name)}>{say('servers.show-log')}</Button>
}

type Failed = Extract<McpServerState, { readonly kind: 'failed' }>

/** Attempts of none: nothing was started at all, because the entry cannot be used. */
function FailureCard({ name, state }: { readonly name: string; readonly state: Failed }) {
  const say = useWords()
  const lastLine = plainText(state.lastLine).trim()
  return (
    <section className="card failure" aria-label={say('servers.failure')}>
      <p className="row t-bad med"><OctagonX className="i" size={14} aria-hidden /><Exact text={say.fact(state.say)} className="wrap-any" /></p>
      {lastLine !== '' && <p className="code quote"><Exact text={lastLine} /></p>}
      <p>
        {state.advice && <><b className="med">{say('servers.what-to-do')}</b><Exact text={joined(say('servers.what-to-do'), say.fact(state.advice))} /> </>}
        {state.attempts > 0 && <NextTry state={state} />}
      </p>
      <p className="row">{state.attempts > 0 && <Button size="small" icon={RefreshCw} onClick={() => void startNow(name)}>{say('servers.try-now')}</Button>}<LogButton name={name} /></p>
    </section>
  )
}

/** The countdown; it is no news that is spoken every second. */
function NextTry({ state }: { readonly state: Failed }) {
  const say = useWords()
  const now = useNow()
  if (state.nextTryAtMs === null) return <span className="dim">{say('servers.no-next-try', { attempt: state.attempt })}</span>
  const seconds = Math.max(0, Math.ceil((state.nextTryAtMs - now) / 1000))
  return <span className="dim">{say('servers.next-try', { seconds, attempt: state.attempt, attempts: state.attempts })}</span>
}

function SignInCard({ name }: { readonly name: string }) {
  const say = useWords()
  const isOpen = useServers((one) => one.signingIn === name)
  return <Note tone="warn" actions={<span className="row"><Button size="small" icon={LogIn} disabled={isOpen} onClick={() => void signIn(name)}>{say('servers.sign-in')}</Button><LogButton name={name} /></span>}>{say(isOpen ? 'servers.signing-in' : 'servers.sign-in-about')}</Note>
}

function StateLine({ detail }: { readonly detail: McpServerDetail }) {
  const say = useWords()
  const { name, state } = detail.row
  const canStart = state.kind === 'idle'
  const canStop = state.kind === 'ready' || state.kind === 'starting'
  return (
    <div className="row stateline">
      <span className="small dim cut grow" role="status">{lineOf()}</span>
      {detail.isSignedIn === true && <Button size="small" look="quiet" icon={LogOut} onClick={() => void signOut(name)}>{say('servers.sign-out')}</Button>}
      {canStart && <Button size="small" look="quiet" icon={Play} onClick={() => void startNow(name)}>{say('servers.start')}</Button>}
      {canStop && <Button size="small" look="quiet" icon={Square} onClick={() => void stopServer(name)}>{say('servers.stop')}</Button>}
      <LogButton name={name} />
    </div>
  )

  function lineOf(): string {
    if (state.kind === 'ready') return say('servers.running-since', { time: say.time(state.sinceMs), counts: countsOf(detail.row, say) })
    if (state.kind === 'starting') return say('servers.starting-since', { time: say.time(state.sinceMs) })
    if (state.kind === 'changed') return say('servers.not-started-changed')
    return say(`servers.about-state.${state.kind as 'idle' | 'disabled' | 'off-here'}`)
  }
}
