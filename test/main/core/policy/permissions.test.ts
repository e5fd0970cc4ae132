import { describe, expect, test } from 'vitest'
import type { JudgedPath } from '../../../../src/main/core/tools/defineTool'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { answersOf, type LivePermission } from '../../../../src/main/core/policy/permissions'
import type { PermissionQuestion } from '../../../../src/main/core/policy/permissionQuestion'
import { draftShapes, proposedShapes } from '../../../../src/main/core/policy/permissionShapes'
import { covers, shadows } from '../../../../src/main/core/policy/permissionShadows'
import { unusablePart } from '../../../../src/main/core/policy/permissionValid'
import { isTooWide } from '../../../../src/main/core/policy/permissionWidth'
import { applyToGrants, grantsOfTurn, type KeptGrants } from '../../../../src/main/core/policy/grants'
import { asId, type TurnId } from '../../../../src/shared/domain/ids'
import { said } from '../../../../src/shared/domain/result'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import type { Grant, Rule, RuleShape } from '../../../../src/shared/domain/rule'
import { asText, command, grantOf, ruleOf, where } from '../../../support/rules'

const question = (line: string, more: Partial<PermissionQuestion> = {}): PermissionQuestion => {
  const judged = judgeCommand(line, { ...where, projectGit: { executes: false } })
  return { tool: 'run_command', args: {}, root: where.root, verdict: judged, parts: judged.parts, places: [], readersAnswer: true, ...more }
}
const place = (relative: string | null, use: JudgedPath['use'] = 'write', kind: JudgedPath['facts']['kind'] = 'file'): JudgedPath => ({
  path: relative ?? '../x', use,
  facts: { given: relative ?? '../x', realPath: `${where.root}/${relative ?? '../x'}`, relative, problem: null, kind, isThroughLink: false, linkCount: 1, identity: null, parent: null },
})
const fine = { kind: 'allowable', reason: said('guard.nothing-against') } as const
const files = (tool: string, ...places: readonly JudgedPath[]): PermissionQuestion => ({ tool, args: {}, root: where.root, verdict: fine, parts: [], places, readersAnswer: true })
const page = (url: string): PermissionQuestion => ({ tool: 'fetch_url', args: { url }, root: where.root, verdict: fine, parts: [], places: [], readersAnswer: true })
const rules = (...all: readonly Rule[]): readonly LivePermission[] => all.map((rule) => ({ by: 'rule', rule }))
const answers = (line: string, ...all: readonly Rule[]) => answersOf(question(line), rules(...all), 0)
const runs = (line: string, ...shapes: readonly RuleShape[]): boolean => answers(line, ...shapes.map((shape, at) => ruleOf(shape, { id: String(at + 1) }))).whole !== null

