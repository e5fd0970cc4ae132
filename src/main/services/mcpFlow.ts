import type { CallArgs } from '../../shared/domain/call'
import type { AgentEvent } from '../../shared/domain/event'
import type { CallId } from '../../shared/domain/ids'
import type { TaintSource } from '../../shared/domain/tool'
import { makeDataFlow, type FlowFinding, type FlowReceiver, type FlowSource } from '../core/mcp/dataFlow'
import { isSecretPath } from '../core/policy/protectedPaths'
import type { OpenSession } from './sessions'

/** Where a session's text came from, rebuilt from its events and kept up with them. */
export interface SessionFlow {
  /** What the arguments hold of other servers, of pages and of the project's files. A name alone is a server's. */
  find(args: CallArgs, to: string | FlowReceiver): readonly FlowFinding[]
}

const kept = new WeakMap<OpenSession, SessionFlow>()

/** The memory of one session, the same for everybody who asks for it. */
export function sessionFlow(session: OpenSession): SessionFlow {
  const flow = kept.get(session) ?? makeSessionFlow(session)
  kept.set(session, flow)
  return flow
}

/** Makes the memory of one session; it reads the events when it is asked. */
export function makeSessionFlow(session: Pick<OpenSession, 'events'>): SessionFlow {
  const flow = makeDataFlow()
  const called = new Map<CallId, FlowSource>()
  /** Who the stored rest of a result is from: its pages are read by its name. */
  const stored = new Map<string, FlowSource>()
  let seq = 0

  const take = (event: AgentEvent): void => {
    if (event.type === 'user-message-added') event.attachments?.forEach((one) => flow.add({ kind: 'server', server: one.server }, one.text))
    if (event.type === 'tool-called') {
      const source = sourceOf(event, stored)
      if (source) called.set(event.callId, source)
    }
    // What the result says of itself goes before what was asked for: a person may have edited that.
    if (event.type === 'taint-marked' && event.callId !== null) called.set(event.callId, flowSource(event.source))
    if (event.type !== 'tool-finished') return
    const source = called.get(event.callId)
    called.delete(event.callId)
    if (!source) return
    if (event.outputRef !== null) stored.set(event.outputRef, source)
    flow.add(source, source.kind === 'server' || source.kind === 'web' ? event.text : withoutNumbers(event.text))
  }

  return {
    find(args, to) {
      for (; seq < session.events.length; seq++) {
        const event = session.events[seq]
        if (event) take(event)
      }
      return flow.find(args, to)
    },
  }
}

function flowSource(source: TaintSource): FlowSource {
  switch (source.kind) {
    case 'mcp': return { kind: 'server', server: source.server }
    case 'web': return { kind: 'web', host: source.host }
    case 'file': return { kind: isSecretPath(source.path) ? 'secret-file' : 'project-file', path: source.path }
  }
}

/** Tools of ours whose results are text of the project. */
const readers: Readonly<Record<string, string>> = { read_file: 'path', search_text: 'path', run_command: 'command' }

/** Results of servers and pages are marked as such; a server's own tool that failed without an answer is not. */
function sourceOf({ tool, mcp, args }: Extract<AgentEvent, { type: 'tool-called' }>, stored: ReadonlyMap<string, FlowSource>): FlowSource | null {
  if (mcp) return { kind: 'server', server: mcp.server }
  if (tool === 'cat') return typeof args?.['ref'] === 'string' ? (stored.get(args['ref']) ?? null) : null
  const field = Object.hasOwn(readers, tool) ? readers[tool] : undefined
  if (field === undefined) return null
  const named = args?.[field]
  const path = typeof named === 'string' ? named : ''
  return { kind: tool === 'read_file' && isSecretPath(path) ? 'secret-file' : 'project-file', path }
}

/** Line numbers are not the file's. */
function withoutNumbers(text: string): string {
  return text.replace(/^\d+\t/gmu, '')
}
