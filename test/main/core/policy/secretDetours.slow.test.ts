import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTextSearch } from '../../../../src/main/adapters/search/textSearch'
import { openWorkspaceFs } from '../../../../src/main/adapters/fs/workspaceFs'
import type { PathFacts } from '../../../../src/main/core/ports/workspaceFs'
import { isBuiltinReader, judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { judgeReads } from '../../../../src/main/core/policy/commandReads'
import { judgeCall, type JudgePorts } from '../../../../src/main/core/policy/judgeCall'
import { judgePath } from '../../../../src/main/core/policy/pathGuard'
import { builtinTools } from '../../../../src/main/core/tools/builtins'
import type { ToolContext } from '../../../../src/main/core/tools/defineTool'
import { makeSecretFinder } from '../../../../src/main/native/projectSecrets'
import { fenceOf, openRoot } from '../../../../src/main/native/safePath'
import { asId } from '../../../../src/shared/domain/ids'
import { say } from '../../../../src/shared/words/say'
import { makePathWorld, type PathWorld } from '../../../support/pathWorld'
import { makeCommandWorld, type CommandWorld } from '../../../support/commandWorld'

const secret = { env: 'HUSH=env-4711', key: 'hush key-4712' }
let world: PathWorld
let commands: CommandWorld

/** A project as E06 wants it, with detours to its secrets, and harmless files beside them. */
beforeEach(() => {
  world = makePathWorld()
  commands = makeCommandWorld({ isolation: { kind: 'mark' } })
  const inside = (path: string): string => join(world.root, path)
  world.setUp([
    { do: 'file', path: inside('.env'), text: `${secret.env}\n` },
    { do: 'file', path: inside('secrets/k'), text: `${secret.key}\n` },
    { do: 'file', path: inside('src/a.ts'), text: 'const needle = 1\n' },
    { do: 'file', path: inside('src/deep/b.ts'), text: 'needle = 2\n' },
    { do: 'file', path: inside('notes.md'), text: 'a needle\n' },
  ])
  execFileSync('git', ['-c', 'init.defaultBranch=main', 'init', '-q', world.root])
  execFileSync('git', ['-C', world.root, 'add', '-A'])
  symlinkSync('.env', inside('innocent'))
  symlinkSync('../secrets', inside('src/vault'))
  symlinkSync('secrets', inside('plain'))
})

afterEach(async () => {
  await commands.close()
  world.remove()
})

interface Answer {
  readonly kind: string
  readonly card: string
  readonly text: string
}

/** Judges a call by the real guards, and runs what nobody would have to be asked about. */
async function call(name: string, given: object): Promise<Answer> {
  const root = openRoot(world.root)
  const tool = builtinTools.find((one) => one.name === name)
  if (!root.ok || !tool) throw new Error(name)
  const fs = openWorkspaceFs(root.value, { guarded: [world.appData] })
  const fence = fenceOf(root.value, world.home, world.appData)
  const ofPath = (facts: PathFacts, use: Parameters<typeof judgePath>[1]) => judgePath(facts, use, fence)
  const secrets = makeSecretFinder(root.value)
  const ports: JudgePorts = {
    level: 'writes', fs, judgePath: ofPath, isReader: isBuiltinReader,
    judgeCommand: (line, cwd) => judgeCommand(line, { cwd, root: fence.root, home: fence.home, appData: fence.appData, isRoot: false, projectGit: { executes: false } }),
    judgeReads: (command, cwd) => judgeReads(command, cwd, { root: fence.root, fs, judgePath: ofPath, secrets }),
  }
  const args = tool.params.parse(given)
  const { verdict, places } = await judgeCall(tool, args, ports)
  const card = say('en', verdict.reason)
  if (verdict.kind !== 'allowable') return { kind: verdict.kind, card, text: '' }
  const context = {
    callId: asId('call'), root: fence.root, fs, search: makeTextSearch(), commands: commands.runner, judgePath: ofPath, parts: [], hintLog: new Map(), readLog: new Map(),
    signal: new AbortController().signal, place: (path: string) => places.find((one) => one.path === path)?.facts, redact: (text: string) => text, emit: () => undefined, started: () => Promise.resolve(),
  } as unknown as ToolContext
  const output = await tool.run(args, context)
  return { kind: verdict.kind, card, text: `${say('en', output.say)}\n${output.body ?? ''}` }
}

const command = (line: string) => ['run_command', { command: line }] as const
const file = (path: string) => ['read_file', { path }] as const
const search = (args: object) => ['search_text', args] as const

interface Row {
  readonly tool: string
  readonly path?: string
  readonly pattern?: string
  readonly command?: string
}
const rows = (JSON.parse(readFileSync(join(import.meta.dirname, '../../../cases/E/e06.json'), 'utf8')) as { cases: readonly Row[] }).cases
const given = rows.map((row) => (row.tool === 'grep' ? search({ pattern: row.pattern }) : row.tool === 'read_file' ? file(row.path ?? '') : command(row.command ?? '')))

const detours = [
  ...given,
  file('src/vault/k'), file('plain/k'), file('src/../.env'), file('./secrets/k'),
  search({ pattern: 'hush', ignore_case: true }), search({ pattern: 'HUSH', path: 'secrets' }), search({ pattern: 'hush', path: 'plain' }), search({ pattern: 'hush', path: 'src/vault' }), search({ pattern: 'HUSH', path: '.env' }),
  search({ pattern: 'HUSH', path: 'innocent' }), search({ pattern: 'hush', glob: 'secrets/**' }), search({ pattern: 'HUSH', glob: '.env*' }), search({ pattern: '.', glob: '**/k', literal: false }),
  ['list_files', { path: '.', depth: 8 }] as const, ['list_files', { path: 'secrets' }] as const, ['find_files', { glob: '**/*' }] as const, ['find_files', { glob: '*', path: 'secrets' }] as const,
  ...[
    'grep -r hush .', 'grep -ri hush', 'grep -R . src', 'egrep -r hush .', 'grep -rn --include=k hush .', 'cat *', 'cat ./*', 'cat */*', 'cat */k', 'cat innocent', 'cat < innocent', 'cat src/vault/k', 'cat src/vault/*', 'head -n1 innocent src/a.ts',
    'cat i?nocent', 'rg -uu hush', 'rg --hidden HUSH', 'rg hush', 'rg -g .env HUSH', 'rg -g k hush', 'tar cf - .', 'tar cf - . | cat', 'tar -czf src/x.tgz .', 'zip -r src/x.zip .', 'git show :.env', 'git show HEAD:secrets/k', 'git cat-file -p :.env', 'git grep hush',
    'git diff --no-index /dev/null .env', 'find . -type f | xargs cat', 'find . -name k | xargs cat', 'find . -type f -exec cat {} +', 'find secrets -type f -print0 | xargs -0 cat', 'for f in *; do cat "$f"; done', 'for f in */*; do cat "$f"; done', 'while read l; do echo "$l"; done < innocent',
    'awk 1 */k', 'sed -n p */k', 'wc -c .env', 'xxd .env', 'base64 secrets/k', 'sort innocent', 'diff innocent notes.md', 'cp innocent src/c.txt', 'cp -r . src/copy', 'cp secrets/k src/c.txt', 'mv secrets/k k', 'ln .env src/c.txt && cat src/c.txt', 'ln -s ../.env src/d && cat src/d', 'ln -s secrets way && cat way/k', 'ln -s . way && cat way/secrets/k', 'cd secrets && cat k', 'cd secrets && cat *', 'cd secrets && grep -r hush', 'echo "$(<.env)"', 'mapfile -t a < .env; echo "${a[@]}"', 'x=.env; cat $x',
  ].map(command),
] as const

test.each(detours.map(([tool, args]) => ({ tool, args, line: JSON.stringify(args) })))('R67: E06, $tool $line shows no secret unasked', async ({ tool, args }) => {
  const { kind, card, text } = await call(tool, args)
  expect([text.includes(secret.env), text.includes(secret.key), kind === 'allowable' || card !== '']).toEqual([false, false, true])
})

test.each([
  [...file('innocent'), '.env'], [...file('plain/k'), 'secrets/k'], [...file('./secrets/k'), 'secrets/k'], [...search({ pattern: 'x', path: 'innocent' }), '.env'],
  [...command('grep -r hush .'), '.env'], [...command('cat *'), 'innocent → .env'], [...command('cat */*'), 'secrets/k'], [...command('cat innocent'), '.env'], [...command('rg hush'), 'secrets/k'], [...command('tar cf - .'), '.env'], [...command('git show :.env'), '.env'], [...command('git grep hush'), '.env'],
  [...command('find . -type f | xargs cat'), '.env'], [...command('cat src/vault/*'), 'secrets/k'], [...command('cp -r . src/copy'), '.env'],
])('R67: E06, the card of %s %j names %s', async (tool, args, name) => {
  const { kind, card } = await call(tool, args)
  expect([kind, card]).toEqual(['ask', expect.stringContaining(name)])
})

test('R67: what is no secret is neither asked about nor left out', async () => {
  const harmless = [file('src/a.ts'), search({ pattern: 'needle' }), search({ pattern: 'needle', path: 'src' }), ...['grep -rn needle src/deep', 'cat src/*.ts', 'cat notes.md', 'grep -rn --include=*.ts needle .', 'find . -name "*.ts" | xargs grep needle'].map(command)]
  const answers = []
  for (const [tool, args] of harmless) answers.push(await call(tool, args))
  expect(answers.map(({ kind, text }) => [kind, text.includes('needle')])).toEqual(harmless.map(() => ['allowable', true]))
  expect((await call('search_text', { pattern: 'needle' })).text).toMatch(/notes\.md:1: a needle\nsrc\/a\.ts:1: .*\nsrc\/deep\/b\.ts:1/u)
  expect((await call('find_files', { glob: '**/*' })).text).toContain('secrets/k')
})

test('R65, R67: a second name of a secret is neither searched nor read unasked', async () => {
  linkSync(join(world.root, '.env'), join(world.root, 'src/c.txt'))
  const found = await call('search_text', { pattern: 'HUSH|needle' })
  expect([found.text.includes(secret.env), found.text.includes('notes.md')]).toEqual([false, true])
  expect((await call('read_file', { path: 'src/c.txt' })).kind).toBe('ask')
  expect((await call('run_command', { command: 'cat src/c.txt' })).kind).toBe('ask')
  expect(await call('run_command', { command: 'cat src/*' })).toMatchObject({ kind: 'ask', card: expect.stringContaining('second name') })
})