describe('R69: who answers a command', () => {
  test('each part needs an answer of its own, of a rule, a grant or the readers', () => {
    const found = answersOf(question('npm test 2>&1 | grep -E "FAIL|Error"; make'), [...rules(ruleOf(command('npm test', true), { id: '7' })), { by: 'grant', grant: grantOf(command('make')) }], 0)
    expect(found).toMatchObject({ parts: [{ by: 'rule', id: '7' }, { by: 'readers' }, { by: 'grant', id: 'g1' }], whole: { by: 'rule', id: '7' }, denies: null, asks: null })
    expect(found.used).toHaveLength(2)
  })
  test('the readers may stay silent, and one part that nobody answers leaves the whole open', () => {
    expect(answersOf(question('npm test | head -3', { readersAnswer: false }), rules(ruleOf(command('npm test'))), 0)).toMatchObject({ parts: [{ by: 'rule' }, null], whole: null, used: [] })
    expect(answers('ls | head -3')).toMatchObject({ whole: { by: 'readers' }, used: [] })
  })
  test.each([
    ['npm run build', true], ['npm run build --all', false], ['npm run "bu"ild', true], ['npm run', false], ['npm test', false], ['npm  run   build 2>/dev/null', true], ['time npm run build', true], ['CI=1 npm run build', true],
    ['npm run build > out', false], ['npm run build $(ls)', false], ['FOO=1 npm run build', false], ['sh -c "npm run build"', false], ['xargs npm run build < f', false], ['./npm run build', false], ['npm run $X', false],
    ['cd src && npm run build', true], ['cd /tmp && npm run build', false],
  ])('[npm] [run] [any word] and %j: %j', (line, is) => {
    expect(runs(line, { kind: 'command', isOpen: false, words: [{ kind: 'exact', text: 'npm' }, { kind: 'exact', text: 'run' }, { kind: 'any' }] }, command('cd', true))).toBe(is)
  })
  test.each([
    ['npm run x -- a b', true], ['npm run x -- ../a', false], ['npm run x -- /etc/a', false], ['npm run x -- --out=/etc/a', false], ['npm run x -- -o/etc/a', false], ['npm run x -- ~/a', false],
    ['npm run x -- http://localhost:3000/a', true], ['npm run x -- https://example.net', false], ['cd src; npm run x -- ../a', true], ['npm run x -- ./a/../b', true], ['npm run x -- @/a', false],
  ])('further words must lie in the project: %j %j', (line, is) => {
    expect(runs(line, command('npm run x', true), command('cd', true))).toBe(is)
  })
  test('what was allowed in one folder is not allowed in another, where the same words start another script', () => {
    const proposed = proposedShapes(question('make build'))?.[0]
    if (proposed === undefined) throw new Error('nothing proposed')
    expect(proposed).toMatchObject({ kind: 'command', folder: '' })
    expect(['make build', 'cd vendor/evil && make build', 'cd src && cd .. && make build'].map((line) => runs(line, proposed))).toEqual([true, false, true])
    expect(runs('cd vendor/lib && make build', { ...command('make build'), folder: 'vendor/lib' })).toBe(true)
    expect([covers(command('make build'), proposed), covers(proposed, command('make build'))]).toEqual([true, false])
  })
  test('a pattern stands within one word, and a glob of the shell fits patterns only', () => {
    const shape: RuleShape = { kind: 'command', isOpen: false, words: [{ kind: 'exact', text: 'eslint' }, { kind: 'pattern', text: 'src/*.ts' }] }
    expect(['eslint src/a.ts', 'eslint src/*.ts', 'eslint src/a.js', 'eslint "src/a b.ts"', 'eslint src/a.ts src/b.ts'].map((line) => runs(line, shape))).toEqual([true, true, false, true, false])
    expect(runs('eslint src/*.ts', command('eslint src/*.ts'))).toBe(false)
  })
  test('nothing answers what a guard asks or denies, and nothing that has ended', () => {
    for (const line of ['git push', 'rm -rf /', 'curl https://example.net', 'cat .env']) expect(answers(line, ruleOf(command(line.split(' ')[0] ?? '', true))).whole).toBeNull()
    const at = (more: Partial<Rule>) => answersOf(question('make'), rules(ruleOf(command('make'), more)), 100).whole
    expect([at({ expiresAtMs: 101 }), at({ expiresAtMs: 100 }), at({ usesLeft: 1 }), at({ usesLeft: 0 })]).toEqual([{ by: 'rule', id: '1' }, null, { by: 'rule', id: '1' }, null])
  })
  test('a counted permission is only taken where no other fits', () => {
    expect(answers('make', ruleOf(command('make'), { id: '1', usesLeft: 3 }), ruleOf(command('make', true), { id: '2' })).whole).toEqual({ by: 'rule', id: '2' })
  })
})

