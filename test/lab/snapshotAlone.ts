import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { libraryWay, ourWay } from './snapshotWays'

const variable = 'COUNTERSIGN_PERF_SNAPSHOT'

interface Job {
  readonly way: 'ours' | 'library'
  readonly project: string
  readonly folder: string
}

interface Alone {
  readonly peakMb: number
  readonly held: Held
  /** The same while nothing is done: what a busy machine alone does to it. */
  readonly idle: Held
}

/** How long the main thread's turns had to wait. */
interface Held {
  readonly p99Ms: number
  readonly maxMs: number
}

/** The first snapshot in a process of its own: memory has no other cause there, and the main thread nothing else to do. */
export async function firstAlone(way: Job['way'], project: string, folder: string): Promise<Alone> {
  const job: Job = { way, project, folder }
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], { env: { ...process.env, [variable]: JSON.stringify(job) }, stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (child.exitCode !== 0) throw new Error(`the first snapshot (${way}) failed`)
  return JSON.parse(said) as Alone
}

/** True when this process is such a one, and is done. */
export async function measureAlone(): Promise<boolean> {
  const asked = process.env[variable]
  if (asked === undefined) return false
  const { way, project, folder } = JSON.parse(asked) as Job
  const taken = way === 'ours' ? await ourWay(project, folder) : libraryWay(project, folder)
  const idle = await heldUpBy(() => new Promise((done) => setTimeout(done, 1000)))
  const held = await heldUpBy(taken.first)
  const alone: Alone = { peakMb: process.resourceUsage().maxRSS / 1024, held, idle }
  process.stdout.write(JSON.stringify(alone))
  await taken.close()
  return true
}

async function heldUpBy(run: () => Promise<unknown>): Promise<Held> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await run()
  delay.disable()
  return { p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 }
}
