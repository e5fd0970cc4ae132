import { said } from '../../src/shared/domain/result'
import { asId, type CallId, type SessionId, type TurnId, type WorkspaceId } from '../../src/shared/domain/ids'
import type { Call, CallChange } from '../../src/shared/domain/call'
import type { EventDraft } from '../../src/shared/domain/event'

const choice = { provider: 'fake', model: 'fake-1' }

/** The first event of a session. */
export function opened(workspaceId: WorkspaceId, title = 'First'): EventDraft {
  return { type: 'session-opened', workspaceId, title, level: 'writes' }
}

/** A message and the start of its turn. */
export function turnBegun(turn: string, text = 'Please'): readonly EventDraft[] {
  const turnId = asId<TurnId>(turn)
  return [
    { type: 'user-message-added', turnId, messageId: asId(`${turn}-message`), text },
    { type: 'turn-started', turnId, choice, level: 'writes' },
  ]
}

/** The end of a turn. */
export function turnEnded(turn: string, reason: Extract<EventDraft, { type: 'turn-ended' }>['reason'] = 'done', auditHead: Extract<EventDraft, { type: 'turn-ended' }>['auditHead'] = null): EventDraft {
  return { type: 'turn-ended', turnId: asId(turn), step: 1, reason, say: said('turn.done'), text: '', tokens: { input: 1, output: 2 }, auditHead }
}

/** A line of the conversation that belongs to nothing, of any length. */
export function note(turn: string, problem: string): EventDraft {
  return { type: 'note-added', turnId: asId(turn), step: 1, say: said('tool.failed', { problem }), isForModel: false }
}

/** The intent of one call, as the loop records it. */
export function intent(sessionId: SessionId, turn: string, call: string, effect: Call['effect'] = 'write'): { readonly drafts: readonly EventDraft[]; readonly changes: readonly CallChange[] } {
  const at = { turnId: asId<TurnId>(turn), step: 1 }
  const callId = asId<CallId>(call)
  const own = { callId, providerCallId: `provider-${call}`, index: 0, tool: 'write_file', effect }
  return {
    drafts: [{ type: 'tool-called', ...at, ...own, argumentsText: '{"path":"a"}', args: { path: 'a' } }],
    changes: [{ to: 'intent', call: { ...at, ...own, sessionId, proposed: '{"path":"a"}' } }],
  }
}

/** The single result of a call. */
export function toolFinished(turn: string, call: string): EventDraft {
  return {
    type: 'tool-finished', turnId: asId(turn), step: 1, callId: asId(call), status: 'ok', say: said('tool.answered'), text: 'ok', changed: [],
    exitCode: null, outputRef: null, durationMs: 1,
  }
}

const inTurn = { turnId: asId<TurnId>('t1'), step: 1 }
const callId = asId<CallId>('call-1')

