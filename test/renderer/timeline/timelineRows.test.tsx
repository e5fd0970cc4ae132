import { expect, test } from 'vitest'
import { beforeOf, beforeTurn, callsIn, changedSince, countRows, endOfTurn, isTagged, lastCall, pastRows, sidesWith, takenBack, wasEditedBefore, wholeAround, type OpenCall, type PastFilter, type TurnMark } from '../../../src/renderer/features/timeline/timelineRows'
import { barsOf, dimmedBars } from '../../../src/renderer/features/timeline/FileDiff'
import { versionsOf } from '../../../src/renderer/features/timeline/fileItems'
import { momentText, rowText } from '../../../src/renderer/features/timeline/rowWords'
import { barRuns } from '../../../src/renderer/ui/lineBars'
import { speakerFor } from '../../../src/renderer/ui/words'
import { othersTaken } from '../../../src/renderer/features/rollback/planDecisions'
import type { OtherCall } from '../../../src/renderer/features/rollback/planState'
import { TimelineList } from '../../../src/renderer/features/timeline/TimelineList'
import { show } from '../support'
import { asId, type CallId, type RollbackId, type SessionId, type SnapshotId, type TurnId, type WorkspaceId } from '../../../src/shared/domain/ids'
import type { PlanRow, RollbackTarget } from '../../../src/shared/domain/rollback'
import type { RollbackRow, Timeline, TimelineRow } from '../../../src/shared/ipc/timelineViews'

const one = asId<SessionId>('one')
const two = asId<SessionId>('two')

function row(id: string, kind: TimelineRow['kind'], author: TimelineRow['author'], paths: readonly string[] = [], call: string | null = null, session: SessionId = one): TimelineRow {
  return {
    id: asId<SnapshotId>(id), workspaceId: asId<WorkspaceId>('w'), tree: id, side: id, commit: id, parent: null, kind, author, others: [], sessionId: call === null ? null : session, callId: call === null ? null : asId<CallId>(call),
    atMs: Number.parseInt(id.slice(1), 10) * 1000, files: 3, unheld: 0, missing: 0, changes: paths.length, changed: paths.map((path) => ({ path, change: 'modified' })), lines: null,
  }
}

const rows = [
  row('p0', 'opened', null),
  row('p1', 'before-call', null, [], 'a'), row('p2', 'after-call', 'agent', ['x'], 'a'),
  row('p3', 'drift', 'you', ['x']),
  row('p4', 'before-call', null, [], 'b', two), row('p5', 'after-call', 'command', ['y'], 'b', two),
  row('p6', 'before-call', null, [], 'c', two), row('p7', 'after-call', 'agent', ['z'], 'c', two),
]
const timelineOf = (some: readonly TimelineRow[], rollbacks: readonly RollbackRow[] = []): Timeline => ({ rows: some, after: null, isWhole: true, rollbacks, bytes: 0, forgotten: null })
const timeline = timelineOf(rows)
const all: PastFilter = { sessionId: null, hidden: new Set(), unfolded: new Set() }
const keys = (filter: PastFilter, turns: readonly TurnMark[] = []): readonly string[] => pastRows(timeline, turns, [], filter).map((past) => `${past.kind} ${past.key}`)
const turn = (calls: readonly string[], atMs: number): TurnMark => ({ turnId: asId<TurnId>('t'), sessionId: one, number: 1, title: 'Do it', atMs, callIds: new Set(calls.map((id) => asId<CallId>(id))) })

test('the list is newest first and leaves out the moments that are only borders', () => {
  expect(keys(all)).toEqual(['point p7', 'point p5', 'point p3', 'point p2', 'point p0'])
})

test('calls of another session become one quiet row at their place; the person’s own edits always show (DESIGN 5.5)', () => {
  expect(keys({ ...all, sessionId: one })).toEqual(['folded fold p5', 'point p3', 'point p2', 'point p0'])
  expect(keys({ ...all, sessionId: one, unfolded: new Set(['fold p5']) })).toEqual(['point p7', 'point p5', 'point p3', 'point p2', 'point p0'])
})

