import { go } from '../../../src/renderer/app/appStore'
import { said } from '../../../src/shared/domain/result'
import { asId } from '../../../src/shared/domain/ids'
import type { ContextPage, ContextRow } from '../../../src/shared/ipc/contextViews'
import type { MemoryAnswers } from '../../support/memoryHost'

const row = (id: string, state: ContextRow['state'], what: ContextRow['what'], why: ContextRow['why'], before: number, after: number, pin: ContextRow['pin'] = null): ContextRow => ({ id, state, what, why, before, after, pin })

const fixed = [
  row('prompt', 'fixed', said('compaction.what.prompt'), said('compaction.why.prompt'), 9400, 9400),
  row('project', 'pinned', said('compaction.what.project'), said('compaction.why.project', { count: 1 }), 2080, 2080),
]
const kept = (isCompacted: boolean): readonly ContextRow[] => (isCompacted ? [12, 13, 14] : [1, 2, 3, 4, 12, 13, 14]).map((turn) => row(`turn ${turn}`, 'kept', said('compaction.what.words', { text: `Turn ${turn}: the orders list is slow again for the last 30 days, look at the plan first` }), said('compaction.why.turn', { turn, messages: 9, calls: 4 }), 7426, 7426, { messageSeq: turn * 10, isPinned: false }))

const plain: ContextPage = {
  windowTokens: 262_144, assumedFor: null, limitTokens: 209_715, keepTurns: 3, before: null, now: { fixed: 9400, pinned: 2080, kept: 51_982, summarised: 0, dropped: 0 }, rows: [...fixed, ...kept(false)],
  turns: [], compaction: null, proposal: null, isCompacting: false, canCompact: true, failure: null,
}

/** A conversation before and after its compaction, and one whose summary failed. */
export const contextPages: Readonly<Record<string, ContextPage>> = {
  compaction: {
    ...plain,
    before: { fixed: 9400, pinned: 2120, kept: 22_280, summarised: 148_600, dropped: 31_900 },
    now: { fixed: 9400, pinned: 2120, kept: 22_280, summarised: 3480, dropped: 260 },
    rows: [
      ...fixed,
      row('pin 2', 'pinned', said('compaction.what.words', { text: 'Never lock the orders table in working hours.' }), said('compaction.why.pinned', { turn: 2 }), 40, 40, { messageSeq: 2, isPinned: true }),
      ...kept(true),
      row('summary', 'summarised', said('compaction.what.turns', { from: 1, to: 11 }), said('compaction.why.summary', { messages: 118, calls: 41 }), 148_600, 3480),
      row('result a', 'dropped', said('compaction.what.result', { tool: 'run_command', turn: 12 }), said('compaction.why.result'), 24_700, 190, { messageSeq: 122, isPinned: false }),
      row('result b', 'dropped', said('compaction.what.result', { tool: 'read_file', turn: 13 }), said('compaction.why.result'), 7200, 70, { messageSeq: 131, isPinned: false }),
    ],
    turns: Array.from({ length: 14 }, (_, at) => ({ turn: at + 1, atMs: at })),
    compaction: {
      compactionId: asId('k1'), atMs: 0, by: 'limit', strategy: 'once', model: 'tern-2', summaryTokens: 3480, isEdited: false, summarisedMessages: 118, keptTurns: 3, results: 2,
      summary: 'Goal:\n- Make the order list fast for the last 30 days without a long lock. (turn 1)\n\nDecided:\n- Index on (created_at, state), built concurrently. (turn 4)\n- Migration is written by hand; the tool would wrap it in a transaction. (turn 6)\n- You refused a partial index: reports need closed orders too. (turn 7)\n\nDone:\n- db/0042_created_at.sql, and a test that counts the plan’s rows. (turn 9)\n- Query time from 1,840 ms to 31 ms on the copy of staging. (turn 10)\n\nOpen:\n- Rollback file, and a line in the handbook. (turn 11)',
    },
    proposal: 'Indexes on orders are built concurrently, in hand-written migrations.',
  },
  'compaction-before': plain,
  'compaction-failed': { ...plain, assumedFor: 'wren-coder:30b', failure: said('compaction.failed', { why: said('compaction.empty') }) },
}

/** What the context channels answer in a story. */
export function contextAnswers(story: string): MemoryAnswers {
  const page = contextPages[story]
  return page ? { 'context/read': () => page } : {}
}

export function playContext(): void {
  go('context')
}
