import { describe, expect, test } from 'vitest'
import { asId } from '../../../../src/shared/domain/ids'
import { fail, succeed } from '../../../../src/shared/domain/result'
import type { CommandPart } from '../../../../src/shared/domain/verdict'
import type { ToolOutput } from '../../../../src/shared/domain/tool'
import { locales, say } from '../../../../src/shared/words/say'
import type { CommandEnd, CommandRunner, CommandStart } from '../../../../src/main/core/ports/commandRunner'
import type { TextHit, TextQuery, TextSearch } from '../../../../src/main/core/ports/textSearch'
import type { PathFacts } from '../../../../src/main/core/ports/workspaceFs'
import { findFiles } from '../../../../src/main/core/tools/builtins/findFiles'
import { runCommand } from '../../../../src/main/core/tools/builtins/runCommand'
import { searchText } from '../../../../src/main/core/tools/builtins/searchText'
import type { Tool, ToolContext } from '../../../../src/main/core/tools/defineTool'

const ended: CommandEnd = { exitCode: 0, endSignal: null, isTimedOut: false, isCancelled: false, text: 'out\n', totalBytes: 5, outputRef: null, leftRunning: [], confined: 'none', hints: [] }

/** A context whose ports answer as given and note what they were asked. */
function makeContext(answers: { readonly end?: Partial<CommandEnd>; readonly fault?: boolean; readonly aborted?: boolean; readonly search?: Partial<TextSearch>; readonly kind?: PathFacts['kind']; readonly parts?: readonly CommandPart[]; readonly hits?: readonly TextHit[] }) {
  const noted: { starts: CommandStart[]; emitted: string[]; pids: number[]; order: string[] } = { starts: [], emitted: [], pids: [], order: [] }
  const commands: CommandRunner = {
    start(start, onOutput) {
      noted.starts.push(start)
      if (answers.fault) return Promise.resolve(fail('command.no-folder', { folder: start.cwd }))
      onOutput('out\r\n')
      return Promise.resolve(succeed({ pid: 77, write: () => {}, resize: () => {}, leave: () => {}, ended: Promise.resolve({ ...ended, ...answers.end }) }))
    },
    leftRunning: () => [{ callId: 'call', pid: 5, command: 'node server.js' }, { callId: 'other', pid: 6, command: 'older' }],
    endProgram: () => Promise.resolve(),
    closeAll: () => Promise.resolve(),
  }
  const place = (given: string) => ({ given, realPath: given === '.' ? '/project' : `/project/${given}`, kind: answers.kind ?? 'folder' }) as PathFacts
  // Each file holds what was found in it.
  const textOf = (path: string): string => {
    const own = (answers.hits ?? []).filter((hit) => hit.path === path)
    return Array.from({ length: Math.max(1, ...own.map((hit) => hit.line)) }, (_, at) => own.find((hit) => hit.line === at + 1)?.text ?? '').join('\n')
  }
  const fs = {
    locate: (given: string, use: string) => Promise.resolve({ ...place(given), kind: use === 'list' ? 'folder' : 'file', isThroughLink: false }),
    list: () => Promise.resolve(succeed(['a', 'a.ts', 'b.ts'].map((name) => ({ name })))),
    read: (facts: PathFacts) => Promise.resolve(succeed({ bytes: Buffer.from(textOf(facts.given)) })),
  }
  const unused = (): never => {
    throw new Error('not used here')
  }
  const context = {
    callId: asId('call'), root: '/project', commands, parts: answers.parts ?? [], hintLog: new Map(), search: { text: unused, files: unused, ...answers.search }, place, fs,
    judgePath: () => ({ kind: 'allowable' }),
    signal: answers.aborted ? AbortSignal.abort() : new AbortController().signal,
    emit: (text: string) => void noted.emitted.push(text),
    started: (pid: number) => {
      noted.pids.push(pid)
      return Promise.resolve()
    },
  } as unknown as ToolContext
  return { context, noted }
}

async function run(tool: Tool, args: unknown, answers: Parameters<typeof makeContext>[0]) {
  const { context, noted } = makeContext(answers)
  const output = await tool.run(tool.params.parse(args), context)
  return { output, noted, sentence: say('en', output.say) }
}

