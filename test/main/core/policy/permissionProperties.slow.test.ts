import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { answersOf, type LivePermission } from '../../../../src/main/core/policy/permissions'
import type { PermissionQuestion } from '../../../../src/main/core/policy/permissionQuestion'
import { draftShapes, proposedShapes } from '../../../../src/main/core/policy/permissionShapes'
import { covers } from '../../../../src/main/core/policy/permissionShadows'
import { globFits } from '../../../../src/main/core/policy/permissionGlob'
import { unusablePart } from '../../../../src/main/core/policy/permissionValid'
import type { RuleShape, RuleWord } from '../../../../src/shared/domain/rule'
import { command, ruleOf, where } from '../../../support/rules'

const question = (line: string): PermissionQuestion => {
  const judged = judgeCommand(line, where)
  return { tool: 'run_command', args: {}, root: where.root, verdict: judged, parts: judged.parts, places: [], readersAnswer: true }
}
const live = (shapes: readonly RuleShape[], effect: 'allow' | 'ask' | 'deny' = 'allow'): readonly LivePermission[] => shapes.map((shape, at) => ({ by: 'rule', rule: ruleOf(shape, { id: `${effect}${at}`, effect }) }))
const runs = (line: string, shapes: readonly RuleShape[]): boolean => answersOf(question(line), live(shapes), 0).whole !== null

const programs = ['npm', 'git', 'make', 'eslint', 'node', 'ls', 'cat', 'rm', 'cp', 'echo', 'touch', 'cargo', 'find', 'curl', 'sh', 'xargs', 'sudo', 'env', 'python3', 'sed']
const words = ['run', 'test', 'build', 'status', 'push', 'commit', '-m', '-rf', '--all', '-x', 'a', 'b.ts', 'src/a.ts', 'src', '*.ts', '../x', '/etc/passwd', '~/x', '.env', '--out=/tmp/x', '--', '-C', 'sub', '$X', '"a b"', "'*'", 'http://localhost:1/', 'x:y', '.', '-c', '{a,b}']
const simple = fc.tuple(fc.constantFrom(...programs), fc.array(fc.constantFrom(...words), { maxLength: 4 })).map(([program, rest]) => [program, ...rest].join(' '))
const whole = fc.tuple(simple, fc.array(fc.tuple(fc.constantFrom(' && ', '; ', ' | ', ' || ', '\n'), simple), { maxLength: 2 })).map(([first, others]) => first + others.map(([join, each]) => join + each).join(''))
const ruleWord: fc.Arbitrary<RuleWord> = fc.oneof(fc.constantFrom(...words, ...programs).map((text) => ({ kind: 'exact', text }) as const), fc.constantFrom('*', 'b*', '*.ts', 'src/*', '-*').map((text) => ({ kind: 'pattern', text }) as const), fc.constant({ kind: 'any' } as const))
const shape: fc.Arbitrary<RuleShape> = fc.record({ kind: fc.constant('command' as const), words: fc.tuple(fc.constantFrom(...programs), fc.array(ruleWord, { maxLength: 3 })).map(([program, rest]) => [{ kind: 'exact' as const, text: program }, ...rest]), isOpen: fc.boolean() })
const everything = programs.map((program) => command(program, true))

