import type { ChatItem } from '../../../shared/domain/chatView'
import type { TurnId } from '../../../shared/domain/ids'

/** Stands at the end of a turn that may have changed files. */
export interface SummaryRow {
  readonly kind: 'summary'
  readonly seq: number
  readonly turnId: TurnId
}

/** The rows with one more at the end of each turn in which something ran that may change files; none while the turn goes on. */
export function withSummaries(items: readonly ChatItem[], running: TurnId | null): readonly (ChatItem | SummaryRow)[] {
  const rows: (ChatItem | SummaryRow)[] = []
  let turnId: TurnId | null = null
  let hasActed = false
  const end = (): void => {
    if (turnId !== null && hasActed && turnId !== running) rows.push({ kind: 'summary', seq: rows.at(-1)?.seq ?? 0, turnId })
  }
  for (const item of items) {
    if (item.kind === 'user' && item.turnId !== turnId) {
      end()
      turnId = item.turnId
      hasActed = false
    }
    if (item.kind === 'calls' && item.calls.some((call) => call.effect !== 'read' && call.startedAtMs !== null)) hasActed = true
    rows.push(item)
  }
  end()
  return rows
}
