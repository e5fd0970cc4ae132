import type { Result, Said } from '../../shared/domain/result'
import { fail, succeed } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import type { Skill, SkillFault } from '../../shared/domain/skill'
import type { TrustFindings, TrustItem, TrustRef } from '../../shared/domain/trust'
import type { AuditSink } from '../core/ports/auditSink'
import type { Clock } from '../core/ports/clock'
import type { McpServerConfig } from '../core/ports/mcpConfig'
import type { ProjectConfig, ProjectFinds } from '../core/trust/projectFinds'
import type { TrustDecision, TrustStore } from '../core/ports/trustStore'
import { subscribe } from './sessions'
import { itemsOf, keyOf, stateOf, type TrustSurroundings } from './trustItems'

/** A skill of the opened folder, read once with its hash; only one that is trusted may be used. */
export interface ProjectSkill {
  readonly skill: Skill
  readonly text: string
  readonly isTrusted: boolean
}

/** What of the opened folder counts as configuration now: only what the person trusted, with exactly the content they saw. */
export interface TrustedParts {
  /** In the order in which they stand in the prompt. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[]
  readonly servers: readonly McpServerConfig[]
  /** False where the person's word for everything was given on the command line: then no start is asked for again. */
  readonly asksToStart: boolean
  /** All of the project's, also those that take no part: the skills page shows them. */
  readonly skills: readonly ProjectSkill[]
  readonly skillFaults: readonly SkillFault[]
}

/** What counts: what was decided in the window; or the person's word on a command line, for this process alone: all of it, which is recorded, or none. */
export type Trusts = 'decided' | 'all' | 'nothing'

/**
 * Trust of the opened folder (SECURITY decision 12; R43, R56, R61). Nothing is started or sent by looking; a file that changed
 * since it was trusted takes no part until it was seen again. What takes part is what was read when its hash was made, never
 * the file again.
 */
export interface Trust {
  /** Looks at the folder. Left out, `trusts` is `decided`. */
  useFolder(workspace: Workspace | null, trusts?: Trusts): Promise<void>
  /** Read anew. Null when no folder is open. */
  findings(): Promise<TrustFindings | null>
  /** Fails when an item is no longer as it was shown; then nothing was decided. */
  decide(trusted: readonly TrustRef[], declined: readonly TrustRef[]): Promise<Result<TrustFindings>>
  /** As of the last look. The begin of each turn looks again (`refresh`). */
  parts(): TrustedParts
  refresh(): Promise<void>
  /** Called after a look that found something else, and after a decision. Returns a stop. */
  onChange(listener: (findings: TrustFindings | null) => void): () => void
}

/** What the service works with. */
export interface TrustPorts {
  readonly config: ProjectConfig
  readonly store: TrustStore
  readonly audit: Pick<AuditSink, 'append'>
  readonly clock: Clock
  /** Hands on what takes part; resolves when nothing else of the folder is in use. */
  use(parts: TrustedParts, workspace: Workspace | null): Promise<void>
  /** What judging what was found in this folder needs to know. */
  surroundings(root: string): Promise<TrustSurroundings>
}

/** One look at a folder. */
interface Look {
  readonly workspace: Workspace
  readonly finds: ProjectFinds
  readonly items: readonly TrustItem[]
  readonly decisions: readonly TrustDecision[]
}

const nothing: TrustedParts = { instructions: [], servers: [], asksToStart: true, skills: [], skillFaults: [] }

