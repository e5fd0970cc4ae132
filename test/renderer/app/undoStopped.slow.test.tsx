import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useApp } from '../../../src/renderer/app/appStore'
import { TrustBar } from '../../../src/renderer/app/TrustBar'
import { NowRow } from '../../../src/renderer/features/timeline/NowRow'
import { connectTimeline, enterTimeline, loadTimeline } from '../../../src/renderer/features/timeline/timelineStore'
import { asId } from '../../../src/shared/domain/ids'
import { said, type Said } from '../../../src/shared/domain/result'
import { timeline, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, show } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals() })

const bar = (name = 'Guards') => within(screen.getByRole('contentinfo', { name })).getAllByRole('button')[2]?.textContent

test.each([
  [said('snapshot.disk-full'), 'Undo stopped: no room for snapshots', 'Undo stopped: disk full.'],
  [said('snapshot.not-permitted', { path: '/d' }), 'Undo stopped: snapshots cannot be written', 'Undo stopped: the system does not permit it for /d.'],
  [said('snapshot.root-gone', { path: '/p' }), 'Undo stopped: the project folder is gone', 'Undo stopped: the project folder /p is not there any more.'],
  [said('snapshot.stopped', { problem: 'out of memory' }), 'Undo stopped: the next call starts it again', 'Undo stopped: the snapshot worker stopped: out of memory.'],
  [said('snapshot.store-failed', { problem: 'x' }), 'Undo stopped: see the timeline', 'Undo stopped: the store of snapshots cannot be used: x.'],
  [said('snapshot.cancelled'), 'Undo starts with the next call', 'Stopped before the folder was read.'],
] as const)('R80 why undo has stopped stands in the trust bar and on the timeline until it goes on: %o', async (fault: Said, short, long) => {
  const memory = freshHost({ 'timeline/read': () => timeline })
  stop = connectTimeline()
  useApp.setState({ workspace })
  enterTimeline(asId('w1'))
  await loadTimeline()
  show(<><TrustBar level="writes" /><NowRow onOpen={() => undefined} /></>)
  await doing(() => memory.push('snapshot/progress', { seen: 0, isDone: true, fault }))
  expect([bar(), screen.getByRole('status').textContent]).toEqual([short, expect.stringContaining(long)])
  await doing(() => memory.push('snapshot/progress', { seen: 0, isDone: true, fault: null }))
  expect([bar(), screen.queryByRole('status')]).toEqual([`Undo ${timeline.rows.length} points`, null])
})

test('R80 a window that opens later reads that undo has stopped, in Chinese too', async () => {
  freshHost({ 'timeline/read': () => ({ ...timeline, stopped: said('snapshot.disk-full') }) })
  useApp.setState({ workspace })
  enterTimeline(asId('w1'))
  await loadTimeline()
  show(<TrustBar level="writes" />, 'zh-CN')
  expect(bar('守护状态')).toBe('可撤销：已停，没有空间建快照')
})
