import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { reply, startFakeModelServer, type FakeModelOptions, type FakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld, type HeadlessWorld, type Line } from '../../support/headlessRun'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function world(files?: Readonly<Record<string, string>>): HeadlessWorld {
  const made = makeHeadlessWorld(files)
  closing.push(() => made.remove())
  return made
}

async function server(options: FakeModelOptions): Promise<FakeModelServer> {
  const made = await startFakeModelServer(options)
  closing.push(() => made.close())
  return made
}

const types = (lines: readonly Line[]): readonly string[] => lines.map((line) => String(line.type)).filter((type) => !type.endsWith('-delta') && type !== 'call-growing' && type !== 'tool-output')
const last = (lines: readonly Line[], type: string): Line | undefined => lines.filter((line) => line.type === type).at(-1)
const noProvider = { COUNTERSIGN_PROVIDER_URL: '', COUNTERSIGN_MODEL: '' }
const allowAll = { default: 'allow' as const }
const editSteps = [
  reply({ text: 'I look first.', calls: [{ name: 'search_text', args: { pattern: 'add' } }, { name: 'read_file', args: { path: 'math.js' } }] }),
  reply({ calls: [{ name: 'edit_file', args: { path: 'math.js', edits: [{ old_text: 'a - b', new_text: 'a + b' }] } }] }),
  reply({ calls: [{ name: 'run_command', args: { command: 'node -e "process.stdout.write(String(require(\'./math.js\')(2, 3)))"' } }] }),
  reply({ text: 'It adds now.' }),
]
const mathFiles = { 'math.js': 'module.exports = (a, b) => a - b\n' }

