import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { constants } from 'node:os'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { endStrays, makeProcessTree, markVariable } from '../../../src/main/native/processTree'
import { findProgram, probeIsolation } from '../../../src/main/native/processTreeIsolation'
import { allProcesses, commandLine, descendants, isLive, processRow, startVariable, withstands } from '../../../src/main/native/processTreeTable'
import { processesWith } from '../../support/commandWorld'

const started: ChildProcess[] = []
const numbers: string[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const number of numbers.splice(0)) for (const pid of processesWith(number)) process.kill(pid, 'SIGKILL')
})

const newNumber = (): string => {
  const number = String(randomInt(10 ** 8, 10 ** 9))
  numbers.push(number)
  return number
}

async function begin(script: string, env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const child = spawn('bash', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env })
  started.push(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child.pid ?? 0
}

const marked = (leader: number, mark: string) => makeProcessTree({ leader, isolation: { kind: 'mark' }, mark, terminal: () => null })

describe('the process table', () => {
  test('tells of living processes and not of others', async () => {
    const number = newNumber()
    const pid = await begin(`sleep ${number} & echo up; wait`)
    await vi.waitFor(() => expect([...descendants(pid)].map((row) => commandLine(row.pid))).toEqual([`sleep ${number}`]))
    const [child] = descendants(pid)
    expect(child).toMatchObject({ parent: pid, group: pid, session: pid, state: 'S' })
    expect(allProcesses()).toContain(pid)
    expect([isLive(processRow(pid)), isLive(processRow(2 ** 22 + 1))]).toEqual([true, false])
  })

  test('gives a process with its children already known, so that none escapes whoever ends it at once', async () => {
    const number = newNumber()
    const pid = await begin(`(sleep ${number}1 & (sleep ${number}2 & wait) & wait) & echo up; wait`)
    await vi.waitFor(() => expect(processesWith(`sleep ${number}`).filter((one) => commandLine(one).startsWith('sleep'))).toHaveLength(2))
    for (const row of descendants(pid)) process.kill(row.pid, 'SIGKILL')
    await vi.waitFor(() => expect(processesWith(`sleep ${number}`).filter((one) => commandLine(one).startsWith('sleep'))).toEqual([]))
  })

  test('tells which signals a process withstands, and its variables', async () => {
    const pid = await begin(`trap '' HUP; trap : TERM; echo up; while :; do sleep 0.05; done`, { ...process.env, [markVariable]: 'here' })
    const signals = [constants.signals.SIGHUP, constants.signals.SIGTERM, constants.signals.SIGUSR1]
    await vi.waitFor(() => expect(signals.map((number) => withstands(pid, number))).toEqual([true, true, false]))
    expect([startVariable(pid, markVariable), startVariable(pid, 'NO_SUCH')]).toEqual(['here', null])
  })
})

describe('a tree held together by its mark', () => {
  test('holds detached processes and those that lost their parent; nobody else', async () => {
    const number = newNumber()
    const mark = `test-${number}`
    const env = { ...process.env, [markVariable]: mark }
    const pid = await begin(`(setsid sleep ${number}1 &); sleep ${number}2 & echo up; wait`, env)
    await begin(`sleep ${number}3 & echo up; wait`)
    const members = (): string[] => [...marked(pid, mark).members()].map((row) => commandLine(row.pid)).sort()
    await vi.waitFor(() => expect(members()).toEqual([`sleep ${number}1`, `sleep ${number}2`]))
    await marked(pid, mark).end(0)
    expect(processesWith(`sleep ${number}`).map(commandLine).filter((line) => line.startsWith('sleep'))).toEqual([`sleep ${number}3`])
  })

  test('one member ends with what it made; the rest lives on', async () => {
    const number = newNumber()
    const mark = `test-${number}`
    const pid = await begin(`bash -c 'trap "" TERM; sleep ${number}1 & (setsid sleep ${number}2 &) ; sleep 0.3; wait' & sleep ${number}3 & echo up; wait`, { ...process.env, [markVariable]: mark })
    const sleeps = (): string[] => processesWith(`sleep ${number}`).map(commandLine).filter((line) => line.startsWith('sleep')).sort()
    await vi.waitFor(() => expect(sleeps()).toHaveLength(3))
    const tree = marked(pid, mark)
    const [first] = tree.programs().filter(({ command }) => command.startsWith('bash'))
    // The detached one has a parent of its own by then: it is a program beside the others.
    await tree.endMember(first?.pid ?? 0, 50)
    expect(sleeps().filter((line) => line.endsWith('1'))).toEqual([])
    expect(sleeps()).toContain(`sleep ${number}3`)
    await tree.endMember(1, 0)
    await tree.end(0)
    expect(sleeps()).toEqual([])
  })

  test('strays of an app that is gone are ended, others are left', async () => {
    const number = newNumber()
    await begin(`exec sleep ${number}1 & exec sleep ${number}2 & echo up; wait`, { ...process.env, [markVariable]: `gone-${number}` })
    await begin(`exec sleep ${number}3 & echo up; wait`, { ...process.env, [markVariable]: `alive-${number}` })
    endStrays((mark) => mark !== `gone-${number}`)
    await vi.waitFor(() => expect(processesWith(`sleep ${number}`).map(commandLine).filter((line) => line.startsWith('sleep'))).toEqual([`sleep ${number}3`]))
  })
})

describe('isolation', () => {
  test('is found out by trying: a launcher that gives no namespace is not taken', async () => {
    expect(await probeIsolation('/bin/bash', [])).toEqual({ kind: 'mark' })
    expect(await probeIsolation('/no/such/bash', ['/usr/bin', '/bin'])).toEqual({ kind: 'mark' })
  })

  test('a program is found in the first folder that has it, and only when it can be executed', () => {
    expect([findProgram('sh', ['/no', '/bin']), findProgram('passwd', ['/etc']), findProgram('nothing-of-that-name', ['/bin'])]).toEqual(['/bin/sh', null, null])
  })
})
