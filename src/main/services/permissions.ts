import type { ApprovalRequest } from '../../shared/domain/approval'
import type { AuditDraft } from '../../shared/domain/audit'
import type { CallId, SessionId, WorkspaceId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Grant, Remember, Rule, RuleDraft, RuleShape } from '../../shared/domain/rule'
import type { Workspace } from '../../shared/domain/session'
import type { BackTest, PermissionsPage, RuleProposal, RuleRow } from '../../shared/ipc/views'
import { unusedAfterMs } from '../core/policy/backTest'
import { isLive, type LivePermission } from '../core/policy/permissions'
import { draftShapes } from '../core/policy/permissionShapes'
import { covers, shadows } from '../core/policy/permissionShadows'
import { unusablePart } from '../core/policy/permissionValid'
import { isTooWide } from '../core/policy/permissionWidth'
import type { AuditSink } from '../core/ports/auditSink'
import type { CallJournal } from '../core/ports/eventStore'
import type { IdSource } from '../core/ports/idSource'
import type { AnsweredCall, PermissionDesk } from '../core/ports/permissionDesk'
import type { RuleStore } from '../core/ports/ruleStore'
import { orFault, StorageFault } from '../core/ports/storageFault'
import { HeldUses } from './heldUses'
import { makeGrantBook } from './permissionGrants'
import { questionOf, tryOnPast, type TrialParts } from './permissionTrial'
import { subscribe, type Sessions } from './sessions'

/** Rules and live grants (R63, R69): what answers without a person, how it is made, tried on the past, shown and revoked. */
export interface Permissions extends PermissionDesk {
  /** The folder whose rules answer; null when none is open. */
  useFolder(workspace: Workspace | null): Promise<void>
  page(): Promise<PermissionsPage>
  /** Of a call of the opened folder. */
  propose(callId: CallId): Promise<Result<RuleProposal>>
  tryOut(draft: RuleDraft, replaces: string | null): Promise<Result<BackTest>>
  save(drafts: readonly RuleDraft[], replaces: string | null): Promise<Result<null>>
  revoke(of: { readonly rule: string } | { readonly grant: string; readonly sessionId: SessionId }): Promise<Result<null>>
  /** Everything that lets calls run in the opened folder; what only restricts stays. */
  revokeAll(): Promise<void>
  /** Every grant of every session, of all folders; how many. Rules stay: they are nobody's word of the moment. */
  revokeGrants(): Promise<number>
  /** The definition of an MCP tool is no longer the one that was allowed: rules and grants on it end (R54). `tool` as the model calls it. */
  lapsed(tool: string): Promise<void>
  onChange(listener: (page: PermissionsPage) => void): () => void
  close(): void
}

/** What the service works with. */
export interface PermissionsPorts extends Omit<TrialParts, 'store'> {
  readonly store: RuleStore
  readonly sessions: Pick<Sessions, 'open' | 'append' | 'onEvents'>
  readonly journal: Pick<CallJournal, 'get'>
  readonly audit: Pick<AuditSink, 'append'>
  readonly ids: Pick<IdSource, 'next'>
}