describe('R1 R8 R9 the journey, headless', () => {
  test('search, read, approved edit, approved command, then rolled back and the rollback undone', async () => {
    const { project, run, approvals } = world(mathFiles)
    const model = await server({ steps: editSteps })
    const done = await run(['run', '--project', project, '--prompt', 'Fix add', '--base-url', model.baseUrl, '--approvals', approvals(allowAll)])
    expect({ code: done.code, words: done.words }).toEqual({ code: 0, words: '' })
    // The two reads of the first step overlap: their starts and ends may interleave.
    const order = types(done.lines).filter((type) => type !== 'snapshot-taken')
    expect([...order.slice(0, 10).concat(order.slice(10, 14).sort()), ...order.slice(14)]).toEqual([
      'session-opened', 'session-renamed', 'user-message-added', 'turn-started',
      'assistant-message-added', 'usage-reported', 'tool-called', 'tool-called', 'approval-decided', 'approval-decided', 'tool-finished', 'tool-finished', 'tool-started', 'tool-started',
      'assistant-message-added', 'usage-reported', 'tool-called', 'approval-asked', 'approval-decided', 'tool-started', 'tool-finished',
      'assistant-message-added', 'usage-reported', 'tool-called', 'approval-asked', 'approval-decided', 'tool-started', 'tool-finished',
      'assistant-message-added', 'usage-reported', 'turn-ended',
    ])
    expect(last(done.lines, 'turn-ended')).toMatchObject({ reason: 'done', text: 'It adds now.', tokens: expect.any(Number) })
    expect(last(done.lines, 'tool-finished')?.['text']).toContain('5')
    expect(readFileSync(path.join(project, 'math.js'), 'utf8')).toBe('module.exports = (a, b) => a + b\n')

    const moments = await run(['snapshot', 'list', '--project', project])
    const before = moments.lines.find((line) => line['kind'] === 'before-call')
    const restored = await run(['snapshot', 'restore', '--project', project, '--to', String(before?.['id'])])
    expect({ code: restored.code, text: readFileSync(path.join(project, 'math.js'), 'utf8') }).toEqual({ code: 0, text: mathFiles['math.js'] })
    const undone = await run(['snapshot', 'undo', '--project', project, '--at', String(restored.lines[0]?.['undoId'])])
    expect({ code: undone.code, text: readFileSync(path.join(project, 'math.js'), 'utf8') }).toEqual({ code: 0, text: 'module.exports = (a, b) => a + b\n' })

    expect((await run(['audit', 'verify'])).lines).toEqual([expect.objectContaining({ ok: true })])
  })

  test('R5 R16 seq has no gaps, parts repeat it and count from 1, ids join call and result', async () => {
    const { project, run, approvals } = world(mathFiles)
    const model = await server({ steps: editSteps })
    const { lines } = await run(['run', '--project', project, '--prompt', 'Fix add', '--base-url', model.baseUrl, '--approvals', approvals(allowAll)])
    const events = lines.filter((line) => line['part'] === undefined)
    expect(events.map((line) => line['seq'])).toEqual(events.map((_, index) => index + 1))
    const parts = lines.filter((line) => line.type === 'text-delta')
    expect(parts.length).toBeGreaterThan(0)
    expect(parts[0]).toMatchObject({ part: 1, seq: 4, sessionId: expect.any(String), turnId: expect.any(String), step: 1 })
    const ids = (type: string): readonly unknown[] => lines.filter((line) => line.type === type).map((line) => line['callId'])
    expect(ids('tool-finished')).toEqual(ids('tool-called'))
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: last(lines, 'tool-called') === undefined ? '' : expect.any(String) })
  })

  test('without answers everything that asks is denied, and the model is told', async () => {
    const { project, run } = world(mathFiles)
    const model = await server({ steps: [reply({ calls: [{ name: 'run_command', args: { command: 'touch made' } }] }), reply({ text: 'I was not allowed.' })] })
    const { lines, code } = await run(['run', '--project', project, '--prompt', 'x', '--base-url', model.baseUrl])
    expect({ code, status: last(lines, 'tool-finished')?.['status'], made: existsSync(path.join(project, 'made')) }).toEqual({ code: 0, status: 'denied', made: false })
  })

  test('R62 what policy denies stays denied whatever the answers say', async () => {
    const { project, run, approvals } = world(mathFiles)
    const model = await server({ steps: [reply({ calls: [{ name: 'run_command', args: { command: 'rm -rf "$HOME"' } }, { name: 'write_file', args: { path: '../outside.txt', content: 'x' } }] }), reply({ text: 'ok' })] })
    const { lines } = await run(['run', '--project', project, '--prompt', 'x', '--base-url', model.baseUrl, '--approvals', approvals({ default: 'allow', rules: [{ tool: '*', answer: 'allow' }] })])
    expect(lines.filter((line) => line.type === 'tool-finished').map((line) => line['status'])).toEqual(['denied', 'denied'])
    expect(lines.filter((line) => line.type === 'approval-decided').map((line) => line['by'])).toEqual(['policy', 'policy'])
  })

  test('R63 an answer may edit the arguments; what ran is what was edited', async () => {
    const { project, run, approvals } = world()
    const model = await server({ steps: [reply({ calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'mine' } }] }), reply({ text: 'ok' })] })
    await run(['run', '--project', project, '--prompt', 'x', '--base-url', model.baseUrl, '--approvals', approvals({ rules: [{ tool: 'write_file', match: 'a\\.txt', answer: 'allow', edit: { content: 'yours' } }] })])
    expect(readFileSync(path.join(project, 'a.txt'), 'utf8')).toBe('yours')
  })

  test('R2 --max-steps ends the turn with step-limit', async () => {
    const { project, run } = world({ 'a.txt': 'a', 'b.txt': 'b' })
    const model = await server({ steps: (_, n) => reply({ calls: [{ name: 'read_file', args: { path: n % 2 ? 'a.txt' : 'b.txt' } }] }) })
    const { lines } = await run(['run', '--project', project, '--prompt', 'x', '--base-url', model.baseUrl, '--max-steps', '2'])
    expect({ reason: last(lines, 'turn-ended')?.['reason'], requests: model.requests.length }).toEqual({ reason: 'step-limit', requests: 2 })
  })

  test('R64 read-only offers and runs nothing that writes', async () => {
    const { project, run, approvals } = world()
    const model = await server({ steps: [reply({ calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x' } }] }), reply({ text: 'ok' })] })
    const { lines } = await run(['run', '--project', project, '--prompt', 'x', '--base-url', model.baseUrl, '--ask', 'read-only', '--approvals', approvals(allowAll)])
    const offered = (model.requests[0]?.body['tools'] as { function: { name: string } }[] | undefined)?.map((tool) => tool.function.name)
    expect({ offered: offered?.some((name) => ['write_file', 'run_command'].includes(name)), status: last(lines, 'tool-finished')?.['status'], made: existsSync(path.join(project, 'a.txt')) }).toEqual({ offered: false, status: 'denied', made: false })
  })

  test('an ask_user is answered by a rule, else nobody is here', async () => {
    const { project, run, approvals } = world()
    const steps = [reply({ calls: [{ name: 'ask_user', args: { question: 'Which?' } }] }), reply({ text: 'ok' })]
    const answered = await server({ steps })
    await run(['run', '--project', project, '--prompt', 'x', '--base-url', answered.baseUrl, '--approvals', approvals({ rules: [{ tool: 'ask_user', answer: 'allow', edit: { answer: 'the blue one' } }] })])
    expect(answered.requests[1]?.messages.at(-1)?.content).toContain('the blue one')
    const nobody = await server({ steps })
    await run(['run', '--project', project, '--prompt', 'x', '--base-url', nobody.baseUrl])
    expect(nobody.requests[1]?.messages.at(-1)?.content).toContain('Nobody is here')
  })
})

/** Command lines of living processes that hold a word; ours does not. */
function processesWith(word: string): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return line.includes(word) ? [line] : []
    } catch {
      return [] // gone meanwhile
    }
  })
}

