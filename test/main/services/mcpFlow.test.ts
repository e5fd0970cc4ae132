import { expect, test } from 'vitest'
import { makeSessionFlow } from '../../../src/main/services/mcpFlow'
import type { AgentEvent, EventDraft } from '../../../src/shared/domain/event'
import { asId, type CallId, type SessionId, type TurnId } from '../../../src/shared/domain/ids'

const canary = 'canary-7f3a91c2-d4e5-4b6a-8c9d-0e1f2a3b4c5d'
const projectLine = 'The quarterly forecast of the northern branch is confidential until Friday'
const at = { turnId: asId<TurnId>('t'), step: 1 }

interface Past {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly text: string
  readonly from?: string
  readonly outputRef?: string
}

/** The events of calls in their order, as the loop records them. */
function eventsOf(...past: readonly Past[]): readonly AgentEvent[] {
  const drafts = past.flatMap(({ tool, args, text, from, outputRef }, index): readonly EventDraft[] => {
    const callId = asId<CallId>(`c${index}`)
    return [
      { type: 'tool-called', ...at, callId, providerCallId: callId, index, tool, effect: 'read', argumentsText: '', args },
      ...(from === undefined ? [] : [{ type: 'taint-marked', ...at, callId, source: { kind: 'mcp', server: from } } as const]),
      { type: 'tool-finished', ...at, callId, status: 'ok', say: { code: 'tool.cancelled', values: {} }, text, changed: [], exitCode: null, outputRef: outputRef ?? null, durationMs: 1 },
    ]
  })
  return drafts.map((draft, index) => ({ ...draft, v: 1, sessionId: asId<SessionId>('s'), seq: index + 1, atMs: 0 }))
}

const sources = (events: readonly AgentEvent[], text: string, toServer = 'b'): readonly unknown[] => makeSessionFlow({ events }).find({ text }, toServer).map((one) => one.source)

test('SECURITY 5 a resource is from the server that gave it, also when the person edited which one is asked', () => {
  const events = eventsOf({ tool: 'read_resource', args: { server: 'b', uri: 'x://1' }, text: canary, from: 'a' })
  expect(sources(events, canary)).toEqual([{ kind: 'server', server: 'a' }])
  expect(sources(events, canary, 'a')).toEqual([])
})

test('SECURITY 5 a page of a stored result is from where that result was', () => {
  const ref = 'a'.repeat(64)
  const fromServer = eventsOf({ tool: 'cat', args: { ref }, text: canary, from: 'a' })
  expect(sources(fromServer, canary)).toEqual([{ kind: 'server', server: 'a' }])
  const fromProject = eventsOf({ tool: 'run_command', args: { command: 'make report' }, text: 'head', outputRef: ref }, { tool: 'cat', args: { ref }, text: projectLine })
  expect(sources(fromProject, projectLine)).toEqual([{ kind: 'project-file', path: 'make report' }])
})

test('SECURITY 5 a list of resources and words of a search are marked by what their results say', () => {
  expect(sources(eventsOf({ tool: 'list_resources', args: {}, text: canary, from: 'a' }), canary)).toEqual([{ kind: 'server', server: 'a' }])
  expect(sources(eventsOf({ tool: 'list_resources', args: {}, text: canary }), canary)).toEqual([])
})

test('SECURITY 5 text of a web page in what goes to a server is found, also from a page of its stored rest, and not when it goes back', () => {
  const ref = 'b'.repeat(64)
  const marked = eventsOf({ tool: 'fetch_url', args: { url: 'https://wiki.example/x' }, text: canary, outputRef: ref }, { tool: 'cat', args: { ref }, text: projectLine })
  const mark = { type: 'taint-marked', ...at, source: { kind: 'web', host: 'wiki.example', url: 'https://wiki.example/x' }, v: 1, sessionId: asId<SessionId>('s'), seq: 0, atMs: 0 } as const
  const events = marked.flatMap((event): readonly AgentEvent[] => (event.type === 'tool-finished' ? [{ ...mark, callId: event.callId }, event] : [event]))
  expect(sources(events, `${canary} ${projectLine}`)).toEqual([{ kind: 'web', host: 'wiki.example' }])
  expect(makeSessionFlow({ events }).find({ sent: canary }, { kind: 'web', host: 'wiki.example' })).toEqual([])
  expect(makeSessionFlow({ events: marked }).find({ sent: canary }, 'b')).toEqual([])
})

test('SECURITY 5 text of a project file in what goes to a host of the web is found', () => {
  const events = eventsOf({ tool: 'read_file', args: { path: 'plan.md' }, text: `1\t${projectLine}` })
  const find = (sent: string): unknown => makeSessionFlow({ events }).find({ sent }, { kind: 'web', host: 'evil.example' }).map((one) => one.source)
  expect(find(`/collect?d=${encodeURIComponent(projectLine)}`)).toEqual([{ kind: 'project-file', path: 'plan.md' }])
  expect(find(`/c?d=${Buffer.from(projectLine).toString('base64')}`)).toEqual([{ kind: 'project-file', path: 'plan.md' }])
  expect(find('/docs/guide?page=2')).toEqual([])
})
