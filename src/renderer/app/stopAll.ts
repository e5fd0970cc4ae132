import { create } from 'zustand'
import type { Stopped } from '../../shared/ipc/recoveryViews'
import { host } from '../bridge/host'
import type { Speaker } from '../ui/words'
import { useApp } from './appStore'

/** What was stopped last, until the person has put it away or it has stood long enough to be read. */
export const useStopped = create<{ readonly stopped: Stopped | null }>(() => ({ stopped: null }))

/** Stops every session and every program, and takes back every grant (R112). No question is asked: nothing of it is lost. */
export async function stopAll(): Promise<void> {
  const stopped = await host().runStopAll({})
  tellStopped(stopped)
  if (stopped.fault) useApp.setState({ fault: stopped.fault })
}

/** What was stopped stands so long. */
const noticeMs = 15_000

let due: ReturnType<typeof setTimeout> | undefined

/** Says what was stopped; it goes by itself. Null puts it away. */
export function tellStopped(stopped: Stopped | null): void {
  clearTimeout(due)
  useStopped.setState({ stopped })
  if (stopped) due = setTimeout(() => useStopped.setState({ stopped: null }), noticeMs)
}

/** What was stopped, in one sentence. */
export function stoppedText({ sessions, programs, grants, waitingMessages }: Stopped, say: Speaker): string {
  const names = sessions.map(({ title }) => (title === '' ? say('session.untitled') : title)).join(say.locale === 'en' ? ', ' : '、')
  const parts = [
    ...(sessions.length === 0 ? [] : [say('run.stopped.sessions', { count: sessions.length, names })]),
    ...(programs.length === 0 ? [] : [say('run.stopped.programs', { count: programs.length })]),
    ...(grants === 0 ? [] : [say('run.stopped.grants', { count: grants })]),
    ...(waitingMessages === 0 ? [] : [say('run.stopped.waiting', { count: waitingMessages })]),
  ]
  return parts.length === 0 ? say('run.stopped-nothing') : say('run.stopped', { parts: parts.join(say.locale === 'en' ? ', ' : '，') })
}
