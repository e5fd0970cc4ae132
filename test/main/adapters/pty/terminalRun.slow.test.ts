import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StreamRedactor } from '../../../../src/main/core/policy/redactionStream'
import { holdersBelow, livingByInnerNumber, isolations, makeCommandWorld, openTerminals, processesWith, type CommandWorld } from '../../../support/commandWorld'

describe.each(isolations)('commands %s', (_, parts) => {
  let world: CommandWorld
  beforeEach(() => {
    world = makeCommandWorld(parts)
  })
  afterEach(async () => {
    await world.close()
    // R15: nothing is left, neither process nor terminal.
    await vi.waitFor(() => expect({ terminals: openTerminals(), holders: holdersBelow() }).toEqual({ terminals: 0, holders: [] }), 5000)
  })

  test('the approved bytes reach bash as one argument, whatever they are', async () => {
    const texts = [`printf '%s' 'a  b\n"$x"\t\\ 副署 🖋'`, `-n; printf 1`, `# only a remark`, `printf '%s' "$0 $#"`, `printf "%s" {1..3}`]
    const ends = []
    for (const text of texts) ends.push((await world.run(text)).text)
    expect(ends).toEqual(['a  b\n"$x"\t\\ 副署 🖋', expect.stringContaining('-n: command not found\n1'), '', 'bash 0', '123'])
  })

  test('the exit code is stated as it is (D12)', async () => {
    const lines = readFileSync(path.join(import.meta.dirname, '../../../cases/D/d12.txt'), 'utf8').split('\n').filter((line) => line !== '')
    const ends = []
    for (const line of [...lines, 'kill -9 $$', 'exit 137']) {
      const { exitCode, endSignal, text } = await world.run(line)
      ends.push({ exitCode, endSignal, text })
    }
    expect(ends).toEqual([
      { exitCode: 0, endSignal: null, text: '2 failed\n' },
      { exitCode: 0, endSignal: null, text: 'finished\n' },
      { exitCode: 127, endSignal: null, text: expect.stringContaining('no_such_program_xyz: command not found') },
      { exitCode: 4, endSignal: null, text: '' },
      { exitCode: 0, endSignal: null, text: '1\n2\n3\n' },
      { exitCode: 0, endSignal: null, text: 'y\n' },
      { exitCode: 137, endSignal: 'SIGKILL', text: '' },
      { exitCode: 137, endSignal: 'SIGKILL', text: '' },
    ])
  })

  test('output that comes with the exit is not lost: 12 runs, four at a time (D11)', async () => {
    const command = world.useCase('d11.sh')
    const expected = `${Array.from({ length: 3000 }, (_, at) => `line ${at + 1}\n`).join('')}END`
    const wrong: unknown[] = []
    const quarter = async (): Promise<void> => {
      for (let run = 0; run < 3; run++) {
        const end = await world.run(command)
        if (end.exitCode !== 7 || end.text !== expected) wrong.push([end.exitCode, end.text.length])
      }
    }
    await Promise.all([quarter(), quarter(), quarter(), quarter()])
    expect(wrong).toEqual([])
  })

  test('a program left running neither holds the result nor ends with it, is listed and can be ended (D09, R113)', async () => {
    const running = await world.start(world.useCase('d09.sh'))
    const end = await running.ended
    const inner = Number(readFileSync(path.join(world.folder, 'bg.pid'), 'utf8'))
    const program = livingByInnerNumber(inner, world.folder)
    expect(end).toMatchObject({ exitCode: 0, isCancelled: false, text: expect.stringContaining('started'), leftRunning: [program] })
    expect(world.runner.leftRunning()).toEqual([{ callId: 'call-1', pid: program, command: expect.stringContaining('d09.sh') }])

    await world.runner.endProgram(program ?? 0)
    expect(livingByInnerNumber(inner, world.folder)).toBeUndefined()
    await vi.waitFor(() => expect(world.runner.leftRunning()).toEqual([]))
  })

  test('a program left running can go on writing to its terminal', async () => {
    const end = await world.run('(for i in $(seq 1 20); do echo "still $i" || exit; sleep 0.1; done; head -c 300000 /dev/zero; touch wrote) & echo started')
    expect(end.leftRunning).toHaveLength(1)
    await vi.waitFor(() => expect(existsSync(path.join(world.folder, 'wrote'))).toBe(true), 10_000)
    await vi.waitFor(() => expect(world.runner.leftRunning()).toEqual([]), 5000)
  })

  test('helpers that end right after the command are not called left running', async () => {
    const ends = []
    for (const command of ['sleep 0.1 & echo a', 'yes | head -1', '(sleep 0.05; echo late) & exit 3']) ends.push((await world.run(command)).leftRunning)
    expect(ends).toEqual([[], [], []])
  })

  test('stop ends grandchildren, stubborn and detached ones too (D14, R11)', async () => {
    const stop = new AbortController()
    const running = await world.start(world.useCase('d14.sh'), { signal: stop.signal })
    const files = ['p1', 'p2', 'p3'].map((name) => path.join(world.folder, name))
    await vi.waitFor(() => expect(files.map((file) => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))).toEqual([true, true, true]), 5000)
    const inner = files.map((file) => Number(readFileSync(file, 'utf8')))
    const pids = inner.map((number) => livingByInnerNumber(number, world.folder) ?? 0)
    expect(pids).not.toContain(0)

    stop.abort()
    const end = await running.ended
    expect({ isCancelled: end.isCancelled, leftRunning: end.leftRunning, alive: pids.filter((pid) => existsSync(`/proc/${pid}/exe`)) }).toEqual({ isCancelled: true, leftRunning: [], alive: [] })
  })

  test('a detached process with an empty environment is ended too (C1)', async () => {
    const number = String(randomInt(10 ** 8, 10 ** 9))
    const stop = new AbortController()
    const running = await world.start(`trap '' INT TERM; sleep ${number}1 & (env -i setsid sleep ${number}2 &); (sleep ${number}3 | cat) & wait`, { signal: stop.signal })
    await vi.waitFor(() => expect([1, 2, 3].map((digit) => processesWith(`sleep ${number}${digit}`).length > 0)).toEqual([true, true, true]), 5000)
    stop.abort()
    await running.ended
    expect(processesWith(number)).toEqual([])
  })

  test('a command that asks for time to end gets it', async () => {
    const stop = new AbortController()
    const ready = vi.fn()
    const running = await world.start(`trap 'echo bye > said; exit 0' TERM; echo ready; while :; do sleep 0.01; done`, { signal: stop.signal, onOutput: ready })
    await vi.waitFor(() => expect(ready).toHaveBeenCalled(), 5000)
    stop.abort()
    await running.ended
    expect(readFileSync(path.join(world.folder, 'said'), 'utf8')).toBe('bye\n')
  })

  test('a time limit ends the command with the output so far (D02)', async () => {
    const number = String(randomInt(10 ** 8, 10 ** 9))
    const end = await world.run(`while :; do date; sleep 0.2; : ${number}; done`, { timeoutMs: 1000 })
    expect(end).toMatchObject({ isTimedOut: true, isCancelled: false, leftRunning: [] })
    expect(end.text).toMatch(/\d\d:\d\d:\d\d.*\n.*\d\d:\d\d:\d\d/)
    expect(processesWith(number)).toEqual([])
  })
})

