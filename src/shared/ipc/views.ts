import type { AuditHead } from '../domain/audit'
import type { CatalogueModel, Protocol, QuirkChanges } from '../domain/catalogue'
import type { DecidedBy } from '../domain/approval'
import type { CallId, SessionId, TurnId } from '../domain/ids'
import type { Grant, Rule, RuleDraft, RuleShape } from '../domain/rule'
import type { SandboxFacts } from '../domain/sandbox'
import type { Said } from '../domain/result'
import type { Workspace } from '../domain/session'
import type { Settings } from '../domain/settings'
import type { Locale } from '../words/say'
import type { Memory, MemoryScore } from '../domain/memory'
import type { PromptPartCost } from '../domain/promptPart'
import type { Skill, SkillFault, SkillIndexEntry, SkillRef } from '../domain/skill'
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
  readonly sandbox: SandboxFacts
  readonly audit: AuditHead | null
  /** Set by the environment or the command line, so the form cannot change it; names the variable. */
  readonly dataFolder: { readonly path: string; readonly setBy: string | null }
}

/** A provider as the window may know it: never the key. */
export interface ProviderRow {
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  /** OpenAI's when left out. */
  readonly protocol?: Protocol
  readonly model: string
  readonly isActive: boolean
  /** `practice` is the built-in scripted tutor; `found` was discovered running on this machine; `environment` is fixed by variables; `catalogue` is built in and not set up. */
  readonly origin: 'practice' | 'found' | 'environment' | 'settings' | 'catalogue'
  /** The provider of the catalogue that it is one of. */
  readonly preset?: string
  /** What the person set for it beyond that. */
  readonly quirks?: QuirkChanges
  readonly models?: readonly CatalogueModel[]
  /** `variable`: the one of the environment that holds it. */
  readonly key: { readonly place: 'environment' | 'keychain' | 'sealed' | 'session'; readonly lastFour: string; readonly variable?: string } | null
  /** The host that its saved key belongs to, where its address is another one now: then the key is not sent, and asked for again. */
  readonly keyOf?: string
  /** Variables of the environment that hold a key of this provider, and are not used for this address. */
  readonly unusedVariables?: readonly string[]
  /** Names of headers in its settings that hold a key: those are neither sent nor shown. */
  readonly keyHeaders?: readonly string[]
  readonly hasKeychain: boolean
  /** Whether anything lies in a sealed file that is still shut. */
  readonly isSealed: boolean
  /** Whether this provider's key does. */
  readonly isKeySealed: boolean
}

/** The steps of the test button, each with its outcome; null where none could be found out. */
export interface ProviderTest {
  readonly steps: readonly { readonly step: 'address' | 'key' | 'model' | 'streaming' | 'tools' | 'images'; readonly ok: boolean | null; readonly say: Said }[]
}

/**
 * A program that a finished command left running (R113). `ports`, ascending: where it listens and the person's own browser can reach
 * it; `isHttp` once something there has answered as HTTP does.
 */
export interface ProgramRow {
  readonly callId: string
  readonly pid: number
  readonly command: string
  readonly ports: readonly { readonly port: number; readonly isHttp: boolean }[]
}

