import type { CallId } from '../../../shared/domain/ids'
import type { Author } from '../../../shared/domain/snapshot'
import type { RollbackRow, TimelineRow } from '../../../shared/ipc/timelineViews'
import type { MarkKind } from '../../ui/marks'
import type { Speaker } from '../../ui/words'

/** The shapes of an author: both and unknown have two meanings, so they have two shapes or a hollow one. */
export const authorMarks: Readonly<Record<Author, readonly MarkKind[]>> = { agent: ['agent'], you: ['you'], command: ['command'], both: ['agent', 'you'], unknown: ['command'] }

/** A row's text: plain words, and the outside text they end with. */
export interface RowText {
  readonly words: string
  readonly mono: string
}

/** What happened at a point, in one line. `commands` names the command of a call, where it is known. */
export function rowText(row: TimelineRow, rollback: RollbackRow | null, commands: ReadonlyMap<CallId, string>, say: Speaker): RowText {
  const paths = row.changed.map((change) => change.path)
  const one = paths.length === 1 ? (paths[0] ?? '') : ''
  switch (row.kind) {
    case 'opened': return { words: say('timeline.opened', { files: row.files }), mono: '' }
    case 'manual': return { words: say('timeline.manual'), mono: '' }
    case 'after-rollback': return { words: say(rollback?.undoOf == null ? 'timeline.rolled-back' : 'timeline.rollback-undone', { files: rollback?.done ?? paths.length }), mono: '' }
    case 'drift':
      if (row.author === 'unknown') return one === '' ? { words: say('timeline.someone-edited-files', { files: paths.length }), mono: '' } : { words: say('timeline.someone-edited'), mono: one }
      return one === '' ? { words: say('timeline.you-edited-files', { files: paths.length }), mono: '' } : { words: say('timeline.you-edited'), mono: one }
    case 'after-call': {
      const command = row.callId === null ? undefined : commands.get(row.callId)
      if (command !== undefined) return { words: '', mono: command }
      return one === '' ? { words: say('timeline.changed-files', { files: paths.length }), mono: '' } : { words: '', mono: one }
    }
    case 'before-call': return { words: say('timeline.before-call'), mono: '' }
    case 'before-rollback': return { words: say('timeline.before-rollback'), mono: '' }
  }
}

/** Whose a point is, in a word. */
export function pointWord(row: Pick<TimelineRow, 'kind' | 'author'>, say: Speaker): string {
  return row.kind === 'after-rollback' ? say('ui.author.rollback') : authorWord(row.author, say)
}

/** The word for an author. */
export function authorWord(author: Author | null, say: Speaker): string {
  return author === null ? say('ui.author.system') : say(`ui.author.${author}`)
}
