/** What an audit entry is about. */
export const auditFacts = ['asked', 'decided', 'started', 'finished', 'rolled-back', 'level-changed', 'key-used', 'server-pinned', 'server-changed', 'export-made', 'memory-saved', 'memory-changed', 'memory-removed', 'memory-restored', 'memory-imported', 'memory-exported', 'grant-given', 'grant-revoked', 'rule-saved', 'rule-revoked', 'rule-used', 'trust-decided', 'tried', 'trial-kept', 'trial-discarded', 'sandbox-tested', 'log-pruned', 'log-rotated', 'torn-line-dropped'] as const
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
  readonly args?: unknown
  readonly outcome?: string
  readonly exitCode?: number | null
  readonly changed?: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[]
  readonly snapshotId?: string
  readonly say?: string
}

/** The end of the chain: number of entries and the last chain value. */
export interface AuditHead {
  readonly entries: number
  readonly chain: string
}
