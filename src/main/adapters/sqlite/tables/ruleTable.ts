import type { Rule, RuleDraft } from '../../../../shared/domain/rule'
import type { Db } from '../driver'
import { statementsOf } from './statements'

type Row = Omit<Rule, 'id' | 'shape'> & { readonly id: number; readonly shape: string }

const columns = 'id, workspace_id AS workspaceId, effect, shape, created_from_call AS createdFromCall, created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs, uses_left AS usesLeft, last_used_at_ms AS lastUsedAtMs, uses'
const holds = '(expires_at_ms IS NULL OR expires_at_ms > ?) AND (uses_left IS NULL OR uses_left > 0)'

/** Statements of the table `rule`. */
export function ruleTable(db: Db) {
  const lazy = statementsOf(db)
  const list = lazy<Row>(`SELECT ${columns} FROM rule WHERE ${holds} ORDER BY id`)
  const get = lazy<Row>(`SELECT ${columns} FROM rule WHERE id = ?`)
  const insert = lazy<Row>(`INSERT INTO rule (workspace_id, effect, shape, created_from_call, created_at_ms, expires_at_ms, uses_left) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`)
  const remove = lazy('DELETE FROM rule WHERE id = ?')
  const use = lazy<Row>(`UPDATE rule SET uses = uses + 1, last_used_at_ms = ?, uses_left = uses_left - 1 WHERE id = ? AND ${holds} RETURNING ${columns}`)
  const one = (row: Row | undefined): Rule | null => (row === undefined ? null : ruleOf(row))
  return {
    list: (nowMs: number): readonly Rule[] => list.all(nowMs).map(ruleOf),
    get: (id: string): Rule | null => one(get.get(Number(id))),
    insert: ({ workspaceId, effect, shape, createdFromCall, expiresAtMs, usesLeft }: RuleDraft, atMs: number): Rule | null =>
      one(insert.get(workspaceId, effect, JSON.stringify(shape), createdFromCall, atMs, expiresAtMs, usesLeft)),
    remove: (id: string): void => remove.run(Number(id)),
    use: (id: string, atMs: number): Rule | null => one(use.get(atMs, Number(id), atMs)),
  }
}

function ruleOf(row: Row): Rule {
  return { ...row, id: String(row.id), shape: JSON.parse(row.shape) as Rule['shape'] }
}