test('a filter hides an author', () => {
  expect(keys({ ...all, hidden: new Set(['you']) })).not.toContain('point p3')
})

test('a turn stands before what it changed', () => {
  expect(keys({ ...all, sessionId: one }, [turn(['a'], 500)])).toEqual(['folded fold p5', 'point p3', 'point p2', 'turn t', 'point p0'])
})

test('the moment before a call is its own before-snapshot, that before a turn the one of its first call (R76)', () => {
  const [, , after] = rows
  expect(after && beforeOf(timeline, after)).toBe('p1')
  expect([beforeTurn(timeline, turn(['a', 'b'], 500)), beforeTurn(timeline, turn([], 3500)), beforeTurn(timelineOf([]), turn([], 1))]).toEqual(['p1', 'p3', null])
})

test('who changed a path since is told once each, oldest first', () => {
  expect([changedSince(timeline, asId('p0'), 'x'), changedSince(timeline, asId('p3'), 'x')]).toEqual([['agent', 'you'], []])
  expect(changedSince(timelineOf([...rows, row('p8', 'after-rollback', 'you', ['z'])]), asId('p5'), 'z')).toEqual(['agent'])
})

const rollback = (target: RollbackTarget, more: Partial<RollbackRow> = {}): RollbackRow => ({
  id: asId<RollbackId>('r'), target, scope: 'files', sessionId: null, turnId: null, state: 'applied', done: 0, failed: 0, left: [], partly: [], kept: [], beforeSnapshot: asId('p7'), afterSnapshot: null, undoOf: null, atMs: 8000, ...more,
})
const gone = (record: RollbackRow): readonly string[] => [...takenBack(timelineOf(rows, [record])).whole.keys()]

test('what a rollback took back is hollow, the person’s edits are not; an undone one took back nothing (R79)', () => {
  expect(gone(rollback({ to: asId('p1'), keepUserEdits: true }))).toEqual(['p2', 'p5', 'p7'])
  expect(gone(rollback({ to: asId('p4'), only: { from: asId('p4'), until: asId('p5') }, keepUserEdits: true }))).toEqual(['p5'])
  expect(gone(rollback({ to: asId('p1'), keepUserEdits: true }, { state: 'undone' }))).toEqual([])
  expect(gone(rollback({ to: asId('p1'), keepUserEdits: true }, { scope: 'conversation' }))).toEqual([])
})

test('what was left out of a rollback, and what another session did, is not said to be taken back (R79)', () => {
  const whole = { to: asId<SnapshotId>('p0'), keepUserEdits: true }
  expect(gone(rollback(whole, { left: ['y'] }))).toEqual(['p2', 'p7'])
  expect(gone(rollback({ ...whole, ofSession: two }))).toEqual(['p5', 'p7'])
})

test('R76 a call of which a file or a change was left is taken back in part: it stands, can be taken back again and brought back', () => {
  const whole = { to: asId<SnapshotId>('p0'), keepUserEdits: true }
  const two = [...rows.slice(0, -1), row('p7', 'after-call', 'agent', ['y', 'z'], 'c')]
  const split = (...records: readonly RollbackRow[]): unknown => { const back = takenBack(timelineOf(two, records)); return [[...back.whole.keys()], [...back.partly.keys()]] }
  expect(split(rollback(whole, { partly: ['z'] }))).toEqual([['p2', 'p5'], ['p7']])
  expect(split(rollback(whole, { left: ['y'] }))).toEqual([['p2'], ['p7']])
  expect(split(rollback(whole, { partly: ['z'] }), rollback(whole))).toEqual([['p2', 'p5', 'p7'], []])
  expect(split(rollback(whole), rollback(whole, { partly: ['z'] }))).toEqual([['p2', 'p5', 'p7'], []])
  const some = timelineOf(two, [rollback(whole, { partly: ['z'] })])
  const [past] = pastRows(some, [], [], all)
  expect(past).toMatchObject({ key: 'p7', takenBackBy: null, partlyBackBy: { id: 'r' } })
  expect([lastCall(some, null)?.id, callsIn(some, whole).map((call) => call.id)]).toEqual(['p7', ['p7']])
})

