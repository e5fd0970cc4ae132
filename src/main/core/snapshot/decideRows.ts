import { said } from '../../../shared/domain/result'
import type { PlanRow } from '../../../shared/domain/rollback'
import { blockRows } from './blockedRows'

/** What the person decided about the rows of a plan they were shown. */
interface RowDecisions {
  readonly unticked: readonly string[]
  /** Text for a conflict or instead of a merge, by path. */
  readonly resolved: Readonly<Record<string, string>>
}

/** The rows as they will be carried out: unticked ones are left, resolved ones are written as the person typed them. */
export function decideRows(rows: readonly PlanRow[], { unticked, resolved }: RowDecisions): readonly PlanRow[] {
  const left = new Set(unticked)
  const decided = rows.map((row): PlanRow => {
    if (left.has(row.path)) return leave(row)
    const text = Object.hasOwn(resolved, row.path) ? resolved[row.path] : undefined
    return text === undefined ? row : resolve(row, text)
  })
  return blockRows(decided, new Map(rows.map(({ path, from }) => [path, from])), [])
}

function leave(row: PlanRow): PlanRow {
  const { merged: _, ...rest } = row
  return { ...rest, action: 'leave', reason: said('rollback.unticked') }
}

/** Only a conflict or a merge takes a text; anything else goes on as planned. */
function resolve(row: PlanRow, text: string): PlanRow {
  if (row.action !== 'conflict' && row.action !== 'merge') return row
  const form = row.to ?? row.from
  const bits = form?.bits === undefined ? {} : { bits: form.bits }
  return { ...row, action: 'merge', to: { oid: form?.oid ?? '', mode: form?.mode ?? '100644', ...bits }, merged: text, reason: said('rollback.resolved') }
}
