import { go } from '../../../src/renderer/app/appStore'
import { openFile, showFinder, typeName } from '../../../src/renderer/features/files/fileStore'
import { changeQuery, openFind } from '../../../src/renderer/features/work/findStore'
import type { AgentEvent, EventDraft } from '../../../src/shared/domain/event'
import { asId, type TurnId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { ChangedPath } from '../../../src/shared/ipc/timelineViews'
import type { FileView } from '../../../src/shared/ipc/fileViews'
import type { MemoryAnswers } from '../../support/memoryHost'
import * as past from './timelineWorld'
import { timelineAnswers } from './timelineStories'
import { choice, sessionId } from './world'

const drawn = (ms = 400): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** What is in the folder. */
export const paths = ['src/http/client.ts', 'src/http/retry.ts', 'src/orders/list.ts', 'src/orders/index.ts', 'docs/zh/订单 手册.md', 'test/retry.test.ts', '.env', 'logo.png']

const turnId = asId<TurnId>('t5')
const output = 'FAIL test/retry.test.ts:14:3 > retries on 503\n  at withRetry (src/http/retry.ts:5:11)\n  see https://host.example/src/http/client.ts:1 and ../outside.ts:4\n'

/** One more turn: words, a command and thinking that name places of files. */
const more: readonly EventDraft[] = [
  { type: 'user-message-added', turnId, messageId: asId('u5'), text: 'Why does src/http/retry.ts fail? 看 docs/zh/订单 手册.md' },
  { type: 'turn-started', turnId, choice, level: 'writes' },
  { turnId, step: 1, type: 'assistant-message-added', messageId: asId('m5'), text: 'The cap is checked late: `src/http/retry.ts:5:11`, called in src/http/client.ts:3. Nothing else names gone/away.ts:9.', reasoning: 'The retry counter in src/http/retry.ts:4 starts at one.', choice, calls: [], stop: 'stop', isComplete: true },
  { turnId, step: 1, type: 'tool-called', callId: asId('b9'), providerCallId: 'p9', index: 0, tool: 'run_command', effect: 'execute', argumentsText: '{"command":"npm test"}', args: { command: 'npm test' } },
  { turnId, step: 1, type: 'approval-decided', callId: asId('b9'), decision: 'allow', by: 'person', args: null, reason: null },
  { turnId, step: 1, type: 'tool-started', callId: asId('b9'), args: { command: 'npm test' } },
  { turnId, step: 1, type: 'tool-finished', callId: asId('b9'), status: 'ok', say: said('turn.done'), text: output, changed: [], exitCode: 1, outputRef: null, durationMs: 1900 },
  { turnId, step: 1, type: 'turn-ended', reason: 'done', say: said('turn.done'), text: '', tokens: { input: 1, output: 1 }, auditHead: null },
]

/** The conversation with that turn at its end. */
export function fileEvents(locale: string): readonly AgentEvent[] {
  const drafts = [...past.conversation(locale), ...more.map((draft) => ({ draft, minute: 40 }))]
  return drafts.map(({ draft, minute }, at): AgentEvent => ({ ...draft, v: 1, sessionId, seq: at + 1, atMs: past.at(minute) + at }))
}

function viewOf(path: string, isAsked: boolean): FileView {
  if (path === '.env' && !isAsked) return { kind: 'asks', path, reason: said('path.secret', { path }) }
  if (path === 'logo.png') return { kind: 'binary', path, sizeBytes: 48_000 }
  return { kind: 'text', path, text: `${past.pastText('2'.repeat(40))}\n// zero\u200bwidth and \u202egnirts\n`, encoding: 'UTF-8', lineEnds: 'LF', sizeBytes: 512 }
}

/** A folder whose files can be opened. */
export function fileAnswers(locale: string): MemoryAnswers {
  return {
    ...timelineAnswers('timeline-turn', locale),
    'session/read': ({ sessionId: id }) => (id === sessionId ? fileEvents(locale) : []),
    'timeline/changes': ({ before, after }) => {
      const { rows } = past.pastOf()
      const between = rows.slice(rows.findIndex((row) => row.id === before) + 1, rows.findIndex((row) => row.id === after) + 1)
      const changes = between.flatMap((row): ChangedPath[] => row.changed.map(({ path }) => ({ path, change: 'modified', before: { oid: '1'.repeat(40), mode: '100644' }, after: { oid: '2'.repeat(40), mode: '100644' }, lines: row.lines })))
      return { ok: true, value: { changes: [...new Map(changes.map((change) => [change.path, change])).values()], count: changes.length } }
    },
    'file/known': ({ names }) => names.map((name) => (paths.includes(name) ? name : null)),
    'file/read': ({ path, isAsked }) => ({ ok: true, value: viewOf(path, isAsked) }),
    'file/find': ({ query }) => { const fitting = paths.filter((path) => path.includes(query)); return { ok: true, value: { paths: fitting, total: fitting.length, isCut: false } } },
    'editor/list': () => [{ name: 'VS Code', command: 'code --goto {path}:{line}:{column}' }, { name: 'Zed', command: 'zed {path}:{line}:{column}' }],
    'settings/change': (change) => ({ ok: true, value: { ...defaultSettings, ...(change as object) } }),
  }
}

/** The parts that show files, in one of their states. */
export async function playFiles(story: string): Promise<void> {
  await drawn()
  if (story === 'files-viewer') return openFile({ path: 'src/http/client.ts', line: 7, column: 1 }, { id: asId('q13'), turn: 3 })
  if (story === 'files-asks') return openFile({ path: '.env', line: 1, column: null })
  if (story === 'files-finder') { showFinder(); await drawn(100); return typeName('src/') }
  if (story === 'files-find') { openFind(); return changeQuery({ text: 'retry' }) }
  if (story === 'files-settings') return go('settings')
  if (story === 'files-review') await drawn(1200)
  if (story === 'files-review') document.querySelector<HTMLButtonElement>('.turnsum .btn')?.click()
}
