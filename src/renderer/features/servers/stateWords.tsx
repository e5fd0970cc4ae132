import { Check, CircleDashed, LoaderCircle, LogIn, Minus, OctagonX, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { McpServerRow } from '../../../shared/ipc/views'
import type { Tone } from '../../ui/parts'
import type { Speaker } from '../../ui/words'

/** In which group of the list a server stands. */
export type Group = 'attention' | 'running' | 'not-running'

export function groupOf(row: McpServerRow): Group {
  const { kind } = row.state
  if (kind === 'disabled' || kind === 'off-here') return 'not-running'
  if (kind === 'failed' || kind === 'changed' || kind === 'sign-in' || row.changes > 0) return 'attention'
  return kind === 'ready' ? 'running' : 'not-running'
}

interface Look {
  readonly icon: LucideIcon
  readonly tone: Tone | null
  /** In the list, where there is a line for it. */
  readonly line: string
  /** In the head, where there is a word for it. */
  readonly word: string
}

/** How a server's state looks: always an icon and words. */
export function lookOf(row: McpServerRow, say: Speaker): Look {
  const { state } = row
  const changed = { icon: TriangleAlert, tone: 'warn', line: say('servers.tools-changed-off', { count: row.changes }), word: say('servers.tools-changed', { count: row.changes }) } as const
  switch (state.kind) {
    case 'disabled': return { icon: Minus, tone: null, line: say('servers.state.disabled'), word: say('servers.state.disabled') }
    case 'off-here': return { icon: Minus, tone: null, line: say('servers.state.off-here'), word: say('servers.state.off-here') }
    case 'failed': return { icon: OctagonX, tone: 'bad', line: say('servers.failed-because', { why: state.say }), word: say('servers.state.failed') }
    case 'changed': return { icon: TriangleAlert, tone: 'warn', line: say('servers.start-changed-off'), word: say('servers.start-changed') }
    case 'sign-in': return { icon: LogIn, tone: 'warn', line: say('servers.state.sign-in'), word: say('servers.state.sign-in') }
    case 'starting': return { icon: LoaderCircle, tone: null, line: say('servers.state.starting'), word: say('servers.state.starting') }
    case 'idle': return row.changes > 0 ? changed : { icon: CircleDashed, tone: null, line: say(idleCode(row)), word: say(idleCode(row)) }
    case 'ready': return row.changes > 0 ? changed : { icon: Check, tone: 'ok', line: countsOf(row, say), word: say('servers.state.ready') }
  }
}

/** "3 tools, 41 resources · HTTP" */
export function countsOf(row: McpServerRow, say: Speaker): string {
  const tools = row.toolsOn === row.tools ? say('servers.count.tools', { count: row.tools }) : say('servers.count.tools-on', { on: row.toolsOn, count: row.tools })
  const resources = row.resources > 0 ? say('servers.count.and-resources', { count: row.resources }) : ''
  return `${tools}${resources} · ${row.transport === 'stdio' ? 'stdio' : 'HTTP'}`
}

/** Months by name: a date that is looked back on. */
export function dayOf(atMs: number, say: Speaker): string {
  return new Intl.DateTimeFormat(say.locale, { day: 'numeric', month: 'long' }).format(atMs)
}

/** Whether the rail warns: something failed, or answers are waited for. */
export function railBadge(page: { readonly fault: unknown; readonly servers: readonly McpServerRow[] } | null): { readonly failed: boolean; readonly waiting: number } {
  const rows = page?.servers ?? []
  const waiting = rows.filter((row) => groupOf(row) === 'attention' && row.state.kind !== 'failed')
  return { failed: page?.fault != null || rows.some((row) => row.state.kind === 'failed'), waiting: waiting.reduce((sum, row) => sum + Math.max(1, row.changes), 0) }
}

/** A server of which nothing is known yet is started to be asked for its tools. */
function idleCode({ tools, resources, prompts }: McpServerRow): 'servers.state.idle' | 'servers.state.idle-new' {
  return tools + resources + prompts === 0 ? 'servers.state.idle-new' : 'servers.state.idle'
}
