import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

// As checks outside this repository call it: the built program, lines in, lines out, an exit code.

const entry = path.resolve(import.meta.dirname, '../../out/lab/index.js')
const cases = path.resolve(import.meta.dirname, '../cases')
const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-lab-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

interface Ran {
  readonly code: number | null
  readonly lines: readonly Record<string, unknown>[]
  readonly words: string
}

/** Every line of stdout must be JSON: anything else there is a fault of the test's subject. */
function lab(args: readonly string[], input: string | Buffer = ''): Ran {
  const ran = spawnSync(process.execPath, [entry, ...args], { input, encoding: 'utf8', timeout: 15_000 })
  const lines = ran.stdout.split('\n').filter((line) => line !== '')
  return { code: ran.status, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), words: ran.stderr }
}

const jsonLines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

function folders(name: string): readonly string[] {
  return ['project', 'home', 'appdata'].flatMap((kind) => {
    const folder = path.join(base, name, kind)
    mkdirSync(folder, { recursive: true })
    return [`--${kind}`, folder]
  })
}

describe('exit code 2, one line of words, nothing on stdout', () => {
  test.each([
    [['nonsense'], 'no such command: nonsense'],
    [[], 'no such command: '],
    [['compact'], 'usage: compact'],
    [['perf', 'nothing'], 'no such command: perf nothing'],
    [['perf', 'toString'], 'no such command: perf toString'],
    [['perf'], 'usage: perf'],
    [['perf', 'snapshot', '--size', '0'], '--size takes a whole number from 1'],
    [['perf', 'snapshot', '--speed', '9'], 'speed'],
    [['assemble'], '--protocol takes openai, anthropic, ollama'],
    [['assemble', '--protocol', 'gemini'], '--protocol takes openai, anthropic, ollama'],
    [['guard-command', '--project', '.'], 'usage: guard-command'],
    [['guard-path', '--home', '.'], 'usage: guard-path'],
    [['redact', '--speed', '9'], 'usage: redact'],
  ])('%j', (args, words) => {
    const ran = lab(args)
    expect({ code: ran.code, lines: ran.lines, isOneLine: /^[^\n]+\n$/.test(ran.words) }).toEqual({ code: 2, lines: [], isOneLine: true })
    expect(ran.words).toContain(words)
  })
})

describe('exit code 1, the fault in one line, when the input is not what it should be', () => {
  test.each([
    [['repair'], '{"not":"a list"}'],
    [['repair'], 'no JSON'],
    [['guard-command', ...folders('broken')], 'no JSON'],
    [['guard-path', ...folders('broken')], 'no JSON'],
    [['redact'], 'no JSON'],
  ])('%j', (args, input) => {
    const ran = lab(args, input)
    expect({ code: ran.code, lines: ran.lines, isOneLine: /^[^\n]+\n$/.test(ran.words) }).toEqual({ code: 1, lines: [], isOneLine: true })
  })
})

describe('what each command prints', () => {
  test('assemble: the whole of one answer, in one line', () => {
    const ran = lab(['assemble', '--protocol', 'openai'], readFileSync(path.join(cases, 'A/a13.sse')))
    expect({ code: ran.code, words: ran.words, keys: ran.lines.map((line) => Object.keys(line).sort()) }).toEqual({
      code: 0, words: '', keys: [['calls', 'execute', 'reasoning', 'status', 'text', 'usage']],
    })
  })

  test('R32: repair: the list that would be sent, and what was mended', () => {
    const ran = lab(['repair'], readFileSync(path.join(cases, 'B/b03.messages.json')))
    expect(ran).toMatchObject({ code: 0, words: '', lines: [{ messages: expect.any(Array) as unknown, repaired: [{ code: 'model.repaired-missing' }] }] })
  })

  test('R66: guard-command: a verdict on each line, in order, with its parts; a rule of the person lets through what is allowable', () => {
    const rules = path.join(base, 'rules.json')
    writeFileSync(rules, JSON.stringify({ allow: ['npm test'], ask: [], deny: [], builtinReadOnly: true }))
    const input = jsonLines({ id: 1, cmd: 'rm -rf /', shell: 'bash' }, { id: 'two', cmd: 'npm test', shell: 'bash' }, { id: 3, cmd: '$X y', shell: 'bash' })
    const ran = lab(['guard-command', ...folders('commands'), '--rules', rules], input)
    expect({ code: ran.code, words: ran.words }).toEqual({ code: 0, words: '' })
    expect(ran.lines.map(({ id, verdict }) => [id, verdict])).toEqual([[1, 'deny'], ['two', 'allowable'], [3, 'ask']])
    expect(ran.lines[1]).toMatchObject({ reason: expect.any(String) as unknown, allowedBy: expect.anything() as unknown, parts: [{ argv: ['npm', 'test'], verdict: 'allowable', reads: expect.any(Array) as unknown, writes: expect.any(Array) as unknown, hosts: expect.any(Array) as unknown }] })
  })

  test('R65: guard-path: what is allowable is really done, what is denied leaves no trace', () => {
    const where = folders('paths')
    const project = where[1] ?? ''
    writeFileSync(path.join(base, 'paths/outside'), 'kept')
    const input = jsonLines(
      { id: 'in', op: { kind: 'create', path: 'new.txt' } },
      { id: 'out', op: { kind: 'write', path: '../outside' } },
      { id: 'secret', op: { kind: 'read', path: path.join(base, 'paths/appdata/rules.json') } },
    )
    const ran = lab(['guard-path', ...where], input)
    expect({ code: ran.code, words: ran.words, verdicts: ran.lines.map(({ id, verdict, done }) => [id, verdict === 'allowable', done]) }).toEqual({
      code: 0, words: '', verdicts: [['in', true, true], ['out', false, undefined], ['secret', false, undefined]],
    })
    expect([readFileSync(path.join(project, 'new.txt'), 'utf8').length > 0, readFileSync(path.join(base, 'paths/outside'), 'utf8')]).toEqual([true, 'kept'])
  })

  test('R68: redact: a text, a stream in pieces and a known secret leave masked, by their ids', () => {
    const secret = 'correct-horse-battery-staple'
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const input = jsonLines(
      { id: 'known', input: `say ${secret} aloud`, kind: 'text', known: [secret] },
      { id: 'cut', chunks: ['token ', token.slice(0, 9), token.slice(9), ' end'], kind: 'output' },
      { id: 'plain', input: 'nothing here', kind: 'text' },
    )
    const ran = lab(['redact'], input)
    const outputs = Object.fromEntries(ran.lines.map(({ id, output }) => [id, output])) as Readonly<Record<string, string>>
    expect({ code: ran.code, words: ran.words, ids: Object.keys(outputs), plain: outputs['plain'] }).toEqual({ code: 0, words: '', ids: ['known', 'cut', 'plain'], plain: 'nothing here' })
    expect([outputs['known']?.includes(secret), outputs['cut']?.includes(token), outputs['cut']?.endsWith(' end')]).toEqual([false, false, true])
  })
})
