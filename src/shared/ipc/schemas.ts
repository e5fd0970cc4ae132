import { z } from 'zod'
import type { ApprovalRequest } from '../domain/approval'
import { budgetKinds } from '../domain/budget'
import type { AuditHead } from '../domain/audit'
import type { EditorOffer } from '../domain/editorCommand'
import type { AgentEvent } from '../domain/event'
import type { CallId, CompactionId, MemoryId, MessageId, RollbackId, SessionId, SnapshotId, TurnId, WorkspaceId } from '../domain/ids'
import { memoryCharacters, memoryScopes } from '../domain/memory'
import type { IndexState } from '../domain/retrieval'
import type { McpLogLine, McpPrompt, McpResource } from '../domain/mcp'
import type { Result, Said } from '../domain/result'
import { ruleEffects } from '../domain/rule'
import type { SandboxFacts } from '../domain/sandbox'
import { trustKinds, type TrustFindings } from '../domain/trust'
import type { ConflictView, RollbackPreview, RollbackRecord } from '../domain/rollback'
import { askingLevels, type SessionSummary, type Workspace } from '../domain/session'
import { modelChoiceSchema, providerSchema, settingsSchema, type Settings } from '../domain/settings'
import type { ChannelName } from './channels'
import { unknownAnswers, type ChangeSince, type Recovery, type Stopped } from './recoveryViews'
import { keptTypes, type FoundPath, type TakenFile } from './attachViews'
import type { ContextPage } from './contextViews'
import type { FileView, FoundFiles } from './fileViews'
import type { CataloguePage, RefreshedModels } from './modelViews'
import { exportFormats, type DraftView, type SessionFork, type SessionHits } from './sessionViews'
import { usagePeriods, type UsageView } from './usageViews'
import { endpoints, type AppStart, type AuditCheck, type AuditPageView, type AuditRecord, type BackTest, type PermissionsPage, type RuleProposal, type TrialFileText, type EndpointRow, type MemoryEdited, type MemoryImported, type MemoryPage, type MemoryRemoved, type MemorySaved, type PromptCost, type SkillPage, type SkillText, type McpImportPreview, type McpPage, type McpPromptText, type McpServerDetail, type McpTestStep, type ProgramRow, type ProviderRow, type ProviderTest } from './views'
import type { Comparison, DiskNow, FileVersion, Forgetting, LineAuthors, PathAt, PathMoment, SnapshotSpace, Uncovered, Timeline } from './timelineViews'

const id = z.string().min(1).max(100)
const sessionId = id.transform((text) => text as SessionId)
const callId = id.transform((text) => text as CallId)
const snapshotId = id.transform((text) => text as SnapshotId)
const compactionId = id.transform((text) => text as CompactionId)
const rollbackId = id.transform((text) => text as RollbackId)
const args = z.record(z.string(), z.unknown())
const nothing = z.object({})
const seq = z.number().int().min(1)

const ruleWord = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['exact', 'pattern']), text: z.string().min(1).max(4096) }),
  z.object({ kind: z.literal('any') }),
])
const ruleShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), words: z.array(ruleWord).min(1).max(200), isOpen: z.boolean(), folder: z.string().max(4096).exactOptional() }),
  z.object({ kind: z.literal('files'), tool: z.string().min(1).max(200), glob: z.string().min(1).max(4096) }),
  z.object({ kind: z.literal('tool'), tool: z.string().min(1).max(1000) }),
  z.object({ kind: z.literal('host'), host: z.string().min(1).max(255) }),
])
const moment = z.number().int().min(0).max(8_640_000_000_000_000)
const ends = { expiresAtMs: moment.nullable(), usesLeft: z.number().int().min(1).max(1_000_000).nullable() }
const remember = z.object({ lifetime: z.enum(['turn', 'session', 'always']), shapes: z.array(ruleShape).min(1).max(100), isForAllProjects: z.boolean(), ...ends })
const ruleDraft = z.object({ effect: z.enum(ruleEffects), shape: ruleShape, workspaceId: id.transform((text) => text as WorkspaceId).nullable(), createdFromCall: callId.nullable(), ...ends })
const trustRef = z.object({ kind: z.enum(trustKinds), name: z.string().min(1).max(4096), hash: z.string().regex(/^[0-9a-f]{64}$/) })

