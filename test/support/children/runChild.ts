import path from 'node:path'
import { guardHost } from '../guardHost'

/** A host that begins a turn, puts messages behind it once a call of it started, and lets everything run; a line on stdout a fact. */
export interface RunJob {
  readonly base: string
  readonly baseUrl: string
  readonly repository: string
  readonly queued: readonly string[]
  /** Turns one after another, each a part of a text as long as that; left out: one that says “go”. */
  readonly long?: { readonly turns: number; readonly words: number }
}

const job = JSON.parse(process.argv[2] ?? '{}') as RunJob
const say = (line: string): unknown => process.stdout.write(`${line}\n`)
const host = await guardHost(job.base, job.baseUrl, job.repository)
const opened = await host.openWorkspace(path.join(job.base, 'project'))
if (!opened.ok) throw new Error(opened.fault.code)
host.desk.onChange((open) => {
  for (const { callId, nonce, argsHash } of open) setImmediate(() => host.desk.decide({ callId, nonce, argsHash, answer: { kind: 'allow' } }))
})
const session = await host.createSession('')
say(`session ${session.id}`)
let isQueued = false
host.sessions.onEvents((events) => {
  for (const event of events) say(`acknowledged ${event.seq}`)
  if (isQueued || !events.some(({ type }) => type === 'tool-started')) return
  isQueued = true
  void Promise.all(job.queued.map((text) => host.runs.queue(session.id, { text })))
})
host.sessions.onParts(({ body }) => { if (body.type === 'text-delta') say('part') })
const { long } = job
const prompts = long === undefined ? ['go'] : Array.from({ length: long.turns }, (_, at) => `Part ${at + 1}. ${'some words of it '.repeat(long.words)}`)
for (const text of prompts) {
  const started = await host.runs.prompt(session.id, text)
  if (!started.ok) throw new Error(started.fault.code)
  await started.value.ended
}
say('ended')
await host.close()
