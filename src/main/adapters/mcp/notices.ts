import type { McpEvents } from '../../core/ports/mcpConnections'
import { isObject, textOf, type Json } from './messages'
import type { ServerLog } from './serverLog'

/** A server that names more resources at once gets the whole list told as changed. */
const mostUpdated = 1000

/** A burst comes in several pieces. Short enough that nobody would notice. */
const burstMs = 20

/** Tells listeners what a server noticed. */
export interface Notices {
  take(method: string, params: Json): void
  /** All lists, as after a new session. */
  allChanged(): void
  stop(): void
}

/** Notices of one kind that come together are told once, off the reader (R48). */
export function makeNotices(events: McpEvents, log: ServerLog): Notices {
  const changed = new Set<'tools' | 'resources' | 'prompts'>()
  let updated = new Set<string>()
  let soon: NodeJS.Timeout | undefined
  const tell = (): void => {
    soon = undefined
    const kinds = [...changed]
    const uris = [...updated]
    changed.clear()
    updated = new Set()
    if (kinds.includes('tools')) events.toolsChanged()
    if (kinds.includes('resources')) events.resourcesChanged()
    if (kinds.includes('prompts')) events.promptsChanged()
    for (const uri of uris) events.resourceUpdated(uri)
  }
  const note = (kind: 'tools' | 'resources' | 'prompts'): void => {
    changed.add(kind)
    soon ??= setTimeout(tell, burstMs)
  }
  return {
    take(method, params) {
      switch (method) {
        case 'notifications/tools/list_changed': return note('tools')
        case 'notifications/resources/list_changed': return note('resources')
        case 'notifications/prompts/list_changed': return note('prompts')
        case 'notifications/resources/updated':
          if (updated.size >= mostUpdated) return note('resources')
          updated.add(textOf(params['uri']))
          soon ??= setTimeout(tell, burstMs)
          return
        case 'notifications/message': return log.line('server', logText(params))
        case 'notifications/elicitation/complete': return
        default: return log.line('app', `? ${method.slice(0, 200)}`)
      }
    },
    allChanged() {
      note('tools')
      note('resources')
      note('prompts')
    },
    stop: () => clearTimeout(soon),
  }
}

function logText({ level, logger, data }: Json): string {
  const text = typeof data === 'string' ? data : isObject(data) && typeof data['message'] === 'string' && Object.keys(data).length === 1 ? data['message'] : (JSON.stringify(data) ?? '')
  return [textOf(level), textOf(logger), text].filter((part) => part !== '').join(' ')
}
