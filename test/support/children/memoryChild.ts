import { openDatabase } from '../../../src/main/adapters/sqlite/database'
import { systemClock } from '../../../src/main/adapters/system/clock'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import { asId, type MemoryId, type WorkspaceId } from '../../../src/shared/domain/ids'

/** The other window of g08: adds entries one by one and edits an old one; prints what the edit came to. */
export interface MemoryJob {
  readonly dataDir: string
  readonly migrationsDir: string
  readonly workerFile: string
  readonly name: string
  readonly adds: number
  readonly edits: { readonly id: string; readonly rev: number }
}

const job = JSON.parse(process.argv[2] ?? '{}') as MemoryJob
const opened = await openDatabase({ ...job, clock: systemClock, ids: makeIdSource(systemClock) })
if (!opened.ok) throw new Error(JSON.stringify(opened.fault))
const { memories } = opened.value
process.stdout.write('open\n')
for (let at = 0; at < job.adds; at += 1) {
  await memories.add([{ id: asId<MemoryId>(`${job.name}-${at}`), text: `${job.name} fact ${at}`, terms: [job.name, 'fact', String(at)], workspaceId: asId<WorkspaceId>('here'), source: { kind: 'person', by: 'table', sessionId: null }, isPinned: false, atMs: Date.now() }])
}
const edited = await memories.change([{ id: asId<MemoryId>(job.edits.id), rev: job.edits.rev, text: { text: `edited by ${job.name}`, terms: ['edit', 'by', job.name], atMs: Date.now() } }])
process.stdout.write(`${edited.kind}\n`)
await opened.value.close()