describe('run_command', () => {
  const end = async (more: Partial<CommandEnd>, args: object = {}) => (await run(runCommand, { command: 'x', ...args }, { end: more }))

  test('the command runs as it stands, in the judged folder, with a limit', async () => {
    const { noted, output } = await run(runCommand, { command: ' a "b" ', cwd: 'w', timeout_seconds: 5 }, {})
    expect(noted).toMatchObject({ starts: [{ callId: 'call', command: ' a "b" ', cwd: '/project/w', timeoutMs: 5000 }], emitted: ['out\r\n'], pids: [77] })
    expect(output).toEqual({ status: 'ok', say: { code: 'command.exit', values: { exitCode: 0 } }, body: 'out\n', exitCode: 0, confined: 'none' })
    expect((await run(runCommand, { command: 'x' }, {})).noted.starts).toMatchObject([{ cwd: '/project', timeoutMs: null }])
  })

  test('what the guards judge is what runs', () => {
    expect(runCommand.command?.({ command: 'a\n', cwd: 'w' })).toEqual({ command: 'a\n', cwd: 'w' })
    expect([runCommand.paths({ command: 'a' }), runCommand.paths({ command: 'a', cwd: 'w' })]).toEqual([[{ path: '.', use: 'exec-cwd' }], [{ path: 'w', use: 'exec-cwd' }]])
    expect(runCommand.effect).toBe('execute')
  })

  test('the card shows the whole command and where it runs', async () => {
    const { context } = makeContext({})
    expect(await runCommand.forecast({ command: 'a', cwd: 'w' }, context)).toEqual(succeed({ preview: { kind: 'command', command: 'a', cwd: '/project/w', parts: [], confinement: { network: false, outside: false, after: null } }, writes: [], base: {} }))
  })

  test('the exit code is stated as it is; nothing is called a success (D12)', async () => {
    const results = []
    for (const exitCode of [0, 1, 255]) {
      const { output, sentence } = await end({ exitCode })
      results.push([output.status, output.exitCode, sentence])
    }
    expect(results).toEqual([
      ['ok', 0, 'The command ended with exit code 0.'],
      ['failed', 1, 'The command ended with exit code 1.'],
      ['failed', 255, 'The command ended with exit code 255.'],
    ])
  })

  test('exit code 0 of a pipe is not told as if it were that of all its programs (D12)', async () => {
    const pipes = ['npm test 2>&1 | tail -1', 'cd a && npm test | cat', 'x; (a | b) | c']
    const others = ['a', 'a | b; c', 'a | b || c', '! a | b', 'set -o pipefail; a | b', 'echo "a | b"', 'a | b; exit ${PIPESTATUS[0]}', 'for f in *; do a | b; done', '(', '|']
    const told = await Promise.all([...pipes, ...others].map(async (command) => (await end({}, { command })).output.say.code))
    expect(told).toEqual([...pipes.map(() => 'command.exit-of-last'), ...others.map(() => 'command.exit')])
    expect((await end({ exitCode: 3 }, { command: 'a | b' })).sentence).toBe('The command ended with exit code 3.')
  })

  test.each<[string, Partial<CommandEnd>, ToolOutput['status'], RegExp]>([
    ['a signal', { exitCode: 137, endSignal: 'SIGKILL' }, 'failed', /exit code 137.*SIGKILL/],
    ['an end from outside', { exitCode: null, endSignal: 'SIGKILL' }, 'failed', /from outside by SIGKILL/],
    ['a time limit (D02)', { exitCode: 143, endSignal: 'SIGTERM', isTimedOut: true, limitMs: 5000 }, 'failed', /^Timeout: .* 5 s/],
    ['a time limit that the command left with 0', { exitCode: 0, isTimedOut: true, limitMs: 600_000 }, 'failed', /^Timeout: .* 600 s/],
    ['a command that the person lets go on (D02)', { exitCode: null, isLeft: true, leftRunning: [5] }, 'ok', /^The user let the command go on in the background.*It left 1 program running: node server\.js \(5\)/],
    ['a writer whose reader had enough (D12)', { exitCode: 141, endSignal: 'SIGPIPE' }, 'ok', /exit code 141.*SIGPIPE.*no failure/],
    ['a stop', { exitCode: null, isCancelled: true }, 'cancelled', /stopped by the user/],
    ['a missing program (D01)', { exitCode: 127, searched: ['/a', '/b'] }, 'failed', /exit code 127\. .*\/a, \/b.*set PATH/],
    ['a missing program, with a login shell that is slow (D01)', { exitCode: 127, searched: ['/a'], pathProblem: 'slow' }, 'failed', /\/a.*set PATH.*login shell took too long/],
    ['a missing program, with a login shell that fails (D01)', { exitCode: 127, searched: ['/a'], pathProblem: 'silent' }, 'failed', /\/a.*set PATH.*login shell ended without/],
    ['a cut', { totalBytes: 104_857_600, outputRef: 'f00' }, 'ok', /exit code 0\. Its output has 104,857,600 bytes; .*f00 shows the whole\.$/],
    ['one program left (R113)', { leftRunning: [5] }, 'ok', /exit code 0\. It left 1 program running: node server\.js \(5\)\. Later commands cannot see or end it/],
    ['programs that are gone by now', { leftRunning: [8, 9] }, 'ok', /It left 2 programs running: 8, 9\./],
    ['all at once', { exitCode: 3, totalBytes: 9, outputRef: 'f00', leftRunning: [5] }, 'failed', /exit code 3\. Its output has 9 bytes.*It left 1 program running/],
  ])('%s is told', async (_, more, status, words) => {
    const { output, sentence } = await end(more)
    expect(output.status).toBe(status)
    expect(sentence).toMatch(words)
    for (const locale of locales) expect(say(locale, output.say)).not.toMatch(/[{}]/)
  })

  test('a folder that is gone ends the call in words, not as a fault of the program (D03)', async () => {
    expect((await run(runCommand, { command: 'x' }, { fault: true })).output).toEqual({ status: 'failed', say: { code: 'command.no-folder', values: { folder: '/project' } } })
    expect((await run(runCommand, { command: 'x' }, { fault: true, aborted: true })).output.status).toBe('cancelled')
  })

  const part = (more: Partial<CommandPart>): CommandPart => ({ argv: ['x'], verdict: 'ask', reason: { code: 'guard.reads', values: {} }, reads: [], writes: [], deletes: [], hosts: [], canUndo: true, ...more })

  test('R72 it starts in the sandbox of the opened folder, without network, and what the card named of protected names is lifted', async () => {
    const { noted } = await run(runCommand, { command: 'x' }, { parts: [part({ writes: ['/project/.husky/pre-commit', '/etc/x'], deletes: ['/project/.npmrc'] })] })
    expect(noted.starts[0]?.confinement).toEqual({ kind: 'sandboxed', root: '/project', network: false, lifted: ['.husky/pre-commit', '.npmrc'], isToldHeld: false })
    expect((await run(runCommand, { command: 'x', network: true }, {})).noted.starts[0]?.confinement).toMatchObject({ network: true })
    expect((await run(runCommand, { command: 'x', outside: true }, {})).noted.starts[0]?.confinement).toEqual({ kind: 'outside' })
  })

  test('R72 what it lacked is told to the model with the way to ask for it, and the next card of the same command says so', async () => {
    const { context } = makeContext({ end: { exitCode: 1, confined: 'sandbox', hints: ['network'] } })
    const output = await runCommand.run(runCommand.params.parse({ command: 'npm ci' }), context)
    expect([output.confined, say('en', output.say)]).toEqual(['sandbox', expect.stringMatching(/lacked the network.*network: true/u)])
    expect(await runCommand.forecast({ command: 'npm ci', network: true }, context)).toMatchObject({ value: { preview: { confinement: { network: true, outside: false, after: 'network' } } } })
  })

  test('R72 what the command would write outside the project is said not to have left the sandbox', async () => {
    const parts = [part({ writes: ['/home/ann/.profile', '/dev/null', '/project/a'] })]
    expect((await run(runCommand, { command: 'x' }, { end: { confined: 'sandbox' }, parts })).sentence).toMatch(/nothing was changed outside the project \(\/home\/ann\/\.profile\)/u)
    expect((await run(runCommand, { command: 'x' }, { parts })).sentence).not.toMatch(/sandbox/u)
  })

  test('R71 what a command reads from the network or outside the project is text from outside', async () => {
    const host = part({ hosts: ['example.org'] })
    expect((await run(runCommand, { command: 'x', network: true }, { end: { confined: 'sandbox' }, parts: [host] })).output.taint).toEqual({ kind: 'web', host: 'example.org', url: 'example.org' })
    expect((await run(runCommand, { command: 'x' }, { end: { confined: 'sandbox' }, parts: [host] })).output.taint).toBeUndefined()
    expect((await run(runCommand, { command: 'x' }, { parts: [part({ reads: ['/project/a', '/dev/null', '/etc/hosts'] })] })).output.taint).toEqual({ kind: 'file', path: '/etc/hosts' })
  })
})

