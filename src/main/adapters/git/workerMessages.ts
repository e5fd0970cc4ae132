import type { CommitFacts, LineStage, MissingObjects, PackReport, RestoreStep, SnapshotBounds } from '../../core/ports/snapshotStore'
import type { LineOwners } from '../../../shared/domain/lineAuthors'
import type { SettledPath } from '../../core/ports/timelineStore'
import type { Result, Said } from '../../../shared/domain/result'
import type { HeldFiles, LineCount, TreeChange, TreeEntry } from '../../../shared/domain/snapshot'
import type { SentSkipped, SentTree } from './scan/sentSkipped'

/** What a worker is started with. */
export interface WorkerStart {
  readonly folder: string
  readonly root: string
  readonly cacheFile: string
  readonly exclude: readonly string[]
  readonly bounds: SnapshotBounds
}

/** What can be asked of a worker: each operation with its input and its answer. */
export interface Operations {
  open: { readonly in: null; readonly out: Result<null> }
  /** `flags` are those of `ScanFlags`. `near`: as the port says; null looks at everything. */
  scan: { readonly in: { readonly flags: SharedArrayBuffer; readonly near: readonly string[] | null }; readonly out: Result<SentTree> }
  commit: { readonly in: { readonly held: HeldFiles; readonly facts: CommitFacts }; readonly out: Result<string> }
  /** In pieces (`piecesOf`): many paths may differ. */
  diff: { readonly in: { readonly before: HeldFiles | null; readonly after: HeldFiles }; readonly out: readonly string[] }
  compare: { readonly in: { readonly before: HeldFiles | null; readonly after: HeldFiles; readonly most: number }; readonly out: { readonly changes: readonly TreeChange[]; readonly count: number } }
  lineOwners: { readonly in: { readonly first: string | null; readonly stages: readonly LineStage[] }; readonly out: LineOwners | null }
  lineCounts: { readonly in: readonly TreeChange[]; readonly out: readonly (LineCount | null)[] }
  blob: { readonly in: string; readonly out: Result<Uint8Array> }
  blobs: { readonly in: { readonly oids: readonly string[]; readonly limitBytes: number }; readonly out: readonly (Uint8Array | 'too-large' | null)[] }
  lacking: { readonly in: readonly string[]; readonly out: readonly string[] }
  uncovered: { readonly in: { readonly paths: readonly string[] | null; readonly at: HeldFiles | null }; readonly out: SentSkipped }
  changedAtMs: { readonly in: readonly string[]; readonly out: readonly (number | null)[] }
  restore: { readonly in: { readonly steps: readonly RestoreStep[]; readonly shape: HeldFiles }; readonly out: null }
  paths: { readonly in: { readonly held: HeldFiles; readonly query: string }; readonly out: readonly { readonly path: string; readonly entry: TreeEntry }[] }
  entriesAt: { readonly in: { readonly held: HeldFiles; readonly paths: readonly string[] }; readonly out: readonly (TreeEntry | null)[] }
  missing: { readonly in: readonly HeldFiles[]; readonly out: readonly MissingObjects[] }
  isPackable: { readonly in: null; readonly out: boolean }
  /** Packed or forgotten by another thread; ids that it could not read. */
  refresh: { readonly in: readonly string[]; readonly out: null }
  stats: { readonly in: null; readonly out: { readonly bytes: number; readonly objects: number } }
  setBounds: { readonly in: SnapshotBounds; readonly out: null }
  close: { readonly in: null; readonly out: null }
}

export type OperationName = keyof Operations

/** From main to worker. */
export interface WorkerRequest<Name extends OperationName = OperationName> {
  readonly id: number
  readonly name: Name
  readonly input: Operations[Name]['in']
}

/** From worker to main: news of a running operation, then exactly one end. */
export type WorkerReply =
  | { readonly id: number; readonly kind: 'seen'; readonly seen: number }
  | { readonly id: number; readonly kind: 'settled'; readonly settled: readonly SettledPath[] }
  | { readonly id: number; readonly kind: 'done'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'fault'; readonly fault: Said }
  | { readonly id: number; readonly kind: 'broken'; readonly message: string }

/** What a packing thread is started with; it does this one thing and ends. */
export interface PackStart {
  readonly folder: string
  /** Null packs; otherwise every snapshot but these is forgotten. */
  readonly kept: readonly string[] | null
  /** 1 stops it at its next look. */
  readonly cancel: SharedArrayBuffer
}

/** From a packing thread: news now and then, then exactly one end. */
export type PackReply =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly report: PackReport }
  | { readonly kind: 'fault'; readonly fault: Said }
  | { readonly kind: 'broken'; readonly message: string }
