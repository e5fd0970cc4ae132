import type { Effect } from './tool'

/** What an audit entry is about. */
export const auditFacts = ['asked', 'decided', 'started', 'finished', 'rolled-back', 'level-changed', 'key-used', 'server-pinned', 'server-changed', 'export-made', 'memory-saved', 'memory-changed', 'memory-removed', 'memory-restored', 'memory-imported', 'memory-exported', 'grant-given', 'grant-revoked', 'rule-saved', 'rule-revoked', 'rule-used', 'trust-decided', 'trial-begun', 'tried', 'trial-kept', 'trial-discarded', 'sandbox-tested', 'log-pruned', 'log-rotated', 'torn-line-dropped', 'call-settled', 'stopped-all'] as const
export type AuditFact = (typeof auditFacts)[number]

/** What a service hands in; redacted before anything is written. */
export interface AuditDraft {
  readonly fact: AuditFact
  readonly atMs: number
  readonly sessionId?: string
  readonly turnId?: string
  readonly callId?: string
  readonly actor: 'person' | 'rule' | 'grant' | 'policy' | 'level' | 'agent' | 'app'
  readonly tool?: string
  readonly effect?: Effect
  readonly args?: unknown
  readonly outcome?: string
  readonly exitCode?: number | null
  readonly changed?: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[]
  readonly snapshotId?: string
  /** The commit in the snapshots that holds it. */
  readonly commit?: string
  readonly say?: string
  /** The rule that answered, the grant, or the built-in readers. */
  readonly ruleId?: string
  /** Where a command ran. */
  readonly confined?: 'sandbox' | 'network' | 'outside' | 'trial' | 'none'
  /** Where the text came from that marked the turn when this was asked (R71). */
  readonly taint?: readonly string[]
}

/** An entry as it stands in the log. `argsDigest` is a keyed hash of the unredacted arguments; `mac` says who could have written it. */
export interface AuditEntry extends AuditDraft {
  readonly entry: number
  readonly argsDigest?: string
  /** How `chain` is made: without it of the line itself, 2 of the line's hash. */
  readonly form?: 2
  readonly prev: string
  readonly chain: string
  readonly mac?: string
}

/** A chain value that was seen elsewhere: the log must hold it. Old snapshots do not say at which entry. */
export interface AuditAnchor {
  readonly entries: number | null
  readonly chain: string
}

/** The end of the chain: number of entries and the last chain value. */
export interface AuditHead {
  readonly entries: number
  readonly chain: string
}