describe('R69: what restricts beats what allows, however it is spelled', () => {
  const all = [ruleOf(command('git', true), { id: '1' }), ruleOf(command('npm', true), { id: '2' }), ruleOf(command('git tag', true), { id: '3', effect: 'ask' }), ruleOf(command('git commit --amend', true), { id: '4', effect: 'deny' }), ruleOf(command('npm run deploy', true), { id: '5', effect: 'deny' })]
  test.each([
    ['git tag v1', null, '3'], ['git -C . tag v1', null, '3'], ['git tag v1; git commit --amend', '4', null], ['git commit -q --amend', '4', null], ['git commit -m x', null, null],
    ['npm run deploy', '5', null], ['npm run-script deploy', '5', null], ['npm -s run deploy -- x', '5', null], ['npm run deploy:dry', null, null], ['npm run dep*', null, '5'], ['npm run build | tee x; (npm run deploy)', '5', null],
  ])('%j: denied by %j, asked by %j', (line, denies, asks) => {
    const found = answers(line, ...all)
    expect({ denies: found.denies, asks: found.asks }).toEqual({ denies, asks })
    if (denies !== null || asks !== null) expect([found.whole, found.used]).toEqual([null, []])
  })
  test('a closed one lets options pass, but no further words', () => {
    const closed = ruleOf(command('npm test'), { effect: 'deny' })
    expect(['npm test', 'npm -s test', 'npm test --silent', 'npm test x'].map((line) => answers(line, closed).denies)).toEqual(['1', '1', '1', null])
  })
  test('many options are no work without end', () => {
    expect(answers(`git ${'-a '.repeat(4_000)}x`, ruleOf(command('git push now'), { effect: 'deny' })).denies).toBeNull()
  })
  test('files and hosts are restricted for commands and other tools, too', () => {
    const docs = ruleOf({ kind: 'files', tool: 'edit_file', glob: 'docs/**' }, { effect: 'deny' })
    expect([files('write_file', place('Docs/a.md')), files('delete_path', place('docs', 'delete', 'folder')), files('move_path', place('a', 'rename'), place('docs/a', 'rename')), files('read_file', place('docs/a', 'read')), question('touch docs/a'), question('rm -r docs'), question('cat docs/a')].map((each) => answersOf(each, rules(docs), 0).denies)).toEqual(['1', '1', '1', null, '1', '1', null])
    const host = ruleOf({ kind: 'host', host: 'example.net' }, { effect: 'deny' })
    expect([page('https://Example.net/x'), page('http://a@example.net:81'), page('https://example.net.'), question('curl https://example.net/x'), page('https://example.org')].map((each) => answersOf(each, rules(host), 0).denies)).toEqual(['1', '1', '1', '1', null])
  })
})

describe('R69: files, servers and pages', () => {
  const byFile = (glob: string, each: PermissionQuestion) => answersOf(each, rules(ruleOf({ kind: 'files', tool: each.tool, glob })), 0).whole !== null
  test.each([
    ['src/**', 'src/a/b.ts', true], ['src/**', 'src', true], ['src/**', 'srcx/a', false], ['src/*', 'src/a.ts', true], ['src/*', 'src/a/b.ts', false], ['**/*.md', 'a/b/c.md', true], ['**/*.md', 'c.md', true], ['*.md', 'a/c.md', false],
    ['**', '.env', false], ['**', 'a/.git/hooks/x', false], ['**', 'package.json', false], ['**', 'secrets/k', false], ['**', null, false],
  ])('write_file %j on %j: %j', (glob, path, is) => {
    expect(byFile(glob, files('write_file', place(path)))).toBe(is)
  })
  test('all places count, another tool does not, and a folder goes only with all below it', () => {
    expect(byFile('src/*', files('move_path', place('src/a', 'rename'), place('src/b', 'rename')))).toBe(true)
    expect(byFile('src/*', files('move_path', place('src/a', 'rename'), place('lib/b', 'rename')))).toBe(false)
    expect(byFile('src/*', files('delete_path', place('src/a', 'delete', 'folder')))).toBe(false)
    expect(byFile('src/**', files('delete_path', place('src/a', 'delete', 'folder')))).toBe(true)
    expect(answersOf(files('edit_file', place('src/a')), rules(ruleOf({ kind: 'files', tool: 'write_file', glob: 'src/a' })), 0).whole).toBeNull()
  })
  test('a tool of a server with any arguments; no tool of the app that way', () => {
    const asked = (tool: string) => answersOf({ ...files(tool), args: { to: 'x' } }, rules(ruleOf({ kind: 'tool', tool })), 0).whole
    expect([asked('mcp__mail__send'), asked('ask_user'), asked('write_file')]).toEqual([{ by: 'rule', id: '1' }, null, null])
  })
  test.each([
    ['https://example.net', true], ['https://EXAMPLE.net:443/a?b', true], ['http://example.net:80', true], ['http://example.net:81', false], ['https://example.net@evil.org', false], ['https://evil.org\\@example.net', false], ['https://example.net.evil.org', false], ['https://x.example.net', false], ['file://example.net', false], ['https://ex%61mple.net', false],
  ])('pages of example.net and %j: %j', (url, is) => {
    expect(answersOf(page(url), rules(ruleOf({ kind: 'host', host: 'example.net' })), 0).whole !== null).toBe(is)
  })
})

