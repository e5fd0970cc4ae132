import type { SessionId, TurnId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import type { ConflictView, RollbackPlan, RollbackPreview, RollbackRecord, RollbackScope, RollbackTarget } from '../../../shared/domain/rollback'
import type { Author, LineCount, SkipReason, TreeEntry } from '../../../shared/domain/snapshot'
import type { FileVersion } from '../../../shared/ipc/timelineViews'
import type { MergeDraft } from './mergeDraft'

/** What a plan was asked for. */
export interface PlanWish {
  readonly target: RollbackTarget
  /** A sentence that names the moment. */
  readonly title: string
  readonly sessionId: SessionId | null
  readonly turnId: TurnId | null
  /** Who changed which path, where that is known better than by the timeline; named as it was named there. */
  readonly authors?: ReadonlyMap<string, Author>
}

/** A call of another session that lies in a plan's range. */
export interface OtherCall {
  readonly sessionId: SessionId
  /** Its name. */
  readonly session: string
  readonly paths: readonly string[]
}

/** Changes inside a path that stay as they are on disk. It holds for what `key` names, and for nothing else. */
export interface LeftOut {
  readonly key: string
  readonly numbers: readonly number[]
  readonly total: number
  /** What is written then; null where it is too much to count. */
  readonly lines: LineCount | null
}

/** What the person made of a conflict: a text, or one side as a whole. It holds for what `key` names. */
export type Drafted = { readonly key: string } & Made

export type Made = { readonly kind: 'text'; readonly draft: MergeDraft } | { readonly kind: 'whole'; readonly side: 'earlier' | 'disk' }

/** One side of a row: null where there is nothing. */
export type RowSide = { readonly entry: TreeEntry; readonly version: FileVersion | null } | null

/** The row that is open. */
export type RowLook = { readonly path: string; readonly key: string } & (
  | { readonly kind: 'reading' }
  | { readonly kind: 'fault'; readonly fault: Said }
  | { readonly kind: 'texts'; readonly disk: RowSide; readonly after: RowSide }
  | { readonly kind: 'conflict'; readonly view: ConflictView; readonly disk: RowSide; readonly after: RowSide }
)

export interface RollbackState {
  readonly wish: PlanWish | null
  readonly plan: RollbackPlan | null
  readonly lines: RollbackPreview['lines']
  readonly sent: RollbackPreview['sent']
  readonly sentCount: number
  /** Why a path is in no point, as far as the last look at the disk knows. */
  readonly skipped: ReadonlyMap<string, SkipReason>
  readonly scope: RollbackScope
  readonly unticked: ReadonlySet<string>
  readonly left: Readonly<Record<string, LeftOut>>
  readonly drafts: Readonly<Record<string, Drafted>>
  readonly open: RowLook | null
  readonly busy: 'making' | 'writing' | null
  readonly busySinceMs: number
  /** Paths of the rollback that is being written; null before it is known. */
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly fault: Said | null
  readonly done: RollbackRecord | null
}