/** Makes it; until a folder is used nothing is looked at. */
export function makeTrust(ports: TrustPorts): Trust {
  const listeners = new Set<(findings: TrustFindings | null) => void>()
  let folder: { readonly workspace: Workspace; readonly trusts: Trusts } | null = null
  let last: Look | null = null
  let parts: TrustedParts = nothing
  /** Looks and decisions one after the other: two at once would answer for each other's files. */
  let queue: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work, work)
    queue = done.catch(() => undefined)
    return done
  }

  async function take(next: Look | null): Promise<void> {
    const before = last
    last = next
    parts = next === null ? nothing : partsOf(next, folder?.trusts ?? 'nothing')
    if (signOf(before) === signOf(next)) return
    await ports.use(parts, next?.workspace ?? null)
    listeners.forEach((listener) => listener(next === null ? null : findingsOf(next)))
  }

  /** The folder may be another one by the time its files are read; then that look counts for nothing. */
  async function look(): Promise<Look | null> {
    const of = folder
    if (of === null) return null
    const [finds, decisions, around] = await Promise.all([ports.config.look(of.workspace.root), ports.store.decisions(of.workspace.id), ports.surroundings(of.workspace.root)])
    if (folder !== of) return last
    const seen: Look = { workspace: of.workspace, finds, items: itemsOf(finds, decisions, around), decisions }
    await take(seen)
    return last
  }

  async function record(workspace: Workspace, items: readonly TrustItem[], isTrusted: (item: TrustItem) => boolean, actorSays: string): Promise<void> {
    const atMs = ports.clock.nowMs()
    const decisions = items.map((item): TrustDecision => ({ kind: item.kind, name: item.name, hash: item.hash, isTrusted: isTrusted(item), decidedAtMs: atMs }))
    // Recorded first: trust that nobody can look up must not hold.
    await ports.audit.append({ fact: 'trust-decided', atMs, actor: 'person', outcome: actorSays, args: { folder: workspace.root, items: decisions.map(({ kind, name, hash, isTrusted: is }) => ({ kind, name, hash, decision: is ? 'trusted' : 'declined' })) } })
    if (actorSays === 'shown') await ports.store.decide(workspace.id, decisions)
  }

  return {
    useFolder: (workspace, trusts = 'decided') => {
      folder = workspace === null ? null : { workspace, trusts }
      // At once: nobody works in the next folder with what was trusted of the one before.
      parts = nothing
      return inTurn(async () => {
        await take(null)
        const seen = await look()
        if (seen !== null && trusts === 'all' && seen.items.length > 0) await record(seen.workspace, seen.items, () => true, 'command-line')
      })
    },
    findings: () =>
      inTurn(async () => {
        const seen = await look()
        return seen === null ? null : findingsOf(seen)
      }),
    decide: (trusted, declined) =>
      inTurn(async () => {
        const seen = await look()
        if (seen === null) return fail('trust.no-folder')
        const known = new Map(seen.items.map((item) => [keyOf(item), item]))
        const gone = [...trusted, ...declined].find((ref) => !known.has(keyOf(ref)))
        if (gone !== undefined) return fail('trust.outdated', { name: gone.name })
        const ticked = new Set(trusted.map(keyOf))
        const items = [...new Set([...trusted, ...declined].map(keyOf))].flatMap((key) => known.get(key) ?? [])
        if (items.length > 0) await record(seen.workspace, items, (item) => ticked.has(keyOf(item)), 'shown')
        const after = await look()
        return after === null ? fail('trust.no-folder') : succeed(findingsOf(after))
      }),
    parts: () => parts,
    refresh: () => inTurn(async () => void (await look())),
    onChange: (listener) => subscribe(listeners, listener),
  }
}

function findingsOf({ workspace, finds, items }: Look): TrustFindings {
  const faults: readonly Said[] = finds.faults
  return { workspaceId: workspace.id, root: workspace.root, items, hooks: finds.hooks, faults, isAsking: items.some(({ state }) => state === 'new' || state === 'changed') }
}

/** The same exactly when there is nothing new to tell. */
function signOf(seen: Look | null): string {
  return seen === null ? '' : JSON.stringify([seen.workspace.id, seen.items.map(({ kind, name, hash, state }) => [kind, name, hash, state]), seen.finds.hooks, seen.finds.faults])
}

/** By the hash of this very look: what is handed on was read with it. */
function partsOf({ finds, decisions }: Look, trusts: Trusts): TrustedParts {
  const isTrusted = (ref: TrustRef): boolean => trusts === 'all' || (trusts === 'decided' && stateOf(ref, decisions) === 'trusted')
  return {
    instructions: finds.instructions.filter(({ path, hash }) => isTrusted({ kind: 'instructions', name: path, hash })).map(({ path, text }) => ({ path, text })),
    servers: finds.servers.filter(({ config, hash }) => isTrusted({ kind: 'server', name: config.name, hash })).map(({ config }) => config),
    asksToStart: trusts !== 'all',
    skills: finds.skills.map(({ skill, text, hash }) => ({ skill, text, isTrusted: isTrusted({ kind: 'skill', name: skill.path, hash }) })),
    skillFaults: finds.skillFaults,
  }
}
