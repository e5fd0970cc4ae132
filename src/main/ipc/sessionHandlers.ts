import { succeed } from '../../shared/domain/result'
import type { HostServices } from '../services/hostServices'
import type { Handlers } from './answer'
import { partsOf } from './runHandlers'
import type { WindowAbilities } from './windowAbilities'

type Part<Name extends keyof Handlers> = Pick<Handlers, Name>

/** What a person does with whole sessions, and what was typed in them and not sent. */
export function sessionActHandlers(host: HostServices, window: WindowAbilities): Part<'session/pin' | 'session/delete' | 'session/restore' | 'session/search' | 'session/fork' | 'session/resend' | 'session/export' | 'draft/list' | 'draft/save'> {
  const { sessionActs, sessionSearch, sessionForks, sessionExports, drafts } = host
  return {
    'session/pin': ({ sessionId, isPinned }) => sessionActs.pin(sessionId, isPinned),
    'session/delete': ({ sessionId }) => sessionActs.remove(sessionId),
    'session/restore': ({ sessionId }) => sessionActs.restore(sessionId),
    'session/search': ({ query, isThisProject }) => sessionSearch.find(query, isThisProject),
    'session/fork': ({ sessionId, messageSeq, side, title }) => sessionForks.fork(sessionId, { messageSeq, side }, title),
    'session/resend': async ({ sessionId, messageSeq, text, ...typed }) => {
      const parts = await partsOf(host, typed)
      if (!parts.ok) return parts
      const started = await host.resend(sessionId, { messageSeq, text, ...parts.value })
      return started.ok ? succeed({ turnId: started.value.turnId }) : started
    },
    'session/export': async ({ sessionId, format }) => {
      const file = await window.chooseSaveFile(await sessionExports.nameFor(sessionId, format))
      if (file === null) return null
      const made = await sessionExports.exportTo(sessionId, file, format)
      return made.ok ? succeed({ path: file }) : made
    },
    'draft/list': () => drafts.list(),
    'draft/save': async (draft) => {
      await drafts.save(draft)
      return null
    },
  }
}
