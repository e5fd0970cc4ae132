import { asId, type MessageId } from '../../src/shared/domain/ids'
import { said } from '../../src/shared/domain/result'
import { functionName, type Answer, type Ask, type Host } from '../../src/shared/ipc/bridge'
import { channels, pushes, type ChannelName, type PushName } from '../../src/shared/ipc/channels'
import type { PushBodies } from '../../src/shared/ipc/schemas'
import { defaultSettings } from '../../src/shared/domain/settings'

/** What a channel answers in memory. */
export type MemoryAnswers = { readonly [Name in ChannelName]?: (ask: Ask<Name>) => Answer<Name> | Promise<Answer<Name>> }

export interface MemoryHost {
  readonly host: Host
  /** Everything that was asked, in order. */
  readonly asked: readonly { readonly channel: ChannelName; readonly ask: unknown }[]
  /** What the main process would push. */
  push<Name extends PushName>(name: Name, body: PushBodies[Name]): void
  /** Replaces what a channel answers from now on. */
  answer(answers: MemoryAnswers): void
  /** Listeners that are still there, by push. */
  listeners(): Readonly<Record<PushName, number>>
}

const succeeded = { ok: true, value: null } as const

/** Answers of a window that was just started, without a folder. */
const quiet: MemoryAnswers = {
  'app/start': () => ({ version: '0.1.0', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace: null, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: { entries: 1, chain: '0' }, dataFolder: { path: '/home/ada/.local/share/countersign', setBy: null } }),
  'workspace/choose': () => null,
  'workspace/close': () => succeeded,
  'session/list': () => [],
  'session/rename': () => null,
  'session/read': () => [],
  'session/cancel': () => null,
  'session/set-level': () => succeeded,
  'session/queue': () => ({ ok: true, value: { messageId: asId<MessageId>('queued') } }),
  'session/withdraw': () => succeeded,
  'session/deliver': () => succeeded,
  'recovery/list': () => [],
  'recovery/changes': () => ({ ok: true, value: [] }),
  'recovery/settle': () => succeeded,
  'run/stop-all': () => ({ sessions: [], programs: [], grants: 0, fault: null, waitingMessages: 0 }),
  'approval/list': () => [],
  'approval/decide': () => succeeded,
  'approval/is-fresh': () => true,
  'command/input': () => null,
  'command/resize': () => null,
  'command/leave': () => null,
  'program/list': () => [],
  'program/end': () => null,
  'program/output': () => null,
  'program/open': () => true,
  'timeline/read': () => ({ rows: [], after: null, isWhole: true, rollbacks: [], bytes: 0, forgotten: null }),
  'timeline/changes': () => ({ ok: true, value: { changes: [], count: 0 } }),
  'timeline/now': () => ({ ok: true, value: { changes: [], count: 0 } }),
  'timeline/authors': () => ({ ok: true, value: { before: [], after: [] } }),
  'timeline/paths': () => ({ ok: true, value: [] }),
  'timeline/history': () => ({ ok: true, value: [] }),
  'timeline/uncovered': () => ({ ok: true, value: { skipped: [], count: 0 } }),
  'snapshot/space': () => ({ ok: true, value: { bytes: 0, points: 0, oldestAtMs: null, isPackable: false } }),
  'snapshot/pack': () => ({ ok: true, value: { bytes: 0, points: 0, oldestAtMs: null, isPackable: false } }),
  'snapshot/forget': () => ({ ok: true, value: { points: 0, kept: 0 } }),
  'snapshot/cancel': () => null,
  'rollback/conflict': () => ({ ok: true, value: { earlier: null, disk: null, parts: [] } }),
  'settings/change': (change) => ({ ok: true, value: { ...defaultSettings, ...(Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))) } }),
  'provider/list': () => [],
  'provider/save': () => succeeded,
  'provider/save-key': () => ({ ok: true, value: { place: 'keychain' } }),
  'provider/remove': () => succeeded,
  'provider/remove-key': () => succeeded,
  'provider/unseal': () => succeeded,
  'provider/test': () => ({ steps: [] }),
  'provider/refresh': () => ({ ok: true, value: { models: [], fresh: [], listedAtMs: 0 } }),
  'catalogue/read': () => ({ offered: [], models: {}, listedAtMs: {}, quirks: {}, network: { proxies: [], exempt: null, authority: null } }),
  'session/set-model': () => succeeded,
  'mcp/read': () => ({ file: '/home/ada/.local/share/countersign/mcp.json', fault: null, faults: [], servers: [], isDeferred: false }),
  'mcp/save': () => succeeded,
  'mcp/remove': () => succeeded,
  'mcp/choose': () => succeeded,
  'mcp/test': () => [],
  'mcp/start': () => succeeded,
  'mcp/stop': () => succeeded,
  'mcp/log': () => [],
  'mcp/review': () => succeeded,
  'mcp/scan': () => [],
  'mcp/sign-in': () => succeeded,
  'mcp/sign-out': () => succeeded,
  'mcp/resources': () => [],
  'mcp/prompts': () => [],
  'mcp/complete': () => [],
  'retrieval/read': () => ({ phase: 'off', files: 0, waiting: 0, chunks: 0, vectors: 0, skipped: 0, fault: null }),
  'retrieval/rebuild': () => null,
  'endpoint/list': () => [],
  'endpoint/save-key': () => ({ ok: true, value: { place: 'keychain' } }),
  'endpoint/cancel-test': () => null,
  'endpoint/remove-key': () => succeeded,
  'skill/read': () => ({ rows: [], faults: [], indexBytes: 0, folder: '/home/ada/.config/countersign/skills' }),
  'memory/page': () => ({ rows: [], total: 0, counts: { project: 0, general: 0, bin: 0 }, budget: { entries: 0, tokens: 0, limit: 500 } }),
  'prompt/parts': () => ({ parts: [], windowTokens: null }),
  'link/open': () => null,
  'audit/verify': () => ({ ok: true, entries: 1, signed: 0, firstBroken: null, startsAt: 1, atMs: 0 }),
  'permission/read': () => ({ grants: [], rules: [] }),
  'trust/read': () => null,
  'audit/page': () => ({ rows: [], hasMore: false, entries: 0 }),
  'session/pin': () => succeeded,
  'session/delete': () => succeeded,
  'session/restore': () => succeeded,
  'session/search': () => ({ ok: true, value: { hits: [], hasMore: false, isWhole: true } }),
  'attach/find': () => [],
  'attach/place': () => null,
  'draft/list': () => [],
  'draft/save': () => null,
  'file/known': ({ names }) => names.map(() => null),
  'file/find': () => ({ ok: true, value: { paths: [], total: 0, isCut: false } }),
  'file/open': () => succeeded,
  'file/show': () => succeeded,
  'editor/list': () => [],
  'editor/test': () => succeeded,
  'sandbox/test': () => ({ kind: 'on', means: 'bubblewrap', canTry: true, testedAtMs: 0 }),
}

