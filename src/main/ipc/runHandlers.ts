import { fail, succeed } from '../../shared/domain/result'
import type { Ask } from '../../shared/ipc/bridge'
import type { HostServices } from '../services/hostServices'
import type { MessageParts } from '../services/runMessages'
import { changesSince } from '../services/unknownChanges'
import type { Result } from '../../shared/domain/result'
import type { Handlers } from './answer'

type Part<Name extends keyof Handlers> = Pick<Handlers, Name>

/** Messages to runs, waiting ones among them, what a crash left, and the end of everything. */
export function runHandlers(host: HostServices): Part<'session/prompt' | 'session/queue' | 'session/withdraw' | 'session/deliver' | 'recovery/list' | 'recovery/changes' | 'recovery/settle' | 'run/stop-all'> {
  const { runs } = host
  return {
    'session/prompt': async ({ sessionId, text, ...typed }) => {
      const parts = await partsOf(host, typed)
      if (!parts.ok) return parts
      const started = await runs.prompt(sessionId, text, parts.value)
      return started.ok ? succeed({ turnId: started.value.turnId }) : started
    },
    'session/queue': async ({ sessionId, text, messageId, ...typed }) => {
      const parts = await partsOf(host, typed)
      return parts.ok ? runs.queue(sessionId, { text, ...parts.value, ...(messageId === undefined ? {} : { messageId }) }) : parts
    },
    'session/withdraw': ({ sessionId, messageId }) => runs.withdraw(sessionId, messageId),
    'session/deliver': ({ sessionId, messageId }) => runs.deliver(sessionId, messageId),
    'recovery/list': () => Promise.resolve(runs.recoveries()),
    'recovery/changes': async ({ callId }) => {
      const recovery = runs.recoveries().find(({ unknown }) => unknown?.callId === callId)
      const open = host.current()
      return recovery?.unknown && open ? changesSince(recovery, recovery.unknown, open.snapshots.reading) : fail('call.settled-already')
    },
    'recovery/settle': ({ callId, answer }) => runs.settle(callId, answer),
    'run/stop-all': () => host.stopEverything(),
  }
}

/** What goes along with a typed message, read and made ready; a fault where some of it is not there. */
export async function partsOf(host: HostServices, { attachments, files, skills }: Pick<Ask<'session/prompt'>, 'attachments' | 'files' | 'skills'>): Promise<Result<MessageParts>> {
  const attached = await host.mcp.attach(attachments ?? [])
  if (!attached.ok) return attached
  const read = await host.attaching.read(files ?? [])
  if (!read.ok) return read
  const chosen = skills === undefined ? succeed([]) : await host.skills.chosen(skills)
  return chosen.ok ? succeed({ attachments: attached.value, files: read.value, skills: chosen.value }) : chosen
}
