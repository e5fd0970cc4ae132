import { expect, test } from 'vitest'
import { asText, asWords, draftOf, editingOfCall, editingOfRule, hostIn, newEditing, patternOf, shapeOf, turnWord, withShape, type Editing } from '../../../src/renderer/features/rules/editing'
import { asId, type CallId, type WorkspaceId } from '../../../src/shared/domain/ids'
import type { Rule, RuleDraft, RuleShape } from '../../../src/shared/domain/rule'

const here = asId<WorkspaceId>('w1')
const build: RuleShape = { kind: 'command', words: ['npm', 'run', 'build:docs'].map((text) => ({ kind: 'exact', text })), isOpen: false }
const building = withShape(newEditing(true), build)
const kinds = (editing: Editing) => editing.words.map(({ kind }) => kind)
const draft = (editing: Editing, openId: WorkspaceId | null = here): RuleDraft | readonly string[] => {
  const drafted = draftOf(editing, openId, 1000)
  return drafted.ok ? drafted.draft : [drafted.faults.shape, drafted.faults.scope, drafted.faults.ends].flatMap((fault) => fault?.code ?? [])
}

test('R69: a click makes a word exact, then a pattern, then anything, and then what it was', () => {
  const turns = [1, 2, 3].reduce((done: readonly Editing[]) => [...done, turnWord(done.at(-1) ?? building, 2)], [building])
  expect(turns.map((one) => one.words[2]?.kind)).toEqual(['exact', 'pattern', 'any', 'exact'])
  expect(shapeOf(turns[1] ?? building)).toMatchObject({ value: { words: [{ text: 'npm' }, { text: 'run' }, { kind: 'pattern', text: 'build:*' }] } })
  expect(turns[3]?.words).toEqual(building.words)
  expect(turnWord(building, 0)).toBe(building)
})

test('R69: the pattern of a word keeps what stands before its last divider', () => {
  expect(['build:docs', 'src/http/client.ts', '--out=dist/a', 'lint', 'src/', '文件'].map(patternOf)).toEqual(['build:*', 'src/http/*', '--out=dist/*', 'lint*', 'src/*', '文件*'])
})

test('R69: an any that never was a word asks for text instead of making one up', () => {
  const any = withShape(newEditing(true), { kind: 'command', words: [{ kind: 'exact', text: 'npm' }, { kind: 'any' }], isOpen: true })
  expect(turnWord(any, 1).text).toBe('npm * …')
})

test('R69: text and chips are the same rule; what chips remember survives the way through the text', () => {
  const any = turnWord(turnWord(building, 2), 2)
  const text = asText(any)
  expect(text.text).toBe('npm run *')
  expect(turnWord(asWords(text), 2).words[2]).toMatchObject({ kind: 'exact', exact: 'build:docs' })
  expect(kinds(asWords({ ...text, text: 'npm run build* --watch' }))).toEqual(['exact', 'exact', 'pattern', 'exact'])
  const broken = { ...text, text: 'npm run build && rm' }
  expect(asWords(broken)).toBe(broken)
})

test('R69: ends count from the saving on; one that cannot be is said in words', () => {
  const ends = (change: Partial<Editing['ends']>) => {
    const found = draft({ ...building, ends: { ...building.ends, ...change } })
    return 'expiresAtMs' in found ? [found.expiresAtMs, found.usesLeft] : found
  }
  expect(ends({ kind: 'minutes' })).toEqual([601_000, null])
  expect(ends({ kind: 'uses' })).toEqual([null, 5])
  expect(ends({ kind: 'never' })).toEqual([null, null])
  expect(ends({ kind: 'custom', amount: '2', unit: 'days', uses: '7' })).toEqual([172_801_000, 7])
  expect(ends({ kind: 'custom', amount: '', uses: '' })).toEqual(['permission.ends.none'])
  expect(ends({ kind: 'custom', amount: '1.5' })).toEqual(['permission.ends.number'])
  expect(ends({ kind: 'custom', amount: '0' })).toEqual(['permission.ends.number'])
  expect(ends({ kind: 'kept', kept: { expiresAtMs: 5000, usesLeft: 2 } })).toEqual([5000, 2])
  expect(ends({ kind: 'kept', kept: { expiresAtMs: 1000, usesLeft: 2 } })).toEqual(['permission.ends.over'])
})

test('R69: files, tools and hosts are checked where they are typed', () => {
  const files = (glob: string) => draft({ ...building, kind: 'files', glob })
  expect(files('src/**')).toMatchObject({ shape: { kind: 'files', tool: 'edit_file', glob: 'src/**' } })
  expect(['', '/etc/passwd', '~/x', 'C:/x', '../x', 'src/../../x', 'src//a', './a', 'src/'].map((glob) => files(glob))).toEqual([['permission.files.empty'], ...Array(5).fill(['permission.files.outside']), ...Array(3).fill(['permission.files.names'])])
  expect(draft({ ...building, kind: 'tool', mcpTool: 'mcp__docs__search' })).toMatchObject({ shape: { kind: 'tool', tool: 'mcp__docs__search' }, workspaceId: here })
  expect(draft({ ...building, kind: 'tool', mcpTool: 'search' })).toEqual(['permission.tool.name'])
  expect(['https://Docs.Example.org/a?b', 'docs.example.org:443', 'http://docs.example.org:443/', 'localhost:3000', '[::1]:8080', 'a b', 'ada@example.org', ''].map(hostIn)).toEqual(['docs.example.org', 'docs.example.org', 'docs.example.org:443', 'localhost:3000', '[::1]:8080', null, null, null])
})

test('R69: a rule on a tool of a server holds in one project, whatever was chosen before', () => {
  const everywhere: Editing = { ...building, scope: 'all' }
  expect(withShape(everywhere, { kind: 'tool', tool: 'mcp__docs__search' }).scope).toBe('this')
  expect(draft({ ...everywhere, kind: 'tool', mcpTool: 'mcp__docs__search' })).toEqual(['permission.scope.tool'])
  expect(draft(building, null)).toEqual(['permission.scope.no-folder'])
  expect(draft(everywhere, null)).toMatchObject({ workspaceId: null })
})

test('R69: a rule of another project keeps its project and its end while it is edited', () => {
  const rule: Rule = { id: '4', effect: 'ask', shape: build, workspaceId: asId('w2'), expiresAtMs: 9000, usesLeft: 3, createdFromCall: null, createdAtMs: 0, lastUsedAtMs: null, uses: 1 }
  const editing = editingOfRule({ rule, isUnused: false, shadowedBy: null, tooWide: null, workspaceName: 'tide-tables' }, here)
  expect(editing).toMatchObject({ key: 'rule 4', replaces: '4', scope: 'own', own: { id: 'w2', name: 'tide-tables' } })
  expect(draft(editing)).toEqual({ effect: 'ask', shape: build, workspaceId: 'w2', expiresAtMs: 9000, usesLeft: 3, createdFromCall: null })
})

test('R69: of what a call proposes the narrowest is written further, and only that one', () => {
  const callId = asId<CallId>('c9')
  const wide: RuleShape = { kind: 'command', words: [{ kind: 'exact', text: 'npm' }], isOpen: true }
  const editing = editingOfCall(callId, { drafts: [build, wide].map((shape) => ({ effect: 'allow', shape, workspaceId: here, expiresAtMs: null, usesLeft: null, createdFromCall: callId })) })
  expect(editing.choices).toEqual([build, wide])
  expect(draft(editing)).toMatchObject({ shape: build, createdFromCall: callId })
})
