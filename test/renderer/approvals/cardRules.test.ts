import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerOf } from '../../../src/renderer/features/approvals/answerOf'
import { cardOnScreen, cardsOf } from '../../../src/renderer/features/approvals/approvalStore'
import { titleOf } from '../../../src/renderer/features/approvals/cardText'
import { inProject, isOutside, networkNeed, partIcon, scriptOf, undoShare } from '../../../src/renderer/features/approvals/partLook'
import { sharedPieces } from '../../../src/renderer/features/approvals/taintText'
import { keepState, lastLines, trialCounts, unheldFiles } from '../../../src/renderer/features/approvals/trialFacts'
import { reachOf, rememberOf, runsProject, widerShapes } from '../../../src/renderer/features/approvals/wider'
import type { ApprovalRequest, CommandConfinement } from '../../../src/shared/domain/approval'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import type { CommandPart } from '../../../src/shared/domain/verdict'
import { againCard, networkCard, outsideCard, testCard, trialPreview, wholeCard } from '../stories/approvalWorld'
import { questionPreview, request } from '../stories/world'

const part = (more: Partial<CommandPart>): CommandPart => ({ argv: ['a', 'b', 'c'], verdict: 'ask', reason: said('guard.nothing-against'), reads: [], writes: [], deletes: [], hosts: [], canUndo: true, ...more })

test.each([
  [part({ canUndo: false, hosts: ['h'] }), null, 'lost'],
  [part({ verdict: 'deny' }), null, 'lost'],
  [part({ reason: said('guard.installs', { program: 'npm' }), hosts: ['?'], canUndo: false }), null, 'downloads'],
  [part({ writes: ['/p/a'] }), { by: 'rule', id: '7' }, 'answered'],
  [part({ writes: ['/p/a'], deletes: ['/p/b'] }), null, 'deletes'],
  [part({ writes: ['/p/a'], reads: ['/p/b'] }), null, 'writes'],
  [part({ reads: ['/p/b'] }), null, 'reads'],
  [part({}), null, 'runs'],
] as const)('the sign of a part says the gravest it does, or that it is answered (DESIGN 5.4)', (one, answer, icon) => {
  expect(partIcon(one, answer)).toBe(icon)
})

test('a script’s text stands beside the part that runs it, where it is known', () => {
  expect([scriptOf(part({ reason: said('guard.script-runs', { program: 'npm', name: 'build', text: 'tsc' }) })), scriptOf(part({ reason: said('guard.builds', { program: 'npm' }) }))]).toEqual(['tsc', null])
})

test('undo is counted by part: covered, in part where no snapshot holds a path, lost (R80, DESIGN 5.4)', () => {
  const parts = [part({ writes: ['/p/dist'] }), part({ writes: ['/p/node_modules/x'] }), part({ reads: ['/etc/hosts'] }), part({ argv: ['git', 'push', 'origin'], canUndo: false })]
  const skipped = [{ path: 'node_modules', reason: 'ignored' }] as const
  expect(undoShare(parts, { kind: 'partial', skipped }, '/p')).toEqual({ covered: 2, partly: 1, lost: 1, missing: ['node_modules', 'git push'] })
  expect(undoShare(parts, { kind: 'none', skipped: [] }, '/p')).toMatchObject({ covered: 1, lost: 3 })
})

test('no part is counted twice or left out', () => {
  const anyPart = fc.record({ canUndo: fc.boolean(), writes: fc.subarray(['/p/a', '/p/b', '/q/c']), deletes: fc.subarray(['/p/d']) }).map((more) => part(more))
  fc.assert(fc.property(fc.array(anyPart), fc.subarray(['a', 'd', 'b/*']), fc.constantFrom('full' as const, 'partial' as const, 'none' as const), (parts, lines, kind) => {
    const { covered, partly, lost } = undoShare(parts, { kind, skipped: lines.map((path) => ({ path, reason: 'ignored' })) }, '/p')
    expect(covered + partly + lost).toBe(parts.length)
  }))
})