test('R76 R79 what only the person changed and what stayed for that is no part of a call: it is taken back, and their edits stayed', () => {
  const whole = { to: asId<SnapshotId>('p0'), keepUserEdits: true }
  const mixed = [...rows.slice(0, -1), row('p7', 'after-call', 'agent', ['y', 'z'], 'c')]
  const split = (some: readonly TimelineRow[], record: RollbackRow): unknown => { const back = takenBack(timelineOf(some, [record])); return [[...back.whole.keys()], [...back.partly.keys()], [...back.kept]] }
  expect(split(mixed, rollback(whole, { left: ['y'], kept: ['y'] }))).toEqual([['p2', 'p7'], [], ['p7']])
  expect(split(mixed, rollback(whole, { left: ['y', 'z'], kept: ['y'] }))).toEqual([['p2'], [], []])
  // Of a call that a crash cut short, the person named what is its own.
  const cut = [...rows, row('p8', 'before-call', null, [], 'd'), row('p9', 'after-call', 'unknown', ['made', 'mine'], 'd')]
  const named = { to: asId<SnapshotId>('p8'), paths: ['made'], keepUserEdits: false }
  expect(split(cut, rollback({ ...named, ofCall: asId<CallId>('d') }, { beforeSnapshot: asId('p9') }))).toEqual([['p9'], [], ['p9']])
  expect(split(cut, rollback(named, { beforeSnapshot: asId('p9') }))).toEqual([[], ['p9'], []])
})

test('R84 an unknown call is one row, the one with its changes; without changes, or where those are hidden, it stands alone', () => {
  const call: OpenCall = { callId: asId<CallId>('d'), label: 'make', isCommand: true, state: 'unknown' }
  const begun = [...rows, row('p8', 'before-call', null, [], 'd')]
  const ended = [...begun, row('p9', 'after-call', 'unknown', ['made'], 'd')]
  const drawn = (some: readonly TimelineRow[], filter: PastFilter = all) => pastRows(timelineOf(some), [], [call], filter).flatMap((one) => (one.kind === 'open' ? [`open ${one.key}`] : one.kind === 'point' && one.row.callId === 'd' ? [`point ${one.key} ${one.unknown?.label ?? ''}`] : []))
  expect([drawn(begun), drawn(ended), drawn(ended, { ...all, hidden: new Set(['you', 'command']) })]).toEqual([['open d'], ['point p9 make'], ['open d']])
  // Run again and killed again: the older end is known.
  expect(drawn([...ended, row('p10', 'before-call', null, [], 'd')])).toEqual(['open d', 'point p9 '])
})

test('R79 a moment picked where nothing is compared yet never turns time round; what the person picked on both sides stands', () => {
  const sides = (side: 'a' | 'b', id: string, look: Parameters<typeof sidesWith>[2]): unknown => Object.values(sidesWith(side, asId(id), look, timeline))
  const row = { kind: 'row', a: asId<SnapshotId>('p1'), b: asId<SnapshotId>('p2') }
  expect([sides('a', 'p3', null), sides('b', 'p3', null), sides('b', 'p0', null)]).toEqual([['p3', null], ['p2', 'p3'], [null, 'p0']])
  expect([sides('a', 'p5', row), sides('b', 'p5', row), sides('a', 'p0', row)]).toEqual([['p5', null], ['p1', 'p5'], ['p0', 'p2']])
  expect(sides('a', 'p5', { ...row, kind: 'compare' })).toEqual(['p5', 'p2'])
})

test('a turn whose beginning was let go has no moment before it (R80)', () => {
  const forgotten = { points: 3, untilMs: 2000 }
  expect([beforeTurn({ ...timeline, forgotten }, turn(['b'], 1500)), beforeTurn({ ...timeline, forgotten }, turn([], 1500)), beforeTurn({ ...timeline, forgotten }, turn(['b'], 3500))]).toEqual([null, null, 'p4'])
})

