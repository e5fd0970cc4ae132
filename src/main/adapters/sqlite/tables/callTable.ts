import type { Call } from '../../../../shared/domain/call'
import type { Db } from '../driver'
import { statementsOf } from './statements'

type FlatCall = Omit<Call, 'approved' | 'effective' | 'writes'> & { readonly approved: string | null; readonly effective: string | null; readonly writes: string }

/** Column of each field, in the order of writing. */
const columnOf = {
  callId: 'call_id',
  providerCallId: 'provider_call_id',
  sessionId: 'session_id',
  turnId: 'turn_id',
  step: 'step',
  index: 'call_index',
  tool: 'tool',
  effect: 'effect',
  proposed: 'proposed',
  approved: 'approved',
  effective: 'effective',
  argsHash: 'args_hash',
  state: 'state',
  decidedBy: 'decided_by',
  ruleId: 'rule_id',
  askedAtMs: 'asked_at_ms',
  decidedAtMs: 'decided_at_ms',
  startedAtMs: 'started_at_ms',
  finishedAtMs: 'finished_at_ms',
  beforeSnapshot: 'before_snapshot',
  afterSnapshot: 'after_snapshot',
  pid: 'pid',
  writes: 'writes',
  outcome: 'outcome',
} as const satisfies Readonly<Record<keyof Call, string>>

const fields = Object.keys(columnOf) as (keyof Call)[]
const selected = fields.map((field) => `${columnOf[field]} AS "${field}"`).join(', ')
const replaced = Object.values(columnOf).map((column) => `${column} = excluded.${column}`).join(', ')

/** Statements of the table `call`. */
export function callTable(db: Db) {
  const lazy = statementsOf(db)
  const get = lazy<FlatCall>(`SELECT ${selected} FROM call WHERE call_id = ?`)
  const list = lazy<FlatCall>(`SELECT ${selected} FROM call WHERE session_id = ? ORDER BY rowid`)
  const put = lazy(`INSERT INTO call (${Object.values(columnOf).join(', ')}) VALUES (${fields.map(() => '?').join(', ')})
    ON CONFLICT (call_id) DO UPDATE SET ${replaced}`)
  return {
    get(callId: string): Call | null {
      const row = get.get(callId)
      return row === undefined ? null : callOf(row)
    },
    /** In the order they were made. */
    list: (sessionId: string): readonly Call[] => list.all(sessionId).map(callOf),
    put(call: Call): void {
      const flat = { ...call, approved: jsonOf(call.approved), effective: jsonOf(call.effective), writes: JSON.stringify(call.writes) }
      put.run(...fields.map((field) => flat[field]))
    },
  }
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function callOf(row: FlatCall): Call {
  return {
    ...row,
    approved: row.approved === null ? null : JSON.parse(row.approved),
    effective: row.effective === null ? null : JSON.parse(row.effective),
    writes: JSON.parse(row.writes),
  }
}