test.each([['/p', '.', false], ['/p/a/b', 'a/b', false], ['/pp/a', '/pp/a', true], ['~/x', '~/x', true], ['../x', '../x', true], ['..x', '..x', false], ['C:\\x', 'C:\\x', true]])('%s is %s of the project', (path, shown, outside) => {
  expect([inProject(path, '/p'), isOutside(path, '/p')]).toEqual([shown, outside])
})

test('the network is asked for where a part reaches a host, and not where it is given or nothing is held (R72)', () => {
  expect(networkNeed(wholeCard)).toEqual({ hosts: ['git.example.org'], hasOthers: true })
  expect(networkNeed(networkCard)).toEqual({ hosts: ['registry.example.org'], hasOthers: false })
  expect([networkNeed(testCard), networkNeed(againCard), networkNeed(outsideCard), networkNeed({ ...networkCard, sandbox: 'none' })]).toEqual([null, null, null, null])
})

test('with the network opened, the answer is another call of the same command (R63, R72)', () => {
  const args = networkCard.args
  expect(answerOf(networkCard, null)).toEqual({ kind: 'allow' })
  expect(answerOf(networkCard, null, true)).toEqual({ kind: 'edited', args: { ...args, network: true } })
  expect(answerOf(networkCard, 'curl x', true)).toEqual({ kind: 'edited', args: { ...args, command: 'curl x', network: true } })
})

test.each([
  [{ network: true, outside: false, after: 'network' }, 'approval.wants.again-network'],
  [{ network: true, outside: false, after: null }, 'approval.wants.network'],
  [{ network: false, outside: true, after: 'path' }, 'approval.wants.again-outside'],
  [{ network: true, outside: true, after: null }, 'approval.wants.outside'],
  [{ network: false, outside: false, after: 'network' }, 'approval.wants.command'],
] as const)('a card that asks for more than the sandbox gives says so in its title (R72)', (confinement: CommandConfinement, code) => {
  expect(titleOf(request({ kind: 'command', command: 'x', cwd: '.', parts: [], confinement })).code).toBe(code)
})

test('words that a text from outside holds too are found whatever the blanks between them, and nothing of the text is lost (R71)', () => {
  expect(sharedPieces('npm  ci\n--x && npm ci', ['npm ci --x'])).toEqual([{ text: 'npm  ci\n--x', isShared: true }, { text: ' && npm ci', isShared: false }])
  expect(sharedPieces('a.b axb', ['a.b']).filter((piece) => piece.isShared)).toEqual([{ text: 'a.b', isShared: true }])
  fc.assert(fc.property(fc.string(), fc.array(fc.string(), { maxLength: 3 }), (text, shared) => {
    expect(sharedPieces(text, shared).map((piece) => piece.text).join('')).toBe(text)
  }))
})

test('what is allowed for longer ends with its turn or session, after ten minutes, or after five uses (R63, R69)', () => {
  const shapes = [{ kind: 'tool', tool: 't' }] as const
  const common = { shapes, isForAllProjects: false }
  expect(rememberOf({ lifetime: 'turn', ends: 'lifetime' }, shapes, 1000)).toEqual({ ...common, lifetime: 'turn', expiresAtMs: null, usesLeft: null })
  expect(rememberOf({ lifetime: 'session', ends: 'minutes' }, shapes, 1000)).toEqual({ ...common, lifetime: 'session', expiresAtMs: 601_000, usesLeft: null })
  expect(rememberOf({ lifetime: 'session', ends: 'uses' }, shapes, 1000)).toEqual({ ...common, lifetime: 'session', expiresAtMs: null, usesLeft: 5 })
})

test('a shape that covers more than the call says what (e14)', () => {
  const exact = { kind: 'exact', text: 'npm' } as const
  expect([
    reachOf({ kind: 'tool', tool: 't' }), reachOf({ kind: 'files', tool: 'edit_file', glob: 'a' }), reachOf({ kind: 'host', host: 'h' }),
    reachOf({ kind: 'command', words: [exact], isOpen: false }), reachOf({ kind: 'command', words: [exact], isOpen: true }), reachOf({ kind: 'command', words: [exact, { kind: 'pattern', text: '*.ts' }], isOpen: false }),
  ]).toEqual(['arguments', 'content', 'pages', null, 'words', 'words'])
})

