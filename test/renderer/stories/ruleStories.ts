import { go } from '../../../src/renderer/app/appStore'
import { openRule, openRuleFor } from '../../../src/renderer/app/wishes'
import { edit, ruleForCall, saveRule, showGrants, startRule } from '../../../src/renderer/features/rules/ruleStore'
import { withShape } from '../../../src/renderer/features/rules/editing'
import { asId, type CallId, type SessionId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import type { Grant, Rule, RuleShape, RuleWord } from '../../../src/shared/domain/rule'
import type { BackTest, BackTestRow, PermissionsPage, RuleRow } from '../../../src/shared/ipc/views'
import type { MemoryAnswers } from '../../support/memoryHost'

const sessionId = asId<SessionId>('s1')
const here = asId<WorkspaceId>('w1')
const minute = 60_000

/** `npm run * …` as a shape: `*` any word, a word with `*` a pattern, `…` further words. */
export function command(text: string): Extract<RuleShape, { readonly kind: 'command' }> {
  const words = text.split(' ')
  const isOpen = words.at(-1) === '…'
  return { kind: 'command', words: words.filter((word) => word !== '…').map((word): RuleWord => (word === '*' ? { kind: 'any' } : { kind: word.includes('*') ? 'pattern' : 'exact', text: word })), isOpen }
}

export function rule(id: string, shape: RuleShape, more: Partial<Rule> = {}, about: Partial<RuleRow> = {}): RuleRow {
  return { rule: { id, effect: 'allow', shape, workspaceId: here, expiresAtMs: null, usesLeft: null, createdFromCall: null, createdAtMs: Date.now() - 86_400_000, lastUsedAtMs: null, uses: 0, ...more }, isUnused: false, shadowedBy: null, tooWide: null, workspaceName: 'harbor-orders', ...about }
}

export function grant(id: string, shape: RuleShape, more: Partial<Grant> = {}): Grant {
  return { id, sessionId, turnId: null, shape, callId: asId<CallId>('c4'), givenAtMs: new Date(2026, 10, 3, 14, 5).getTime(), expiresAtMs: null, usesLeft: null, ...more }
}

/** What holds in the stories. */
export function permissions(nowMs: number): PermissionsPage {
  const title = 'Retry policy for HTTP client'
  return {
    grants: [
      { grant: grant('g1', { kind: 'files', tool: 'edit_file', glob: 'src/http/**' }, { turnId: asId('t2'), givenAtMs: nowMs - 3 * minute }), uses: 3, sessionTitle: title },
      { grant: grant('g2', { kind: 'host', host: 'git.example.org' }, { givenAtMs: nowMs - 2 * minute, expiresAtMs: nowMs + 8 * minute - 900 }), uses: 1, sessionTitle: title },
      { grant: grant('g3', { kind: 'tool', tool: 'mcp__docs__search' }, { givenAtMs: nowMs - 40 * minute, usesLeft: 3, sessionId: asId('s2') }), uses: 2, sessionTitle: 'Translate the handbook' },
    ],
    rules: [
      rule('12', command('npm test …'), { uses: 1038 }),
      rule('11', command('npm test -- --runInBand *'), { uses: 4 }, { shadowedBy: '12' }),
      rule('9', command('make …'), { uses: 0 }, { isUnused: true, tooWide: said('guard.wide-executes', { program: 'make' }) }),
      rule('8', command('git push …'), { effect: 'ask', workspaceId: null, uses: 2 }, { workspaceName: null }),
      rule('7', { kind: 'files', tool: 'write_file', glob: 'migrations/**' }, { effect: 'deny' }),
      rule('4', command('pytest -q *'), { workspaceId: asId('w2'), uses: 91 }, { workspaceName: 'tide-tables' }),
      rule('3', command('cargo build'), { workspaceId: asId('w3'), uses: 12 }, { workspaceName: null }),
    ],
  }
}

const row = (number: number, day: number, month: number, hour: number, minutes: number, on: string, decision: 'allowed' | 'denied', more: Partial<BackTestRow> = {}): BackTestRow => ({ callId: asId<CallId>(`b${number}`), sessionId: number % 2 === 0 ? sessionId : asId<SessionId>('old'), atMs: new Date(2026, month - 1, day, hour, minutes).getTime(), tool: 'run_command', on, then: { by: 'person', decision }, now: 'runs', why: null, ...more })

const wideRows: readonly BackTestRow[] = [
  row(1, 30, 11, 14, 7, 'npm run reset-db -- --yes', 'denied'),
  row(2, 24, 11, 9, 51, 'npm run clean -- --all', 'denied'),
  row(3, 26, 11, 11, 3, 'npm run build && curl -s https://hooks.example.org/built', 'denied', { now: 'asks', why: said('guard.part-asks', { number: 2, command: 'curl -s https://hooks.example.org/built', reason: said('guard.network', { program: 'curl', host: 'hooks.example.org' }) }) }),
  row(4, 30, 11, 14, 9, 'npm run build', 'allowed'),
  row(5, 27, 11, 17, 20, 'npm run build:docs', 'allowed'),
  ...[6, 7, 8, 9, 10, 11].map((number) => row(number, 30 - number, 10, 9, number, number % 2 === 0 ? 'npm run lint' : 'npm run build', 'allowed')),
]

/** Shapes that were denied never: what narrowing offers. */
export const narrowShapes: readonly RuleShape[] = ['build', 'build:docs', 'lint'].map((script) => command(`npm run ${script} …`))

const nothing: BackTest = { total: 0, wouldRun: 0, deniedThen: 0, rows: [], isUnused: true, shadowedBy: null, tooWide: null, narrowed: null }
/** "It would have run 10 of 11 past calls, 2 of which you denied." */
export const wideTest: BackTest = { total: 11, wouldRun: 10, deniedThen: 2, rows: wideRows, isUnused: false, shadowedBy: null, tooWide: said('guard.wide-script', { file: 'package.json' }), narrowed: { shapes: narrowShapes, wouldRun: 7 } }

/** What the past says of a shape here. */
export function testOf(shape: RuleShape): BackTest {
  if (shape.kind !== 'command' || shape.words[0]?.kind !== 'exact' || shape.words[0].text !== 'npm') return { ...nothing, total: shape.kind === 'command' ? 37 : 0, isUnused: shape.kind === 'command' }
  const third = shape.words[2]
  if (third?.kind !== 'exact') return wideTest
  const rows = wideRows.filter(({ on }) => on.startsWith(`npm run ${third.text}`))
  return { ...wideTest, wouldRun: rows.filter(({ now }) => now === 'runs').length, deniedThen: 0, rows, tooWide: null, narrowed: null }
}

/** The answers of a host with these permissions. */
export function ruleAnswers(story: string): MemoryAnswers {
  let page = permissions(Date.now())
  let last = 12
  return {
    'permission/read': () => (story === 'rules-empty' || (!story.startsWith('rules') && !story.startsWith('work')) ? { grants: [], rules: [] } : page),
    'permission/propose': () => ({ ok: true, value: { drafts: ['npm run build', 'npm run *', 'npm run * …', 'npm run build …'].map((text) => ({ effect: 'allow', shape: command(text), workspaceId: here, expiresAtMs: null, usesLeft: null, createdFromCall: asId('c9') })) } }),
    'permission/try-out': ({ draft }) => ({ ok: true, value: testOf(draft.shape) }),
    'permission/save': ({ drafts, replaces }) => {
      page = { ...page, rules: [...page.rules.filter(({ rule: { id } }) => id !== replaces), ...drafts.map((draft) => rule(String(++last), draft.shape as RuleShape, draft as Partial<Rule>))] }
      return { ok: true, value: null }
    },
    'permission/revoke': ({ of }) => {
      page = 'rule' in of ? { ...page, rules: page.rules.filter((one) => one.rule.id !== of.rule) } : { ...page, grants: page.grants.filter((one) => one.grant.id !== of.grant) }
      return { ok: true, value: null }
    },
    'permission/revoke-all': () => {
      page = { grants: [], rules: page.rules.filter((one) => one.rule.effect !== 'allow') }
      return null
    },
  }
}

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** The page of permissions in one of its states. */
export async function playRules(story: string): Promise<void> {
  if (story === 'rules-drawer') return showGrants(true)
  go('permissions')
  await wait(300)
  if (story === 'rules') {
    startRule()
    edit((one) => withShape(one, command('npm run * …')))
  }
  if (story === 'rules-narrowed') {
    startRule()
    edit((one) => withShape(one, command('npm run * …')))
    await wait(500)
    document.querySelector<HTMLElement>('.btn.narrow')?.click()
  }
  if (story === 'rules-text') {
    startRule()
    edit((one) => ({ ...one, text: 'npm run build && curl -s https://hooks.example.org', ends: { ...one.ends, kind: 'custom' } }))
  }
  if (story === 'rules-edit') openRule('9')
  if (story === 'rules-files') {
    startRule()
    edit((one) => ({ ...withShape(one, { kind: 'files', tool: 'edit_file', glob: 'src/**' }), effect: 'ask' }))
  }
  if (story === 'rules-call') openRuleFor(asId('c9'))
  if (story === 'rules-saved') {
    await ruleForCall(asId('c9'))
    await wait(500)
    await saveRule('as-is')
  }
}
