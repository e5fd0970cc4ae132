import { describe, expect, onTestFinished, test } from 'vitest'
import { makePermissions, type Permissions } from '../../../src/main/services/permissions'
import { makeSessions } from '../../../src/main/services/sessions'
import type { LivePermission } from '../../../src/main/core/policy/permissions'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import type { AuditDraft } from '../../../src/shared/domain/audit'
import type { CallChange } from '../../../src/shared/domain/call'
import { asId, type CallId, type SessionId, type TurnId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import type { Remember, RuleDraft, RuleShape } from '../../../src/shared/domain/rule'
import type { PermissionsPage } from '../../../src/shared/ipc/views'
import { turnBegun, turnEnded } from '../../support/drafts'
import { asText, command } from '../../support/rules'
import { openIn, scratchFolder } from '../../support/scratchDatabase'

const day = 24 * 60 * 60 * 1000
const anyScript: RuleShape = { kind: 'command', isOpen: true, words: [...command('npm run').words, { kind: 'any' }] }
const draft = (shape: RuleShape, more: Partial<RuleDraft> = {}): RuleDraft => ({ effect: 'allow', shape, workspaceId: null, expiresAtMs: null, usesLeft: null, createdFromCall: null, ...more })
const remember = (shapes: readonly RuleShape[], more: Partial<Remember> = {}): Remember => ({ lifetime: 'session', shapes, isForAllProjects: false, expiresAtMs: null, usesLeft: null, ...more })
const idsOf = (live: readonly LivePermission[]) => live.map((each) => (each.by === 'rule' ? `rule ${each.rule.id}` : `grant ${asText(each.grant.shape)}`))

/** One past call: the command, and what became of it. */
interface Past {
  readonly command: string
  readonly as: 'signed' | 'denied' | 'skipped' | 'policy'
}

async function makeWorld(dataDir = scratchFolder(), { fails = () => false }: { readonly fails?: (fact: string) => boolean } = {}) {
  const time = { nowMs: 100 * day }
  const clock = { nowMs: () => time.nowMs }
  const database = await openIn(dataDir, clock)
  let made = 0
  const ids = { next: () => `id-${(made += 1)}-${Math.random().toString(36).slice(2)}`, nonce: () => 'n' }
  const sessions = makeSessions({ events: database.events, clock, ids })
  const workspace = await database.timeline.workspace('/home/ann/app', 'app')
  const audit: AuditDraft[] = []
  const permissions: Permissions = makePermissions({
    store: database.rules, journal: database.calls, sessions, clock, ids, redact: (text) => text.replaceAll('s3cret', '[redacted:word]'),
    audit: { append: (one) => (fails(one.fact) ? Promise.reject(new StorageFault(said('snapshot.disk-full'))) : (audit.push(one), Promise.resolve({ entries: 1, chain: '' }))) },
    whereOf: (root) => ({ cwd: root, root, home: '/home/ann', appData: '/home/ann/.app', projectGit: { executes: false } }),
  })
  onTestFinished(() => permissions.close())
  await permissions.useFolder(workspace)
  const session = await sessions.create(workspace.id, 'First', 'writes')
  const begin = (turn = 't1', id = session.id) => sessions.append(id, turnBegun(turn))
  const at = (turn = 't1', call = 'c1') => ({ sessionId: session.id, turnId: asId<TurnId>(turn), step: 1, callId: asId<CallId>(call) })
  const live = (turn = 't1', id = session.id) => permissions.live(id, asId(turn))
  return { time, database, sessions, workspace, audit, permissions, session, begin, at, live, dataDir }
}

function asked(sessionId: SessionId, remembered: ApprovalRequest['remembered'], tool = 'run_command'): ApprovalRequest {
  return {
    callId: asId('c1'), sessionId, turnId: asId('t1'), step: 1, tool, effect: 'execute', args: {}, argsHash: 'h', baseHashes: {}, nonce: 'n', reason: said('guard.builds', { program: 'npm' }),
    preview: { kind: 'arguments', text: '', notes: [] }, coverage: { kind: 'full', skipped: [] }, sandbox: 'none', ...(remembered === undefined ? {} : { remembered }), askedAtMs: 1,
  }
}

async function addPast({ sessions, session, time }: Pick<Awaited<ReturnType<typeof makeWorld>>, 'sessions' | 'session' | 'time'>, calls: readonly Past[], tool = 'run_command', turn = 'past'): Promise<void> {
  const at = { sessionId: session.id, turnId: asId<TurnId>(turn), step: 1 }
  const changes = calls.flatMap(({ command: line, as }, index): readonly CallChange[] => {
    const callId = asId<CallId>(`${turn}-${index}`)
    const args = tool === 'run_command' ? { command: line } : { path: line }
    const intent: CallChange = { to: 'intent', call: { ...at, callId, providerCallId: 'p', index, tool, effect: 'execute', proposed: JSON.stringify(args) } }
    const decidedAtMs = time.nowMs - calls.length + index
    if (as === 'signed') return [intent, { to: 'approved', callId, approved: args, argsHash: 'h', decidedBy: 'person', ruleId: null, decidedAtMs }]
    return [intent, { to: 'refused', callId, decidedBy: as === 'policy' ? 'policy' : 'person', decidedAtMs, outcome: as === 'skipped' ? 'skipped' : 'denied' }]
  })
  for (let from = 0; from < changes.length; from += 500) await sessions.append(session.id, [], changes.slice(from, from + 500))
}

describe('R63: permissions for a turn and for a session', () => {
  test('the narrowest answer lives for its turn, a wider one for its session, and both are in the record', async () => {
    const { begin, permissions, session, live, sessions, audit } = await makeWorld()
    await begin()
    expect(live()).toEqual([])
    const request = asked(session.id, [command('npm test'), command('make')])
    expect(await permissions.remember(request, remember([command('npm test')], { lifetime: 'turn' }))).toEqual({ ok: true, value: null })
    expect(await permissions.remember(request, remember([command('make', true)]))).toEqual({ ok: true, value: null })
    expect(idsOf(live())).toEqual(['grant npm test', 'grant make …'])
    expect(audit.map(({ fact, actor, tool }) => [fact, actor, tool])).toEqual([['grant-given', 'person', 'run_command'], ['grant-given', 'person', 'run_command']])
    await sessions.append(session.id, [turnEnded('t1')])
    await begin('t2')
    expect(idsOf(live('t2'))).toEqual(['grant make …'])
  })

  test('E14: what is remembered must answer the call it was given at, and one that no rule may answer gives none', async () => {
    const { begin, permissions, session, live } = await makeWorld()
    await begin()
    const refusal = async (remembered: ApprovalRequest['remembered'], shape: RuleShape) => {
      const done = await permissions.remember(asked(session.id, remembered), remember([shape]))
      return done.ok ? null : done.fault.code
    }
    expect(await refusal(null, command('npm publish'))).toBe('guard.rule-unanswerable')
    expect(await refusal(undefined, command('npm publish'))).toBe('guard.rule-unanswerable')
    expect(await refusal([command('npm test')], command('npm publish'))).toBe('guard.rule-not-fitting')
    expect(await refusal([command('npm test')], { kind: 'command', words: [{ kind: 'any' }], isOpen: true })).toBe('guard.rule-unusable')
    expect(await refusal([{ kind: 'tool', tool: 'mcp__mail__send' }], { kind: 'tool', tool: 'mcp__mail__read' })).toBe('guard.rule-not-fitting')
    expect(live()).toEqual([])
  })

  test('a count is taken before the call runs, also when two calls want the last one at once', async () => {
    const { begin, permissions, session, live, at } = await makeWorld()
    await begin()
    await permissions.remember(asked(session.id, [command('make')]), remember([command('make')], { usesLeft: 2 }))
    const [grant] = live()
    if (!grant) throw new Error('no grant')
    expect(await permissions.used(grant, at())).toBe(true)
    const both = [permissions.used(grant, at('t1', 'c2')), permissions.used(grant, at('t1', 'c3'))]
    expect(live()).toEqual([])
    expect(await Promise.all(both)).toEqual([true, false])
    expect(live()).toEqual([])
  })

  test('R69 a use that a call holds is nobody else’s, is counted when the call runs, and is free again when it was not run', async () => {
    const { begin, permissions, session, live, at, database } = await makeWorld()
    await permissions.save([draft(command('npm test', true), { usesLeft: 1 })], null)
    await begin()
    await permissions.remember(asked(session.id, [command('make')]), remember([command('make')], { usesLeft: 1 }))
    expect(idsOf(live())).toEqual(['rule 1', 'grant make'])
    for (const each of live()) {
      const [one, two] = [at('t1', 'c1'), at('t1', 'c2')]
      const stands = (): unknown => [permissions.holds(each, one), permissions.holds(each, two), idsOf(live()).includes(idsOf([each])[0] ?? '')]
      expect([permissions.hold(each, one), permissions.hold(each, two), stands()]).toEqual([true, false, [true, false, false]])
      permissions.letGo(one.callId)
      expect([permissions.holds(each, one), permissions.hold(each, two), permissions.hold(each, two)]).toEqual([false, true, true])
      expect([await permissions.used(each, two), await permissions.used(each, one), stands()]).toEqual([true, false, [false, false, false]])
    }
    expect((await database.rules.rules(0)).length).toBe(0)
  })

  test('R69 what a call holds answers no more once it was revoked', async () => {
    const { begin, permissions, session, live, at } = await makeWorld()
    await permissions.save([draft(command('npm test', true), { usesLeft: 1 })], null)
    await begin()
    await permissions.remember(asked(session.id, [command('make')]), remember([command('make')], { usesLeft: 1 }))
    const [rule, grant] = live()
    if (!rule || grant?.by !== 'grant') throw new Error('no rule, or no grant')
    for (const each of [rule, grant]) permissions.hold(each, at())
    await permissions.revoke({ rule: '1' })
    await permissions.revoke({ grant: grant.grant.id, sessionId: session.id })
    expect([rule, grant].map((each) => permissions.holds(each, at()))).toEqual([false, false])
    expect([await permissions.used(rule, at()), await permissions.used(grant, at())]).toEqual([false, false])
  })

  test('one ends by time, and by being revoked; a session that is opened again still has its own', async () => {
    const { begin, permissions, session, live, time, dataDir } = await makeWorld()
    await begin()
    await permissions.remember(asked(session.id, [command('make')]), remember([command('make')], { expiresAtMs: time.nowMs + 10 }))
    await permissions.remember(asked(session.id, [command('npm test')]), remember([command('npm test')]))
    const page = await permissions.page()
    expect(page.grants.map(({ grant, sessionTitle }) => [asText(grant.shape), sessionTitle])).toEqual([['make', 'First'], ['npm test', 'First']])
    time.nowMs += 10
    expect(idsOf(live())).toEqual(['grant npm test'])
    const other = await makeWorld(dataDir)
    expect((await other.permissions.page()).grants.map(({ grant }) => asText(grant.shape))).toEqual(['make', 'npm test'])
    const id = page.grants[1]?.grant.id ?? ''
    expect(await permissions.revoke({ grant: id, sessionId: session.id })).toEqual({ ok: true, value: null })
    expect([live(), await permissions.revoke({ grant: id, sessionId: session.id })]).toMatchObject([[], { ok: false, fault: { code: 'guard.grant-gone' } }])
  })
})

describe('R69: rules', () => {
  test('what cannot be recorded does not hold, and what it was to replace still does', async () => {
    let isFull = false
    const { begin, permissions, live } = await makeWorld(undefined, { fails: () => isFull })
    await begin()
    await permissions.save([draft(command('make deploy'), { effect: 'deny' })], null)
    const before = live().map((each) => each.by === 'rule' && [each.rule.effect, asText(each.rule.shape)])
    isFull = true
    expect(await permissions.save([draft(command('make', true))], '1')).toMatchObject({ ok: false })
    expect(live().map((each) => each.by === 'rule' && [each.rule.effect, asText(each.rule.shape)])).toEqual(before)
  })

  test('are saved with numbers that are never given twice, explained, counted and revoked, all of it recorded', async () => {
    const { begin, permissions, live, at, audit, time, workspace } = await makeWorld()
    expect(await permissions.save([draft(command('npm test', true), { workspaceId: workspace.id }), draft(anyScript, { usesLeft: 1 })], null)).toEqual({ ok: true, value: null })
    await begin()
    expect(idsOf(live())).toEqual(['rule 1', 'rule 2'])
    const [first, second] = live()
    if (!first || !second) throw new Error('no rules')
    expect([await permissions.used(first, at()), await permissions.used(second, at()), await permissions.used(second, at())]).toEqual([true, true, false])
    expect(idsOf(live())).toEqual(['rule 1'])
    expect((await permissions.page()).rules).toMatchObject([{ rule: { id: '1', uses: 1, lastUsedAtMs: time.nowMs }, isUnused: false, shadowedBy: null, tooWide: null, workspaceName: 'app' }])
    expect(await permissions.save([draft(command('npm', true))], '1')).toEqual({ ok: true, value: null })
    expect((await permissions.page()).rules).toMatchObject([{ rule: { id: '3' }, tooWide: { code: 'guard.wide-any-command' }, workspaceName: null }])
    expect([await permissions.save([draft(command('make'))], '1'), await permissions.revoke({ rule: '1' }), await permissions.revoke({ rule: '3' })]).toMatchObject([{ ok: false, fault: { code: 'guard.rule-gone' } }, { ok: false, fault: { code: 'guard.rule-gone' } }, { ok: true }])
    expect(live()).toEqual([])
    await permissions.save([draft(command('make'))], null)
    expect(idsOf(live())).toEqual(['rule 4'])
    time.nowMs += 31 * day
    expect((await permissions.page()).rules).toMatchObject([{ isUnused: true }])
    expect(audit.map(({ fact, outcome }) => `${fact} ${outcome ?? ''}`)).toEqual(['rule-saved 1', 'rule-saved 2', 'rule-used 1', 'rule-used 2', 'rule-saved 3', 'rule-revoked 3', 'rule-saved 4'])
  })

  test('hold in their project alone, shadow each other, and what cannot be read is none', async () => {
    const { permissions, workspace, database, begin, live, sessions } = await makeWorld()
    const elsewhere = await database.timeline.workspace('/home/ann/other', 'other')
    await permissions.save([draft(command('eslint'), { workspaceId: workspace.id }), draft(command('eslint', true), { workspaceId: elsewhere.id }), draft(command('eslint', true)), draft({ kind: 'files', tool: 'edit_file', glob: '**' })], null)
    await begin()
    const there = await sessions.create(elsewhere.id, 'There', 'writes')
    await begin('t9', there.id)
    expect([idsOf(live()), idsOf(live('t9', there.id))]).toEqual([['rule 1', 'rule 3', 'rule 4'], ['rule 2', 'rule 3', 'rule 4']])
    expect((await permissions.page()).rules.map(({ shadowedBy, tooWide }) => [shadowedBy, tooWide?.code ?? null])).toEqual([['3', null], ['3', 'guard.wide-program'], [null, 'guard.wide-program'], [null, 'guard.wide-folder']])
    for (const bad of [draft({ kind: 'files', tool: 'edit_file', glob: '/etc/*' }), draft(command('make'), { workspaceId: asId('nowhere') })]) expect(await permissions.save([bad], null)).toMatchObject({ ok: false, fault: { code: 'guard.rule-unusable' } })
  })

  test('another process is seen at the next turn, and what it revoked is not used any more', async () => {
    const { permissions, begin, live, at, dataDir, sessions, session } = await makeWorld()
    const other = await makeWorld(dataDir)
    await other.permissions.save([draft(command('make'))], null)
    expect(live()).toEqual([])
    await begin()
    await sessions.append(session.id, [])
    expect(idsOf(live())).toEqual(['rule 1'])
    const [rule] = live()
    if (!rule) throw new Error('no rule')
    await other.permissions.revoke({ rule: '1' })
    expect([await permissions.used(rule, at()), live()]).toEqual([false, []])
  })

  test('R54: rules and grants on a tool end when its definition changed; what restricts stays', async () => {
    const { permissions, begin, live, session, audit } = await makeWorld()
    const send: RuleShape = { kind: 'tool', tool: 'mcp__mail__send' }
    await begin()
    await permissions.save([draft(send), draft(send, { effect: 'ask' }), draft({ kind: 'tool', tool: 'mcp__mail__read' })], null)
    await permissions.remember(asked(session.id, [send], 'mcp__mail__send'), remember([send]))
    expect(live()).toHaveLength(4)
    await permissions.lapsed('mcp__mail__send')
    expect(idsOf(live())).toEqual(['rule 2', 'rule 3'])
    expect(audit.slice(-2).map(({ fact, actor, args }) => [fact, actor, args])).toMatchObject([['rule-revoked', 'app', { why: 'definition changed' }], ['grant-revoked', 'app', { why: 'definition changed' }]])
  })

  test('revoking all ends what allows here, and only that; listeners see it', async () => {
    const { permissions, begin, live, session, workspace, database } = await makeWorld()
    const elsewhere = await database.timeline.workspace('/home/ann/other', 'other')
    await begin()
    await permissions.save([draft(command('make')), draft(command('npm', true), { workspaceId: workspace.id }), draft(command('rm', true), { effect: 'deny' }), draft(command('make'), { workspaceId: elsewhere.id })], null)
    await permissions.remember(asked(session.id, [command('make')]), remember([command('make')]))
    const pages: PermissionsPage[] = []
    permissions.onChange((page) => pages.push(page))
    await permissions.revokeAll()
    expect(idsOf(live())).toEqual(['rule 3'])
    await permissions.page()
    expect(pages.at(-1)).toMatchObject({ grants: [], rules: [{ rule: { id: '3' } }, { rule: { id: '4' } }] })
  })

  test('what cannot be recorded does not hold', async () => {
    const { database, sessions, workspace, begin, live } = await makeWorld()
    const permissions = makePermissions({ store: database.rules, journal: database.calls, sessions, clock: { nowMs: () => 0 }, ids: { next: () => 'x' }, redact: (text) => text, audit: { append: () => Promise.reject(new Error('disk')) }, whereOf: () => ({ cwd: '/', root: '/', home: '/', appData: '/' }) })
    onTestFinished(() => permissions.close())
    await permissions.useFolder(workspace)
    await expect(permissions.save([draft(command('make'))], null)).rejects.toThrow('disk')
    await begin()
    expect([await database.rules.rules(0), live()]).toEqual([[], []])
  })
})

describe('R69: a rule is tried on the past before it is saved', () => {
  const past: readonly Past[] = [
    { command: 'npm run build', as: 'signed' }, { command: 'npm run clean -- --all', as: 'denied' }, { command: 'npm run build && curl https://example.net', as: 'denied' }, { command: 'npm run build:docs', as: 'signed' },
    { command: 'npm run lint s3cret', as: 'signed' }, { command: 'npm run build', as: 'signed' }, { command: 'npm run reset-db -- --yes', as: 'denied' }, { command: 'npm run build > out', as: 'signed' }, { command: 'ls', as: 'signed' }, { command: 'npm run test', as: 'skipped' }, { command: 'rm -rf /', as: 'policy' },
  ]

  test('what would have run, among them what was denied, and how to narrow it to what was allowed', async () => {
    const world = await makeWorld()
    await addPast(world, past)
    const tried = await world.permissions.tryOut(draft(anyScript), null)
    if (!tried.ok) throw new Error(tried.fault.code)
    const { rows, narrowed, ...counts } = tried.value
    expect(counts).toEqual({ total: 11, wouldRun: 7, deniedThen: 2, isUnused: false, shadowedBy: null, tooWide: { code: 'guard.wide-script', values: { file: 'package.json' } } })
    expect(rows.map(({ on, then, now, why }) => [on, then.decision, now, why?.code ?? null])).toEqual([
      ['npm run reset-db -- --yes', 'denied', 'runs', null], ['npm run build && curl https://example.net', 'denied', 'asks', 'guard.part-asks'], ['npm run clean -- --all', 'denied', 'runs', null],
      ['npm run test', 'skipped', 'runs', null], ['npm run build', 'allowed', 'runs', null], ['npm run lint [redacted:word]', 'allowed', 'runs', null], ['npm run build:docs', 'allowed', 'runs', null], ['npm run build', 'allowed', 'runs', null],
    ])
    expect(rows[1]?.why?.values).toMatchObject({ number: 2, command: 'curl https://example.net' })
    expect({ shapes: narrowed?.shapes.map(asText), wouldRun: narrowed?.wouldRun }).toEqual({ shapes: ['npm run build …', 'npm run lint …', 'npm run build:docs …'], wouldRun: 4 })
  })

  test('narrowing goes word by word where open words would run what was denied', async () => {
    const world = await makeWorld()
    await addPast(world, [{ command: 'npm run x -- --safe', as: 'signed' }, { command: 'npm run x -- --force', as: 'denied' }])
    const tried = await world.permissions.tryOut(draft(anyScript), null)
    expect(tried.ok && tried.value.narrowed?.shapes.map(asText)).toEqual(['npm run x -- --safe'])
  })

  test('other rules answer beside it, the replaced one does not, and what restricts is told', async () => {
    const world = await makeWorld()
    const { permissions, workspace } = world
    await addPast(world, [{ command: 'make && npm run build', as: 'signed' }, { command: 'npm run deploy', as: 'signed' }])
    await permissions.save([draft(command('make', true), { workspaceId: workspace.id }), draft(command('npm', true)), draft(command('npm run deploy', true), { effect: 'deny' })], null)
    const tried = async (of: RuleDraft, replaces: string | null) => {
      const done = await permissions.tryOut(of, replaces)
      return done.ok ? [done.value.wouldRun, done.value.shadowedBy, done.value.rows.map(({ now }) => now)] : done.fault.code
    }
    expect(await tried(draft(anyScript), null)).toEqual([1, '2', ['denied', 'runs']])
    expect(await tried(draft(anyScript), '2')).toEqual([1, null, ['denied', 'runs']])
    expect(await tried(draft(command('npm run', true), { effect: 'ask' }), null)).toEqual([0, null, ['denied', 'asks']])
    expect(await tried(draft({ kind: 'tool', tool: 'read_file' }), null)).toBe('guard.rule-unusable')
  })

  test('files are tried by their paths, and a rule nobody needed is called unused', async () => {
    const world = await makeWorld()
    await addPast(world, [{ command: 'src/a.ts', as: 'signed' }, { command: 'docs/b.md', as: 'denied' }, { command: 'src/../.env', as: 'denied' }, { command: '/etc/passwd', as: 'policy' }], 'edit_file')
    const tried = await world.permissions.tryOut(draft({ kind: 'files', tool: 'edit_file', glob: '**' }), null)
    expect(tried.ok && { ...tried.value, rows: tried.value.rows.map(({ on }) => on) }).toEqual({ total: 4, wouldRun: 2, deniedThen: 1, isUnused: false, shadowedBy: null, tooWide: said('guard.wide-folder'), rows: ['docs/b.md', 'src/a.ts'], narrowed: { shapes: [{ kind: 'files', tool: 'edit_file', glob: 'src/a.ts' }], wouldRun: 1 } })
    const none = await world.permissions.tryOut(draft({ kind: 'host', host: 'example.net' }), null)
    expect(none.ok && [none.value.total, none.value.isUnused]).toEqual([0, true])
  })

  test('a call proposes rules that would have answered it', async () => {
    const world = await makeWorld()
    await addPast(world, [{ command: 'npm run build -- --all', as: 'signed' }, { command: 'git push', as: 'signed' }])
    const proposed = await world.permissions.propose(asId('past-0'))
    expect(proposed.ok && proposed.value.drafts.map(({ shape, workspaceId, createdFromCall }) => [asText(shape), workspaceId === world.workspace.id, createdFromCall])).toEqual([['npm run build -- --all', true, 'past-0'], ['npm run build …', true, 'past-0'], ['npm run _ …', true, 'past-0']])
    expect([await world.permissions.propose(asId('past-1')), await world.permissions.propose(asId('gone'))]).toMatchObject([{ ok: false, fault: { code: 'guard.rule-unanswerable' } }, { ok: false, fault: { code: 'guard.rule-unanswerable' } }])
  })

  test('ten thousand past calls are tried without holding up the rest', async () => {
    const world = await makeWorld()
    await addPast(world, Array.from({ length: 10_000 }, (_, at): Past => ({ command: `npm run s${at % 50} -- --part ${at} | grep -v "x${at}"`, as: at % 10 === 0 ? 'denied' : 'signed' })))
    let longestMs = 0
    let last = performance.now()
    const beat = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 1)
    const startMs = performance.now()
    const tried = await world.permissions.tryOut(draft(anyScript), null)
    clearInterval(beat)
    if (process.env['COUNTERSIGN_SHOW_TIMES']) console.log(`10,000 calls in ${Math.round(performance.now() - startMs)} ms, longest pause ${Math.round(longestMs)} ms`)
    expect(tried.ok && [tried.value.total, tried.value.wouldRun, tried.value.deniedThen, tried.value.rows.length]).toEqual([10_000, 10_000, 1000, 200])
  })
})