describe('R11 R15 cancel', () => {
  test('SIGINT ends the turn as cancelled and leaves no process behind', async () => {
    const { project, start, approvals } = world()
    const word = `countersign-test-${process.pid}-${Date.now()}`
    const model = await server({ steps: [reply({ calls: [{ name: 'run_command', args: { command: `env -i setsid bash -c 'sleep 300; : ${word}' & sleep 300; : ${word}` } }] })] })
    const run = start(['run', '--project', project, '--prompt', 'x', '--base-url', model.baseUrl, '--approvals', approvals(allowAll)])
    await run.until((line) => line.type === 'tool-started')
    await new Promise((resolve) => setTimeout(resolve, 400))
    run.process.kill('SIGINT')
    const { code } = await run.ended
    expect({ code, reason: last(run.lines, 'turn-ended')?.['reason'], status: last(run.lines, 'tool-finished')?.['status'] }).toEqual({ code: 0, reason: 'cancelled', status: 'cancelled' })
    expect(processesWith(word)).toEqual([])
  })
})

describe('bad input', () => {
  test.each([
    [['run', '--project', '.'], 2, 'prompt'],
    [['run', '--project', '.', '--prompt', 'x', '--nonsense'], 2, 'nonsense'],
    [['frobnicate'], 2, 'no such command: frobnicate'],
    [['constructor'], 2, 'no such command: constructor'],
    [['run', '--project', '/nowhere/at/all', '--prompt', 'x', '--base-url', 'http://127.0.0.1:9/v1'], 1, '/nowhere/at/all'],
    [['run', '--project', '/', '--prompt', 'x', '--base-url', 'http://127.0.0.1:9/v1'], 1, '/'],
    [['run', '--project', '/etc', '--prompt', 'x', '--base-url', 'http://127.0.0.1:9/v1'], 1, '/etc'],
  ])('%j exits with %i and says why in one line', async (args, code, word) => {
    const done = await world().run(args)
    expect({ code: done.code, words: done.words.trim().split('\n').length, says: done.words.includes(word) }).toEqual({ code, words: 1, says: true })
  })

  test('a store at fault is said in a sentence, not by its code', async () => {
    const { data, run } = world()
    mkdirSync(path.join(data, 'countersign.db'), { recursive: true })
    const done = await run(['audit', 'verify'])
    expect({ code: done.code, lines: done.words.trim().split('\n').length, names: done.words.includes(data), isCode: /^app\.\S+$/m.test(done.words) }).toEqual({ code: 1, lines: 1, names: true, isCode: false })
  })

  test('a refused key and a broken stream end the turn with words; nothing incomplete is run', async () => {
    const { project, run, approvals } = world()
    const refusing = await server({ steps: () => ({ status: 401, headers: {}, body: () => new TextEncoder().encode('{"error":{"message":"bad key"}}') }) })
    const refused = await run(['run', '--project', project, '--prompt', 'x', '--base-url', refusing.baseUrl, '--model', 'compatible/m'])
    expect({ code: refused.code, reason: last(refused.lines, 'turn-ended')?.['reason'], kept: last(refused.lines, 'user-message-added')?.['text'] }).toEqual({ code: 0, reason: 'error', kept: 'x' })
    const cutting = await server({ steps: () => ({ ...reply({ text: 'half', calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x'.repeat(500) } }] }), dropAfter: 700 }) })
    const cut = await run(['run', '--project', project, '--prompt', 'x', '--base-url', cutting.baseUrl, '--model', 'compatible/m', '--approvals', approvals(allowAll)])
    expect({ reason: last(cut.lines, 'turn-ended')?.['reason'], made: existsSync(path.join(project, 'a.txt')) }).toEqual({ reason: 'incomplete', made: false })
  })
})

test('R97 a reader that goes away ends nothing: the turn is carried out and recorded to its end', async () => {
  const { project, data, start, run, approvals } = world()
  const model = await server({ steps: [reply({ text: 'one '.repeat(200), calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'made\n' } }] }), reply({ text: 'two '.repeat(200) })] })
  const going = start(['run', '--project', project, '--prompt', 'x', '--base-url', model.baseUrl, '--approvals', approvals(allowAll)])
  const first = await going.until((line) => line.type === 'session-opened')
  going.process.stdout?.destroy()
  const { code } = await going.ended
  expect({ code, text: existsSync(path.join(project, 'a.txt')) && readFileSync(path.join(project, 'a.txt'), 'utf8'), asked: model.requests.length, data: existsSync(data) }).toEqual({ code: 0, text: 'made\n', asked: 2, data: true })
  // Nothing is left to be taken up: the turn has its end in the record.
  const after = await run(['run', '--project', project, '--session', String(first['sessionId']), '--prompt', '', '--base-url', model.baseUrl])
  expect({ code: after.code, lines: after.lines }).toEqual({ code: 0, lines: [] })
})

describe('help and a missing model', () => {
  const say = (args: readonly string[]) => spawnSync(process.execPath, [path.resolve(import.meta.dirname, '../../../out/main/headless.js'), ...args], { encoding: 'utf8' })
  const commands = ['run', 'snapshot', 'memory', 'mcp', 'audit', 'doctor']

  test.each<readonly [readonly string[], number]>([[['--help'], 0], [['-h'], 0], [['help'], 0], [[], 2]])('countersign %j prints what there is on stdout and ends with %i', (args, code) => {
    const { status, stdout, stderr } = say(args)
    expect({ status, stderr, missing: commands.filter((name) => !stdout.includes(`\n  ${name} `) && !stdout.includes(`\n  ${name}\n`)) }).toEqual({ status: code, stderr: '', missing: [] })
  })

  test.each<readonly [readonly string[], number]>([[['memory'], 2], [['memory', '--project', '.'], 2], [['memory', '--help'], 0], [['help', 'memory'], 0], [['memory', 'add', '--help'], 0]])('%j prints the usage of that command alone and ends with %i', (args, code) => {
    const { status, stdout, stderr } = say(args)
    expect({ status, stderr, isOwn: stdout.includes('memory import --project DIR --file FILE'), others: stdout.includes('snapshot take') }).toEqual({ status: code, stderr: '', isOwn: true, others: false })
  })

  test.each([[['frobnicate'], 'no such command: frobnicate\n'], [['help', 'frobnicate'], 'no such command: frobnicate\n'], [['frobnicate', '--help'], 'no such command: frobnicate\n'], [['memory', 'frobnicate'], 'no such command: memory frobnicate\n'], [['toString'], 'no such command: toString\n']])('%j is no command', (args, words) => {
    const { status, stdout, stderr } = say(args)
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: words })
  })

  test('run without any model says so and plays nothing; the tutor plays where it is named', async () => {
    const { project, run } = world()
    const bare = await run(['run', '--project', project, '--prompt', 'hello'], noProvider)
    expect([bare.code, bare.lines, bare.words]).toEqual([1, [], expect.stringMatching(/^no model is set: .*--base-url/)])
    const named = await run(['run', '--project', project, '--prompt', 'hello', '--model', 'practice/scripted-tutor'], noProvider)
    expect([named.code, last(named.lines, 'turn-ended')?.['reason']]).toEqual([0, 'done'])
  })

  test.each(['oll', 'oll/', '/oll', ''])('run --model %j is wrong usage, and nothing is kept', async (name) => {
    const { project, data, run } = world()
    const wrong = await run(['run', '--project', project, '--prompt', 'hello', '--model', name], noProvider)
    expect([wrong.code, wrong.lines, wrong.words, existsSync(data)]).toEqual([2, [], expect.stringMatching(/^--model takes PROVIDER\/MODEL, .*\n$/), false])
  })

  test('run --model of a provider that is not there says so before a session is made, whatever the environment gives', async () => {
    const { project, run } = world()
    for (const env of [noProvider, { COUNTERSIGN_PROVIDER_URL: 'http://127.0.0.1:9/v1', COUNTERSIGN_MODEL: 'm' }]) {
      const gone = await run(['run', '--project', project, '--prompt', 'hello', '--model', 'nope/x'], env)
      expect([gone.code, gone.lines, gone.words]).toEqual([1, [], expect.stringContaining('nope')])
    }
  })

  test('run in the practice project plays the tutor', async () => {
    const { project, data, run } = world()
    const home = path.dirname(data)
    const practice = path.join(home, 'countersign-practice')
    mkdirSync(practice)
    const played = await run(['run', '--project', practice, '--prompt', 'hello'], { ...noProvider, HOME: home })
    expect([project === practice, played.code, last(played.lines, 'turn-ended')?.['reason']]).toEqual([false, 0, 'done'])
  })
})