const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('allow'), remember: remember.exactOptional() }),
  z.object({ kind: z.literal('edited'), args }),
  z.object({ kind: z.literal('edited-text'), text: z.string().max(20_000_000) }),
  z.object({ kind: z.literal('deny'), reason: z.string().max(10_000) }),
  z.object({ kind: z.literal('skip') }),
  z.object({ kind: z.enum(['try', 'look', 'keep', 'discard']) }),
])

const anyPath = z.string().min(1).max(4096)
const target = z.object({
  to: snapshotId,
  only: z.object({ from: snapshotId, until: snapshotId }).exactOptional(),
  ofSession: sessionId.exactOptional(),
  ofCall: callId.exactOptional(),
  paths: z.array(z.string().max(4096)).max(100_000).exactOptional(),
  keepUserEdits: z.boolean(),
})

const serverName = z.string().min(1).max(200)
const mcpValue = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['text', 'secret']), text: z.string().max(100_000) }),
  z.object({ kind: z.literal('kept') }),
])
const mcpFields = z.array(z.object({ name: z.string().max(1000), value: mcpValue })).max(1000)
const mcpForm = z.object({
  name: z.string().max(200),
  transport: z.enum(['stdio', 'http']),
  command: z.string().max(4096),
  args: z.array(z.string().max(100_000)).max(1000),
  cwd: z.string().max(4096),
  env: mcpFields,
  url: z.string().max(8192),
  headers: mcpFields,
  isDisabled: z.boolean(),
  timeoutMs: z.number().int().min(1000).max(86_400_000).nullable(),
})
const toolName = z.string().min(1).max(1000)
const mcpChoice = z.union([
  z.object({ kind: z.enum(['disabled', 'here', 'sampling', 'elicitation', 'project-text']), isOn: z.boolean() }),
  z.object({ kind: z.literal('tool'), tool: toolName, isOn: z.boolean() }),
  z.object({ kind: z.literal('effect'), tool: toolName, effect: z.enum(['execute', 'network']) }),
])
const memoryId = id.transform((text) => text as MemoryId)
const memoryScope = z.enum(memoryScopes)
const memoryText = z.string().min(1).max(memoryCharacters)
const skillPath = z.string().min(1).max(4096)
const skillId = z.object({ origin: z.enum(['app', 'user', 'project']), path: skillPath })
const skillInputs = z.record(z.string().max(200), z.union([z.string().max(100_000), z.number(), z.boolean()]))
const skillChoice = skillId.extend({ inputs: skillInputs })
const auditFilter = z.object({
  query: z.string().max(1000),
  isThisProject: z.boolean(),
  sinceMs: moment.nullable(),
  by: z.enum(['all', 'person', 'rule', 'grant', 'policy', 'level']),
  what: z.enum(['all', 'command', 'edit', 'read', 'web', 'mcp', 'rollback', 'other']),
})
const usageAsk = z.object({ period: z.enum(usagePeriods), isThisProject: z.boolean(), sessionId: sessionId.nullable() })
const budgetOf = z.object({ kind: z.enum(budgetKinds), currency: z.string().regex(/^[A-Z]{3}$/).nullable() })
const budgetAnswer = z.discriminatedUnion('kind', [z.object({ kind: z.literal('raise'), limit: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }), z.object({ kind: z.literal('stop') })])
const endpointName = z.enum(endpoints)
const attachment = z.object({ server: serverName, uri: z.string().min(1).max(8192) })
/** A file of the project, or what `attach/take` has kept. */
const chosenFile = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), path: z.string().min(1).max(4096) }),
  z.object({ kind: z.literal('kept'), ref: z.string().regex(/^[0-9a-f]{64}$/), name: z.string().min(1).max(300), mimeType: z.enum(keptTypes) }),
])
const argumentValues = z.record(z.string().max(1000), z.string().max(100_000))