describe('R69: permissions have no way past the guards', () => {
  test('whatever is allowed, what a guard asks or denies is not answered', () => {
    fc.assert(
      fc.property(whole, fc.array(shape, { maxLength: 3 }), (line, shapes) => {
        const asked = question(line)
        const found = answersOf(asked, live([...everything, ...shapes]), 0)
        const isFree = asked.verdict.kind === 'allowable' && asked.parts.length > 0 && asked.parts.every((part) => part.verdict === 'allowable')
        expect({ line, isHeld: isFree || (found.whole === null && found.used.length === 0) }).toEqual({ line, isHeld: true })
        found.parts.forEach((answer, at) => expect(answer === null || asked.parts[at]?.verdict === 'allowable').toBe(true))
      }),
      { numRuns: 1500 },
    )
  })

  test('a redirect, a substitution, a variable, a wrapper or another part leaves an answered command unanswered', () => {
    const answered = ['npm test', 'npm run build', 'make', 'eslint src/a.ts', 'node a', 'touch a', 'cargo test']
    const around: readonly ((line: string) => string)[] = [
      (line) => `${line} > out`, (line) => `${line} >> src/out`, (line) => `${line} < a`, (line) => `${line} <<< a`, (line) => `${line} $(ls)`, (line) => `${line} \`ls\``, (line) => `${line} <(ls)`, (line) => `FOO=1 ${line}`, (line) => `PATH=. ${line}`, (line) => `env A=1 ${line}`,
      (line) => `sh -c '${line}'`, (line) => `bash -c "${line}"`, (line) => `eval '${line}'`, (line) => `xargs ${line} < a`, (line) => `sudo ${line}`, (line) => `find . -exec ${line} \\;`, (line) => `watch ${line}`, (line) => `make $(${line})`, (line) => `trap '${line}' EXIT`,
      (line) => `${line}; rm -rf x`, (line) => `${line} && git push`, (line) => `${line} | tee x`, (line) => `${line} & curl https://example.net`, (line) => `${line}\n./x.sh`, (line) => `(${line}; unknown-program)`, (line) => `${line} $X`, (line) => `${line} ../../x`, (line) => `${line} /etc/x`, (line) => `cd .. && ${line}`, (line) => `cd $X && ${line}`,
    ]
    for (const line of answered) {
      const own = proposedShapes(question(line)) ?? []
      const [name = ''] = line.split(' ')
      const open = [...own, command(name, true), command('cd', true), command('echo', true)]
      expect({ line, is: runs(line, own) }).toEqual({ line, is: true })
      for (const wrap of around) expect({ line: wrap(line), is: runs(wrap(line), open) }).toEqual({ line: wrap(line), is: false })
    }
  })

  test('one more permission never takes an answer away, one more restriction never gives one', () => {
    fc.assert(
      fc.property(whole, fc.array(shape, { maxLength: 4 }), shape, fc.constantFrom('ask' as const, 'deny' as const), (line, shapes, more, effect) => {
        const asked = question(line)
        const before = answersOf(asked, live(shapes), 0)
        const after = answersOf(asked, [...live(shapes), ...live([more])], 0)
        if (before.whole !== null) expect({ line, more, whole: after.whole !== null }).toEqual({ line, more, whole: true })
        const held = answersOf(asked, [...live(shapes), ...live([more], effect)], 0)
        if (before.whole === null) expect(held.whole).toBeNull()
        if (held.denies !== null || held.asks !== null) expect([held.whole, held.used]).toEqual([null, []])
      }),
      { numRuns: 1000 },
    )
  })

  test('what a shape would let run, the same shape stops', () => {
    fc.assert(
      fc.property(whole, shape, (line, one) => {
        const asked = question(line)
        const isSaid = answersOf(asked, live([one]), 0).parts.some((answer) => answer?.by === 'rule')
        if (isSaid) expect({ line, one, denies: answersOf(asked, live([one], 'deny'), 0).denies }).toEqual({ line, one, denies: 'deny0' })
      }),
      { numRuns: 1500 },
    )
  })

  test('shapes proposed from a call answer that very call, and each can be a rule', () => {
    let made = 0
    fc.assert(
      fc.property(whole, (line) => {
        const asked = question(line)
        const own = proposedShapes(asked)
        if (own !== null) {
          made += 1
          expect({ line, own, runs: answersOf(asked, live(own), 0).whole !== null }).toEqual({ line, own, runs: true })
          expect(own.map(unusablePart)).toEqual(own.map(() => null))
        }
        for (const each of draftShapes(asked)) {
          expect({ line, each, is: answersOf(asked, live([each]), 0).parts.some((answer) => answer?.by === 'rule') }).toEqual({ line, each, is: true })
          expect(covers(each, each)).toBe(true)
        }
      }),
      { numRuns: 1500 },
    )
    expect(made).toBeGreaterThan(100)
  })

  test('a shape that covers another lets run all that the other lets run', () => {
    let covered = 0
    fc.assert(
      fc.property(shape, shape, fc.array(whole, { minLength: 5, maxLength: 5 }), simple, (wide, narrow, lines, line) => {
        for (const [a, b] of [[wide, narrow], ...draftShapes(question(line)).map((each) => [wide, each] as const), ...draftShapes(question(line)).flatMap((each, at, all) => (all[at + 1] ? [[all[at + 1] ?? each, each] as const] : []))] as const) {
          if (!covers(a, b)) continue
          covered += 1
          for (const each of [...lines, line]) {
            const [byB, byA] = [b, a].map((one) => answersOf(question(each), live([one]), 0).parts.map((answer) => answer?.by === 'rule'))
            expect({ each, a, b, is: byB?.every((is, at) => !is || byA?.[at] === true) }).toEqual({ each, a, b, is: true })
          }
        }
      }),
      { numRuns: 600 },
    )
    expect(covered).toBeGreaterThan(50)
  })

  test('a glob that covers another covers its paths', () => {
    const name = fc.constantFrom('a', 'b', 'src', '*', '**', '*.ts', 'x.ts')
    const glob = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
    const path = fc.array(fc.constantFrom('a', 'b', 'src', 'x.ts', 'c'), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
    fc.assert(
      fc.property(glob, glob, path, (a, b, one) => {
        if (covers({ kind: 'files', tool: 't', glob: a }, { kind: 'files', tool: 't', glob: b }) && globFits(b, one)) expect({ a, b, one, is: globFits(a, one) }).toEqual({ a, b, one, is: true })
        const plain = new RegExp(`^${a.split('/').map((part) => (part === '**' ? '(?:[^/]+/)*' : `${part.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}/`)).join('')}$`, 'u')
        expect({ a, one, is: globFits(a, one) }).toEqual({ a, one, is: plain.test(`${one}/`) })
      }),
      { numRuns: 3000 },
    )
  })
})
