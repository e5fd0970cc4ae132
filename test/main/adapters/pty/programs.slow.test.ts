import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { commandLine } from '../../../../src/main/native/processTreeTable'
import { holdersBelow, isolations, makeCommandWorld, openTerminals, processesWith, type CommandWorld } from '../../../support/commandWorld'

const newNumber = (): string => String(randomInt(10 ** 8, 10 ** 9))
const node = JSON.stringify(process.execPath)
/** Listens on a port that the system chooses, writes its number, and answers as `speak` says. */
const server = (kind: 'http' | 'mute', host = '127.0.0.1'): string =>
  kind === 'http'
    ? `require('http').createServer((q, a) => a.end('hi')).listen(0, '${host}', function () { require('fs').writeFileSync('port', String(this.address().port)); console.log('ready') })`
    : `require('net').createServer((s) => s.resume()).listen(0, '${host}', function () { require('fs').writeFileSync('port', String(this.address().port)) })`

describe.each(isolations)('programs of commands %s', (_, parts) => {
  let world: CommandWorld
  beforeEach(() => {
    world = makeCommandWorld(parts)
  })
  afterEach(async () => {
    await world.close()
    await vi.waitFor(() => expect({ terminals: openTerminals(), holders: holdersBelow() }).toEqual({ terminals: 0, holders: [] }), 5000)
  })

  test('a command that the person lets go on ends its result and not itself (D02, R113)', async () => {
    const number = newNumber()
    const stop = new AbortController()
    let shown = ''
    const running = await world.start(`echo started; while :; do sleep 0.05; echo tick; : ${number}; done`, { signal: stop.signal, onOutput: (text) => (shown += text), timeoutMs: 60_000 })
    await vi.waitFor(() => expect(shown).toContain('tick'), 5000)
    running.leave()
    const end = await running.ended
    expect(end).toMatchObject({ exitCode: null, endSignal: null, isTimedOut: false, isCancelled: false, isLeft: true, text: expect.stringMatching(/^started\ntick\n/) })
    const [program] = await world.runner.programs()
    expect([program?.pid, program?.command, program?.ports]).toEqual([end.leftRunning[0], expect.stringContaining(number), []])

    // The turn's Esc is none of its business any more; what it prints can be looked at.
    stop.abort()
    running.write('late')
    running.leave()
    const before = world.runner.printed('call-1')?.length ?? 0
    expect(world.runner.printed('call-1')).toMatch(/^started\ntick\n/)
    await vi.waitFor(() => expect(world.runner.printed('call-1')?.length).toBeGreaterThan(before), 5000)

    await world.runner.endProgram(program?.pid ?? 0)
    await vi.waitFor(() => expect([processesWith(number), world.runner.printed('call-1')]).toEqual([[], null]), 5000)
  })

  test('a command that is left and ends by itself is gone from the list', async () => {
    const running = await world.start('read -r -t 0.5; exit 3')
    running.leave()
    expect((await running.ended).leftRunning).toHaveLength(1)
    await vi.waitFor(() => expect(world.runner.leftRunning()).toEqual([]), 5000)
  })

  test('the port of a program is told, and whether it speaks HTTP (R113)', { timeout: 30_000 }, async () => {
    const portOf = async (command: string): Promise<number> => {
      await world.run(`rm -f port; ${command}`)
      await vi.waitFor(() => expect(existsSync(path.join(world.folder, 'port')) && readFileSync(path.join(world.folder, 'port'), 'utf8')).toMatch(/^\d+$/), 10_000)
      return Number(readFileSync(path.join(world.folder, 'port'), 'utf8'))
    }
    writeFileSync(path.join(world.folder, 'http.cjs'), server('http'))
    writeFileSync(path.join(world.folder, 'mute.cjs'), server('mute'))
    // Below a shell, as with npm: the program is what the person knows, the port is of its child.
    const http = await portOf(`(${node} http.cjs; true) & echo up`)
    const mute = await portOf(`setsid nohup ${node} mute.cjs >/dev/null 2>&1 & echo up`)
    await vi.waitFor(async () => expect((await world.runner.programs()).map(({ ports }) => ports)).toEqual([[{ port: http, isHttp: true }], [{ port: mute, isHttp: false }]]), 10_000)
    await vi.waitFor(() => expect(world.runner.printed('call-1')).toContain('ready'), 5000)
  })

  test('children that are stopped are ended too, and dead ones are no programs (D14)', async () => {
    const number = newNumber()
    const stop = new AbortController()
    const running = await world.start(`sleep ${number}1 & kill -STOP $!; (trap '' TERM; exec sleep ${number}2) & kill -STOP $!; touch ready; wait`, { signal: stop.signal })
    await vi.waitFor(() => expect(existsSync(path.join(world.folder, 'ready'))).toBe(true), 5000)
    stop.abort()
    await running.ended
    expect(processesWith(number)).toEqual([])
    const end = await world.run(`sh -c 'sleep 0 & exec sleep ${number}3' & sleep 0.3`)
    expect(end.leftRunning).toHaveLength(1)
    expect(world.runner.leftRunning().map(({ command }) => command)).toEqual([`sleep ${number}3`])
  })

  test('a program in the background holds nothing open, by whichever descriptor it has the terminal (D09)', async () => {
    const number = newNumber()
    const holding = ['7>/dev/tty 8<&0 9>&2', '</dev/tty >/dev/null 2>&1', '5<>/dev/tty >&- 2>&- <&-']
    const ends = []
    for (const [at, descriptors] of holding.entries()) ends.push(await world.run(`sleep ${number}${at} ${descriptors} & disown; echo started`))
    expect(ends.map(({ exitCode, text, leftRunning }) => [exitCode, text, leftRunning.length])).toEqual(holding.map(() => [0, 'started\n', 1]))
    expect(processesWith(number).map(commandLine).filter((line) => line.startsWith('sleep'))).toHaveLength(holding.length)
  })

  test('a pipe says what the shell says, and a writer whose reader had enough is told as SIGPIPE (D12)', async () => {
    const ends = []
    for (const command of ['false | true', 'set -o pipefail; false | true', 'set -o pipefail; yes | head -1', 'yes | head -1; exit ${PIPESTATUS[0]}']) {
      const { exitCode, endSignal } = await world.run(command)
      ends.push([exitCode, endSignal])
    }
    expect(ends).toEqual([[0, null], [1, null], [141, 'SIGPIPE'], [141, 'SIGPIPE']])
  })
})

test('the settings give a limit to a command that names none (D02)', async () => {
  const limits = [200, null]
  const world = makeCommandWorld({ defaultTimeoutMs: () => Promise.resolve(limits.shift() ?? null) })
  expect(await world.run('echo so far; sleep 30')).toMatchObject({ isTimedOut: true, limitMs: 200, text: 'so far\n' })
  expect(await world.run('sleep 0.4; echo whole')).toMatchObject({ isTimedOut: false, text: 'whole\n' })
  expect(await world.run('sleep 30', { timeoutMs: 100 })).toMatchObject({ isTimedOut: true, limitMs: 100 })
  await world.close()
})
