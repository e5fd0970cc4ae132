import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { go } from '../../../src/renderer/app/appStore'
import { setScope } from '../../../src/renderer/features/timeline/timelineStore'
import { asId, type CallId, type SessionId, type SnapshotId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { TimelineRow } from '../../../src/shared/ipc/timelineViews'
import { events, sessionId, sessions, workDrafts, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals() })

const own = events(workDrafts)
const other = asId<SessionId>('s3')
// The same conversation in another session, whose calls have names of their own.
const foreign = own.map((event) => ({ ...event, sessionId: other, ...('callId' in event && event.callId !== null ? { callId: asId<CallId>(`o-${event.callId}`) } : {}) }))
const called = (of: readonly object[]): CallId => of.flatMap((event) => ('type' in event && event.type === 'tool-started' && 'callId' in event ? [event.callId as CallId] : []))[0] ?? asId('none')

function point(id: string, callId: CallId, of: SessionId): TimelineRow {
  return { id: asId<SnapshotId>(id), workspaceId: workspace.id, tree: id, side: id, commit: id, parent: null, kind: 'after-call', author: 'agent', others: [], sessionId: of, callId, atMs: Date.now() + 1e9, files: 1, unheld: 0, missing: 0, changes: 1, changed: [{ path: `${id}.ts`, change: 'modified' }], lines: null }
}

const rows = [point('mine', called(own), sessionId), point('theirs', called(foreign), other)]
const headings = () => [...document.querySelectorAll('.tl button.turn')].map((button) => button.textContent)

test('R79 with all sessions shown the turns of the others that changed the folder have their headings, with the session’s name; of this session alone they have none', async () => {
  const memory = freshHost({
    'app/start': () => ({ version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: null, dataFolder: { path: '/d', setBy: null } }),
    'session/list': () => sessions, 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? own : id === other ? foreign : []).filter((event) => event.seq >= fromSeq),
    'timeline/read': () => ({ rows, after: null, isWhole: true, rollbacks: [], bytes: 0, forgotten: null }),
  })
  ;({ stop } = await showWindow())
  await settle(60)
  const reads = () => memory.asked.filter(({ channel, ask }) => channel === 'session/read' && (ask as { sessionId: SessionId }).sessionId === other).length
  expect([headings().length > 0, headings().some((text) => text.includes('Why is the CI cache cold?')), reads()]).toEqual([true, false, 0])
  await doing(() => go('timeline'))
  await settle(100)
  expect(headings().filter((text) => text.includes('Why is the CI cache cold?'))).toHaveLength(1)
  expect(reads()).toBeGreaterThan(0)
  await doing(() => setScope('page', 'session'))
  expect(headings().filter((text) => text.includes('Why is the CI cache cold?'))).toEqual([])
  expect(screen.getAllByText(/^Turn 1/).length).toBeGreaterThan(0)
})
