import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeBlobStore } from '../../src/main/adapters/blobs/blobStore'
import { makeCommandRunner, type CommandRunnerParts, type HostCommandRunner } from '../../src/main/adapters/pty/commandRunner'
import type { BlobStore } from '../../src/main/core/ports/blobStore'
import type { CommandEnd, Confinement, RunningCommand } from '../../src/main/core/ports/commandRunner'

const caseFolder = path.join(import.meta.dirname, '../cases/D')

/** How a command of a test is started; what is absent is the plain case. */
export interface RunOptions {
  readonly cwd?: string
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly onOutput?: (text: string) => void
  readonly confinement?: Confinement
}

/** A project folder, a place for outputs, and a runner over real shells. */
export interface CommandWorld {
  readonly folder: string
  readonly runner: HostCommandRunner
  readonly blobs: BlobStore
  start(command: string, options?: RunOptions): Promise<RunningCommand>
  run(command: string, options?: RunOptions): Promise<CommandEnd>
  /** Puts a script of the cases into the project; the command that runs it. */
  useCase(name: string): string
  /** Ends everything and removes the folder. */
  close(): Promise<void>
}

/** The two ways in which a command is held together; what holds in one must hold in the other. */
export const isolations = [
  ['held together as the system can', {}],
  ['held together by a mark', { isolation: { kind: 'mark' } }],
] as const

/** Makes a fresh world; whoever makes it closes it. */
export function makeCommandWorld(parts: Partial<CommandRunnerParts> = {}): CommandWorld {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'command-world-')))
  const folder = path.join(base, 'project')
  mkdirSync(folder)
  const blobs = makeBlobStore(path.join(base, 'outputs'))
  const runner = makeCommandRunner({ spool: blobs, source: process.env, ...parts })
  let calls = 0
  const start = async (command: string, options: RunOptions = {}): Promise<RunningCommand> => {
    const begin = { callId: `call-${++calls}`, command, cwd: options.cwd ?? folder, timeoutMs: options.timeoutMs ?? null, confinement: options.confinement ?? { kind: 'outside' } } as const
    const started = await runner.start(begin, options.onOutput ?? (() => {}), options.signal ?? new AbortController().signal)
    if (!started.ok) throw new Error(started.fault.code)
    return started.value
  }
  return {
    folder, runner, blobs, start,
    run: async (command, options) => (await start(command, options)).ended,
    useCase(name) {
      copyFileSync(path.join(caseFolder, name), path.join(folder, name))
      return `${name === 'd14.sh' ? 'bash' : 'sh'} ./${name}`
    },
    async close() {
      await runner.closeAll()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Process numbers of the system whose command line holds the text and that are no zombies. */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => pid !== process.pid && lineOf(pid).includes(text) && !isDead(pid))
}

/** The living process in this folder that its own namespace knows by this number. */
export function livingByInnerNumber(number: number, folder: string): number | undefined {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).find((pid) => {
    const innermost = /^NSpid:.*?(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1]
    return innermost === String(number) && !isDead(pid) && linkOf(`/proc/${pid}/cwd`) === folder
  })
}

/** Terminals this process has open. */
export function openTerminals(): number {
  return readdirSync('/proc/self/fd').filter((name) => linkOf(`/proc/self/fd/${name}`) === '/dev/ptmx').length
}

/** Children of this process that hold a command, dead or alive. */
export function holdersBelow(): readonly number[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => parentOf(pid) === process.pid && /unshare|bash|bwrap|defunct/.test(read(`/proc/${pid}/comm`)))
}

function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1] ?? 0)
}

function isDead(pid: number): boolean {
  return ['Z', 'X', undefined].includes(fieldsOf(pid)[0])
}

function fieldsOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function lineOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
