import type { CallId, SnapshotId } from '../../../shared/domain/ids'
import type { Author } from '../../../shared/domain/snapshot'
import type { RollbackRow, Timeline, TimelineRow } from '../../../shared/ipc/timelineViews'
import type { MarkKind } from '../../ui/marks'
import type { Speaker } from '../../ui/words'
import { useTimeline } from './timelineStore'
import { callLabel, type TimelineFacts } from './timelineWishes'
import { whenText } from './whenText'

/** The shapes of an author: both and unknown have two meanings, so they have two shapes or a hollow one. */
export const authorMarks: Readonly<Record<Author, readonly MarkKind[]>> = { agent: ['agent'], you: ['you'], command: ['command'], both: ['agent', 'you'], unknown: ['command'] }

/** A row's text: plain words, and the outside text they end with. */
export interface RowText {
  readonly words: string
  readonly mono: string
}

/** What happened at a point, in one line. `commands` names the command of a call, where it is known; `timeline` the moment that a rollback went to. */
export function rowText(row: TimelineRow, rollback: RollbackRow | null, commands: ReadonlyMap<CallId, string>, say: Speaker, timeline: Timeline = useTimeline.getState().timeline): RowText {
  const one = row.changes === 1 ? (row.changed[0]?.path ?? '') : ''
  const files = row.changes
  switch (row.kind) {
    case 'opened': return { words: say('timeline.opened', { files: row.files }), mono: '' }
    case 'manual': return { words: say('timeline.manual'), mono: '' }
    case 'after-rollback': return fileText(rollback, timeline, say) ?? { words: rollbackText(rollback, files, commands, timeline, say), mono: '' }
    case 'drift':
      if (row.author === 'unknown') return one === '' ? { words: say('timeline.someone-edited-files', { files }), mono: '' } : { words: say('timeline.someone-edited'), mono: one }
      return one === '' ? { words: say('timeline.you-edited-files', { files }), mono: '' } : { words: say('timeline.you-edited'), mono: one }
    case 'after-call': {
      const command = (row.callId === null ? undefined : commands.get(row.callId)) ?? row.label
      if (command !== undefined) return { words: '', mono: command }
      return one === '' ? { words: say('timeline.changed-files', { files }), mono: '' } : { words: '', mono: one }
    }
    case 'before-call': return { words: say('timeline.before-call'), mono: '' }
    case 'before-rollback': return { words: say('timeline.before-rollback'), mono: '' }
  }
}

/** How many files went back, and to when: to a moment, or to before one call. */
function rollbackText(rollback: RollbackRow | null, changed: number, commands: ReadonlyMap<CallId, string>, timeline: Timeline, say: Speaker): string {
  const files = rollback?.done ?? changed
  if (!rollback) return say('timeline.rolled-back', { files })
  if (rollback.undoOf !== null) return rollback.scope === 'conversation' ? say('timeline.rollback-undone-conversation') : say('timeline.rollback-undone', { files })
  const { to, only } = rollback.target
  const call = only && timeline.rows.find((row) => row.id === only.until && row.kind === 'after-call')
  const what = call ? callLabel(call, commands) : ''
  if (what !== '') return say('timeline.rolled-back-call', { files, what })
  if (!timeline.rows.some((row) => row.id === to)) return say('timeline.rolled-back', { files })
  return say('timeline.rolled-back-to', { files, moment: momentText(to, 'a', timeline, { sessionId: null, turns: [], open: [], commands }, say) })
}

/** One file that was restored, by its name; null for any other rollback. */
function fileText(rollback: RollbackRow | null, timeline: Timeline, say: Speaker): RowText | null {
  if (rollback === null || rollback.undoOf !== null || rollback.done !== 1) return null
  const { to, only, paths = [] } = rollback.target
  const moment = timeline.rows.find((row) => row.id === to)
  const [path] = paths
  if (path === undefined || paths.length > 1 || only !== undefined || moment === undefined) return null
  return { words: say('timeline.rolled-back-file', { moment: whenText(moment.atMs, say) }), mono: path }
}

/** Whose a point is, in a word. */
export function pointWord(row: Pick<TimelineRow, 'kind' | 'author'>, say: Speaker): string {
  return row.kind === 'after-rollback' ? say('ui.author.rollback') : authorWord(row.author, say)
}

/** The word for an author. */
export function authorWord(author: Author | null, say: Speaker): string {
  return author === null ? say('ui.author.system') : say(`ui.author.${author}`)
}

/** A moment by its time and what happened there: "13:51, turn 3 begins". Null: the disk now for B, nothing at all for A. */
export function momentText(id: SnapshotId | null, side: 'a' | 'b', timeline: Timeline, facts: TimelineFacts, say: Speaker): string {
  const row = id === null ? undefined : timeline.rows.find((one) => one.id === id)
  if (!row) return say(side === 'b' ? 'timeline.at.now' : 'timeline.at.start')
  return say('timeline.moment', { time: whenText(row.atMs, say), what: whatAt(row, timeline, facts, say) })
}

function whatAt(row: TimelineRow, timeline: Timeline, facts: TimelineFacts, say: Speaker): string {
  switch (row.kind) {
    case 'opened': return say('timeline.at.opened')
    case 'manual': return say('timeline.at.manual')
    case 'drift': return say(row.author === 'unknown' ? 'timeline.at.someone' : 'timeline.at.edit')
    case 'before-rollback': return say('timeline.at.before-rollback')
    case 'after-rollback': return say('timeline.at.after-rollback')
    case 'after-call': return say('timeline.at.after', { what: callLabel(row, facts.commands) || say('timeline.at.call') })
    case 'before-call': {
      const turn = facts.turns.find((one) => row.callId !== null && one.callIds.has(row.callId))
      const first = turn && timeline.rows.find((one) => one.callId !== null && turn.callIds.has(one.callId))
      if (turn && first?.id === row.id) return say('timeline.at.turn', { turn: turn.number })
      const after = timeline.rows.find((one) => one.kind === 'after-call' && one.callId === row.callId)
      return say('timeline.at.before', { what: (after && callLabel(after, facts.commands)) || say('timeline.at.call') })
    }
  }
}
