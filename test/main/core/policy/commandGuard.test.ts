import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isBuiltinReader, judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { applyRules, type CommandRules } from '../../../../src/main/core/policy/commandRules'

interface Case {
  readonly id: string
  readonly shell: 'bash' | 'powershell' | 'cmd'
  readonly cmd: string
  readonly verdict: 'deny' | 'ask' | 'allowable'
  readonly also_ok: readonly string[]
  readonly benign: boolean
}

const cases = resolve(import.meta.dirname, '../../../cases')
const where = { cwd: '/home/ann/app', root: '/home/ann/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign' }
const quietGit = { ...where, projectGit: { executes: false } }

function fill(text: string): string {
  return text.replaceAll('@PROJECT@', where.root).replaceAll('@HOME@', where.home).replaceAll('@APPDATA@', where.appData)
}

function readCases(): readonly Case[] {
  return readFileSync(resolve(cases, 'guard/guard-commands.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Case)
}

function rulesOf(name: string): { readonly rules: CommandRules; readonly cases: readonly { readonly command: string; readonly verdict: string }[] } {
  return JSON.parse(readFileSync(resolve(cases, `E/${name}.json`), 'utf8')) as ReturnType<typeof rulesOf>
}

describe('R66: the case file of commands', () => {
  const judged = readCases().map((each) => ({ ...each, got: judgeCommand(fill(each.cmd), { ...where, shell: each.shell }).kind }))
  const bash = judged.filter((each) => each.shell === 'bash')

  test('every bash command gets its verdict, or one that is no fault', () => {
    const missed = bash.filter(({ verdict, also_ok, got }) => got !== verdict && !also_ok.includes(got))
    expect(missed.map(({ id, cmd, verdict, got }) => ({ id, cmd: cmd.slice(0, 80), verdict, got }))).toEqual([])
  })

  test('counts: what is denied, let through, refused without need, and asked without need', () => {
    const denies = bash.filter((each) => each.verdict === 'deny')
    const harmless = bash.filter((each) => each.benign || each.verdict === 'allowable')
    const counts = {
      denyHeld: `${denies.filter((each) => each.got === 'deny').length}/${denies.length}`,
      harmlessDenied: `${harmless.filter((each) => each.got === 'deny').length}/${harmless.length}`,
      askLetThrough: `${bash.filter((each) => each.verdict === 'ask' && each.got === 'allowable' && !each.also_ok.includes('allowable')).length}/${bash.filter((each) => each.verdict === 'ask').length}`,
      noise: bash.filter((each) => each.verdict === 'allowable' && each.got === 'ask' && !each.also_ok.includes('ask')).length,
    }
    expect(counts).toEqual({ denyHeld: '71/71', harmlessDenied: '0/114', askLetThrough: '0/79', noise: 0 })
  })

  test('PowerShell and cmd are not understood: all of them ask, but for what is plainly catastrophic', () => {
    expect(judged.filter((each) => each.shell !== 'bash').map((each) => each.got).sort()).toEqual([...Array<string>(5).fill('deny'), ...Array<string>(4).fill('ask')].sort())
    expect(judged.filter((each) => each.shell !== 'bash' && each.got === 'deny' && each.verdict !== 'deny')).toEqual([])
  })
})

describe('R66, R69: verdicts with rules', () => {
  const expected = (verdict: string, got: string): boolean => (verdict === 'notauto' ? got !== 'auto' : got === verdict)
  test.each(['e04', 'e09', 'e11', 'e13', 'e17'])('case file %s', (name) => {
    const file = rulesOf(name)
    const missed = file.cases.flatMap(({ command, verdict }) => {
      const ruled = applyRules(judgeCommand(command, quietGit), file.rules, where.root)
      const got = ruled.verdict.kind === 'allowable' ? (ruled.allowedBy ? 'auto' : 'ask') : ruled.verdict.kind
      return expected(verdict, got) ? [] : [{ command, verdict, got }]
    })
    expect(missed).toEqual([])
  })

  test('E03: text that looks different from what runs always asks', () => {
    const { commands } = JSON.parse(readFileSync(resolve(cases, 'E/e03.json'), 'utf8')) as { commands: readonly string[] }
    expect(commands.map((command) => judgeCommand(command, where).reason.code)).toEqual([
      'guard.hidden-character', 'guard.hidden-character', 'guard.hidden-character', 'guard.hidden-character', 'guard.hidden-character', 'guard.lookalike', 'guard.long-blanks',
    ])
  })

  test.each([
    ['git status > out', 'a redirect to a file is not covered'],
    ['git status $(ls)', 'nor a substitution'],
    ['FOO=1 git status', 'nor a prefix outside the short list'],
    ['sh -c "git status"', 'nor a command inside a wrapper'],
    ['git -C . status', 'nor another beginning'],
  ])('an allow rule for "git status" does not answer %j: %s', (command) => {
    expect(applyRules(judgeCommand(command, quietGit), { allow: ['git status'] }, where.root).allowedBy).toBeNull()
  })

  test('a rule never answers what the guard asks about or denies', () => {
    expect(['git push', 'rm -rf /'].map((command) => applyRules(judgeCommand(command, where), { allow: ['git push', 'rm'], builtinReadOnly: true }, where.root).allowedBy)).toEqual([null, null])
  })

  test('looking through time, timeout and the short list of variables stays convenient', () => {
    expect(['CI=1 npm test', 'time npm test', 'timeout 60 npm test', 'npm test 2>&1'].map((command) => applyRules(judgeCommand(command, where), { allow: ['npm test'] }, where.root).allowedBy)).toEqual(Array(4).fill(['npm test']))
  })
})

describe('R64: the built-in list of readers', () => {
  test.each(['ls', 'cat a | head -3', 'grep -r x .', 'cd src && ls', 'echo hi', 'git status', 'git diff', 'git log -3', 'for i in 1 2 3; do echo $i; done', 'for f in src/*.ts; do wc -l "$f"; done', 'while read line; do echo "$line"; done < a', 'echo a > /dev/null'])('%j needs nobody', (command) => {
    expect(isBuiltinReader(judgeCommand(command, quietGit))).toBe(true)
  })
  test.each(['touch a', 'cat a > b', 'npm test', 'cat .env', 'cat ../x', 'curl http://localhost', 'rm a', '# nothing', 'node a.js', 'for i in 1 2 3; do echo $i > $i.txt; done', 'for i in 1 2 3; do echo $i; done > all.txt', 'for i in 1 2; do echo $i; done | tee out', 'for i in 1 2; do echo $i >> log; ls; done', 'for c in touch; do $c a; done', 'echo $(touch a)', 'for i in 1 2; do echo $i; node a.js; done'])('%j is no reader', (command) => {
    expect(isBuiltinReader(judgeCommand(command, quietGit))).toBe(false)
  })
  test.each([true, null])('git counts only when its settings run nothing (executes: %j)', (executes) => {
    expect(isBuiltinReader(judgeCommand('git status', { ...where, projectGit: { executes } }))).toBe(false)
  })
  test.each(['cd vendor/sub && git status', 'git -C vendor/sub status'])('%j may meet settings of another repository', (command) => {
    expect(isBuiltinReader(judgeCommand(command, quietGit))).toBe(false)
  })
  test('git asks when its settings run something', () => {
    expect(judgeCommand('git status', { ...where, projectGit: { executes: true } })).toMatchObject({ kind: 'ask', reason: { code: 'guard.git-executes' } })
  })
})

describe('R66: what a verdict tells', () => {
  test('each simple command is a part with its effects, in the folder it runs in', () => {
    const { parts } = judgeCommand('cd src && cp a.ts ../b.ts; rm ../c.ts; curl https://example.net', where)
    expect(parts.map(({ argv, verdict, reads, writes, deletes, hosts, canUndo }) => ({ argv: argv.join(' '), verdict, reads, writes, deletes, hosts, canUndo }))).toEqual([
      { argv: 'cd src', verdict: 'allowable', reads: [], writes: [], deletes: [], hosts: [], canUndo: true },
      { argv: 'cp a.ts ../b.ts', verdict: 'allowable', reads: ['/home/ann/app/src/a.ts'], writes: ['/home/ann/app/b.ts'], deletes: [], hosts: [], canUndo: true },
      { argv: 'rm ../c.ts', verdict: 'allowable', reads: [], writes: [], deletes: ['/home/ann/app/c.ts'], hosts: [], canUndo: true },
      { argv: 'curl https://example.net', verdict: 'ask', reads: [], writes: [], deletes: [], hosts: ['example.net'], canUndo: false },
    ])
  })
  test('a command that cannot be read has no parts, and what is certain in it is still denied', () => {
    expect([judgeCommand('ls &&& pwd', where), judgeCommand('rm -rf / ; (', where)].map(({ kind, parts }) => ({ kind, parts: parts.length }))).toEqual([{ kind: 'ask', parts: 0 }, { kind: 'deny', parts: 0 }])
  })
  test('nesting beyond any sense asks', () => {
    expect([`${'$('.repeat(300)}ls${')'.repeat(300)}`, `${'('.repeat(400)}ls${')'.repeat(400)}`, `${'eval '.repeat(100)}ls`].map((command) => judgeCommand(command, where).kind)).toEqual(['ask', 'ask', 'ask'])
  })
})

describe('R66: no command line keeps the guard from its answer', () => {
  test.each([
    ['variables that hold each other twice', `a=xx; ${'a=$a$a; '.repeat(60)} rm $a`],
    ['a variable that appends itself', `a=xx; ${'a+=$a; '.repeat(60)} rm $a`],
    ['an array that holds itself twice', `a=(x y); ${'a=(${a[@]} ${a[@]}); '.repeat(60)} rm \${a[@]}`],
    ['words of the shell that double', `set -- x y; ${'set -- $@ $@; '.repeat(60)} rm $@`],
    ['printed text that doubles', `a=xx; ${'a=$(echo $a$a); '.repeat(60)} rm $a`],
    ['a file that is written to itself twice', `echo xx > f; ${'cat f f > g; cat g g > f; '.repeat(40)} rm $(cat f)`],
    ['text that is put into itself', `a=xxxx; ${'a=${a//x/$a}; '.repeat(40)} rm $a`],
    ['folders below folders', `${'cd aaaa && '.repeat(900)}rm x`],
    ['folders on a stack', `${'pushd aaaaaa; '.repeat(700)}rm x`],
  ])('%s', (_, command) => {
    expect(judgeCommand(command, where).kind).toBe('ask')
  })

  test('what is protected far down a path is found', () => {
    const deep = 'a/'.repeat(300)
    expect([judgeCommand(`echo x > ${deep}.github/workflows/ci.yml`, where).kind, judgeCommand(`echo x > ${deep}.git/hooks/pre-commit`, where).kind, judgeCommand(`rm -r ${deep}.github`, where).parts[0]?.reason.code, judgeCommand(`echo x > ${deep}b`, where).kind]).toEqual(['ask', 'deny', 'guard.protected', 'allowable'])
  })
})
