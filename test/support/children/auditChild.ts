import { openAuditLog } from '../../../src/main/adapters/audit/auditLog'
import { systemClock } from '../../../src/main/adapters/system/clock'

/** Appends to the audit log until it has done so `times` times or is killed; a line on stdout an acknowledged entry. */
export interface AuditJob {
  readonly dir: string
  readonly name: string
  readonly times: number
  readonly maxFileBytes: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as AuditJob
const opened = await openAuditLog({ ...job, clock: systemClock, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null) })
if (!opened.ok) throw new Error(JSON.stringify(opened.fault))
process.stdout.write('open\n')
for (let time = 0; time < job.times; time += 1) {
  const drafts = Array.from({ length: 1 + (time % 3) }, (_, index) => ({ fact: 'asked' as const, atMs: time, actor: 'agent' as const, args: { text: `${job.name} ${time} ${index}` } }))
  for (const head of await Promise.all(drafts.map((draft) => opened.value.append(draft)))) process.stdout.write(`acknowledged ${head.entries}\n`)
}