/** A server as a row of the servers page. Counts are of its last lists, also while it is not running; `changes` of definitions that wait for the person. `isOfProject`: it stands in the folder's `.mcp.json` and is not edited here. */
export interface McpServerRow {
  readonly name: string
  readonly isOfProject: boolean
  readonly transport: McpTransport
  readonly state: McpServerState
  readonly tools: number
  readonly toolsOn: number
  readonly resources: number
  readonly prompts: number
  /** Tokens of its tools that are on, as the model is sent them. */
  readonly tokens: number
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

/** A row of the memory table. `score` is for the draft that was asked with; null without one. */
export interface MemoryRow {
  readonly memory: Memory
  readonly score: MemoryScore | null
  /** Entries that would be injected beside it and may say the opposite, by their text. */
  readonly contradicts: readonly string[]
}

/** A part of the memory table, with what the whole of it would put into the next prompt. */
export interface MemoryPage {
  readonly rows: readonly MemoryRow[]
  /** Rows that fit query and scope. */
  readonly total: number
  readonly counts: { readonly project: number; readonly general: number; readonly bin: number }
  /** R40. */
  readonly budget: { readonly entries: number; readonly tokens: number; readonly limit: number }
}

/** `isNew` false: an entry that says the same was there already. */
export interface MemorySaved {
  readonly memory: Memory
  readonly isNew: boolean
}

/** All changes, or none: then `theirs` are the entries as somebody else left them (null: deleted). */
export type MemoryEdited = { readonly kind: 'changed'; readonly memories: readonly Memory[] } | { readonly kind: 'conflict'; readonly theirs: readonly { readonly id: string; readonly now: Memory | null }[] }

/** What went into the bin; the batch brings it back. */
export interface MemoryRemoved {
  readonly batch: string
  readonly count: number
}

/** `known` were there already; `faults` name the line of what could not be read. */
export interface MemoryImported {
  readonly added: number
  readonly known: number
  readonly faults: readonly Said[]
}

/** A skill as a row of the skills page. `isTrusted` false: it lies in the opened folder and is off until the person trusts it as it is. */
export interface SkillRow {
  readonly skill: Omit<Skill, 'body' | 'template'>
  readonly isOn: boolean
  readonly isTrusted: boolean
  /** Of one name, the one that is used instead of this; null when this one is. */
  readonly hiddenBy: SkillRef | null
  readonly index: SkillIndexEntry
  readonly lastUsedAtMs: number | null
  readonly usesThisMonth: number
}

/** The skills page. Faults that are fatal belong to files that are no row. */
export interface SkillPage {
  readonly rows: readonly SkillRow[]
  readonly faults: readonly SkillFault[]
  readonly indexBytes: number
  /** The user's own skills folder. */
  readonly folder: string
}

/** A skill's file as it is; `skill` is null for one that does not load. */
export interface SkillText {
  readonly text: string
  readonly skill: Skill | null
}

/** What the next request would hold, in tokens (R23). `windowTokens` null: nobody says. */
export interface PromptCost {
  readonly parts: readonly PromptPartCost[]
  readonly windowTokens: number | null
}

/** Endpoints beside the models', each with at most one key. */
export const endpoints = ['embedding', 'rerank', 'web-search'] as const
export type EndpointName = (typeof endpoints)[number]

/** One of them as its form shows it. */
export interface EndpointRow {
  readonly of: EndpointName
  /** Its address; null while none is set. */
  readonly url: string | null
  /** Its key lies sealed, shut, and nowhere else. */
  readonly isKeySealed: boolean
  readonly key: { readonly place: 'environment' | 'keychain' | 'sealed' | 'session'; readonly lastFour: string } | null
  /** The host that its saved key belongs to, where its address is another one now: then the key is not sent, and asked for again. */
  readonly keyOf?: string
}

/** A live permission for a turn or a session, with how often it answered. */
export interface GrantRow {
  readonly grant: Grant
  readonly uses: number
  readonly sessionTitle: string
}

/** What is worth saying of a rule beside it. `shadowedBy`: the rule that answers everything this one would. */
export interface RuleRow {
  readonly rule: Rule
  readonly isUnused: boolean
  readonly shadowedBy: string | null
  /** Why it allows more than people mean; null when it does not. */
  readonly tooWide: Said | null
  readonly workspaceName: string | null
}

/** The permissions page: what answers in the opened folder now, and every rule. */
export interface PermissionsPage {
  readonly grants: readonly GrantRow[]
  readonly rules: readonly RuleRow[]
}

/** A past call as the back-test of a rule sees it. `then`: what happened; `now`: what the rule would have done. */
export interface BackTestRow {
  readonly callId: CallId
  readonly sessionId: SessionId
  readonly atMs: number
  readonly tool: string
  /** The command, path or tool, redacted. */
  readonly on: string
  readonly then: { readonly by: DecidedBy; readonly decision: 'allowed' | 'denied' | 'skipped' }
  readonly now: 'runs' | 'asks' | 'denied'
  /** Why it still asks, when another part does; null otherwise. */
  readonly why: Said | null
}

/** A rule tried on the journal: "would have run 37 of 212, among them 2 you denied". */
export interface BackTest {
  /** Past calls of the rule's kind in its scope. */
  readonly total: number
  readonly wouldRun: number
  readonly deniedThen: number
  /** Those denied then first, then the newest; at most 200. */
  readonly rows: readonly BackTestRow[]
  readonly isUnused: boolean
  readonly shadowedBy: string | null
  readonly tooWide: Said | null
  /** Narrower shapes that would have run nothing that was denied; null when there is no need or no way. */
  readonly narrowed: { readonly shapes: readonly RuleShape[]; readonly wouldRun: number } | null
}

/** What a rule could be made of, from a call: one draft a part, narrowest first. */
export interface RuleProposal {
  readonly drafts: readonly RuleDraft[]
}

/** What the audit page is asked for. */
export interface AuditAsk {
  readonly query: string
  /** Null: every workspace. */
  readonly isThisProject: boolean
  readonly sinceMs: number | null
  readonly by: 'all' | DecidedBy
  readonly what: 'all' | 'command' | 'edit' | 'read' | 'web' | 'mcp' | 'rollback' | 'other'
  /** Rows with a number below; null: from the newest. */
  readonly before: number | null
  readonly limit: number
}

/** A call, or a fact that belongs to none, as one row; `entry` is the number of its last entry. */
export interface AuditRow {
  readonly entry: number
  readonly atMs: number
  readonly what: Exclude<AuditAsk['what'], 'all'>
  readonly tool: string | null
  readonly callId: CallId | null
  readonly sessionId: SessionId | null
  /** Command, path, address or name, redacted, in one line. */
  readonly on: string
  readonly by: { readonly actor: DecidedBy | 'app' | 'agent'; readonly ruleId: string | null; readonly decision: 'allowed' | 'denied' | 'skipped' | 'waiting' | 'none' }
  readonly outcome: Said
  readonly tone: 'ok' | 'warn' | 'bad' | 'plain'
}

/** Rows, newest first, and what the chain said when it was last walked. */
export interface AuditPageView {
  readonly rows: readonly AuditRow[]
  readonly hasMore: boolean
  readonly entries: number
}

/** One call or fact with everything the record holds of it. */
export interface AuditRecord {
  readonly row: AuditRow
  readonly turnId: TurnId | null
  readonly sentence: Said
  /** As JSON or, for a command, its text; null where there was none. Redacted. */
  readonly proposed: string | null
  readonly approved: string | null
  readonly effective: string | null
  readonly steps: readonly { readonly entry: number; readonly atMs: number; readonly say: Said }[]
  readonly changed: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[]
  readonly beforeSnapshot: string | null
  readonly afterSnapshot: string | null
  readonly sources: readonly string[]
  readonly masked: number
  readonly chain: string
  readonly prev: string
  readonly isSigned: boolean
  /** The last lines of what the model was told, redacted. */
  readonly output: string | null
}

/** What walking the chain found, and what it can and cannot say. `signed` counts entries whose author is proven too. */
export interface AuditCheck {
  readonly ok: boolean
  readonly entries: number
  readonly signed: number
  readonly firstBroken: number | null
  /** The first entry that is kept: 1, unless the app removed older files, which is recorded. */
  readonly startsAt: number
  readonly atMs: number
}

/** A changed file of a trial, both sides; null text for binary, too large, or none. */
export interface TrialFileText {
  readonly before: string | null
  readonly after: string | null
}
