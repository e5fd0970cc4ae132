import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as pty from 'node-pty'
import type { IPty } from 'node-pty'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeBlobStore } from '../../../../src/main/adapters/blobs/blobStore'
import { makeOutputSink } from '../../../../src/main/adapters/pty/outputSink'
import { runInTerminal, type TerminalRun } from '../../../../src/main/adapters/pty/terminalRun'
import { newMark } from '../../../../src/main/native/processMark'

let folder: string
const others: IPty[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'closed-terminal-')))
})
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const nameOf = (terminal: IPty): unknown => ('ptsName' in terminal ? terminal.ptsName : undefined)
const begin = (): IPty => pty.spawn('sleep', ['60'], { env: {} })

/** A terminal library that starts another command on the very terminal of one that has just ended, before anybody hears of that end. */
function quickReuse(end: { other: IPty | undefined; isOver: boolean }): typeof pty {
  return {
    ...pty,
    spawn(...line: Parameters<typeof pty.spawn>) {
      const terminal = pty.spawn(...line)
      const onExit = terminal.onExit
      Object.defineProperty(terminal, 'onExit', {
        value: (listener: Parameters<typeof onExit>[0]) =>
          onExit((exit) => {
            // Others on this machine may take the name first; it is free again soon.
            for (let tries = 0; tries < 4 && end.other === undefined; tries++) {
              const other = begin()
              others.push(other)
              if (nameOf(other) !== nameOf(terminal)) continue
              end.other = other
              other.onExit(() => (end.isOver = true))
            }
            listener(exit)
          }),
      })
      return terminal
    },
  }
}

function begun(library: typeof pty, command: string, cwd: string, mark: string): TerminalRun {
  return runInTerminal({
    pty: library,
    start: { callId: `call-${mark}`, command, cwd, timeoutMs: null, confinement: { kind: 'outside' } },
    shell: 'bash', isolation: { kind: 'mark' }, launcher: [], mark, environment: { PATH: process.env['PATH'] ?? '', COUNTERSIGN_CALL: mark }, searched: { folders: [], problem: null },
    openSink: (doors) => makeOutputSink({ ...doors, spool: makeBlobStore(path.join(folder, 'outputs')).begin(`call-${mark}`), filter: null }), onOutput: () => {}, signal: new AbortController().signal,
  })
}

test('what ends a command never ends another one that has its terminal now (D11)', async () => {
  for (let round = 0; round < 5; round++) {
    const reused: { other: IPty | undefined; isOver: boolean } = { other: undefined, isOver: false }
    const mark = newMark()
    const run = begun(quickReuse(reused), 'kill -9 $PPID', folder, mark)
    const end = await run.command.ended
    await run.gone
    expect(end.exitCode).toBeNull()
    if (reused.other === undefined) continue
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(reused.isOver).toBe(false)
    return
  }
  throw new Error('no terminal was used again in five rounds')
})

test('R65: a command never runs where its folder leads to after it was swapped for a link', async () => {
  const [cwd, outside] = [path.join(folder, 'src'), path.join(folder, 'outside')]
  for (const each of [cwd, outside]) mkdirSync(each)
  const swapping: typeof pty = {
    ...pty,
    spawn(...line: Parameters<typeof pty.spawn>) {
      renameSync(cwd, path.join(folder, 'away'))
      symlinkSync(outside, cwd)
      return pty.spawn(...line)
    },
  }
  const run = begun(swapping, 'touch here', cwd, newMark())
  const end = await run.command.ended
  await run.gone
  expect([end.exitCode, end.text, readdirSync(outside)]).toEqual([126, expect.stringContaining(`bash: ${cwd}: not the folder`), []])
  renameSync(path.join(folder, 'away'), path.join(folder, 'back'))
  const plain = begun(pty, 'printf "%s %s" "$PWD" "${OLDPWD-none}"', path.join(folder, 'back'), newMark())
  expect([(await plain.command.ended).text, await plain.gone]).toEqual([`${path.join(folder, 'back')} none`, undefined])
})
