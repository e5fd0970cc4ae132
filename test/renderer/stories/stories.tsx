// One page of the real window on the in-memory bridge: `?story=NAME&theme=light&locale=zh-CN`. Not shipped.
import '../../../src/renderer/ui/base.css'
import { createRoot } from 'react-dom/client'
import { App } from '../../../src/renderer/app/App'
import { connect } from '../../../src/renderer/app/connect'
import { go, showPalette } from '../../../src/renderer/app/appStore'
import { review } from '../../../src/renderer/features/approvals/approvalStore'
import { addServer, choose, edit, showDialog, showLog, test as testServer } from '../../../src/renderer/features/servers/serverStore'
import { useTimeline } from '../../../src/renderer/features/timeline/timelineStore'
import { setDraft, submit, useWork } from '../../../src/renderer/features/work/workStore'
import { speakerFor } from '../../../src/renderer/ui/words'
import { defaultSettings } from '../../../src/shared/domain/settings'
import { said } from '../../../src/shared/domain/result'
import type { ProviderRow } from '../../../src/shared/ipc/views'
import { memoryHost } from '../../support/memoryHost'
import { auditAnswers, playAudit } from './auditStories'
import { approvalAnswers, askedIn, playApproval, sandboxIn } from './approvalStories'
import { fileAnswers, playFiles } from './fileStories'
import { contextAnswers, playContext } from './contextStories'
import { mcpAnswers, mcpPreviews } from './mcpStories'
import { runningServerCall, serverDrafts } from './mcpWorld'
import { memoryAnswers, memoryPreview, outsidePreview, rows } from './memoryWorld'
import { playMemory } from './memoryStories'
import { modelAnswers, playModels } from './modelStories'
import { planAnswers, playPlan } from './rollbackStories'
import { playRules, ruleAnswers } from './ruleStories'
import { serverAnswers } from './serverWorld'
import { playSkills, skillAnswers, skillDrafts } from './skillStories'
import { playTimeline, timelineAnswers } from './timelineStories'
import { playTrust } from './trustStories'
import { trustAnswers } from './trustWorld'
import { stoppedIn } from './undoStories'
import { budgetDrafts, playUsage, usageAnswers } from './usageStories'
import * as world from './world'

const query = new URLSearchParams(location.search)
const story = query.get('story') ?? 'work'
const settings = { ...defaultSettings, theme: (query.get('theme') ?? 'dark') as 'dark', locale: (query.get('locale') ?? 'en') as 'en', activeProvider: 'harbor' }
const speak = speakerFor(settings.locale)

const previews = { command: world.commandPreview, edit: world.editPreview, small: world.smallEditPreview, create: world.createPreview, delete: world.deletePreview, question: world.questionPreview, 'memory-card': memoryPreview, 'memory-outside': outsidePreview, 'memory-proposal': memoryPreview, 'memory-proposal-outside': outsidePreview, ...mcpPreviews } as const
const asks = Object.entries(previews).find(([name]) => story === name || story === `${name}-review`)?.[1]
const asked = askedIn(story) ?? (asks || story === 'rules-saved' ? [world.request(asks ?? world.commandPreview)] : [])
const own = asked.find((one) => one.sessionId === world.sessionId)
const drafts = own ? [...world.workDrafts, ...world.waitingCall(own)] : story === 'work' || story === 'queued' ? [...world.workDrafts, ...world.runningCommand] : story.startsWith('skills-') ? [...world.workDrafts, ...skillDrafts] : story === 'calls-held' ? [...world.workDrafts, ...world.heldDrafts] : story.startsWith('calls') ? [...world.workDrafts, ...serverDrafts, ...runningServerCall] : story.startsWith('budget') ? [...world.workDrafts, ...budgetDrafts(story)] : world.workDrafts
const provider = (row: Partial<ProviderRow>): ProviderRow => ({ id: 'x', name: 'x', baseUrl: '', model: '', isActive: false, origin: 'settings', key: null, hasKeychain: true, isSealed: false, isKeySealed: false, ...row })

