import type { McpSwitch } from '../../../core/ports/mcpPins'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `mcp_switch`. */
export function mcpSwitchTable(db: Db) {
  const lazy = statementsOf(db)
  const list = lazy<Omit<McpSwitch, 'isOn'> & { readonly isOn: number }>(`SELECT server, workspace_id AS workspaceId, tool, kind, is_on AS isOn
    FROM mcp_switch ORDER BY server, kind, workspace_id, tool`)
  // The key is an index over expressions, which an upsert cannot name by columns.
  const put = lazy('INSERT OR REPLACE INTO mcp_switch (server, workspace_id, tool, kind, is_on) VALUES (?, ?, ?, ?, ?)')
  const rename = lazy('UPDATE mcp_switch SET server = ? WHERE server = ?')
  const forget = lazy('DELETE FROM mcp_switch WHERE server = ?')
  return {
    list: (): readonly McpSwitch[] => list.all().map((row) => ({ ...row, isOn: row.isOn === 1 })),
    put: ({ server, workspaceId, tool, kind, isOn }: McpSwitch): void => put.run(server, workspaceId, tool, kind, isOn ? 1 : 0),
    rename: (from: string, to: string): void => rename.run(to, from),
    forget: (server: string): void => forget.run(server),
  }
}
