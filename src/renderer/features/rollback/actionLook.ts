import { CircleSlash, GitMerge, Minus, Plus, Trash2, TriangleAlert, Undo2, type LucideIcon } from 'lucide-react'
import type { PlanAction } from '../../../shared/domain/rollback'
import type { Author } from '../../../shared/domain/snapshot'
import type { MarkKind } from '../../ui/marks'

/** How an action looks, and where it stands among the others. */
export const actionLooks: Readonly<Record<PlanAction, { readonly icon: LucideIcon; readonly look: string; readonly order: number }>> = {
  conflict: { icon: TriangleAlert, look: 't-warn', order: 0 }, cannot: { icon: CircleSlash, look: 't-bad', order: 1 }, merge: { icon: GitMerge, look: 't-agent', order: 2 }, revert: { icon: Undo2, look: 't-info', order: 3 },
  delete: { icon: Trash2, look: 't-bad', order: 4 }, recreate: { icon: Plus, look: 't-ok', order: 5 }, leave: { icon: Minus, look: 'faint', order: 6 },
}

/** The shapes of an author. */
export const authorShapes: Readonly<Record<Author, readonly MarkKind[]>> = { agent: ['agent'], you: ['you'], command: ['command'], both: ['agent', 'you'], unknown: ['command'] }