/** Makes it; rules are read when a folder is used, and again at the begin of each turn: another process may have changed them. */
export function makePermissions(ports: PermissionsPorts): Permissions {
  const { store, clock } = ports
  const listeners = new Set<(page: PermissionsPage) => void>()
  let folder: Workspace | null = null
  let rules: readonly Rule[] = []
  let isTelling = false

  const book = makeGrantBook(ports, changed)
  const held = new HeldUses()
  const stop = ports.sessions.onEvents((events) => {
    // The database answers in order: the rules are here before anything that this turn asks of it next.
    if (events.some(({ type }) => type === 'turn-started')) void quietly(read())
  })

  async function read(): Promise<void> {
    const before = JSON.stringify(rules)
    rules = await store.rules(clock.nowMs())
    if (JSON.stringify(rules) !== before) changed()
  }

  /** Tells listeners once for all that happens meanwhile. */
  function changed(): void {
    if (isTelling || listeners.size === 0) return
    isTelling = true
    queueMicrotask(() => {
      isTelling = false
      void quietly(page().then((now) => listeners.forEach((listener) => listener(now))))
    })
  }

  async function page(): Promise<PermissionsPage> {
    const [grants, names] = await Promise.all([folder === null ? [] : book.rows(folder.id), store.projectNames()])
    const live = rules.filter((rule) => isLive({ by: 'rule', rule }, clock.nowMs()))
    return { grants, rules: live.map((rule) => rowOf(rule, live, names, clock.nowMs())) }
  }

  const audit = (fact: AuditDraft['fact'], more: Omit<AuditDraft, 'fact' | 'atMs'>): Promise<unknown> => ports.audit.append({ fact, atMs: clock.nowMs(), ...more })

  /** With what other calls hold of it. */
  function leftOf(permission: LivePermission & { readonly by: 'rule' }, besides?: CallId): LivePermission {
    const { rule } = permission
    return rule.usesLeft === null ? permission : { by: 'rule', rule: { ...rule, usesLeft: rule.usesLeft - held.count(rule.id, besides) } }
  }

  function mayAnswer(id: string, { callId }: AnsweredCall): boolean {
    const rule = rules.find((one) => one.id === id)
    return rule !== undefined && isLive(leftOf({ by: 'rule', rule }, callId), clock.nowMs())
  }

  /** What cannot be recorded must not hold. */
  async function add(drafts: readonly RuleDraft[], replaces: string | null): Promise<Result<null>> {
    const replaced = rules.find(({ id }) => id === replaces)
    const saved = await store.save(drafts, replaces, clock.nowMs())
    if (saved === null) return fail('guard.rule-gone', { rule: replaces ?? '' })
    try {
      for (const rule of saved) await audit('rule-saved', { actor: 'person', outcome: rule.id, args: { ...recordOf(rule), replaces }, ...(rule.createdFromCall === null ? {} : { callId: rule.createdFromCall }) })
    } catch (error) {
      await store.remove(saved.map(({ id }) => id))
      // It may be one that forbids: under a new number it still does.
      if (replaced !== undefined) await store.save([replaced], null, clock.nowMs())
      throw error
    } finally {
      await read()
    }
    return succeed(null)
  }

  async function give(request: ApprovalRequest, { lifetime, shapes, expiresAtMs, usesLeft }: Remember): Promise<Result<null>> {
    const { sessionId, turnId, step, callId } = request
    const grants = shapes.map((shape): Grant => ({ id: ports.ids.next(), sessionId, turnId: lifetime === 'turn' ? turnId : null, shape, callId, givenAtMs: clock.nowMs(), expiresAtMs, usesLeft }))
    for (const grant of grants) await audit('grant-given', { actor: 'person', sessionId, turnId, callId, tool: request.tool, outcome: grant.id, args: { lifetime, shape: grant.shape, expiresAtMs, usesLeft } })
    await ports.sessions.append(sessionId, grants.map((grant) => ({ type: 'grant-given', turnId, step, grant })))
    return succeed(null)
  }

  async function takeRules(ids: readonly string[], actor: 'person' | 'app', why: string): Promise<number> {
    if (ids.length === 0) return 0
    const gone = await store.remove(ids)
    rules = rules.filter(({ id }) => !ids.includes(id))
    changed()
    for (const rule of gone) await audit('rule-revoked', { actor, outcome: rule.id, args: { ...recordOf(rule), why } })
    return gone.length
  }

  async function takeGrant({ id, sessionId, shape }: Pick<Grant, 'id' | 'sessionId' | 'shape'>, actor: 'person' | 'app', why: string): Promise<void> {
    await ports.sessions.append(sessionId, [{ type: 'grant-revoked', grantId: id }])
    await audit('grant-revoked', { actor, sessionId, outcome: id, args: { shape, why } })
  }

  return {
    async useFolder(workspace) {
      folder = workspace
      await read()
      changed()
    },
    live(sessionId, turnId) {
      const project = book.workspaceOf(sessionId) ?? folder?.id ?? null
      const own = rules.filter((rule) => holdsIn(rule, project)).map((rule) => ({ by: 'rule' as const, rule }))
      return [...own.filter((each) => isLive(leftOf(each), clock.nowMs())), ...book.live(sessionId, turnId).map((grant): LivePermission => ({ by: 'grant', grant }))]
    },
    async remember(request, remember) {
      const { remembered } = request
      if (!remembered || remembered.length === 0) return fail('guard.rule-unanswerable')
      const unusable = firstUnusable(remember.shapes)
      if (unusable !== null) return fail('guard.rule-unusable', { part: unusable })
      if (!remember.shapes.every((shape) => remembered.some((own) => covers(shape, own)))) return fail('guard.rule-not-fitting')
      if (remember.lifetime !== 'always') return orFault(() => give(request, remember))
      const project = remember.isForAllProjects ? null : (book.workspaceOf(request.sessionId) ?? folder?.id ?? null)
      if (project === null && !remember.isForAllProjects) return fail('guard.rule-unanswerable')
      const { expiresAtMs, usesLeft } = remember
      return orFault(() => add(remember.shapes.map((shape) => ({ effect: 'allow', shape, workspaceId: project, expiresAtMs, usesLeft, createdFromCall: request.callId })), null))
    },
    hold(permission, at) {
      if (permission.by === 'grant') return book.hold(permission.grant.id, at)
      if (!mayAnswer(permission.rule.id, at)) return false
      held.hold(permission.rule.id, at.callId)
      return true
    },
    holds(permission, at) {
      if (permission.by === 'grant') return book.holds(permission.grant.id, at)
      return held.isHeld(permission.rule.id, at.callId) && mayAnswer(permission.rule.id, at)
    },
    letGo(callId) {
      book.letGo(callId)
      held.letGo(callId)
    },
    async used(permission, at) {
      if (permission.by === 'grant') return book.use(permission.grant.id, at)
      const rule = await store.use(permission.rule.id, clock.nowMs())
      held.free(permission.rule.id, at.callId)
      // Another process may have forbidden meanwhile what this one still allows: whoever looks again before the call runs sees it.
      await read()
      if (rule === null) return false
      await audit('rule-used', usedBy(rule, at))
      return true
    },
    page,
    async propose(callId) {
      const call = await ports.journal.get(callId)
      const session = call === null ? null : await ports.sessions.open(call.sessionId)
      if (call === null || session === null || folder === null || session.workspaceId !== folder.id) return fail('guard.rule-unanswerable')
      const shapes = draftShapes(questionOf(call, ports.whereOf(folder.root))).filter((shape) => unusablePart(shape) === null)
      if (shapes.length === 0) return fail('guard.rule-unanswerable')
      const workspaceId = folder.id
      return succeed({ drafts: shapes.map((shape) => ({ effect: 'allow', shape, workspaceId, expiresAtMs: null, usesLeft: null, createdFromCall: callId })) })
    },
    async tryOut(draft, replaces) {
      const unusable = firstUnusable([draft.shape])
      if (unusable !== null) return fail('guard.rule-unusable', { part: unusable })
      await read()
      return orFault(async () => succeed(await tryOnPast(draft, rules.filter(({ id }) => id !== replaces), ports)))
    },
    async save(drafts, replaces) {
      const unusable = firstUnusable(drafts.map(({ shape }) => shape))
      if (unusable !== null) return fail('guard.rule-unusable', { part: unusable })
      return orFault(async () => {
        const names = await store.projectNames()
        const strange = drafts.find(({ workspaceId }) => workspaceId !== null && names[workspaceId] === undefined)
        return strange === undefined ? add(drafts, replaces) : fail('guard.rule-unusable', { part: strange.workspaceId ?? '' })
      })
    },
    revoke: (of) =>
      orFault(async () => {
        if ('rule' in of) return (await takeRules([of.rule], 'person', 'revoked')) > 0 ? succeed(null) : fail('guard.rule-gone', { rule: of.rule })
        const known = (await book.rows(null)).find(({ grant }) => grant.id === of.grant && grant.sessionId === of.sessionId)
        if (known === undefined) return fail('guard.grant-gone')
        await takeGrant(known.grant, 'person', 'revoked')
        return succeed(null)
      }),
    async revokeAll() {
      if (folder === null) return
      const { id } = folder
      await read()
      await takeRules(rules.filter((rule) => rule.effect === 'allow' && holdsIn(rule, id)).map((rule) => rule.id), 'person', 'revoked all')
      for (const { grant } of await book.rows(id)) await takeGrant(grant, 'person', 'revoked all')
    },
    async revokeGrants() {
      const rows = await book.rows(null)
      for (const { grant } of rows) await takeGrant(grant, 'person', 'stopped everything')
      return rows.length
    },
    async lapsed(tool) {
      const isOn = (shape: RuleShape): boolean => shape.kind === 'tool' && shape.tool === tool
      await read()
      await takeRules(rules.filter(({ effect, shape }) => effect === 'allow' && isOn(shape)).map(({ id }) => id), 'app', 'definition changed')
      for (const { grant } of await book.rows(null)) if (isOn(grant.shape)) await takeGrant(grant, 'app', 'definition changed')
    },
    onChange: (listener) => subscribe(listeners, listener),
    close() {
      stop()
      book.close()
    },
  }
}

