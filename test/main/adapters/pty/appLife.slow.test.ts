import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { probeIsolation } from '../../../../src/main/native/processTreeIsolation'
import { commandLine } from '../../../../src/main/native/processTreeTable'
import { processesWith } from '../../../support/commandWorld'
import { buildDriver, ending, untilReady, type Driver } from '../../../support/driver'

let driver: Driver
let runsAs: Readonly<Record<string, boolean>>
let hasNamespaces: boolean
beforeAll(async () => {
  driver = await buildDriver('commandDriver')
  runsAs = { nobody: driver.canRunAs('nobody') }
  hasNamespaces = (await probeIsolation('/bin/bash', ['/usr/bin', '/bin'])).kind === 'namespace'
  cpSync(path.join(import.meta.dirname, '../../../cases/D'), driver.folder, { recursive: true })
})
afterAll(() => driver.remove())

const users = [undefined, 'nobody'] as const
const newNumber = (): string => String(randomInt(10 ** 8, 10 ** 9))

/** Last digits of the sleeps that carry the number. */
function sleepsOf(number: string): readonly string[] {
  return processesWith(number).map(commandLine).filter((line) => line.startsWith(`sleep ${number}`)).map((line) => line.slice(-1)).sort()
}

/** Kills the program itself and the one that switches the user, with no time to tidy up. */
async function killDriver(child: ChildProcess, number: string): Promise<void> {
  for (const pid of processesWith(number).filter((one) => commandLine(one).includes('driver.mjs'))) process.kill(pid, 'SIGKILL')
  await ending(child)
}

describe.each(users)('the app as user %s', (user) => {
  const isPossible = (): boolean => user === undefined || runsAs[user] === true

  test('commands run with their output, status and the identity of the user', async ({ skip }) => {
    if (!isPossible()) return skip()
    const child = driver.start([driver.folder, 'probe', 'sh ./d11.sh', 'id -u; id -un', '(sleep 30 & echo $! > child); kill $(cat child)'], user)
    const ends = (await untilReady(child)).map((line) => JSON.parse(line) as { exitCode: number; text: string; leftRunning: number[] })
    child.stdin?.end()
    await ending(child)
    rmSync(path.join(driver.folder, 'child'), { force: true })
    const own = user === undefined ? `${process.getuid?.()}\n` : '65534\nnobody\n'
    expect(ends.map(({ exitCode, leftRunning }) => ({ exitCode, leftRunning }))).toEqual([7, 0, 0].map((exitCode) => ({ exitCode, leftRunning: [] })))
    expect(ends[0]?.text.split('\n')).toHaveLength(3001)
    expect(ends[1]?.text.startsWith(own)).toBe(true)
  })

  test('a killed app takes all it started along, with a left server and a detached process (R15)', async ({ skip }) => {
    if (!isPossible() || !hasNamespaces) return skip()
    const number = newNumber()
    const server = `setsid nohup env -i sleep ${number}1 >/dev/null 2>&1 & echo up`
    const stubborn = `trap '' HUP INT TERM; touch began; sleep ${number}2; sleep ${number}3`
    const child = driver.start([driver.folder, 'probe', server, '--', stubborn, `sleep ${number}4`], user)
    const lines = await untilReady(child)
    await vi.waitFor(() => expect(sleepsOf(number)).toEqual(['1', '2', '4']), 5000)

    await killDriver(child, number)
    await vi.waitFor(() => expect(processesWith(number)).toEqual([]), 5000)
    expect(lines).toHaveLength(1)
  })

  test('an app killed in the moment it starts a command takes it along (R15)', async ({ skip }) => {
    if (!isPossible() || !hasNamespaces) return skip()
    const number = newNumber()
    for (let round = 0; round < 6; round++) {
      const child = driver.start([driver.folder, 'probe', 'true', '--', `sleep ${number}1`, `sleep ${number}2`, `sleep ${number}3`], user)
      await untilReady(child)
      await killDriver(child, number)
    }
    await vi.waitFor(() => expect(processesWith(number)).toEqual([]), 5000)
  })

  test('without namespaces, the next start finds what a killed app left behind', async ({ skip }) => {
    if (!isPossible()) return skip()
    const number = newNumber()
    const child = driver.start([driver.folder, 'mark', `setsid nohup sleep ${number}1 >/dev/null 2>&1 & echo up`], user)
    await untilReady(child)
    await killDriver(child, number)

    const next = driver.start([driver.folder, 'mark', 'true'], user)
    await untilReady(next)
    await vi.waitFor(() => expect(processesWith(`sleep ${number}1`)).toEqual([]), 5000)
    next.stdin?.end()
    await ending(next)
  })

  test('an app that leaves in order ends everything and leaves no half output (R15)', async ({ skip }) => {
    if (!isPossible()) return skip()
    const number = newNumber()
    const child = driver.start([driver.folder, 'probe', `sleep ${number}1 >/dev/null & echo up`, '--', `seq 1 100000; sleep ${number}2`], user)
    await untilReady(child)
    child.stdin?.end()
    await ending(child)
    const outputs = readdirSync(path.join(driver.folder, 'outputs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect({ code: child.exitCode, left: processesWith(number), growing: outputs.filter((entry) => entry.parentPath.endsWith('growing')).map((entry) => entry.name) }).toEqual({ code: 0, left: [], growing: [] })
    expect(new Set(outputs.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mode & 0o777))).toEqual(new Set(outputs.length > 0 ? [0o600] : []))
    rmSync(path.join(driver.folder, 'outputs'), { recursive: true, force: true })
  })
})
