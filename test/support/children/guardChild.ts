import path from 'node:path'
import type { ApprovalAnswer } from '../../../src/shared/domain/approval'
import { guardHost } from '../guardHost'

/** A host that answers its questions in turn and is killed by its parent; a line on stdout a fact. */
export interface GuardJob {
  readonly base: string
  readonly baseUrl: string
  readonly repository: string
  readonly answers: readonly ApprovalAnswer[]
}

const job = JSON.parse(process.argv[2] ?? '{}') as GuardJob
const say = (line: string): unknown => process.stdout.write(`${line}\n`)
const host = await guardHost(job.base, job.baseUrl, job.repository)
const opened = await host.openWorkspace(path.join(job.base, 'project'))
if (!opened.ok) throw new Error(opened.fault.code)
const facts = await host.testSandbox()
say(facts.kind === 'on' && facts.canTry ? 'can try' : 'cannot try')
const answers = [...job.answers]
const seen = new Set<string>()
host.desk.onChange((open) => {
  for (const { callId, nonce, argsHash, preview } of open) {
    if (seen.has(nonce)) continue
    seen.add(nonce)
    say(`number ${nonce}`)
    say(`asked ${preview.kind}`)
    const answer = answers.shift()
    if (answer) setImmediate(() => host.desk.decide({ callId, nonce, argsHash, answer }))
  }
})
const session = await host.createSession('')
say(`session ${session.id}`)
const started = await host.runs.prompt(session.id, 'go')
if (!started.ok) throw new Error(started.fault.code)
await started.value.ended
say('ended')
await host.close()