describe('R63, R69: shapes made from a call', () => {
  test('the narrowest first, then what people mean', () => {
    expect(draftShapes(question('npm run build -- --all | head -2')).map(asText)).toEqual(['npm run build -- --all', 'npm run build …', 'npm run _ …'])
    expect(draftShapes(question('eslint src "a b" --fix; git -C sub status')).map(asText)).toEqual(['eslint src a b --fix', 'git -C sub status', 'eslint _ _ --fix', 'eslint …'])
    expect(draftShapes(question('eslint src/*.ts')).map(asText)).toEqual(['eslint ~src/*.ts', 'eslint _', 'eslint …'])
    expect(draftShapes(files('edit_file', place('src/http/a.ts')))).toEqual(['src/http/a.ts', 'src/http/*', 'src/http/**'].map((glob) => ({ kind: 'files', tool: 'edit_file', glob })))
    expect(draftShapes(files('move_path', place('src/a/x', 'rename'), place('src/b', 'rename')))).toEqual([{ kind: 'files', tool: 'move_path', glob: 'src/**' }])
    expect([draftShapes(files('mcp__a__b')), draftShapes(page('https://example.net:8443/a'))]).toEqual([[{ kind: 'tool', tool: 'mcp__a__b' }], [{ kind: 'host', host: 'example.net:8443' }]])
  })
  test('one for each part that waits, and none where no rule may answer', () => {
    expect(proposedShapes(question('npm test && make; ls'))?.map(asText)).toEqual(['npm test', 'make'])
    expect(proposedShapes(question('npm test && make'), [{ by: 'rule', id: '1' }, null])?.map(asText)).toEqual(['make'])
    for (const line of ['git push', 'make > x', 'make $(ls)', 'A=1 make', 'make -- /etc', 'make && git push', '', "make ''"]) expect(proposedShapes(question(line))).toBeNull()
    for (const each of [files('write_file', place('.env')), files('write_file', place(null)), files('move_path', place('a', 'rename'), place('b/c', 'rename')), files('ask_user'), page('https://a@b')]) expect(proposedShapes(each)).toBeNull()
  })
  test.each([
    ['npm test', false, null], ['npm …', true, 'guard.wide-any-command'], ['npm run _', false, 'guard.wide-script'], ['npm run …', true, 'guard.wide-script'], ['npm run build …', true, null], ['git _', false, 'guard.wide-any-command'],
    ['node …', true, 'guard.wide-interpreter'], ['node a.js …', true, null], ['python3 -m …', true, 'guard.wide-interpreter'], ['npx …', true, 'guard.wide-runner'], ['npx eslint …', true, null], ['poetry run …', true, 'guard.wide-runner'], ['find …', true, 'guard.wide-executes'],
    ['curl _', false, 'guard.wide-network'], ['curl http://localhost', false, null], ['eslint …', true, 'guard.wide-program'], ['ls …', true, null], ['make …', true, 'guard.wide-any-command'],
  ])('%j is too wide: %j', (text, isOpen, code) => {
    const words = text.replace(' …', '').split(' ').map((word) => (word === '_' ? ({ kind: 'any' } as const) : ({ kind: 'exact', text: word } as const)))
    expect(isTooWide({ kind: 'command', words, isOpen })?.code ?? null).toBe(code)
  })
  test('the whole project is too wide to change, not to read', () => {
    expect([['write_file', '**'], ['write_file', '**/*'], ['write_file', 'src/**'], ['read_file', '**']].map(([tool = '', glob = '']) => isTooWide({ kind: 'files', tool, glob })?.code ?? null)).toEqual(['guard.wide-folder', 'guard.wide-folder', null, null])
  })
  test('a rule is made of what can be read', () => {
    const bad: readonly RuleShape[] = [
      { kind: 'command', words: [{ kind: 'any' }], isOpen: true }, command('./x'), command('/bin/ls'), { kind: 'command', words: [{ kind: 'exact', text: 'a' }, { kind: 'exact', text: 'b\u202Ec' }], isOpen: false }, { kind: 'command', words: [{ kind: 'exact', text: 'a' }, { kind: 'exact', text: '\uFDD0' }], isOpen: false },
      { kind: 'files', tool: 'write_file', glob: '../x' }, { kind: 'files', tool: 'write_file', glob: '/x' }, { kind: 'tool', tool: 'write_file' }, { kind: 'host', host: 'https://x' }, { kind: 'host', host: 'X.org' },
    ]
    expect(bad.map((shape) => unusablePart(shape) !== null)).toEqual(bad.map(() => true))
    expect([command('npm run a:b'), { kind: 'files', tool: 'write_file', glob: 'src/**' } as const, { kind: 'tool', tool: 'mcp__a__b' } as const, { kind: 'host', host: 'x.org:81' } as const].map(unusablePart)).toEqual([null, null, null, null])
  })
})