test('where calls of several sessions stand together each says whose it is; alone only those of others do', () => {
  const tagged = (scope: 'session' | 'all', here: SessionId | null, of: Timeline = timeline): readonly string[] => of.rows.filter((one) => isTagged(one, of, { scope, here })).map((one) => one.id)
  expect([tagged('all', one), tagged('session', one), tagged('session', two), tagged('session', null)]).toEqual([['p2', 'p5', 'p7'], ['p5', 'p7'], ['p2'], ['p2', 'p5', 'p7']])
  expect(tagged('all', one, timelineOf(rows.slice(0, 4)))).toEqual([])
})

test('a row names its session, boxed where its name hides something; the spine says it in its name', () => {
  const point = pastRows(timeline, [], [], all)[0]
  const draw = (isSpine: boolean) => show(<TimelineList rows={point ? [point] : []} selected={null} commands={new Map()} whose={(of) => (of.sessionId === two ? 'Fix\u202e tests' : null)} isSpine={isSpine} onOpen={() => undefined} />).container
  expect(draw(false).querySelector('.whose')?.textContent).toBe('in session FixU+202E tests')
  expect(draw(true).querySelector('button')?.getAttribute('aria-label')).toContain('in session Fix')
})

test('the calls in a rollback’s range are those that changed something and stand (R76)', () => {
  const ids = (target: RollbackTarget, rollbacks: readonly RollbackRow[] = []): readonly string[] => callsIn(timelineOf(rows, rollbacks), target).map((call) => call.id)
  expect(ids({ to: asId('p0'), keepUserEdits: true })).toEqual(['p2', 'p5', 'p7'])
  expect(ids({ to: asId('p4'), only: { from: asId('p4'), until: asId('p5') }, keepUserEdits: true })).toEqual(['p5'])
  expect(ids({ to: asId('p0'), keepUserEdits: true }, [rollback({ to: asId('p4'), only: { from: asId('p4'), until: asId('p5') }, keepUserEdits: true })])).toEqual(['p2', 'p7'])
  expect(ids({ to: asId('gone'), keepUserEdits: true })).toEqual([])
})

test('a plan counts the calls of other sessions whose files it writes, and no longer those that were unticked (R77)', () => {
  const planRow = (path: string, action: PlanRow['action']): PlanRow => ({ path, action, authors: ['agent'], reason: { code: 'timeline.changed', values: {} }, from: null, to: null })
  const plan = { target: { to: asId<SnapshotId>('p0'), keepUserEdits: true }, head: 'h', rows: [planRow('y', 'revert'), planRow('z', 'delete'), planRow('kept', 'leave')], notCovered: [] }
  const other = (paths: readonly string[], session = 'Fix tests'): OtherCall => ({ sessionId: asId<SessionId>(session), session, paths })
  const others = [other(['y']), other(['z', 'y']), other(['kept']), other(['z'], 'Docs')]
  const taken = (...unticked: readonly string[]): readonly string[] => othersTaken({ plan, unticked: new Set(unticked), left: {}, drafts: {} }, others).map(({ session, count }) => `${session} ${count}`)
  expect([taken(), taken('y'), taken('y', 'z')]).toEqual([['Fix tests 2', 'Docs 1'], ['Fix tests 1', 'Docs 1'], []])
})

test('each row counts for whom it may be; what two may have made is hidden when both are (R79)', () => {
  const some = timelineOf([...rows, row('p8', 'drift', 'unknown', ['x']), row('p9', 'after-call', 'both', ['x'], 'd'), row('p10', 'after-rollback', null, ['x']), row('p11', 'drift', 'you', [])])
  const shown = (...hidden: readonly ('agent' | 'you' | 'command' | 'rollback')[]): readonly string[] => pastRows(some, [], [], { ...all, hidden: new Set(hidden) }).map((past) => past.key)
  expect(countRows(some)).toEqual({ agent: 3, you: 3, command: 2, rollback: 1 })
  expect([shown('you'), shown('you', 'command'), shown('agent', 'you', 'command'), shown('rollback').includes('p10')]).toEqual([['p10', 'p9', 'p8', 'p7', 'p5', 'p2', 'p0'], ['p10', 'p9', 'p7', 'p2', 'p0'], ['p10', 'p0'], false])
})