const messageId = id.transform((text) => text as MessageId)
/** A message as it is typed, with what goes along. */
function isJsonOrNothing(text: string): boolean {
  try {
    if (text !== '') JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const typedMessage = z.object({ sessionId, text: z.string().max(2_000_000), attachments: z.array(attachment).max(50).exactOptional(), files: z.array(chosenFile).max(50).exactOptional(), skills: z.array(skillChoice).max(20).exactOptional() })

/** Words, or something to look at or to read: a picture alone is a message too (R90). */
function saysSomething({ text, attachments = [], files = [] }: Pick<z.infer<typeof typedMessage>, 'text' | 'attachments' | 'files'>): boolean {
  return text !== '' || attachments.length + files.length > 0
}

/** A door's two sides: what is checked on its way in, and the type of what comes out. */
export interface Channel<In extends z.ZodType = z.ZodType, Out = unknown> {
  readonly input: In
  /** Holds the answer's type only; never present. */
  readonly output?: Out
}

function channel<Out>() {
  return <In extends z.ZodType>(input: In): Channel<In, Out> => ({ input })
}

/** One schema a channel; a channel without one does not compile. Everything is plain JSON. */
export const schemas = {
  'app/start': channel<AppStart>()(nothing),
  'workspace/choose': channel<Result<Workspace> | null>()(nothing),
  'workspace/open': channel<Result<Workspace>>()(z.object({ root: z.string().min(1).max(4096) })),
  'workspace/close': channel<Result<null>>()(nothing),
  'session/list': channel<readonly SessionSummary[]>()(nothing),
  'session/create': channel<SessionSummary>()(nothing),
  'session/rename': channel<null>()(z.object({ sessionId, title: z.string().min(1).max(200) })),
  'session/read': channel<readonly AgentEvent[]>()(z.object({ sessionId, fromSeq: z.number().int().min(1), toSeq: z.number().int().min(1).exactOptional() })),
  'session/prompt': channel<Result<{ readonly turnId: TurnId }>>()(typedMessage.refine(saysSomething)),
  'session/cancel': channel<null>()(z.object({ sessionId })),
  'session/set-level': channel<Result<null>>()(z.object({ sessionId, level: z.enum(askingLevels) })),
  /** With `messageId` a waiting message says something else; what went along with it stays where nothing new is named. */
  'session/queue': channel<Result<{ readonly messageId: MessageId }>>()(typedMessage.extend({ messageId: messageId.exactOptional() }).refine((message) => saysSomething(message) || message.messageId !== undefined)),
  'session/withdraw': channel<Result<null>>()(z.object({ sessionId, messageId })),
  'session/deliver': channel<Result<null>>()(z.object({ sessionId, messageId })),
  'recovery/list': channel<readonly Recovery[]>()(nothing),
  'recovery/changes': channel<Result<readonly ChangeSince[]>>()(z.object({ callId })),
  'recovery/settle': channel<Result<null>>()(z.object({ callId, answer: z.enum(unknownAnswers) })),
  'run/stop-all': channel<Stopped>()(nothing),
  'approval/list': channel<readonly ApprovalRequest[]>()(nothing),
  'approval/decide': channel<Result<null>>()(z.object({ callId, nonce: z.string().min(1).max(200), argsHash: z.string().min(1).max(200), answer })),
  'command/input': channel<null>()(z.object({ callId, text: z.string().min(1).max(100_000) })),
  'command/resize': channel<null>()(z.object({ callId, columns: z.number().int().min(2).max(1000), rows: z.number().int().min(1).max(1000) })),
  'output/read': channel<Result<{ readonly text: string; readonly totalBytes: number }>>()(z.object({ ref: z.string().regex(/^[0-9a-f]{64}$/), offset: z.number().int().min(0), length: z.number().int().min(1).max(1_000_000) })),
  'command/leave': channel<null>()(z.object({ callId })),
  'program/list': channel<readonly ProgramRow[]>()(nothing),
  'program/end': channel<null>()(z.object({ pid: z.number().int().min(2) })),
  'program/output': channel<string | null>()(z.object({ callId })),
  'program/open': channel<boolean>()(z.object({ port: z.number().int().min(1).max(65_535) })),
  'timeline/read': channel<Timeline>()(z.object({ after: snapshotId.exactOptional() })),
  'timeline/changes': channel<Result<Comparison>>()(z.object({ before: snapshotId.nullable(), after: snapshotId.nullable() })),
  'timeline/file': channel<Result<FileVersion>>()(z.object({ oid: z.string().regex(/^[0-9a-f]{40}$/) })),
  'timeline/now': channel<Result<DiskNow>>()(nothing),
  'timeline/authors': channel<Result<LineAuthors | null>>()(z.object({ path: anyPath, before: snapshotId, after: snapshotId.nullable() })),
  'timeline/paths': channel<Result<readonly PathAt[]>>()(z.object({ at: snapshotId, query: z.string().max(1000) })),
  'timeline/history': channel<Result<readonly PathMoment[]>>()(z.object({ path: anyPath })),
  'timeline/uncovered': channel<Result<Uncovered>>()(nothing),
  'snapshot/space': channel<Result<SnapshotSpace>>()(nothing),
  'snapshot/pack': channel<Result<SnapshotSpace>>()(nothing),
  'snapshot/forget': channel<Result<Forgetting>>()(z.object({ before: snapshotId, isDry: z.boolean() })),
  'snapshot/cancel': channel<null>()(nothing),
  'rollback/plan': channel<Result<RollbackPreview>>()(z.object({ target })),
  'rollback/conflict': channel<Result<ConflictView>>()(z.object({ target, path: anyPath })),
  'rollback/apply': channel<Result<RollbackRecord>>()(z.object({ target, scope: z.enum(['files', 'conversation', 'both']), sessionId: sessionId.nullable(), turnId: id.transform((text) => text as TurnId).nullable(), head: z.string().min(1).max(100), unticked: z.array(anyPath).max(100_000), leftChanges: z.record(anyPath, z.array(z.number().int().min(0).max(1_000_000)).max(100_000)), resolved: z.record(z.string(), z.string().max(20_000_000)), takeEarlier: z.array(anyPath).max(100_000).exactOptional() })),
  'rollback/undo': channel<Result<RollbackRecord>>()(z.object({ rollbackId })),
  'settings/change': channel<Result<Settings>>()(settingsSchema.pick({ locale: true, theme: true, maxSteps: true, sendWith: true, activeProvider: true, reopenFolder: true, retrieval: true, web: true, snapshots: true, compaction: true, budget: true, commandSeconds: true, editorCommand: true, keepsAwake: true, authorityFile: true }).partial()),
  'provider/list': channel<readonly ProviderRow[]>()(nothing),
  'provider/save': channel<Result<null>>()(providerSchema.omit({ keyOrigin: true })),
  'provider/save-key': channel<Result<{ readonly place: string }>>()(z.object({ provider: id, key: z.string().min(1).max(10_000), passPhrase: z.string().min(1).max(1000).exactOptional() })),
  'provider/remove': channel<Result<null>>()(z.object({ provider: id })),
  'provider/remove-key': channel<Result<null>>()(z.object({ provider: id })),
  'provider/unseal': channel<Result<null>>()(z.object({ passPhrase: z.string().min(1).max(1000) })),
  'provider/test': channel<ProviderTest>()(z.object({ provider: id })),
  'provider/refresh': channel<Result<RefreshedModels>>()(z.object({ provider: id })),
  'practice/start': channel<Result<Workspace>>()(nothing),
  'mcp/read': channel<McpPage>()(nothing),
  'mcp/server': channel<Result<McpServerDetail>>()(z.object({ name: serverName })),
  'mcp/save': channel<Result<null>>()(z.object({ form: mcpForm, previousName: serverName.nullable(), passPhrase: z.string().min(1).max(1000).exactOptional() })),
  'mcp/remove': channel<Result<null>>()(z.object({ name: serverName })),
  'mcp/choose': channel<Result<null>>()(z.object({ name: serverName, choice: mcpChoice })),
  'mcp/test': channel<readonly McpTestStep[]>()(z.object({ form: mcpForm, previousName: serverName.nullable(), ticket: id })),
  'mcp/start': channel<Result<null>>()(z.object({ name: serverName })),
  'mcp/stop': channel<Result<null>>()(z.object({ name: serverName })),
  'mcp/log': channel<readonly McpLogLine[]>()(z.object({ name: serverName })),
  'mcp/review': channel<Result<null>>()(z.object({ name: serverName, subject: z.enum(['start', 'tool']), tool: z.string().max(1000), hash: z.string().regex(/^[0-9a-f]{64}$/), accept: z.boolean() })),
  'mcp/reveal': channel<Result<{ readonly text: string }>>()(z.object({ name: serverName, list: z.enum(['env', 'headers']), field: z.string().min(1).max(1000) })),
  'mcp/paste': channel<Result<McpImportPreview>>()(z.object({ text: z.string().min(1).max(1_000_000) })),
  'mcp/scan': channel<readonly McpImportPreview[]>()(nothing),
  'mcp/import': channel<Result<{ readonly added: readonly string[] }>>()(z.object({ source: z.union([z.object({ path: z.string().min(1).max(4096) }), z.object({ text: z.string().min(1).max(1_000_000) })]), rows: z.array(z.object({ name: serverName, as: serverName })).min(1).max(1000), passPhrase: z.string().min(1).max(1000).exactOptional() })),
  'mcp/sign-in': channel<Result<null>>()(z.object({ name: serverName })),
  'mcp/sign-out': channel<Result<null>>()(z.object({ name: serverName })),
  'mcp/resources': channel<readonly McpResource[]>()(z.object({ query: z.string().max(1000) })),
  'mcp/prompts': channel<readonly McpPrompt[]>()(nothing),
  'mcp/complete': channel<readonly string[]>()(z.object({ server: serverName, of: z.union([z.object({ prompt: toolName }), z.object({ template: z.string().min(1).max(8192) })]), argument: toolName, value: z.string().max(10_000), known: argumentValues })),
  'mcp/prompt': channel<Result<McpPromptText>>()(z.object({ server: serverName, name: toolName, args: argumentValues })),
  'output/content': channel<Result<{ readonly base64: string; readonly sizeBytes: number }>>()(z.object({ ref: z.string().regex(/^[0-9a-f]{64}$/) })),
  'memory/page': channel<MemoryPage>()(z.object({
    query: z.string().max(10_000),
    scope: z.enum(['all', ...memoryScopes]),
    isBin: z.boolean(),
    order: z.object({ by: z.enum(['score', 'text', 'scope', 'source', 'at']), isDescending: z.boolean() }),
    offset: z.number().int().min(0),
    limit: z.number().int().min(1).max(500),
    /** What the person is about to send; the scores are for it. */
    draft: z.string().max(2_000_000),
  })),
  'memory/save': channel<Result<MemorySaved>>()(z.object({ text: memoryText, scope: memoryScope, by: z.enum(['table', 'save']), sessionId: sessionId.nullable() })),
  'memory/change': channel<Result<MemoryEdited>>()(z.object({ changes: z.array(z.object({ id: memoryId, rev: z.number().int().min(1), text: memoryText.exactOptional(), scope: memoryScope.exactOptional(), isPinned: z.boolean().exactOptional() })).min(1).max(100_000) })),
  'memory/remove': channel<Result<MemoryRemoved>>()(z.object({ ids: z.array(memoryId).min(1).max(100_000) })),
  'memory/clear': channel<Result<MemoryRemoved>>()(z.object({ scope: memoryScope })),
  'memory/restore': channel<Result<{ readonly count: number }>>()(z.object({ from: z.union([z.object({ batch: id }), z.object({ ids: z.array(memoryId).min(1).max(100_000) })]) })),
  'memory/import': channel<Result<MemoryImported> | null>()(z.object({ scope: memoryScope })),
  'memory/export': channel<Result<{ readonly path: string; readonly count: number }> | null>()(z.object({ format: z.enum(['json', 'markdown']), scope: z.enum(['all', ...memoryScopes]) })),
  'skill/read': channel<SkillPage>()(nothing),
  'skill/text': channel<Result<SkillText>>()(skillId),
  'skill/switch': channel<Result<null>>()(skillId.extend({ isOn: z.boolean() })),
  'skill/reload': channel<SkillPage>()(nothing),
  'skill/open-folder': channel<Result<null>>()(nothing),
  'prompt/parts': channel<PromptCost>()(z.object({ sessionId: sessionId.nullable(), draft: z.string().max(2_000_000), files: z.array(chosenFile).max(50).exactOptional() })),
  'retrieval/read': channel<IndexState>()(nothing),
  'retrieval/rebuild': channel<null>()(nothing),
  'endpoint/list': channel<readonly EndpointRow[]>()(nothing),
  'endpoint/save-key': channel<Result<{ readonly place: string }>>()(z.object({ of: endpointName, key: z.string().min(1).max(10_000), passPhrase: z.string().min(1).max(1000).exactOptional() })),
  'endpoint/remove-key': channel<Result<null>>()(z.object({ of: endpointName })),
  'endpoint/test': channel<Result<Said>>()(z.object({ of: endpointName })),
  'endpoint/cancel-test': channel<null>()(z.object({ of: endpointName })),
  'link/open': channel<null>()(z.object({ url: z.string().min(1).max(4096) })),
  'audit/verify': channel<AuditCheck>()(nothing),
  'audit/page': channel<AuditPageView>()(auditFilter.extend({ before: z.number().int().min(1).nullable(), limit: z.number().int().min(1).max(500) })),
  'audit/record': channel<Result<AuditRecord>>()(z.object({ entry: z.number().int().min(1) })),
  /** Asks for a place; null when the person named none. `part` null: the whole record. */
  'audit/export': channel<Result<{ readonly path: string; readonly entries: number }> | null>()(z.object({ format: z.enum(['html', 'jsonl']), part: auditFilter.nullable() })),
  'approval/is-fresh': channel<boolean>()(z.object({ callId, nonce: z.string().min(1).max(200) })),
  'approval/trial-file': channel<Result<TrialFileText>>()(z.object({ callId, trialId: id, path: z.string().min(1).max(4096) })),
  'permission/read': channel<PermissionsPage>()(nothing),
  'permission/propose': channel<Result<RuleProposal>>()(z.object({ callId })),
  'permission/try-out': channel<Result<BackTest>>()(z.object({ draft: ruleDraft, replaces: id.nullable() })),
  /** `replaces`: the rule that this one takes the place of. */
  'permission/save': channel<Result<null>>()(z.object({ drafts: z.array(ruleDraft).min(1).max(100), replaces: id.nullable() })),
  'permission/revoke': channel<Result<null>>()(z.object({ of: z.union([z.object({ rule: id }), z.object({ grant: id, sessionId })]) })),
  'permission/revoke-all': channel<null>()(nothing),
  'trust/read': channel<TrustFindings | null>()(nothing),
  /** Everything else that was found and is not ticked is declined. */
  'trust/decide': channel<Result<TrustFindings>>()(z.object({ trusted: z.array(trustRef).max(10_000), declined: z.array(trustRef).max(10_000) })),
  'sandbox/test': channel<SandboxFacts>()(nothing),
  'context/read': channel<ContextPage>()(z.object({ sessionId })),
  'context/compact': channel<Result<null>>()(z.object({ sessionId, words: z.string().max(4000) })),
  'context/cancel': channel<null>()(z.object({ sessionId })),
  'context/undo': channel<Result<null>>()(z.object({ sessionId, compactionId })),
  'context/pin': channel<Result<null>>()(z.object({ sessionId, messageSeq: z.number().int().min(1), isPinned: z.boolean() })),
  'context/edit-summary': channel<Result<null>>()(z.object({ sessionId, compactionId, summary: z.string().min(1).max(200_000) })),
  /** Null refuses the offered memory. */
  'context/remember': channel<Result<null>>()(z.object({ sessionId, compactionId, text: memoryText.nullable() })),
  'usage/read': channel<UsageView>()(usageAsk),
  /** Asks for a place; null when the person named none. */
  'usage/export': channel<Result<{ readonly path: string; readonly calls: number }> | null>()(usageAsk),
  'budget/answer': channel<Result<null>>()(z.object({ sessionId, of: budgetOf, answer: budgetAnswer })),
  'catalogue/read': channel<CataloguePage>()(nothing),
  'session/set-model': channel<Result<null>>()(z.object({ sessionId, choice: modelChoiceSchema.extend({ model: z.string().min(1).max(200) }) })),
  'session/pin': channel<Result<null>>()(z.object({ sessionId, isPinned: z.boolean() })),
  'session/delete': channel<Result<null>>()(z.object({ sessionId })),
  'session/restore': channel<Result<null>>()(z.object({ sessionId })),
  'session/search': channel<Result<SessionHits>>()(z.object({ query: z.string().min(1).max(1000), isThisProject: z.boolean() })),
  /** `before`: parts before the turn that the message began; `after`: behind the turn that it belongs to. */
  'session/fork': channel<Result<SessionFork>>()(z.object({ sessionId, messageSeq: seq, side: z.enum(['before', 'after']), title: z.string().min(1).max(200) })),
  /** Says a message anew: its turn and what follows go out of sight with the new message's being stored. */
  'session/resend': channel<Result<{ readonly turnId: TurnId }>>()(typedMessage.extend({ messageSeq: seq }).refine(saysSomething)),
  'session/export': channel<Result<{ readonly path: string }> | null>()(z.object({ sessionId, format: z.enum(exportFormats) })),
  'draft/list': channel<readonly DraftView[]>()(nothing),
  'draft/save': channel<null>()(z.object({ sessionId: id, payload: z.string().max(4_000_000).refine(isJsonOrNothing) })),
  /** `isAsked`: the person said that a protected file is to be shown. */
  'file/read': channel<Result<FileView>>()(z.object({ path: anyPath, isAsked: z.boolean() })),
  /** For each name the file of the opened folder that it means, tried below `base` first. */
  'file/known': channel<readonly (string | null)[]>()(z.object({ names: z.array(anyPath).min(1).max(200), base: anyPath.nullable() })),
  'file/find': channel<Result<FoundFiles>>()(z.object({ query: z.string().max(1000) })),
  'file/open': channel<Result<null>>()(z.object({ path: anyPath, line: z.number().int().min(1).max(10_000_000), column: z.number().int().min(1).max(10_000_000) })),
  'file/show': channel<Result<null>>()(z.object({ path: anyPath })),
  'editor/list': channel<readonly EditorOffer[]>()(nothing),
  /** Opens a file of the app's own with the command that is kept. */
  'editor/test': channel<Result<null>>()(nothing),
  'attach/find': channel<readonly FoundPath[]>()(z.object({ query: z.string().max(300) })),
  'attach/place': channel<FoundPath | null>()(z.object({ path: z.string().min(1).max(4096) })),
  'attach/take': channel<Result<TakenFile>>()(z.object({ name: z.string().min(1).max(300), base64: z.base64().max(54_000_000) })),
} satisfies Record<ChannelName, Channel>

export type Schemas = typeof schemas

/** What main pushes, by name. */
export interface PushBodies {
  'session/events': readonly AgentEvent[]
  'session/parts': readonly import('../domain/event').LivePart[]
  'approval/changed': readonly ApprovalRequest[]
  'audit/changed': AuditHead
  'program/changed': readonly ProgramRow[]
  /** Paths of the rollback that is being written, settled and all. */
  'rollback/progress': { readonly done: number; readonly total: number }
  'snapshot/progress': { readonly seen: number; readonly isDone: boolean; readonly fault: Said | null }
  'workspace/opened': Workspace
  'settings/changed': Settings
  'mcp/changed': McpPage
  /** Something in the long-term memory changed; what, the page asks. */
  'memory/changed': { readonly project: number; readonly general: number; readonly bin: number }
  'skill/changed': SkillPage
  'retrieval/changed': IndexState
  'permission/changed': PermissionsPage
  /** What the opened folder brings, read anew; `isAsking` opens the dialog. */
  'trust/changed': TrustFindings | null
  'sandbox/changed': SandboxFacts
  'provider/test-step': { readonly provider: string; readonly step: ProviderTest['steps'][number] }
  'mcp/test-step': { readonly ticket: string; readonly step: McpTestStep }
  'recovery/changed': readonly Recovery[]
  /** Something the person did outside the window failed: a folder that a second start named. */
  'app/fault': Said
}