describe('search_text', () => {
  const hit = (path: string, line = 1, text = 'x') => ({ path, line, text })
  const searching = async (args: object, hits: readonly ReturnType<typeof hit>[], more: { readonly isCut?: boolean; readonly kind?: PathFacts['kind'] } = {}) => {
    const queries: TextQuery[] = []
    const text: TextSearch['text'] = (query) => {
      queries.push(query)
      return Promise.resolve(succeed({ hits, isCut: more.isCut ?? false }))
    }
    return { ...(await run(searchText, { pattern: 'p', ...args }, { search: { text }, hits, ...(more.kind ? { kind: more.kind } : {}) })), queries }
  }

  test('asks for what was asked, below the judged place, and without secrets', async () => {
    const { queries } = await searching({ path: 'src', glob: '*.ts', ignore_case: true, literal: true, max_results: 7 }, [])
    expect(queries).toEqual([
      { root: '/project', pattern: 'p', isLiteral: true, ignoreCase: true, under: '/project/src', glob: '*.ts', maxHits: 7, exclude: expect.arrayContaining(['.env*', '*.pem']) },
    ])
    expect(searchText.paths({ pattern: 'p' })).toEqual([{ path: '.', use: 'read' }])
  })

  test('gives path, line and text', async () => {
    const { output, sentence } = await searching({}, [hit('a.ts', 3, 'one'), hit('a.ts', 9, 'two'), hit('b/c.ts', 1, 'three')])
    expect([sentence, output.body]).toEqual(['3 lines match in 2 files.', 'a.ts:3: one\na.ts:9: two\nb/c.ts:1: three'])
  })

  test('a secrets file is shown only when it was named itself, since then the guard has asked (R67)', async () => {
    expect((await searching({}, [hit('.env'), hit('a.ts')])).output.body).toBe('a.ts:1: x')
    const named = await searching({ path: '.env' }, [hit('.env')], { kind: 'file' })
    expect([named.queries[0]?.exclude, named.output.body]).toEqual([[], '.env:1: x'])
  })

  test('says when there is more, also when only the text became too long', async () => {
    expect((await searching({}, [hit('a')], { isCut: true })).sentence).toMatch(/^The first 1 matching line is/)
    const long = await searching({}, Array.from({ length: 200 }, (_, at) => hit('a', at + 1, 'y'.repeat(400))))
    expect(long.sentence).toMatch(/^The first 7\d matching lines/)
    expect(long.output.body?.length).toBeLessThan(30_001)
  })

  test('says when there is nothing, and what went wrong', async () => {
    expect((await searching({}, [])).sentence).toMatch(/^Nothing matches/)
    const bad: TextSearch['text'] = () => Promise.resolve(fail('search.bad-pattern', { pattern: '(', problem: 'unclosed group' }))
    expect((await run(searchText, { pattern: '(' }, { search: { text: bad } })).output).toMatchObject({ status: 'failed', say: { code: 'search.bad-pattern' } })
    expect((await run(searchText, { pattern: '(' }, { search: { text: bad }, aborted: true })).output.status).toBe('cancelled')
  })
})

