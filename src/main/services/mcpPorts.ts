import type { ModelChoice, ModelFacts } from '../../shared/domain/model'
import type { Result } from '../../shared/domain/result'
import type { SchemaLimits } from '../../shared/domain/schemaLimits'
import type { Locale } from '../../shared/words/say'
import type { ApprovalDesk } from '../core/ports/approvalDesk'
import type { AuditSink } from '../core/ports/auditSink'
import type { ImageScaler } from '../core/ports/imageScaler'
import type { BlobStore } from '../core/ports/blobStore'
import type { Clock } from '../core/ports/clock'
import type { Hasher } from '../core/ports/hasher'
import type { IdSource } from '../core/ports/idSource'
import type { McpConfig } from '../core/ports/mcpConfig'
import type { McpConnections } from '../core/ports/mcpConnections'
import type { McpPins } from '../core/ports/mcpPins'
import type { ModelClient } from '../core/ports/modelClient'
import type { SecretStore } from '../core/ports/secretStore'
import type { Sessions } from './sessions'

/** What the servers need of the world. */
export interface McpServersPorts {
  readonly connections: McpConnections
  readonly config: McpConfig
  readonly pins: McpPins
  readonly secrets: Pick<SecretStore, 'get' | 'set' | 'remove' | 'status'>
  readonly audit: Pick<AuditSink, 'append'>
  readonly clock: Clock
  readonly ids: IdSource
  readonly hasher: Hasher
  readonly desk: ApprovalDesk
  readonly blobs: BlobStore
  /** Makes pictures of results fit; left out: those that do not are kept and not shown to the model. */
  readonly scaler?: ImageScaler
  readonly sessions: Pick<Sessions, 'append' | 'onEvents'>
  readonly model: ModelClient
  /** The model that a new turn would use; its window decides whether tools are found by search. */
  choice(): Promise<Result<ModelChoice>>
  facts(choice: ModelChoice): Promise<ModelFacts>
  /** What the schemas of a model's tools may hold (R52), the same object each time; null: where no model is known. */
  schemaLimits(choice: ModelChoice | null): Promise<SchemaLimits>
  /** Masks detected secrets in what is logged or shown. */
  redact(text: string): string
  /** The same for text that comes in pieces; a new one for each text. */
  makeFilter(): { push(piece: string): string; end(): string }
  /** Registers values that a server is given; from then on they are masked like every registered secret. */
  remember(secrets: readonly string[]): void
  /** Takes registered secrets out of what is stored. */
  withoutKnown(text: string): string
  locale(): Locale
  readonly home: string
  /** Where programs start while no folder is open; the home when left out. */
  readonly startFolder?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folders of the PATH that servers get, as the user's terminal has them (D01); that of `env` when left out. */
  readonly searchPath?: () => Promise<readonly string[]>
  /** Shows an https or loopback address in the person's browser; null where nobody could see it. */
  readonly openAddress: ((url: string) => Promise<void>) | null
  readonly times: McpTimes
  /** A tool's definition is no longer the accepted one: permissions on it end (R54). `tool` as the model calls it. */
  readonly lapsed?: (tool: string) => Promise<void>
}

/** How long things may take, milliseconds. */
export interface McpTimes {
  readonly handshakeMs: number
  /** A call without progress; a server's own setting goes before it. */
  readonly callMs: number
  /** A call ends after this many times `callMs`, whatever progress it reports. */
  readonly ceilingFactor: number
  /** How long a turn waits for servers that were never seen. */
  readonly firstSightMs: number
  /** How long a turn waits for a list that is being read again. */
  readonly relistMs: number
  /** Notices that come within this are one. */
  readonly noticeMs: number
  /** Waits before the second and each further try; then only a person starts it. */
  readonly retryMs: readonly number[]
  /** A server that ran this long starts counting its tries from one. */
  readonly steadyMs: number
  /** Nobody tries by itself for a server that was not used for this long. */
  readonly usedMs: number
  /** Changes within this are one push. */
  readonly pushMs: number
}

/** R46, R48, R49; the values that the issue and the cases name. */
export const mcpTimes: McpTimes = { handshakeMs: 60_000, callMs: 60_000, ceilingFactor: 10, firstSightMs: 3_000, relistMs: 2_000, noticeMs: 50, retryMs: [1_000, 5_000, 15_000, 40_000], steadyMs: 60_000, usedMs: 300_000, pushMs: 100 }