test('where no rule may answer nothing wider is offered, and a question of another kind does not speak of rules (R69)', () => {
  expect([widerShapes(wholeCard), widerShapes(request(questionPreview, { remembered: null })), widerShapes({ ...testCard, remembered: [] }), widerShapes(testCard)]).toEqual(['never', null, null, testCard.remembered])
})

test('a trial is kept, or nothing of it, or not while a file is no longer what the copy was made of (R73)', () => {
  expect([keepState(trialPreview), keepState({ ...trialPreview, files: [] }), keepState({ ...trialPreview, changedSince: ['docs/shipping.md'] })]).toEqual(['can', 'nothing', 'changed'])
  expect(trialCounts(trialPreview.files)).toEqual({ changed: 12, created: 1, deleted: 1 })
  expect(unheldFiles(trialPreview, { kind: 'partial', skipped: [{ path: 'docs', reason: 'too-large' }] }).map((row) => row.path)).toEqual(['docs/map.png', 'docs/shipping.md'])
  expect(unheldFiles(trialPreview, { kind: 'none', skipped: [] })).toHaveLength(14)
})

test('of an output the last lines are shown, and how many there are', () => {
  expect([lastLines('a\r\nb\rc\n\n', 2), lastLines('\n', 5), lastLines('', 5)]).toEqual([{ shown: ['b', 'c'], total: 3 }, { shown: [], total: 0 }, { shown: [], total: 0 }])
})

const other = asId<SessionId>('s2')
const ask = (id: string, of: Partial<ApprovalRequest> = {}): ApprovalRequest => ({ ...testCard, callId: asId(id), nonce: `n-${id}`, ...of })

test('the card on screen is the oldest of its session, or the one that was looked at from there; a review only beside its own', () => {
  const state = { open: [ask('a', { sessionId: other, askedAtMs: 1 }), ask('b', { askedAtMs: 2 }), ask('c', { askedAtMs: 3, preview: trialPreview })], trying: [], reviewed: null, looked: null }
  const shown = (more: Partial<Parameters<typeof cardOnScreen>[0]>, sessionId: SessionId) => {
    const found = cardOnScreen({ ...state, ...more }, sessionId)
    return found && [found.request.callId, found.place]
  }
  expect(shown({}, testCard.sessionId)).toEqual(['b', 'docked'])
  expect(shown({ looked: { callId: asId('a'), from: testCard.sessionId } }, testCard.sessionId)).toEqual(['a', 'docked'])
  expect(shown({ looked: { callId: asId('b'), from: testCard.sessionId } }, other)).toEqual(['a', 'docked'])
  expect(shown({ reviewed: asId('c') }, testCard.sessionId)).toEqual(['c', 'review'])
  expect(shown({ reviewed: asId('c') }, other)).toEqual(['a', 'docked'])
  expect(shown({}, asId('s3'))).toBeNull()
})

test('a command that runs on a copy keeps its card, in its place, until its question is back', () => {
  const tried = ask('b', { askedAtMs: 2 })
  const rest = [ask('a', { askedAtMs: 1 }), ask('c', { askedAtMs: 3 })]
  expect(cardsOf({ open: rest, trying: [tried] }).map((card) => card.callId)).toEqual(['a', 'b', 'c'])
  expect(cardsOf({ open: [ask('b', { nonce: 'again' })], trying: [tried] }).map((card) => card.nonce)).toEqual(['again'])
})

test('R69: what runs the project’s own scripts is said to change with them, before it is allowed for longer', () => {
  const asking = (reason: CommandPart['reason']): boolean => runsProject({ ...testCard, preview: { kind: 'command', command: 'a', cwd: '/p', parts: [part({}), part({ reason })] } })
  expect([asking(said('guard.script-runs', { program: 'make', name: 'build', text: 'tsc' })), asking(said('guard.builds', { program: 'npm' })), asking(said('guard.reads')), runsProject({ ...testCard, preview: questionPreview })]).toEqual([true, true, false, false])
})
