import type { McpPin } from '../../../core/ports/mcpPins'
import type { McpToolDefinition } from '../../../../shared/domain/mcp'
import type { Db } from '../driver'
import { statementsOf } from './statements'

interface Row {
  readonly server: string
  readonly subject: McpPin['subject']
  readonly tool: string
  readonly hash: string
  readonly definition: string
  readonly acceptedAtMs: number
}

/** Statements of the table `mcp_pin`. */
export function mcpPinTable(db: Db) {
  const lazy = statementsOf(db)
  const list = lazy<Row>(`SELECT server, subject, tool, hash, definition, accepted_at_ms AS acceptedAtMs FROM mcp_pin ORDER BY server, subject, tool`)
  const put = lazy(`INSERT INTO mcp_pin (server, subject, tool, hash, definition, accepted_at_ms) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (server, subject, tool) DO UPDATE SET hash = excluded.hash, definition = excluded.definition, accepted_at_ms = excluded.accepted_at_ms`)
  const remove = lazy('DELETE FROM mcp_pin WHERE server = ? AND subject = ? AND tool = ?')
  const rename = lazy('UPDATE mcp_pin SET server = ? WHERE server = ?')
  const forget = lazy('DELETE FROM mcp_pin WHERE server = ?')
  return {
    list: (): readonly McpPin[] => list.all().map(pinOf),
    put(pin: McpPin): void {
      const [tool, definition] = pin.subject === 'tool' ? [pin.tool, JSON.stringify(pin.definition)] : ['', pin.definition]
      put.run(pin.server, pin.subject, tool, pin.hash, definition, pin.acceptedAtMs)
    },
    remove: (server: string, tool: string | null): void => remove.run(server, tool === null ? 'start' : 'tool', tool ?? ''),
    rename: (from: string, to: string): void => rename.run(to, from),
    forget: (server: string): void => forget.run(server),
  }
}

function pinOf({ server, subject, tool, hash, definition, acceptedAtMs }: Row): McpPin {
  if (subject === 'start') return { server, subject, hash, definition, acceptedAtMs }
  return { server, subject, tool, hash, definition: JSON.parse(definition) as McpToolDefinition, acceptedAtMs }
}