/** The bridge without a main process: for tests and stories. A channel nobody gave an answer for rejects. */
export function memoryHost(first: MemoryAnswers = {}): MemoryHost {
  let answers: MemoryAnswers = { ...quiet, ...first }
  const asked: { channel: ChannelName; ask: unknown }[] = []
  const heard = new Map<PushName, Set<(body: never) => void>>(pushes.map((name) => [name, new Set()]))
  const doors = channels.map((channel) => [functionName(channel), async (ask: never) => {
    asked.push({ channel, ask })
    const answer = answers[channel] as ((ask: unknown) => unknown) | undefined
    if (!answer) throw new Error(`nobody answers ${channel} here`)
    return structuredClone(await answer(structuredClone(ask)))
  }] as const)
  const on = (name: PushName, listener: (body: never) => void): (() => void) => {
    heard.get(name)?.add(listener)
    return () => void heard.get(name)?.delete(listener)
  }
  return {
    host: { ...Object.fromEntries(doors), on, droppedPath: () => '/home/ada/dropped' } as unknown as Host,
    asked,
    push: (name, body) => heard.get(name)?.forEach((listener) => listener(structuredClone(body) as never)),
    answer: (more) => { answers = { ...answers, ...more } },
    listeners: () => Object.fromEntries(pushes.map((name) => [name, heard.get(name)?.size ?? 0])) as Record<PushName, number>,
  }
}