test('a rollback of some paths took back only what was of them alone', () => {
  expect(gone(rollback({ to: asId('p1'), paths: ['x', 'z'], keepUserEdits: true }))).toEqual(['p2', 'p7'])
})

test('an edit between a row and what took it back was there to be kept', () => {
  const [, , first, , , second] = rows
  const by = rollback({ to: asId('p1'), keepUserEdits: true })
  expect([first && wasEditedBefore(timeline, first, by), second && wasEditedBefore(timeline, second, by)]).toEqual([true, false])
})

test('R79 a rollback says to before or after what it went, one of a single call says which; a call of another session has its command', () => {
  const back = row('p8', 'after-rollback', 'you', ['x'])
  const some = timelineOf([...rows.slice(0, 5), { ...row('p5', 'after-call', 'command', ['y'], 'b', two), label: 'make all' }, ...rows.slice(6), back])
  const text = (of: TimelineRow, record: RollbackRow | null, locale: 'en' | 'zh-CN' = 'en'): string => { const { words, mono } = rowText(of, record, new Map([[asId<CallId>('a'), 'sed -i x']]), speakerFor(locale), some); return `${words}${mono}`.replaceAll(/(Jan 1, |1月1日 )?\d+:\d+/g, 'T') }
  const to = (id: string, more: Partial<RollbackRow> = {}): RollbackRow => rollback({ to: asId(id), keepUserEdits: true }, { done: 2, ...more })
  const alone = rollback({ to: asId('p4'), only: { from: asId('p4'), until: asId('p5') }, keepUserEdits: true }, { done: 1 })
  expect([text(back, to('p1')), text(back, to('p2')), text(back, to('p2'), 'zh-CN'), text(back, alone), text(back, alone, 'zh-CN')]).toEqual([
    'Rolled back 2 files to T, before sed -i x', 'Rolled back 2 files to T, after sed -i x', '已将 2 个文件回滚到 T sed -i x 之后', 'Took back make all: 1 file', '已撤销 make all：1 个文件',
  ])
  expect([text(back, to('gone')), text(back, null), text(back, to('p1', { undoOf: asId('r0') }))]).toEqual(['Rolled back 2 files', 'Rolled back 1 file', 'Rollback undone, 2 files'])
  expect(text(back, to('p1', { undoOf: asId('r0'), scope: 'conversation', done: 0 }))).toBe('Rollback of the conversation undone')
  // One file is named; it is drawn as a path, not in the sentence.
  const single = rollback({ to: asId('p1'), paths: ['src/a.ts'], keepUserEdits: true }, { done: 1 })
  const { words, mono } = rowText(back, single, new Map(), speakerFor('en'), some)
  expect([words.replace(/(Jan 1, )?\d+:\d+/, 'T'), mono]).toEqual(['Restored as of T:', 'src/a.ts'])
  expect(text(some.rows[5] ?? back, null)).toBe('make all')
})

test('a broken point leads to the nearest whole ones (R79)', () => {
  const some = timelineOf([...rows.slice(0, 2), { ...row('p2', 'after-call', 'agent', ['x'], 'a'), missing: 2 }, { ...row('p3', 'drift', 'you', ['x']), missing: 1 }, ...rows.slice(4)])
  const around = wholeAround(some, asId('p2'))
  expect([around.before?.id, around.after?.id]).toEqual(['p0', 'p5'])
  expect(wholeAround(timelineOf([{ ...row('p0', 'opened', null), missing: 1 }]), asId('p0'))).toEqual({ before: null, after: null })
})