describe('one command', () => {
  let world: CommandWorld
  beforeEach(() => {
    world = makeCommandWorld()
  })
  afterEach(async () => {
    await world.close()
    await vi.waitFor(() => expect({ terminals: openTerminals(), holders: holdersBelow() }).toEqual({ terminals: 0, holders: [] }), 5000)
  })

  const fault = async (command: string, cwd = world.folder) => {
    const started = await world.runner.start({ callId: 'call', command, cwd, timeoutMs: null, confinement: { kind: 'outside' } }, () => {}, new AbortController().signal)
    return started.ok ? (await started.value.ended).text : started.fault
  }

  test('a folder that is gone or moved is named, and nothing is made under its old name (D03)', async () => {
    const below = path.join(world.folder, 'w')
    mkdirSync(below)
    await world.run('rmdir ../w', { cwd: below })
    expect(await fault('echo hi > made', below)).toEqual({ code: 'command.no-folder', values: { folder: below } })
    renameSync(world.folder, `${world.folder}-moved`)
    expect(await fault('echo hi > made')).toEqual({ code: 'command.no-folder', values: { folder: world.folder } })
    expect(existsSync(world.folder)).toBe(false)
    renameSync(`${world.folder}-moved`, world.folder)
  })

  test('a working folder that became a link, or is a file, is refused', async () => {
    symlinkSync('/tmp', path.join(world.folder, 'link'))
    writeFileSync(path.join(world.folder, 'file'), '')
    expect(await fault('pwd', path.join(world.folder, 'link'))).toMatchObject({ code: 'path.moved' })
    expect(await fault('pwd', path.join(world.folder, 'file'))).toMatchObject({ code: 'command.no-folder' })
  })

  test('text that no shell can be given as it stands is refused', async () => {
    expect(await fault('echo a\0; rm x')).toMatchObject({ code: 'command.unusable-text' })
    expect(await fault('echo \ud800')).toMatchObject({ code: 'command.unusable-text' })
    expect(await fault(`: ${'é'.repeat(70_000)}`)).toEqual({ code: 'command.too-long', values: { sizeBytes: 140_002, limitBytes: 131_071 } })
    expect(await fault(`printf ${'x'.repeat(29_000)}`)).toHaveLength(29_000)
  })

  test('a command cancelled before it starts never runs', async () => {
    const started = await world.runner.start({ callId: 'call', command: 'touch ran', cwd: world.folder, timeoutMs: null, confinement: { kind: 'outside' } }, () => {}, AbortSignal.abort())
    expect(started).toMatchObject({ ok: false, fault: { code: 'command.not-started' } })
    expect(existsSync(path.join(world.folder, 'ran'))).toBe(false)
  })

  test('Esc right after the command, while what it left behind is looked at, ends that too (R11)', async () => {
    const number = String(randomInt(10 ** 8, 10 ** 9))
    const stop = new AbortController()
    const running = await world.start(`setsid sleep ${number} & touch over`, { signal: stop.signal })
    await vi.waitFor(() => expect(existsSync(path.join(world.folder, 'over'))).toBe(true), 5000)
    await new Promise((resolve) => setTimeout(resolve, 30))
    stop.abort()
    const end = await running.ended
    expect({ isCancelled: end.isCancelled, leftRunning: end.leftRunning, alive: processesWith(number) }).toEqual({ isCancelled: true, leftRunning: [], alive: [] })
  })

  test('after the app has left, no command starts', async () => {
    await world.runner.closeAll()
    expect(await fault('touch ran')).toMatchObject({ code: 'command.not-started' })
    expect(existsSync(path.join(world.folder, 'ran'))).toBe(false)
  })

  test('a command cancelled at once leaves nothing', async () => {
    for (let delayMs = 0; delayMs < 12; delayMs++) {
      const number = String(randomInt(10 ** 8, 10 ** 9))
      const stop = new AbortController()
      const running = await world.start(`setsid sleep ${number}`, { signal: stop.signal })
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      stop.abort()
      await running.ended
      expect(processesWith(number)).toEqual([])
    }
  })

  test('no command has the terminal of another one open', async () => {
    const stop = new AbortController()
    const other = await world.start('sleep 1000', { signal: stop.signal })
    const end = await world.run('for f in /proc/$$/fd/*; do readlink "$f"; done')
    stop.abort()
    await other.ended
    expect(new Set(end.text.split('\n').filter((line) => line !== '' && !line.startsWith('/proc/')))).toEqual(new Set([expect.stringMatching(/^\/dev\/pts\/\d+$/)]))
  })

  test('keys reach the command, ^C too, and the size of its terminal can change', async () => {
    let shown = ''
    const running = await world.start('trap "echo stopped; exit 5" INT; read -r line; echo "got $line"; stty size; while :; do sleep 0.01; done', { onOutput: (text) => (shown += text) })
    running.resize(99, 33)
    running.write('副署\r')
    await vi.waitFor(() => expect(shown).toContain('33 99'), 5000)
    running.write('\x03')
    const end = await running.ended
    expect({ text: end.text, exitCode: end.exitCode }).toEqual({ text: '副署\ngot 副署\n33 99\n^Cstopped\n', exitCode: 5 })
    running.write('late')
    running.resize(0, Number.NaN)
  })

  test('a key that would stop a command does not lose it', async () => {
    const running = await world.start('read -r line; echo "got $line"')
    running.write('\x1a')
    running.write('on\r')
    expect((await running.ended).text).toContain('got')
  })

  test('a command that ends its own process group is told of as ended', async () => {
    const end = await world.run('sleep 100 & kill 0; sleep 5')
    expect({ exitCode: end.exitCode, endSignal: end.endSignal, leftRunning: end.leftRunning }).toEqual({ exitCode: 143, endSignal: 'SIGTERM', leftRunning: [] })
  })

  test('a command may end everything it can reach: its end is still told', async () => {
    const end = await world.run('sleep 100 & kill -9 -1; kill -9 1; kill -9 $PPID; exit 6')
    expect([6, 137, null]).toContain(end.exitCode)
    expect(end.leftRunning).toEqual([])
  })

  test('a command that says the words of the end mark does not end', async () => {
    const end = await world.run(`printf '\\033_1-1-AAAAAAAAAAAAAAAAAAAAAAAA;0;1\\033\\\\'; echo on; exit 8`)
    expect({ text: end.text, exitCode: end.exitCode }).toEqual({ text: 'on\n', exitCode: 8 })
  })

  test('after Esc nothing is shown (C3)', async () => {
    const stop = new AbortController()
    let shownAfter = 0
    let shown = 0
    const onOutput = (): void => void (stop.signal.aborted ? shownAfter++ : shown++)
    const running = await world.start('yes 0123456789', { signal: stop.signal, onOutput })
    await vi.waitFor(() => expect(shown).toBeGreaterThan(2), 5000)
    stop.abort()
    await running.ended
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(shownAfter).toBe(0)
  })

  test('a long output is kept whole on disk, cut for the model, and bounded on the screen', { timeout: 60_000 }, async () => {
    let longest = 0
    let shown = ''
    const onOutput = (text: string): void => {
      longest = Math.max(longest, text.length)
      shown = (shown + text).slice(-100)
    }
    const end = await world.run(`seq 1 1500000; printf 副署`, { onOutput })
    const whole = await world.blobs.get(end.outputRef ?? '')
    const expected = `${Array.from({ length: 1_500_000 }, (_, at) => `${at + 1}\r\n`).join('')}副署`
    expect(Buffer.from(whole ?? []).equals(Buffer.from(expected))).toBe(true)
    expect(end.totalBytes).toBe(Buffer.byteLength(expected))
    expect(end.text).toMatch(/^1\n2\n[\d\n]*\[… [\d,]+ bytes …\]\n[\d\n]*1500000\n副署$/)
    expect(end.text.length).toBeLessThan(31_000)
    expect(longest).toBeLessThan(70_000)
    expect(shown.endsWith('1500000\r\n副署')).toBe(true)
  })

  test('output passes a filter before anything of it is shown or kept', { timeout: 60_000 }, async () => {
    // Holds the last 8 characters back, as a filter must that looks for words cut in two.
    const makeFilter = () => {
      let held = ''
      const masked = (text: string): string => text.replaceAll('hunter2', '[redacted]')
      return {
        push(text: string) {
          held = masked(held + text)
          const out = held.slice(0, -8)
          held = held.slice(-8)
          return out
        },
        idle: () => release(),
        end: () => release(),
      }
      function release(): string {
        const out = masked(held)
        held = ''
        return out
      }
    }
    const filtered = makeCommandWorld({ makeFilter })
    let shown = ''
    const asking = await filtered.start('read -r -p "go on? " answer; echo "$answer"', { onOutput: (text) => (shown += text) })
    await vi.waitFor(() => expect(shown).toBe('go on? '), 5000)
    asking.write('yes\r')
    expect((await asking.ended).text).toBe('go on? yes\nyes\n')
    const end = await filtered.run(`for i in $(seq 1 9000); do printf 'a hunter2 b\\n'; done; printf hunt; sleep 0.01; printf er2`, { onOutput: (text) => (shown += text) })
    const whole = Buffer.from((await filtered.blobs.get(end.outputRef ?? '')) ?? []).toString('utf8')
    await filtered.close()
    expect([end.text, shown, whole].map((text) => text.includes('hunter2'))).toEqual([false, false, false])
    expect([end.text, shown, whole].map((text) => text.endsWith('b\n[redacted]') || text.endsWith('b\r\n[redacted]'))).toEqual([true, true, true])
    expect(whole.match(/\[redacted\]/g)).toHaveLength(9001)
  })

  test('R68: with the real redactor a question is shown while it waits, and no pause in a secret shows any of it', { timeout: 30_000 }, async () => {
    const filtered = makeCommandWorld({ makeFilter: () => new StreamRedactor() })
    let shown = ''
    const asking = await filtered.start('read -r -s -p "Password: " answer; echo; read -r -p "Continue? [y/N] " more; echo "password=$answer"', { onOutput: (text) => (shown += text) })
    await vi.waitFor(() => expect(shown).toBe('Password: '), 5000)
    asking.write('zX81kQp0Lw\r')
    await vi.waitFor(() => expect(shown.endsWith('\nContinue? [y/N] ')).toBe(true), 5000)
    asking.write('y\r')
    expect((await asking.ended).text).toBe('Password: \nContinue? [y/N] y\npassword=[redacted:password]\n')
    const end = await filtered.run("printf 'token=zX81'; sleep 0.3; printf 'kQp0'; sleep 0.3; printf 'Lw and so on'", { onOutput: (text) => (shown += text) })
    await filtered.close()
    expect({ text: end.text, isShown: /zX81|kQp0|Lw/.test(shown) }).toEqual({ text: 'token=[redacted:token] and so on', isShown: false })
  })

  test('leaving the app ends what runs and what was left running (R15)', async () => {
    const number = String(randomInt(10 ** 8, 10 ** 9))
    await world.run(`nohup setsid sleep ${number}1 >/dev/null 2>&1 & echo ok`)
    const running = await world.start(`trap '' TERM HUP; touch runs; sleep ${number}2; sleep ${number}3`)
    await vi.waitFor(() => expect(existsSync(path.join(world.folder, 'runs'))).toBe(true), 5000)
    await world.runner.closeAll()
    expect({ left: processesWith(number), isCancelled: (await running.ended).isCancelled }).toEqual({ left: [], isCancelled: true })
  })
})
