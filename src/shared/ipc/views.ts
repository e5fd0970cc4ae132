import type { AuditHead } from '../domain/audit'
import type { SandboxState } from '../domain/approval'
import type { RollbackRecord } from '../domain/rollback'
import type { Said } from '../domain/result'
import type { Workspace } from '../domain/session'
import type { Settings } from '../domain/settings'
import type { LineCount, Snapshot, TreeChange } from '../domain/snapshot'
import type { Locale } from '../words/say'

/** What the window needs before it can draw anything. */
export interface AppStart {
  readonly version: string
  readonly platform: string
  readonly locale: Locale
  readonly settings: Settings
  readonly faults: readonly Said[]
  /** Set when the host could not start (a database that does not open): nothing but this answer works then. */
  readonly stopped: Said | null
  readonly workspace: Workspace | null
  readonly recent: readonly { readonly root: string; readonly name: string; readonly isThere: boolean }[]
  readonly sandbox: SandboxState
  readonly audit: AuditHead | null
  /** Set by the environment or the command line, so the form cannot change it; names the variable. */
  readonly dataFolder: { readonly path: string; readonly setBy: string | null }
}

/** A provider as the window may know it: never the key. */
export interface ProviderRow {
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  readonly model: string
  readonly isActive: boolean
  /** `practice` is the built-in scripted tutor; `found` was discovered running on this machine; `environment` is fixed by variables. */
  readonly origin: 'practice' | 'found' | 'environment' | 'settings'
  readonly key: { readonly place: 'environment' | 'keychain' | 'sealed' | 'session'; readonly lastFour: string } | null
  readonly hasKeychain: boolean
  readonly isSealed: boolean
}

/** The steps of the test button, each with its outcome. */
export interface ProviderTest {
  readonly steps: readonly { readonly step: 'address' | 'key' | 'model' | 'streaming' | 'tools'; readonly ok: boolean; readonly say: Said }[]
}

/** A program that a finished command left running (R113). */
export interface ProgramRow {
  readonly callId: string
  readonly pid: number
  readonly command: string
}

/** A snapshot as a row of the timeline, with what changed since the one before it. */
export interface TimelineRow extends Snapshot {
  readonly changed: readonly { readonly path: string; readonly change: TreeChange['change'] }[]
  readonly lines: LineCount | null
}

/** A workspace's moments, oldest first. */
export interface Timeline {
  readonly rows: readonly TimelineRow[]
  readonly rollbacks: readonly RollbackRecord[]
}

/** One path between two moments, with its texts' object ids. */
export interface ChangedPath extends TreeChange {
  readonly lines: LineCount | null
}

/** A file as it was; text is null for binary. */
export interface FileVersion {
  readonly text: string | null
  readonly sizeBytes: number
}