describe('R69: rules that leave nothing for others', () => {
  test('a wider, longer and more severe one shadows; of two equal ones the earlier', () => {
    const wide = ruleOf(command('npm', true), { id: '1' })
    const narrow = ruleOf(command('npm run x'), { id: '2' })
    const at = (a: Rule, b: Rule) => shadows(a, b)
    expect([at(wide, narrow), at(narrow, wide), at({ ...wide, effect: 'deny' }, narrow), at(wide, { ...narrow, effect: 'deny' }), at({ ...wide, expiresAtMs: 5 }, narrow), at({ ...wide, usesLeft: 5 }, narrow), at({ ...wide, workspaceId: asId('w') }, narrow), at(wide, { ...narrow, workspaceId: asId('w') }), at(narrow, { ...narrow, id: '3' }), at({ ...narrow, id: '3' }, narrow), at(narrow, narrow)])
      .toEqual([true, false, true, false, false, false, false, true, true, false, false])
  })
  test('globs', () => {
    const glob = (text: string): RuleShape => ({ kind: 'files', tool: 'edit_file', glob: text })
    expect([['**', 'a/*'], ['src/**', 'src/a/**'], ['src/**', 'srcx/a'], ['src/*', 'src/a'], ['src/*', 'src/**']].map(([a = '', b = '']) => covers(glob(a), glob(b)))).toEqual([true, true, false, true, false])
  })
})

describe('R63: grants live in the events of their session', () => {
  const turn = asId<TurnId>('t1')
  const given = (grant: Partial<Grant>): EventDraft => ({ type: 'grant-given', turnId: turn, step: 1, grant: { ...grantOf(command('make')), ...grant } })
  const fold = (...drafts: readonly EventDraft[]): KeptGrants => drafts.map((draft, at): AgentEvent => ({ ...draft, v: 1, sessionId: asId('s1'), seq: at + 1, atMs: 0 })).reduce(applyToGrants, new Map())
  const used: EventDraft = { type: 'grant-used', turnId: turn, step: 1, grantId: 'g1', callId: asId('c1') }
  const ended: EventDraft = { type: 'turn-ended', turnId: turn, step: 1, reason: 'done', say: said('turn.done'), text: '', tokens: { input: 0, output: 0 }, auditHead: null }
  const back = (fromSeq: number): EventDraft => ({ type: 'rolled-back', rollbackId: asId('r1'), scope: 'both', hidden: { fromSeq, toSeq: 9 }, paths: [], failed: [] })
  const left = (grants: KeptGrants) => grantsOfTurn(grants, asId('s1'), turn).map(({ grant, uses }) => [grant.id, grant.usesLeft, uses])
  test('uses count, the end of the turn and a revocation end them, and so does taking back the words that gave them', () => {
    expect(left(fold(given({ usesLeft: 2 }), used))).toEqual([['g1', 1, 1]])
    expect(left(fold(given({ turnId: null }), given({ id: 'g2', turnId: turn }), ended))).toEqual([['g1', null, 0]])
    expect(left(fold(given({}), { type: 'grant-revoked', grantId: 'g1' }))).toEqual([])
    expect([left(fold(given({}), used, back(1))), left(fold(given({}), used, back(2)))]).toEqual([[], [['g1', null, 1]]])
    expect(grantsOfTurn(fold(given({ turnId: turn })), asId('s1'), asId('t2'))).toEqual([])
  })
})
