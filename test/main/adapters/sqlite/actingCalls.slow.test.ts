import { expect, test } from 'vitest'
import type { Call } from '../../../../src/shared/domain/call'
import { asId, type CallId, type SessionId } from '../../../../src/shared/domain/ids'
import type { Confined } from '../../../../src/shared/domain/tool'
import { opened, toolFinished } from '../../../support/drafts'
import { openIn, scratchFolder } from '../../../support/scratchDatabase'

interface Told {
  readonly session: SessionId
  readonly id: string
  readonly atMs: number
  readonly tool?: string
  readonly effect?: Call['effect']
  readonly end?: Confined | 'plain'
  readonly isRefused?: boolean
}

test('R77 calls that may act outside a project: of all its sessions, begun since a moment, the newest first, with what held them', async () => {
  const database = await openIn(scratchFolder())
  const [own, other] = [await database.timeline.workspace('/w', 'w'), await database.timeline.workspace('/v', 'v')]
  const [first, second, elsewhere] = ['first', 'second', 'elsewhere'].map((id) => asId<SessionId>(id))
  if (!first || !second || !elsewhere) throw new Error('no sessions')
  for (const session of [first, second]) await database.events.append(session, [opened(own.id)])
  await database.events.append(elsewhere, [opened(other.id)])
  const tell = async ({ session, id, atMs, tool = 'run_command', effect = 'execute', end, isRefused }: Told): Promise<void> => {
    const callId = asId<CallId>(id)
    const called = { callId, providerCallId: id, sessionId: session, turnId: asId<Call['turnId']>('t'), step: 1, index: 0, tool, effect, proposed: '{}' }
    await database.events.append(session, [], [{ to: 'intent', call: called }])
    if (isRefused) return void (await database.events.append(session, [], [{ to: 'refused', callId, decidedBy: 'person', decidedAtMs: atMs, outcome: 'denied' }]))
    await database.events.append(session, end ? [{ ...toolFinished('t', id), ...(end === 'plain' ? {} : { confined: end }) }] : [], [
      { to: 'approved', callId, approved: { command: 'as approved' }, argsHash: 'h', decidedBy: 'person', ruleId: null, decidedAtMs: atMs },
      { to: 'started', callId, effective: { command: 'as run' }, startedAtMs: atMs, beforeSnapshot: asId('s'), writes: [] },
    ])
  }
  await tell({ session: first, id: 'before', atMs: 9 })
  await tell({ session: first, id: 'at', atMs: 10, end: 'network' })
  await tell({ session: second, id: 'running', atMs: 12 })
  await tell({ session: first, id: 'write', atMs: 12, tool: 'write_file', effect: 'write' })
  await tell({ session: first, id: 'refused', atMs: 12, isRefused: true })
  await tell({ session: elsewhere, id: 'elsewhere', atMs: 12 })
  await tell({ session: first, id: 'mcp', atMs: 11, tool: 'mcp__a__b', effect: 'network', end: 'plain' })
  const ask = { workspaceId: own.id, sinceMs: 10, callId: null, limit: 10 }
  const all = await database.calls.acting(ask)
  expect(all).toEqual([
    { callId: 'running', sessionId: 'second', atMs: 12, tool: 'run_command', args: { command: 'as run' }, confined: null },
    { callId: 'mcp', sessionId: 'first', atMs: 11, tool: 'mcp__a__b', args: {}, confined: null },
    { callId: 'at', sessionId: 'first', atMs: 10, tool: 'run_command', args: { command: 'as run' }, confined: 'network' },
  ])
  const ids = ['before', 'running', 'write', 'refused', 'elsewhere', 'mcp', 'nobody'].map((id) => asId<CallId>(id))
  await tell({ session: second, id: 'skill', atMs: 9, tool: 'run_skill' })
  expect((await database.calls.lines([...ids, asId('skill')])).map(({ callId, tool, command }) => [callId, tool, command]).sort()).toEqual([
    ['before', 'run_command', 'as run'], ['elsewhere', 'run_command', 'as run'], ['running', 'run_command', 'as run'], ['skill', 'run_skill', null],
  ])
  expect(await database.calls.acting({ ...ask, limit: 2 })).toEqual(all.slice(0, 2))
  expect(await database.calls.acting({ ...ask, callId: asId('mcp') })).toEqual(all.slice(1, 2))
})
