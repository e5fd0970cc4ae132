import { go } from '../../../src/renderer/app/appStore'
import { openNow, openPoint, openRow, pick } from '../../../src/renderer/features/timeline/openMoment'
import { openPath, searchPaths } from '../../../src/renderer/features/timeline/pathStore'
import { askForget, openUncovered } from '../../../src/renderer/features/timeline/roomStore'
import { pastRows } from '../../../src/renderer/features/timeline/timelineRows'
import { toggleDimmed, useTimeline } from '../../../src/renderer/features/timeline/timelineStore'
import { factsOf } from '../../../src/renderer/app/pastFacts'
import { useWork } from '../../../src/renderer/features/work/workStore'
import type { AgentEvent } from '../../../src/shared/domain/event'
import { asId } from '../../../src/shared/domain/ids'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import * as past from './timelineWorld'
import { sessionId } from './world'

const drawn = (ms = 400): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** A folder with a past: four turns, two more sessions, a rollback. */
export function timelineAnswers(story: string, locale: string): MemoryAnswers {
  const changes = story === 'timeline-now' ? past.prettierChanges.slice(0, 2) : past.prettierChanges
  const events = past.conversation(locale).map(({ draft, minute }, at): AgentEvent => ({ ...draft, v: 1, sessionId, seq: at + 1, atMs: past.at(minute) + at }))
  const isMany = story === 'timeline-many'
  return {
    'session/read': ({ sessionId: id }) => (id === sessionId ? events : []),
    'timeline/read': () => past.pastOf({ isBroken: story === 'timeline-broken', many: isMany ? 5000 : 0, forgotten: isMany || story === 'timeline-forget' ? { points: 112, untilMs: past.at(-9000) } : null }),
    'timeline/changes': () => ({ ok: true, value: { changes, count: isMany ? 5200 : changes.length } }),
    'timeline/file': ({ oid }) => ({ ok: true, value: { text: past.pastText(oid), sizeBytes: 400 } }),
    'timeline/authors': () => ({ ok: true, value: past.pastAuthors }),
    'timeline/now': () => ({ ok: true, value: { changes: [], count: story === 'timeline-now' ? 2 : 0 } }),
    'timeline/paths': ({ query }) => ({ ok: true, value: past.pastPaths.filter(({ path }) => path.includes(query)) }),
    'timeline/history': () => ({ ok: true, value: past.pastHistory }),
    'timeline/uncovered': () => ({ ok: true, value: { skipped: [{ path: 'data/orders-2026.csv', reason: 'too-large' }, { path: 'run/socket', reason: 'special' }, { path: 'node_modules', reason: 'ignored' }, { path: 'dist', reason: 'ignored' }], count: 4 } }),
    'snapshot/space': () => ({ ok: true, value: { bytes: 6_100_000, points: 27, oldestAtMs: past.at(0), isPackable: true } }),
    'snapshot/forget': () => ({ ok: true, value: { points: 9, kept: 2 } }),
  }
}

/** The page of the timeline in one of its states. */
export async function playTimeline(story: string, memory: MemoryHost): Promise<void> {
  if (story === 'timeline-pane') return
  go('timeline')
  await drawn()
  if (story === 'timeline-reading') return memory.push('snapshot/progress', { seen: 12_480, isDone: false, fault: null })
  if (story === 'timeline-stopped') return memory.push('snapshot/progress', { seen: 0, isDone: true, fault: { code: 'snapshot.cancelled', values: {} } })
  if (story === 'timeline-now') return openNow()
  if (story === 'timeline-broken') return openPoint(asId('q06'))
  if (story === 'timeline-compare') { pick('a', asId('q10')); return pick('b', asId('q15')) }
  if (story === 'timeline-turn') return openTurn()
  if (story === 'timeline-path') return void openPath({ path: 'src/http/client.ts', entry: { oid: '2'.repeat(40), mode: '100644' } }, asId('q13'))
  if (story === 'timeline-find') return void searchPaths(asId('q13'))
  if (story === 'timeline-uncovered') return void openUncovered()
  if (story === 'timeline-forget') return void askForget(asId('q13'))
  openTaken()
  if (story === 'timeline-dim') toggleDimmed('command')
}

function rows(): ReturnType<typeof pastRows> {
  const chat = useWork.getState().chats[sessionId]
  return pastRows(useTimeline.getState().timeline, chat ? factsOf(chat).turns : [], [], { sessionId: null, hidden: new Set(), unfolded: new Set() })
}

function openTaken(): void {
  const row = rows().find((one) => one.key === 'q13')
  if (row) openRow(row)
}

function openTurn(): void {
  const row = rows().find((one) => one.key === 't3')
  if (row) openRow(row)
}