test('a turn ends after the last of its calls that is known', () => {
  expect([endOfTurn(timeline, turn(['a', 'c'], 1)), endOfTurn(timeline, turn(['a', 'later'], 1)), endOfTurn(timeline, turn(['later'], 1))]).toEqual(['p7', 'p2', null])
})

test('a moment is told by its time and what happened there, in both languages (R79)', () => {
  const facts = { sessionId: one, turns: [turn(['a', 'b'], 500)], open: [], commands: new Map([[asId<CallId>('b'), 'npm test']]) }
  const clock = (locale: 'en' | 'zh-CN'): readonly string[] => [...['p0', 'p1', 'p2', 'p3', 'p4', 'p5'].map((id) => momentText(asId(id), 'a', timeline, facts, speakerFor(locale))), momentText(null, 'a', timeline, facts, speakerFor(locale)), momentText(null, 'b', timeline, facts, speakerFor(locale))]
  const what = (text: string): string => text.replace(/^.*?\d\d:\d\d,? /u, '')
  expect(clock('en').map(what)).toEqual(['folder opened', 'turn 1 begins', 'after x', 'you edited', 'before npm test', 'after npm test', 'before the first point', 'now, on disk'])
  expect(clock('zh-CN').map(what)).toEqual(['打开文件夹', '第 1 轮开始', 'x 之后', '你的修改', 'npm test 之前', 'npm test 之后', '第一个时点之前', '现在的磁盘'])
})

test('the versions of a changed file that are kept are those of points, never the disk', () => {
  const entry = { oid: 'a'.repeat(40), mode: '100644' }
  const change = { path: 'x', change: 'modified' as const, before: entry, after: entry, lines: null }
  const [a, b] = [asId<SnapshotId>('p1'), asId<SnapshotId>('p2')]
  expect([versionsOf({ a, b }, change), versionsOf({ a, b: null }, change), versionsOf({ a, b }, { ...change, after: null })]).toEqual([{ before: { at: a, entry }, after: { at: b, entry } }, { before: { at: a, entry }, after: null }, { before: { at: a, entry }, after: null }])
})

test('lines have the bar of their author; a line stands back when every author it may be is filtered out', () => {
  const bars = barsOf({ before: ['agent', 'you', null, 'command'], after: ['both', 'unknown'] })
  expect(bars).toEqual({ before: ['agent', 'you', null, 'cmd'], after: ['both', 'unknown'] })
  expect(barRuns(['you', 'you', null, 'you', 'cmd'])).toEqual([{ from: 1, to: 2, bar: 'you' }, { from: 4, to: 4, bar: 'you' }, { from: 5, to: 5, bar: 'cmd' }])
  expect([dimmedBars(new Set(['you'])), dimmedBars(new Set(['you', 'command']))].map((set) => [...set])).toEqual([['you'], ['you', 'cmd', 'unknown']])
})

test('R84 a call that a crash cut short has one row with its question until the person answers; run again, each run has its own beginning', () => {
  const cut = [row('p1', 'before-call', null, [], 'a'), row('p2', 'after-call', 'unknown', ['x'], 'a'), row('p3', 'opened', null)]
  const again = [...cut, row('p4', 'before-call', null, [], 'a'), row('p5', 'after-call', 'command', ['y'], 'a')]
  const open = (state: OpenCall['state']): OpenCall => ({ callId: asId<CallId>('a'), label: 'make', isCommand: true, state })
  const kinds = (some: readonly TimelineRow[], state: OpenCall['state']) => pastRows(timelineOf(some), [], [open(state)], all).map((past) => `${past.kind} ${past.key}`)
  expect(kinds(cut, 'unknown')).toEqual(['point p3', 'point p2'])
  expect(kinds(again.slice(0, -1), 'running')).toEqual(['open a', 'point p3', 'point p2'])
  expect(kinds(again, 'running')).toEqual(['point p5', 'point p3', 'point p2'])
  expect(again.filter((one) => one.kind === 'after-call').map((one) => beforeOf(timelineOf(again), one))).toEqual(['p1', 'p4'])
  expect(lastCall(timelineOf(cut), one)?.id).toBe('p2')
})
