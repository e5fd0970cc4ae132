import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intent, note, opened, oneOfEach, toolFinished, turnBegun, turnEnded } from '../../../support/drafts'
import { openIn, scratchFolder } from '../../../support/scratchDatabase'
import type { CallChange } from '../../../../src/shared/domain/call'
import { applyEvent, emptyChat } from '../../../../src/shared/domain/chatView'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type CallId, type SessionId } from '../../../../src/shared/domain/ids'
import { applyToSummary } from '../../../../src/shared/domain/sessionList'
import type { SessionSummary } from '../../../../src/shared/domain/session'

/** One thing that can be asked of the store: by which of two connections, in which of two sessions. */
interface Act {
  readonly by: 0 | 1
  readonly session: 0 | 1
  readonly what: 'note' | 'notes' | 'turn' | 'end' | 'rename' | 'ask' | 'call' | 'settle' | 'illegal'
  readonly call: number
}

const acts: fc.Arbitrary<Act> = fc.record({
  by: fc.constantFrom(0, 1),
  session: fc.constantFrom(0, 1),
  what: fc.constantFrom('note', 'notes', 'turn', 'end', 'rename', 'ask', 'call', 'settle', 'illegal'),
  call: fc.integer({ min: 0, max: 3 }),
})

const sessions = [asId<SessionId>('one'), asId<SessionId>('two')] as const

function requestOf(act: Act, index: number): { readonly drafts: readonly EventDraft[]; readonly changes?: readonly CallChange[] } {
  const session = sessions[act.session]
  const call = `${session}-call-${act.call}`
  const callId = asId<CallId>(call)
  switch (act.what) {
    case 'note': return { drafts: [note('t', `${index}`)] }
    case 'notes': return { drafts: [note('t', `${index} a`), note('t', `${index} b`), note('t', `${index} c`)] }
    case 'turn': return { drafts: turnBegun(`t${index}`) }
    case 'end': return { drafts: [turnEnded(`t${index}`, index % 2 === 0 ? 'done' : 'error', { entries: index + 1, chain: `chain ${index}` })] }
    case 'rename': return { drafts: [{ type: 'session-renamed', title: `title ${index}` }] }
    case 'ask': return { drafts: [{ ...oneOfEach['approval-asked'], callId }] }
    case 'call': return intent(session, 't', call)
    case 'settle': return { drafts: [toolFinished('t', call)], changes: [{ to: 'refused', callId, decidedBy: 'policy', decidedAtMs: index, outcome: 'denied' }] }
    case 'illegal': return { drafts: [note('t', 'must not be seen')], changes: [{ to: 'finished', callId, finishedAtMs: 1, afterSnapshot: null, outcome: 'ok' }] }
  }
}

/** The screen and the list, as a fold makes them. */
function drawn(events: readonly AgentEvent[], workspaceId: string) {
  const [first] = events
  const summary: SessionSummary = { id: first?.sessionId ?? asId(''), workspaceId: asId(workspaceId), title: first?.type === 'session-opened' ? first.title : '', openedAtMs: first?.atMs ?? 0, lastAtMs: first?.atMs ?? 0, state: 'idle', isPinned: false, deletedAtMs: null, forkedFrom: null }
  return { chat: events.reduce(applyEvent, emptyChat(summary.id)), summary: events.slice(1).reduce(applyToSummary, summary) }
}

test('DATA 1, 2: over random interleavings of two connections, replaying is the same as living, seq has no gaps, a call has one result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: 40 }), async (order) => {
      const dataDir = scratchFolder()
      let nowMs = 0
      const clock = { nowMs: () => (nowMs += 1) }
      const connections = [await openIn(dataDir, clock), await openIn(dataDir, clock)] as const
      const workspace = await connections[0].timeline.workspace('/w', 'w')
      const lived = new Map<string, AgentEvent[]>()
      for (const id of sessions) lived.set(id, [...(await connections[0].events.append(id, [opened(workspace.id, id)]))])
      const settled = await Promise.allSettled(
        order.map(async (act, index) => {
          const { drafts, changes } = requestOf(act, index)
          lived.get(sessions[act.session])?.push(...(await connections[act.by].events.append(sessions[act.session], drafts, changes)))
        }),
      )
      order.forEach((act, index) => {
        if (act.what === 'illegal') expect(settled[index]?.status).toBe('rejected')
        if (act.what === 'note' || act.what === 'rename' || act.what === 'turn') expect(settled[index]?.status).toBe('fulfilled')
      })
      await connections[1].close()
      await connections[0].close()

      const again = await openIn(dataDir, clock)
      const listed = await again.events.sessions(workspace.id)
      for (const [id, events] of lived) {
        const inOrder = events.sort((a, b) => a.seq - b.seq)
        const read = await again.events.read(asId(id))
        expect(read).toEqual(inOrder)
        expect(read.map((event) => event.seq)).toEqual(read.map((_, index) => index + 1))
        expect(drawn(read, workspace.id)).toEqual(drawn(inOrder, workspace.id))
        expect(listed.find((row) => row.id === id)).toEqual(drawn(read, workspace.id).summary)
        const results = read.flatMap((event) => (event.type === 'tool-finished' ? [event.callId] : []))
        expect(new Set(results).size).toBe(results.length)
        expect(JSON.stringify(read)).not.toContain('must not be seen')
        for (const call of await again.calls.list(asId(id))) expect(call.state).toBe(results.includes(call.callId) ? 'refused' : 'intent')
      }
      await again.rebuildSessions()
      expect(await again.events.sessions(workspace.id)).toEqual(listed)
      await again.close()
    }),
    { numRuns: 12 },
  )
}, 120_000)