/** One draft of every type, so that what is said of events is tested with each. A new type does not compile until it is here. */
export const oneOfEach: { readonly [Type in EventDraft['type']]: Extract<EventDraft, { type: Type }> } = {
  'session-opened': { type: 'session-opened', workspaceId: asId('w1'), title: 'First', level: 'writes' },
  'session-renamed': { type: 'session-renamed', title: '改名 👍' },
  'session-pinned': { type: 'session-pinned', isPinned: true },
  'session-deleted': { type: 'session-deleted' },
  'session-restored': { type: 'session-restored' },
  'message-queued': { type: 'message-queued', messageId: asId('m3'), text: 'also this', files: [{ path: 'a/b.ts', name: 'b.ts', text: 'x', outputRef: null, content: [] }] },
  'message-withdrawn': { type: 'message-withdrawn', messageId: asId('m3') },
  'message-pinned': { type: 'message-pinned', messageSeq: 3, isPinned: true },
  'user-message-added': { type: 'user-message-added', turnId: inTurn.turnId, messageId: asId('m1'), text: 'Please "do" it\n\u0000' },
  'turn-started': { type: 'turn-started', turnId: inTurn.turnId, choice, level: 'all' },
  'skill-loaded': { type: 'skill-loaded', ...inTurn, callId, skill: { origin: 'user', path: 'review/SKILL.md', name: 'review', version: '1.0' }, inputs: { depth: 2, note: '中文' }, text: '# Review', tools: [{ tool: 'run_command', programs: ['git'] }], outputSchema: { type: 'object' } },
  'assistant-message-added': {
    type: 'assistant-message-added', ...inTurn, messageId: asId('m2'), text: 'I will', reasoning: 'hm', choice, stop: 'tool-calls', isComplete: true,
    calls: [{ callId, providerCallId: 'p1', name: 'write_file', argumentsText: '{"path":"a"}' }],
  },
  'usage-reported': { type: 'usage-reported', ...inTurn, usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 2, estimated: false }, choice: { provider: 'main', model: 'large' }, purpose: 'turn', cost: { currency: 'USD', micros: 42 }, durationMs: 1200 },
  'tool-called': { type: 'tool-called', ...inTurn, callId, providerCallId: 'p1', index: 0, tool: 'write_file', effect: 'write', argumentsText: '{"path":"a"}', args: { path: 'a' }, repair: said('model.repair-string') },
  'approval-asked': {
    type: 'approval-asked', ...inTurn, callId,
    request: {
      ...inTurn, callId, sessionId: asId('session-1'), tool: 'write_file', effect: 'write', args: { path: 'a' }, argsHash: 'h', baseHashes: { a: null }, nonce: 'n',
      reason: said('tool.denied'), preview: { kind: 'edit', path: 'a', before: null, after: 'x', notes: [] }, coverage: { kind: 'full', skipped: [] }, sandbox: 'none', askedAtMs: 5,
    },
  },
  'approval-decided': { type: 'approval-decided', ...inTurn, callId, decision: 'edited', by: 'person', args: { path: 'b' }, reason: null },
  'approval-withdrawn': { type: 'approval-withdrawn', ...inTurn, callId },
  'tool-started': { type: 'tool-started', ...inTurn, callId, args: { path: 'b' } },
  'command-input-sent': { type: 'command-input-sent', ...inTurn, callId, text: 'y\n' },
  'grant-given': { type: 'grant-given', ...inTurn, grant: { id: 'g1', sessionId: asId('session-1'), turnId: inTurn.turnId, shape: { kind: 'command', words: [{ kind: 'exact', text: 'npm' }, { kind: 'any' }], isOpen: false }, callId, givenAtMs: 5, expiresAtMs: null, usesLeft: 3 } },
  'grant-used': { type: 'grant-used', ...inTurn, grantId: 'g1', callId },
  'grant-revoked': { type: 'grant-revoked', grantId: 'g1' },
  'tool-finished': {
    type: 'tool-finished', ...inTurn, callId, status: 'ok', say: said('tool.answered'), text: 'done', changed: [{ path: 'b', before: null, after: 'hash' }], exitCode: 0, outputRef: null, durationMs: 3,
  },
  'taint-marked': { type: 'taint-marked', ...inTurn, callId, source: { kind: 'mcp', server: 'docs' } },
  'snapshot-taken': { type: 'snapshot-taken', turnId: null, step: null, snapshotId: asId('snap-1'), kind: 'drift', author: 'you', callId: null, paths: ['a'] },
  'history-repaired': { type: 'history-repaired', turnId: null, repairs: [said('tool.interrupted')] },
  'history-compacted': {
    type: 'history-compacted', turnId: null, compactionId: asId('k1'), strategy: 'once', by: 'limit', beforeSeq: 9, summary: 'They made 表格.', pinned: [3], trimmed: [{ callId, headCharacters: 2000, tailCharacters: 2000, outputRef: 'a'.repeat(64) }],
    summarisedMessages: 4, keptTurns: 3, tokensBefore: 9000, tokensAfter: 3000, choice,
  },
  'memory-proposed': { type: 'memory-proposed', compactionId: asId('k1'), text: 'Tables are made 表格.' },
  'memory-decided': { type: 'memory-decided', compactionId: asId('k1'), decision: 'kept' },
  'compaction-undone': { type: 'compaction-undone', compactionId: asId('k1') },
  'budget-reached': { type: 'budget-reached', ...inTurn, reached: { kind: 'turn-cost', currency: 'USD', limit: 2_000_000, spent: 2_010_000 } },
  'budget-raised': { type: 'budget-raised', ...inTurn, raise: { kind: 'turn-cost', currency: 'USD', limit: 4_000_000 }, by: 'person' },
  'level-changed': { type: 'level-changed', level: 'read-only' },
  'model-changed': { type: 'model-changed', choice },
  'note-added': { type: 'note-added', ...inTurn, say: said('tool.failed', { problem: 'x' }), isForModel: false },
  'turn-ended': { type: 'turn-ended', ...inTurn, reason: 'done', say: said('turn.done'), text: 'Done.', tokens: { input: 10, output: 5 }, auditHead: { entries: 3, chain: 'c'.repeat(64) } },
  'rolled-back': { type: 'rolled-back', rollbackId: asId('r1'), scope: 'both', hidden: { fromSeq: 2, toSeq: 5 }, paths: ['a'], failed: ['b'] },
  'rollback-undone': { type: 'rollback-undone', rollbackId: asId('r2'), undoneId: asId('r1') },
}