const memory = memoryHost({
  ...serverAnswers(story),
  ...contextAnswers(story),
  ...mcpAnswers,
  ...skillAnswers,
  ...trustAnswers(story),
  ...ruleAnswers(story),
  ...approvalAnswers,
  ...usageAnswers(story),
  'snapshot/space': () => ({ ok: true, value: { bytes: 310_000_000, points: 38, oldestAtMs: 0, isPackable: true } }),
  'snapshot/pack': () => ({ ok: true, value: { bytes: 100_000_000, points: 38, oldestAtMs: 0, isPackable: false } }),
  ...memoryAnswers(story === 'memory-empty' ? [] : rows(settings.locale)),
  'app/start': () => ({ version: '0.1.0', platform: 'linux', locale: 'en', settings, faults: [], stopped: null, workspace: story === 'welcome' || story === 'models-empty' ? null : world.workspace, recent: [{ root: '/home/ada/code/tide-tables', name: 'tide-tables', isThere: true }, { root: '/home/ada/code/old-site', name: 'old-site', isThere: false }], sandbox: sandboxIn(story), audit: { entries: 4182, chain: 'x' }, dataFolder: { path: '/home/ada/.local/share/countersign', setBy: 'COUNTERSIGN_DATA_DIR' } }),
  'session/list': () => (story === 'first' ? [] : world.sessions.map((row) => (own && row.id === world.sessionId ? { ...row, state: 'waiting' } : row))),
  'session/read': ({ sessionId }) => (sessionId === world.sessionId ? world.events(drafts) : []),
  'session/create': () => world.sessions[0] ?? Promise.reject(new Error('no session')),
  'session/prompt': () => ({ ok: false, fault: said('model.key-refused', { status: 401, provider: 'Harbor gateway' }) }),
  'approval/list': () => asked,
  'settings/change': (change) => ({ ok: true, value: { ...settings, ...change } as typeof settings }),
  'timeline/read': () => { const stopped = stoppedIn(story); return stopped === null ? world.timeline : { ...world.timeline, stopped } },
  'timeline/changes': () => ({ ok: true, value: { changes: world.changes, count: world.changes.length } }),
  'timeline/file': ({ oid }) => ({ ok: true, value: { text: world.textOf(oid), sizeBytes: 10 } }),
  'audit/verify': () => ({ ok: true, entries: 4182, signed: 4182, firstBroken: null, startsAt: 1, atMs: 0 }),
  ...(story.startsWith('audit') ? auditAnswers(story) : {}),
  ...(story.startsWith('plan') ? planAnswers(story) : {}),
  ...(story.startsWith('timeline') ? timelineAnswers(story, settings.locale) : {}),
  ...(story.startsWith('files') ? fileAnswers(settings.locale) : {}),
  'provider/list': () => [
    provider({ id: 'harbor', name: 'Harbor gateway', baseUrl: 'https://api.provider.example/v1', model: 'tern-2', isActive: true, key: { place: 'keychain', lastFour: '4f2a' } }),
    provider({ id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'wren-coder:30b', origin: 'found' }),
    provider({ id: 'practice', name: 'Practice', model: 'tutor', origin: 'practice' }),
    provider({ id: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.example/v1' }),
  ],
  ...modelAnswers(story),
})
Object.defineProperty(window, 'host', { value: memory.host })
Object.assign(window, { memory, world })

async function play(): Promise<void> {
  await connect()
  await new Promise((done) => setTimeout(done, 300))
  if (story === 'work' || story === 'queued') {
    memory.push('session/parts', [{ sessionId: world.sessionId, turnId: 't2' as never, step: 3, seq: 60, part: 1, atMs: Date.now(), body: { type: 'tool-output', callId: 'c6' as never, text: '\u001b[32m✓\u001b[0m retries on 503, then succeeds (18 ms)\r\n✓ does not retry on 400 (3 ms)\r\n✓ waits as Retry-After asks (1,004 ms)\r\n▸ gives up after the third attempt\r\n' } }])
    setDraft('Also add a note to CHANGELOG.md')
  }
  if (story.startsWith('calls') && story !== 'calls-held') memory.push('session/parts', [{ sessionId: world.sessionId, turnId: 't3' as never, step: 2, seq: 90, part: 1, atMs: Date.now(), body: { type: 'tool-output', callId: 'k9' as never, text: '12 of 40 pages\n13 of 40 pages: /orders/unpaid\n' } }])
  if (story === 'queued') { await submit(); setDraft('and one more thing') }
  if (story.endsWith('-review')) review('c9' as never)
  await playApproval(story)
  if (story === 'settings-sandbox') go('settings')
  if (story === 'palette') showPalette(true)
  if (story === 'settings') go(story)
  if (story.startsWith('models') || story.startsWith('picker')) await playModels(story, memory)
  if (story.startsWith('timeline')) await playTimeline(story, memory)
  if (story.startsWith('files')) await playFiles(story)
  if (story.startsWith('compaction')) playContext()
  if (story.startsWith('plan')) await playPlan(story, speak)
  if (story.startsWith('memory')) await playMemory(story)
  if (story.startsWith('audit')) await playAudit(story)
  if (story.startsWith('rules')) await playRules(story)
  if (story.startsWith('servers')) await playServers()
  if (story.startsWith('skills-')) await playSkills(story)
  if (story.startsWith('usage')) await playUsage(story)
  if (story.startsWith('trust')) playTrust(story)
  if (story === 'streaming') stream()
  void useWork
  void useTimeline
}

/** The servers page in one of its states. */
async function playServers(): Promise<void> {
  go('servers')
  await new Promise((done) => setTimeout(done, 200))
  if (story === 'servers') edit({ cwd: 'db', timeout: '90' })
  if (story === 'servers-tracker') choose({ kind: 'server', name: 'issue-tracker' })
  if (story === 'servers-docs') choose({ kind: 'server', name: 'docs' })
  if (story === 'servers-test') void testServer()
  if (story === 'servers-log') await showLog('postgres')
  if (story === 'servers-import') showDialog('import')
  if (story === 'servers-paste') showDialog('paste')
  if (story === 'servers-remove') showDialog('remove')
  if (story === 'servers-new') addServer({ command: 'npx', env: [{ id: 9001, name: 'API_KEY', value: { kind: 'secret', text: 'abc' } }, { id: 9002, name: '', value: { kind: 'text', text: '' } }] })
}

/** A reply that grows, a piece a frame. */
function stream(): void {
  const text = 'I will split it. '.repeat(400)
  let part = 0
  const step = (): void => {
    part += 1
    memory.push('session/parts', [{ sessionId: world.sessionId, turnId: 't2' as never, step: 4, seq: 100, part, atMs: Date.now(), body: { type: 'text-delta', text: text.slice(part * 24, part * 24 + 24) } }])
    if (part < 200) requestAnimationFrame(step)
  }
  step()
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
void play()
