import type { AuditHead } from '../domain/audit'
import type { SandboxState } from '../domain/approval'
import type { RollbackRecord } from '../domain/rollback'
import type { Said } from '../domain/result'
import type { Workspace } from '../domain/session'
import type { Settings } from '../domain/settings'
import type { LineCount, Snapshot, TreeChange } from '../domain/snapshot'
import type { Locale } from '../words/say'
import type { McpChange, McpHiddenValue, McpPrompt, McpResource, McpServerForm, McpServerState, McpTransport } from '../domain/mcp'

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
  /** Whether anything lies in a sealed file that is still shut. */
  readonly isSealed: boolean
  /** Whether this provider's key does. */
  readonly isKeySealed: boolean
}

/** The steps of the test button, each with its outcome; null where none could be found out. */
export interface ProviderTest {
  readonly steps: readonly { readonly step: 'address' | 'key' | 'model' | 'streaming' | 'tools'; readonly ok: boolean | null; readonly say: Said }[]
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

/** A server as a row of the servers page. Counts are of its last lists, also while it is not running. */
export interface McpServerRow {
  readonly name: string
  readonly transport: McpTransport
  readonly state: McpServerState
  readonly tools: number
  readonly toolsOn: number
  readonly resources: number
  readonly prompts: number
  /** Tokens of its tools that are on, as the model is sent them. */
  readonly tokens: number
  /** Definitions that wait for the person. */
  readonly changes: number
}

/** The servers page. With `fault` mcp.json cannot be read: it is left alone and the form is read-only. */
export interface McpPage {
  readonly file: string
  readonly fault: Said | null
  /** Entries that cannot be used, and look-alikes that were refused; each names its server. */
  readonly faults: readonly Said[]
  readonly servers: readonly McpServerRow[]
  /** True when the tools together pass a tenth of the model's window: then they are found by search (R102). */
  readonly isDeferred: boolean
}

/** One tool with its switches. `registered` is its name for the model; null while it is refused (`refusal` says why). */
export interface McpToolRow {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly registered: string | null
  readonly refusal: Said | null
  readonly isOn: boolean
  readonly effect: 'execute' | 'network'
  /** What the server says of it (hints); shown, never believed. */
  readonly hints: readonly Said[]
  readonly tokens: number
  readonly warnings: readonly Said[]
}

/** One server, whole. `form` holds hidden values as `kept`. */
export interface McpServerDetail {
  readonly row: McpServerRow
  readonly form: McpServerForm
  readonly env: readonly McpHiddenValue[]
  readonly headers: readonly McpHiddenValue[]
  readonly tools: readonly McpToolRow[]
  readonly resources: readonly McpResource[]
  readonly prompts: readonly McpPrompt[]
  readonly changes: readonly McpChange[]
  /** What the server says of itself; empty before its first handshake. */
  readonly about: { readonly title: string; readonly version: string; readonly protocol: string; readonly instructions: string }
  readonly isOnHere: boolean
  readonly maySample: boolean
  readonly mayAsk: boolean
  readonly mayGetProjectText: boolean
  /** Null where nobody signs in. */
  readonly isSignedIn: boolean | null
  readonly warnings: readonly Said[]
}

/** A step of the test button. */
export interface McpTestStep {
  readonly step: 'settings' | 'start' | 'handshake' | 'tools' | 'resources' | 'prompts'
  readonly ok: boolean
  readonly ms: number
  readonly say: Said
}

/** A server that could be imported. `state`: it would be added, is there already just so, or its name is taken by another. */
export interface McpImportRow {
  readonly name: string
  readonly transport: McpTransport
  /** The command with its arguments, or the address. */
  readonly what: string
  readonly env: readonly string[]
  readonly headers: readonly string[]
  readonly state: 'new' | 'same' | 'taken'
  /** The name it would get. */
  readonly as: string
}

/** What a file of another tool, or a pasted text, would bring; nothing was written. */
export interface McpImportPreview {
  readonly source: string
  readonly tool: string
  readonly rows: readonly McpImportRow[]
  readonly faults: readonly Said[]
}

/** What a slash command gave: text for the message box, and the resources that go with it. */
export interface McpPromptText {
  readonly text: string
  readonly attachments: readonly { readonly server: string; readonly uri: string; readonly name: string }[]
  readonly notes: readonly Said[]
}