function holdsIn({ workspaceId }: Rule, project: WorkspaceId | null): boolean {
  return workspaceId === null || workspaceId === project
}

function firstUnusable(shapes: readonly RuleShape[]): string | null {
  return shapes.map(unusablePart).find((part) => part !== null) ?? null
}

function rowOf(rule: Rule, rules: readonly Rule[], names: Readonly<Record<string, string>>, nowMs: number): RuleRow {
  return {
    rule,
    isUnused: (rule.lastUsedAtMs ?? rule.createdAtMs) <= nowMs - unusedAfterMs,
    shadowedBy: rules.find((other) => shadows(other, rule))?.id ?? null,
    tooWide: rule.effect === 'allow' ? isTooWide(rule.shape) : null,
    workspaceName: rule.workspaceId === null ? null : (names[rule.workspaceId] ?? null),
  }
}

function recordOf({ id, effect, shape, workspaceId, expiresAtMs, usesLeft }: Rule): Readonly<Record<string, unknown>> {
  return { rule: id, effect, shape, workspaceId, expiresAtMs, usesLeft }
}

function usedBy(rule: Rule, { sessionId, turnId, callId }: AnsweredCall): Omit<AuditDraft, 'fact' | 'atMs'> {
  return { actor: 'rule', sessionId, turnId, callId, outcome: rule.id, args: { rule: rule.id, uses: rule.uses, usesLeft: rule.usesLeft } }
}

/** A database at fault is told by whoever needs it: a use is counted there before anything runs. A page that is not redrawn is no loss. */
async function quietly(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error
  }
}

