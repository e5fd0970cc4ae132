import type { CallId, SessionId } from '../../shared/domain/ids'
import type { AuditHead } from '../../shared/domain/audit'
import type { SandboxFacts } from '../../shared/domain/sandbox'
import type { Result, Said } from '../../shared/domain/result'
import type { AskingLevel, Workspace } from '../../shared/domain/session'
import type { Stopped } from '../../shared/ipc/recoveryViews'
import type { AppStart, PromptCost, TrialFileText } from '../../shared/ipc/views'
import type { AuditSink } from '../core/ports/auditSink'
import type { BlobStore } from '../core/ports/blobStore'
import type { CommandRunner } from '../core/ports/commandRunner'
import type { ProgramWatch } from '../core/ports/programWatch'
import type { SecretStore } from '../core/ports/secretStore'
import type { SettingsStore } from '../core/ports/settingsStore'
import type { Desk } from './approvalDesk'
import type { Attaching, ChosenFile } from './attaching'
import type { AuditPages } from './auditPages'
import type { ContextPages } from './contextPages'
import type { Budgets } from './budgets'
import type { Files } from './files'
import type { Permissions } from './permissions'
import type { Trust } from './trust'
import type { Drafts } from './drafts'
import type { Endpoints } from './endpoints'
import type { McpServers } from './mcpServers'
import type { Memories } from './memories'
import type { Providers } from './providers'
import type { Retrieval } from './retrieval'
import type { RunningTurn, Runs } from './runs'
import type { SessionActs } from './sessionActs'
import type { SessionExports } from './sessionExports'
import type { ForkSession } from './sessionForks'
import type { SaidAnew } from './sessionResend'
import type { SessionSearchPages } from './sessionSearch'
import type { OpenSession, Sessions } from './sessions'
import type { Skills } from './skills'
import type { Snapshots } from './snapshots'
import type { UsagePages } from './usagePages'

/** The opened folder with its snapshots. */
export interface OpenWorkspace {
  readonly workspace: Workspace
  readonly snapshots: Snapshots
}

/** Everything a host offers its front ends: the window over IPC, the command line directly. One folder at a time. */
export interface HostServices {
  readonly sessions: Sessions
  readonly runs: Runs
  readonly desk: Desk
  readonly providers: Providers
  readonly settings: SettingsStore
  readonly secrets: SecretStore
  readonly audit: AuditSink
  readonly mcp: McpServers
  readonly attaching: Attaching
  readonly memories: Memories
  readonly skills: Skills
  readonly retrieval: Retrieval
  readonly endpoints: Endpoints
  /** The window of the model that a turn would use now; null: nobody says, or there is none. */
  windowTokens(): Promise<number | null>
  /** What the next request of a session, or of a new one, would hold. */
  promptCost(sessionId: SessionId | null, draft: string, files?: readonly ChosenFile[]): Promise<PromptCost>
  readonly commands: CommandRunner & ProgramWatch
  /** Opens a port of a program left running in the person's browser; false when none that answers as HTTP does is there. */
  openProgram(port: number): Promise<boolean>
  readonly blobs: BlobStore
  readonly permissions: Permissions
  readonly trust: Trust
  readonly auditPages: AuditPages
  readonly contextPages: ContextPages
  readonly budgets: Budgets
  readonly usagePages: UsagePages
  /** The files of the opened folder for the person, and their editor. */
  readonly files: Files
  readonly sessionActs: SessionActs
  readonly sessionSearch: SessionSearchPages
  readonly sessionForks: ForkSession
  readonly sessionExports: SessionExports
  readonly drafts: Drafts
  /** Says a message of the person anew. */
  resend(id: SessionId, message: SaidAnew): Promise<Result<RunningTurn>>
  /** Of the moment: `testing` until the self-test of the start is done. */
  sandbox(): SandboxFacts
  /** Tests it again. */
  testSandbox(): Promise<SandboxFacts>
  onSandbox(listener: (facts: SandboxFacts) => void): () => void
  /** Both sides of a file that a waiting trial changed. */
  trialFile(callId: CallId, trialId: string, path: string): Promise<Result<TrialFileText>>
  readonly dataFolder: AppStart['dataFolder']
  /** What the person must be told of the start: a recovered database, a bad setting. */
  readonly faults: readonly Said[]
  readonly current: () => OpenWorkspace | null
  /** Opens a folder; the one opened before is closed. Refused while a turn runs in that one. */
  openWorkspace(root: string): Promise<Result<OpenWorkspace>>
  /** Closes the opened folder. Refused while a turn runs in it. */
  closeWorkspace(): Promise<Result<null>>
  /** Sessions of the opened folder that a crash or an exit left in the middle of a turn. */
  unfinished(): Promise<readonly SessionId[]>
  /** Cancels every turn, ends programs left running, revokes every grant (R112). */
  stopEverything(): Promise<Stopped>
  /** Copies the sample project to a place of its own and opens it. */
  openPractice(): Promise<Result<OpenWorkspace>>
  recentFolders(): Promise<AppStart['recent']>
  createSession(title: string, level?: AskingLevel): Promise<OpenSession>
  /** The chain on disk, held against the head that the database knows: a cut tail shows. */
  verifyAudit(): Promise<{ readonly ok: boolean; readonly entries: number; readonly firstBroken?: number }>
  auditHead(): AuditHead | null
  /** Tells when the record grew; returns a stop. */
  onAudit(listener: () => void): () => void
  /** Sets the level, by a person, and records it; loosening was confirmed by the caller. */
  setLevel(id: SessionId, level: AskingLevel): Promise<void>
  /** Masks detected secrets in what the window is shown. */
  readonly redact: (text: string) => string
}