describe('find_files', () => {
  const finding = (paths: readonly string[], isCut = false): Partial<TextSearch> => ({ files: () => Promise.resolve(succeed({ paths, isCut })) })

  test('gives paths from the project folder, and says when there are more or none', async () => {
    const some = await run(findFiles, { glob: '*.ts', path: 'src' }, { search: finding(['src/a.ts', 'src/b.ts']) })
    expect([some.sentence, some.output.body]).toEqual(['2 files found.', 'src/a.ts\nsrc/b.ts'])
    expect((await run(findFiles, { glob: '*' }, { search: finding(['a'], true) })).sentence).toMatch(/^The first 1 file is/)
    expect((await run(findFiles, { glob: '*' }, { search: finding([]) })).sentence).toMatch(/^No file matches/)
    expect(findFiles.paths({ glob: '*' })).toEqual([{ path: '.', use: 'list' }])
  })

  test('what went wrong is told', async () => {
    const bad: Partial<TextSearch> = { files: () => Promise.resolve(fail('search.bad-glob', { glob: '[', problem: 'a bracket does not close' })) }
    expect((await run(findFiles, { glob: '[' }, { search: bad })).output.status).toBe('failed')
    expect((await run(findFiles, { glob: '[' }, { search: bad, aborted: true })).output.status).toBe('cancelled')
  })
})
