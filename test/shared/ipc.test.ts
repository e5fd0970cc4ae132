import { describe, expect, test } from 'vitest'
import { functionName, type Ask } from '../../src/shared/ipc/bridge'
import { channels, type ChannelName } from '../../src/shared/ipc/channels'
import { schemas } from '../../src/shared/ipc/schemas'

const hash = 'a'.repeat(64)
const target = { to: 's1', keepUserEdits: true }
const apply: Ask<'rollback/apply'> = { target, scope: 'both', sessionId: 'a', turnId: null, head: 's2', leftChanges: {}, unticked: [], resolved: {} }
const provider = { id: 'p', name: 'P', baseUrl: 'http://127.0.0.1', protocol: 'openai', model: 'm' } as const
const form: Ask<'mcp/save'>['form'] = { name: 's', transport: 'stdio', command: 'node', args: [''], cwd: '', env: [{ name: 'A', value: { kind: 'kept' } }], url: '', headers: [], isDisabled: false, timeoutMs: null }
const draft: Ask<'permission/try-out'>['draft'] = { effect: 'allow', shape: { kind: 'command', words: [{ kind: 'exact', text: 'npm' }, { kind: 'any' }], isOpen: true }, workspaceId: null, createdFromCall: null, expiresAtMs: null, usesLeft: 3 }
const auditAsk: Ask<'audit/page'> = { query: '', isThisProject: true, sinceMs: null, by: 'all', what: 'all', before: null, limit: 100 }
const page: Ask<'memory/page'> = { query: '', scope: 'all', isBin: false, order: { by: 'at', isDescending: true }, offset: 0, limit: 50, draft: '' }
const decision = { callId: 'c', nonce: 'n', argsHash: 'h', answer: { kind: 'allow' } } as const

