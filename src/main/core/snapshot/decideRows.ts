import { fail, said, succeed, type Result } from '../../../shared/domain/result'
import type { PlanRow } from '../../../shared/domain/rollback'
import type { TreeEntry } from '../../../shared/domain/snapshot'
import { blockRows, withoutText } from './blockedRows'
import { composeLines } from './composeLines'
import { isFile, sameEntry, type TextOf } from './takeBack'

/** What the person decided about the rows of a plan they were shown. */
export interface RowDecisions {
  readonly unticked: readonly string[]
  /** By path, the numbers of the line changes that are not to be made. With all of them left, the path is. */
  readonly leftChanges: Readonly<Record<string, readonly number[]>>
  /** Text for a conflict or instead of a merge, by path. */
  readonly resolved: Readonly<Record<string, string>>
  /** Conflicts that take what the path was, whole; where there was nothing it goes. A text comes before this. */
  readonly takeEarlier?: readonly string[]
}

/** Contents that are needed to leave single changes out, and to see whether a text is one that there is already. */
export function textsToDecide(rows: readonly PlanRow[], { unticked, leftChanges, resolved }: RowDecisions): readonly string[] {
  const away = new Set(unticked)
  const chosen = rows.filter(({ path }) => (numbersOf(leftChanges, path).length > 0 || Object.hasOwn(resolved, path)) && !away.has(path))
  return [...new Set(chosen.flatMap(({ from, to, merged }) => [from, merged === undefined ? to : null]).flatMap((entry) => (isFile(entry) ? [entry.oid] : [])))]
}

/**
 * The rows as they will be carried out: unticked ones are left, resolved ones are written as the person typed them, and single
 * changes are left out of texts. Refused: changes of something that goes or comes whole (`rollback.change-whole`), and numbers
 * that no change has (`rollback.change-unknown`). In small steps.
 */
export function* decideRows(rows: readonly PlanRow[], decisions: RowDecisions, textOf: TextOf): Generator<undefined, Result<readonly PlanRow[]>> {
  const known = new Set(rows.map(({ path }) => path))
  const stray = Object.entries(decisions.leftChanges).find(([path, numbers]) => numbers.length > 0 && !known.has(path))
  if (stray) return fail('rollback.change-whole', { path: stray[0] })
  const [left, earlier] = [new Set(decisions.unticked), new Set(decisions.takeEarlier)]
  const decided: PlanRow[] = []
  for (const row of rows) {
    if (left.has(row.path)) decided.push(leave(row))
    else {
      const text = Object.hasOwn(decisions.resolved, row.path) ? decisions.resolved[row.path] : undefined
      const taken = text !== undefined ? resolve(row, text, textOf) : earlier.has(row.path) ? takeEarlier(row) : row
      const composed = compose(taken, numbersOf(decisions.leftChanges, row.path), textOf)
      if (!composed.ok) return composed
      decided.push(composed.value)
      if (composed.value.action === 'merge') yield
    }
  }
  return succeed(yield* blockRows(decided, new Map(rows.map(({ path, from }) => [path, from])), []))
}

function numbersOf(leftChanges: RowDecisions['leftChanges'], path: string): readonly number[] {
  return (Object.hasOwn(leftChanges, path) ? leftChanges[path] : undefined) ?? []
}

function leave(row: PlanRow): PlanRow {
  return { ...withoutText(row), action: 'leave', reason: said('rollback.unticked') }
}

/** Only a conflict or a merge takes a text; anything else goes on as planned. With the text of the disk it is left, with the earlier one it goes back. */
function resolve(row: PlanRow, text: string, textOf: TextOf): PlanRow {
  if (row.action !== 'conflict' && row.action !== 'merge') return row
  const { from } = row
  const to = formOf(row)
  if (isFile(from) && sameEntry({ ...to, oid: from.oid }, from) && textOf(from.oid) === text) return leave(row)
  if (row.action === 'conflict' && isFile(row.to) && textOf(row.to.oid) === text) return takeEarlier(row)
  return { ...row, action: 'merge', to, merged: text, reason: said('rollback.resolved') }
}

function takeEarlier(row: PlanRow): PlanRow {
  if (row.action !== 'conflict') return row
  if (row.to === null && row.from === null) return leave(row)
  const action = row.to === null ? 'delete' : row.from === null ? 'recreate' : 'revert'
  return { ...row, action, reason: said('rollback.taken-earlier') }
}

/** A text is written into a file: a link would lead to wherever the text says. */
function formOf({ to, from }: PlanRow): TreeEntry {
  return [to, from].find(isFile) ?? { oid: '', mode: '100644' }
}

/** A file on both sides and text on both sides, or it is whole or not at all. */
function compose(row: PlanRow, left: readonly number[], textOf: TextOf): Result<PlanRow> {
  if (left.length === 0) return succeed(row)
  const whole = fail('rollback.change-whole', { path: row.path })
  const { from, to } = row
  if ((row.action !== 'revert' && row.action !== 'merge') || !isFile(from) || !isFile(to)) return whole
  const [disk, planned] = [textOf(from.oid), row.merged ?? textOf(to.oid)]
  if (disk === null || planned === null) return whole
  const composed = composeLines(disk, planned, left)
  if (composed.kind === 'unknown') return fail('rollback.change-unknown', { path: row.path, number: composed.number + 1 })
  return succeed(composed.kind === 'none' ? leave(row) : { ...row, action: 'merge', merged: composed.text, reason: said('rollback.chosen') })
}