/** For each channel what it takes and what it refuses; one without a row here does not compile. */
const rows: { readonly [Name in ChannelName]: { readonly takes: Ask<Name>; readonly refuses: readonly unknown[] } } = {
  'file/read': { takes: { path: 'src/a.ts', isAsked: false }, refuses: [{ path: '', isAsked: false }, { path: 'a' }, { path: 'x'.repeat(4097), isAsked: true }] },
  'file/known': { takes: { names: ['a.ts'], base: null }, refuses: [{ names: [], base: null }, { names: ['a'] }, { names: Array.from({ length: 201 }, () => 'a'), base: null }] },
  'file/find': { takes: { query: '' }, refuses: [{ query: 'x'.repeat(1001) }, {}] },
  'file/open': { takes: { path: 'a', line: 1, column: 1 }, refuses: [{ path: 'a', line: 0, column: 1 }, { path: 'a', line: 1.5, column: 1 }, { path: '', line: 1, column: 1 }] },
  'file/show': { takes: { path: 'a' }, refuses: [{ path: '' }] },
  'editor/list': { takes: {}, refuses: [0] },
  'editor/test': { takes: {}, refuses: ['sh -c ls'] },
  'app/start': { takes: {}, refuses: [7] },
  'workspace/choose': { takes: {}, refuses: ['/'] },
  'workspace/open': { takes: { root: '/p' }, refuses: [{ root: '' }, { root: 'x'.repeat(4097) }, { root: ['/'] }] },
  'workspace/close': { takes: {}, refuses: ['/p'] },
  'session/list': { takes: {}, refuses: [0] },
  'session/create': { takes: {}, refuses: [true] },
  'session/rename': { takes: { sessionId: 'a', title: 'T' }, refuses: [{ sessionId: 'a', title: '' }, { sessionId: '', title: 'T' }] },
  'session/read': { takes: { sessionId: 'a', fromSeq: 1 }, refuses: [{ sessionId: 'a', fromSeq: 0 }, { sessionId: 'a', fromSeq: 1.5 }, { sessionId: 'a', fromSeq: 1, toSeq: undefined }] },
  'session/prompt': { takes: { sessionId: 'a', text: 'go', files: [{ kind: 'project', path: 'a/b' }, { kind: 'kept', ref: hash, name: 'p', mimeType: 'image/png' }] }, refuses: [{ sessionId: 'a', text: '' }, { sessionId: 'a', text: 'go', files: [{ kind: 'kept', ref: '../a', name: 'p', mimeType: 'image/png' }] }, { sessionId: 'a', text: 'go', files: [{ kind: 'project', path: '' }] }, { text: 'go' }] },
  'session/cancel': { takes: { sessionId: 'a' }, refuses: [{ sessionId: { $ne: '' } }] },
  'session/set-level': { takes: { sessionId: 'a', level: 'all' }, refuses: [{ sessionId: 'a', level: 'none' }, { sessionId: 'a' }] },
  'session/queue': { takes: { sessionId: 'a', text: 'and then', messageId: 'm' }, refuses: [{ sessionId: 'a', text: '' }, { sessionId: 'a', text: 'x', messageId: '' }, { text: 'x' }] },
  'attach/find': { takes: { query: '设计' }, refuses: [{}, { query: 'x'.repeat(301) }] },
  'attach/place': { takes: { path: '/p/a.png' }, refuses: [{ path: '' }, { path: 7 }] },
  'attach/take': { takes: { name: 'a.png', base64: 'AAAA' }, refuses: [{ name: '', base64: 'AAAA' }, { name: 'a', base64: 'no base64!' }] },
  'session/withdraw': { takes: { sessionId: 'a', messageId: 'm' }, refuses: [{ sessionId: 'a' }, { sessionId: 'a', messageId: 7 }] },
  'session/deliver': { takes: { sessionId: 'a', messageId: 'm' }, refuses: [{ messageId: 'm' }, { sessionId: 'a', messageId: '' }] },
  'recovery/list': { takes: {}, refuses: [0] },
  'recovery/changes': { takes: { callId: 'c' }, refuses: [{ callId: '' }, {}] },
  'recovery/settle': { takes: { callId: 'c', answer: 'again' }, refuses: [{ callId: 'c', answer: 'yes' }, { answer: 'done' }] },
  'run/stop-all': { takes: {}, refuses: [true] },
  'approval/list': { takes: {}, refuses: [''] },
  'approval/decide': { takes: decision, refuses: [{ ...decision, nonce: '' }, { ...decision, answer: { kind: 'always' } }, { ...decision, answer: { kind: 'edited' } }, { ...decision, argsHash: undefined }] },
  'command/input': { takes: { callId: 'c', text: 'y\n' }, refuses: [{ callId: 'c', text: 'x'.repeat(100_001) }, { callId: 'c', text: '' }] },
  'command/resize': { takes: { callId: 'c', columns: 80, rows: 24 }, refuses: [{ callId: 'c', columns: 0, rows: 24 }, { callId: 'c', columns: 80, rows: 1e9 }] },
  'command/leave': { takes: { callId: 'c' }, refuses: [{ callId: '' }, {}] },
  'output/read': { takes: { ref: hash, offset: 0, length: 10 }, refuses: [{ ref: '../../etc/passwd', offset: 0, length: 10 }, { ref: hash, offset: -1, length: 10 }, { ref: hash, offset: 0, length: 1e7 }] },
  'program/list': { takes: {}, refuses: [Number.NaN] },
  'program/output': { takes: { callId: 'c' }, refuses: [{ callId: '' }, {}] },
  'program/open': { takes: { port: 3000 }, refuses: [{ port: 0 }, { port: 65_536 }, { port: 'http://evil.example' }] },
  'program/end': { takes: { pid: 4242 }, refuses: [{ pid: 1 }, { pid: -1 }, { pid: '4242' }] },
  'timeline/read': { takes: { after: 's' }, refuses: [false, { after: '' }, { after: null }] },
  'timeline/changes': { takes: { before: null, after: 's' }, refuses: [{ before: null }, { before: '', after: null }] },
  'timeline/file': { takes: { oid: 'b'.repeat(40) }, refuses: [{ oid: 'HEAD' }, { oid: 'B'.repeat(40) }] },
  'timeline/now': { takes: {}, refuses: [null] },
  'timeline/authors': { takes: { path: 'a', before: 's1', after: null }, refuses: [{ path: '', before: 's1', after: null }, { path: 'a', before: null, after: null }] },
  'timeline/paths': { takes: { at: 's1', query: '' }, refuses: [{ at: '', query: '' }, { at: 's1', query: 'x'.repeat(1001) }] },
  'timeline/history': { takes: { path: 'a' }, refuses: [{ path: '' }] },
  'timeline/uncovered': { takes: {}, refuses: [0] },
  'snapshot/space': { takes: {}, refuses: [0] },
  'snapshot/pack': { takes: {}, refuses: [0] },
  'snapshot/forget': { takes: { before: 's1', isDry: true }, refuses: [{ before: 's1' }, { before: '', isDry: false }] },
  'snapshot/cancel': { takes: {}, refuses: [0] },
  'rollback/conflict': { takes: { target, path: 'a' }, refuses: [{ target, path: '' }] },
  'rollback/plan': { takes: { target }, refuses: [{ target: { to: 's1' } }, { target: { ...target, paths: [1] } }] },
  'rollback/apply': { takes: apply, refuses: [{ ...apply, scope: 'all' }, { ...apply, head: '' }, { ...apply, resolved: { a: 1 } }] },
  'rollback/undo': { takes: { rollbackId: 'r' }, refuses: [{ rollbackId: '' }] },
  'settings/change': { takes: { theme: 'dark' }, refuses: [{ theme: 'pink' }, { maxSteps: 0 }, { reopenFolder: 'no' }] },
  'provider/list': { takes: {}, refuses: [1n] },
  'provider/save': { takes: provider, refuses: [{ ...provider, protocol: 'ftp' }, { ...provider, id: '' }] },
  'provider/save-key': { takes: { provider: 'p', key: 'k' }, refuses: [{ provider: 'p', key: '' }, { provider: 'p', key: 'k', passPhrase: '' }] },
  'provider/remove': { takes: { provider: 'p' }, refuses: [{ provider: '' }, { provider: ['p'] }] },
  'provider/remove-key': { takes: { provider: 'p' }, refuses: [{}, { provider: 7 }] },
  'provider/unseal': { takes: { passPhrase: 'x' }, refuses: [{ passPhrase: '' }] },
  'provider/test': { takes: { provider: 'p' }, refuses: [{ provider: 'p'.repeat(101) }] },
  'provider/refresh': { takes: { provider: 'p' }, refuses: [{}] },
  'catalogue/read': { takes: {}, refuses: [0] },
  'session/set-model': { takes: { sessionId: 'a', choice: { provider: 'p', model: 'm' } }, refuses: [{ sessionId: 'a' }, { sessionId: 'a', choice: { provider: 'p', model: '' } }, { sessionId: '', choice: { provider: 'p', model: 'm' } }] },
  'practice/start': { takes: {}, refuses: ['now'] },
  'mcp/read': { takes: {}, refuses: [3] },
  'mcp/server': { takes: { name: 's' }, refuses: [{ name: '' }, {}] },
  'mcp/save': { takes: { form, previousName: null }, refuses: [{ form }, { form: { ...form, transport: 'ftp' }, previousName: null }, { form: { ...form, env: [{ name: 'A', value: { kind: 'kept', text: 1 }, more: 1 }, { name: 'B' }] }, previousName: null }, { form: { ...form, timeoutMs: 1 }, previousName: null }] },
  'mcp/remove': { takes: { name: 's' }, refuses: [{ name: 7 }] },
  'mcp/choose': { takes: { name: 's', choice: { kind: 'here', isOn: false } }, refuses: [{ name: 's', choice: { kind: 'all', isOn: true } }, { name: 's', choice: { kind: 'effect', tool: 't', effect: 'read' } }] },
  'mcp/test': { takes: { form, previousName: 's', ticket: 't' }, refuses: [{ form, previousName: 's' }] },
  'mcp/start': { takes: { name: 's' }, refuses: [{}] },
  'mcp/stop': { takes: { name: 's' }, refuses: [{}] },
  'mcp/log': { takes: { name: 's' }, refuses: [{ name: null }] },
  'mcp/review': { takes: { name: 's', subject: 'tool', tool: 't', hash, accept: true }, refuses: [{ name: 's', subject: 'tool', tool: 't', hash: 'no', accept: true }, { name: 's', subject: 'all', tool: '', hash, accept: true }] },
  'mcp/reveal': { takes: { name: 's', list: 'env', field: 'A' }, refuses: [{ name: 's', list: 'keychain', field: 'A' }] },
  'mcp/paste': { takes: { text: '{}' }, refuses: [{ text: '' }] },
  'mcp/scan': { takes: {}, refuses: ['home'] },
  'mcp/import': { takes: { source: { text: '{}' }, rows: [{ name: 'a', as: 'b' }] }, refuses: [{ source: {}, rows: [{ name: 'a', as: 'b' }] }, { source: { path: '/f' }, rows: [] }] },
  'mcp/sign-in': { takes: { name: 's' }, refuses: [{}] },
  'mcp/sign-out': { takes: { name: 's' }, refuses: [{}] },
  'mcp/resources': { takes: { query: '' }, refuses: [{}] },
  'mcp/prompts': { takes: {}, refuses: [1] },
  'mcp/complete': { takes: { server: 's', of: { prompt: 'p' }, argument: 'a', value: '', known: {} }, refuses: [{ server: 's', of: {}, argument: 'a', value: '', known: {} }] },
  'mcp/prompt': { takes: { server: 's', name: 'p', args: { a: 'b' } }, refuses: [{ server: 's', name: 'p', args: { a: 1 } }] },
  'output/content': { takes: { ref: hash }, refuses: [{ ref: '../x' }] },
  'memory/page': { takes: page, refuses: [{ ...page, limit: 0 }, { ...page, scope: 'everyone' }, { ...page, offset: -1 }, { ...page, order: { by: 'text' } }] },
  'memory/save': { takes: { text: '记住', scope: 'project', by: 'save', sessionId: 's' }, refuses: [{ text: '', scope: 'project', by: 'save', sessionId: null }, { text: 'x'.repeat(4001), scope: 'project', by: 'table', sessionId: null }, { text: 'x', scope: 'project', by: 'agent', sessionId: null }] },
  'memory/change': { takes: { changes: [{ id: 'm', rev: 1, text: 'x' }] }, refuses: [{ changes: [] }, { changes: [{ id: 'm', rev: 0 }] }, { changes: [{ id: 'm', rev: 1, scope: 'all' }] }, { changes: [{ id: 'm', rev: 1, source: {} }, { id: '', rev: 1 }] }] },
  'memory/remove': { takes: { ids: ['m'] }, refuses: [{ ids: [] }, { ids: 'm' }] },
  'memory/clear': { takes: { scope: 'general' }, refuses: [{ scope: 'all' }, {}] },
  'memory/restore': { takes: { from: { batch: 'b' } }, refuses: [{ from: {} }, { from: { ids: [] } }] },
  'memory/import': { takes: { scope: 'project' }, refuses: [{ scope: 'all' }, {}] },
  'memory/export': { takes: { format: 'markdown', scope: 'all' }, refuses: [{ format: 'csv', scope: 'all' }] },
  'skill/read': { takes: {}, refuses: [1] },
  'skill/text': { takes: { origin: 'user', path: 'a/SKILL.md' }, refuses: [{ origin: 'web', path: 'a' }, { origin: 'user', path: '' }] },
  'skill/switch': { takes: { origin: 'app', path: 'a/SKILL.md', isOn: false }, refuses: [{ origin: 'app', path: 'a/SKILL.md' }] },
  'skill/reload': { takes: {}, refuses: [''] },
  'skill/open-folder': { takes: {}, refuses: ['/etc'] },
  'prompt/parts': { takes: { sessionId: null, draft: '' }, refuses: [{ draft: '' }, { sessionId: null }] },
  'retrieval/read': { takes: {}, refuses: [1] },
  'retrieval/rebuild': { takes: {}, refuses: [1] },
  'endpoint/list': { takes: {}, refuses: [1] },
  'endpoint/save-key': { takes: { of: 'embedding', key: 'k' }, refuses: [{ of: 'model', key: 'k' }, { of: 'rerank', key: '' }] },
  'endpoint/remove-key': { takes: { of: 'web-search' }, refuses: [{ of: '' }] },
  'endpoint/test': { takes: { of: 'rerank' }, refuses: [{}] },
  'endpoint/cancel-test': { takes: { of: 'rerank' }, refuses: [{}] },
  'link/open': { takes: { url: 'https://example.org/' }, refuses: [{ url: '' }, { url: 'x'.repeat(4097) }] },
  'audit/page': { takes: auditAsk, refuses: [{ ...auditAsk, limit: 501 }, { ...auditAsk, by: 'agent' }, { ...auditAsk, before: 0 }] },
  'audit/record': { takes: { entry: 1 }, refuses: [{ entry: 0 }, { entry: '1' }] },
  'audit/export': { takes: { format: 'html', part: { query: '', isThisProject: false, sinceMs: null, by: 'all', what: 'edit' } }, refuses: [{ format: 'pdf', part: null }, { format: 'html' }, { format: 'html', part: { query: '' } }] },
  'approval/is-fresh': { takes: { callId: 'c', nonce: 'n' }, refuses: [{ callId: 'c' }, { callId: 'c', nonce: '' }] },
  'approval/trial-file': { takes: { callId: 'c', trialId: 't', path: 'a.ts' }, refuses: [{ callId: 'c', trialId: 't', path: '' }] },
  'permission/read': { takes: {}, refuses: [8] },
  'permission/propose': { takes: { callId: 'c' }, refuses: [{}] },
  'permission/try-out': { takes: { draft, replaces: null }, refuses: [{ draft: { ...draft, effect: 'maybe' }, replaces: null }, { draft: { ...draft, shape: { kind: 'command', words: [], isOpen: true } }, replaces: null }] },
  'permission/save': { takes: { drafts: [draft], replaces: '7' }, refuses: [{ drafts: [], replaces: null }, { drafts: [{ ...draft, usesLeft: 0 }], replaces: null }] },
  'permission/revoke': { takes: { of: { rule: '7' } }, refuses: [{ of: { grant: 'g' } }, { of: {} }] },
  'permission/revoke-all': { takes: {}, refuses: ['all'] },
  'trust/read': { takes: {}, refuses: [2] },
  'trust/decide': { takes: { trusted: [{ kind: 'server', name: 's', hash }], declined: [] }, refuses: [{ trusted: [{ kind: 'hook', name: 's', hash }], declined: [] }, { trusted: [] }] },
  'sandbox/test': { takes: {}, refuses: [1] },
  'context/read': { takes: { sessionId: 'a' }, refuses: [{}, { sessionId: '' }] },
  'context/compact': { takes: { sessionId: 'a', words: '' }, refuses: [{ sessionId: 'a' }, { sessionId: 'a', words: 'x'.repeat(4001) }] },
  'context/cancel': { takes: { sessionId: 'a' }, refuses: [{ sessionId: 1 }] },
  'context/undo': { takes: { sessionId: 'a', compactionId: 'k' }, refuses: [{ sessionId: 'a' }, { sessionId: 'a', compactionId: '' }] },
  'context/pin': { takes: { sessionId: 'a', messageSeq: 3, isPinned: true }, refuses: [{ sessionId: 'a', messageSeq: 0, isPinned: true }, { sessionId: 'a', messageSeq: 3, isPinned: 'yes' }] },
  'context/edit-summary': { takes: { sessionId: 'a', compactionId: 'k', summary: 'x' }, refuses: [{ sessionId: 'a', compactionId: 'k', summary: '' }] },
  'context/remember': { takes: { sessionId: 'a', compactionId: 'k', text: null }, refuses: [{ sessionId: 'a', compactionId: 'k' }, { sessionId: 'a', compactionId: 'k', text: 'x'.repeat(4001) }] },
  'audit/verify': { takes: {}, refuses: [Symbol('x')] },
  'usage/read': { takes: { period: 'fortnight', isThisProject: true, sessionId: null }, refuses: [{ period: 'month', isThisProject: true, sessionId: null }, { period: 'all', sessionId: null }] },
  'usage/export': { takes: { period: 'session', isThisProject: false, sessionId: 's' }, refuses: [{ period: 'session', isThisProject: false }] },
  'budget/answer': { takes: { sessionId: 's', of: { kind: 'day-cost', currency: 'USD' }, answer: { kind: 'raise', limit: 2_000_000 } }, refuses: [{ sessionId: 's', of: { kind: 'day-cost', currency: 'usd' }, answer: { kind: 'stop' } }, { sessionId: 's', of: { kind: 'turn-tokens', currency: null }, answer: { kind: 'raise', limit: 0.5 } }, { sessionId: 's', of: { kind: 'month', currency: null }, answer: { kind: 'stop' } }] },
  'session/pin': { takes: { sessionId: 'a', isPinned: true }, refuses: [{ sessionId: 'a' }, { sessionId: 'a', isPinned: 1 }] },
  'session/delete': { takes: { sessionId: 'a' }, refuses: [{ sessionId: '' }] },
  'session/restore': { takes: { sessionId: 'a' }, refuses: [{}] },
  'session/search': { takes: { query: '回滚', isThisProject: false }, refuses: [{ query: '', isThisProject: true }, { query: 'x'.repeat(1001), isThisProject: true }, { query: 'x' }] },
  'session/fork': { takes: { sessionId: 'a', messageSeq: 2, side: 'before', title: 'T' }, refuses: [{ sessionId: 'a', messageSeq: 0, side: 'after', title: 'T' }, { sessionId: 'a', messageSeq: 2, side: 'in', title: 'T' }, { sessionId: 'a', messageSeq: 2, side: 'after', title: '' }] },
  'session/resend': { takes: { sessionId: 'a', messageSeq: 2, text: '', files: [{ kind: 'kept', ref: hash, name: 'p', mimeType: 'image/png' }] }, refuses: [{ sessionId: 'a', text: 'again' }, { sessionId: 'a', messageSeq: 2, text: '' }] },
  'session/export': { takes: { sessionId: 'a', format: 'html' }, refuses: [{ sessionId: 'a', format: 'pdf' }, { format: 'md' }] },
  'draft/list': { takes: {}, refuses: [0] },
  'draft/save': { takes: { sessionId: 'new', payload: '{"text":"x"}' }, refuses: [{ sessionId: '', payload: '' }, { sessionId: 'a', payload: '{' }, { sessionId: 'a', payload: 7 }] },
}

describe.each(channels)('%s', (name) => {
  test('takes what it is for', () => {
    expect(schemas[name].input.safeParse(rows[name].takes).success).toBe(true)
  })

  test('refuses everything else before a handler sees it', () => {
    const bad = [undefined, null, [], 'text', ...rows[name].refuses]
    expect(bad.filter((ask) => schemas[name].input.safeParse(ask).success)).toEqual([])
  })
})

test('a setting that only main may loosen is no part of what the window changes (R64)', () => {
  expect(schemas['settings/change'].input.parse({ theme: 'dark', askingLevel: 'commands', providers: [] })).toEqual({ theme: 'dark' })
})

test('each channel has a function name of its own', () => {
  expect(new Set(channels.map(functionName)).size).toBe(channels.length)
  expect(functionName('session/set-level')).toBe('sessionSetLevel')
})
