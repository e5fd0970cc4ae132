import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openAuditLog } from '../../../src/main/adapters/audit/auditLog'
import { openSettings } from '../../../src/main/adapters/settings/settingsStore'
import { openDatabase, type Database } from '../../../src/main/adapters/sqlite/database'
import { systemClock } from '../../../src/main/adapters/system/clock'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { note, opened } from '../drafts'

/** What happens to all stores when their disk gets full, and when there is space again. Its answer is one line of JSON. */
export interface DiskFullJob {
  readonly dataDir: string
  readonly migrationsDir: string
  readonly workerFile: string
}

/** What it saw; codes of faults, or `ok`. */
export interface DiskFullFacts {
  readonly whenFull: Readonly<Record<'event' | 'audit' | 'settings' | 'lane' | 'read', string>>
  readonly afterwards: Readonly<Record<'event' | 'audit' | 'settings' | 'lane', string>>
  readonly seqs: readonly number[]
  readonly auditOk: boolean
  readonly settingsFaults: number
  readonly openFaults: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as DiskFullJob
const session = asId<SessionId>('session-1')
const filler = path.join(job.dataDir, 'filler')
const ok = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: { readonly code: string } }): T => {
  if (result.ok) return result.value
  throw new Error(result.fault.code)
}

async function openAll() {
  const database = ok(await openDatabase({ ...job, clock: systemClock, ids: makeIdSource(systemClock) }))
  const audit = ok(await openAuditLog({ dir: path.join(job.dataDir, 'audit'), clock: systemClock, redact: (text) => text, macKey: null, knownHead: () => database.auditHead() }))
  return { database, audit, settings: openSettings(path.join(job.dataDir, 'settings.json')) }
}

/** To the last byte. */
function fill(): void {
  for (const size of [1024 * 1024, 4096, 1]) {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(size, 1))
    } catch {
      // This size does not fit any more.
    }
  }
}

async function codeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
    return 'ok'
  } catch (error) {
    return error instanceof StorageFault ? error.fault.code : String(error)
  }
}

function actsOn({ database, audit, settings }: Awaited<ReturnType<typeof openAll>>) {
  return {
    event: () => database.events.append(session, [note('t1', 'x'.repeat(200_000))]),
    audit: () => audit.append({ fact: 'asked', atMs: 1, actor: 'agent', args: { list: Array.from({ length: 50 }, () => 'x'.repeat(1000)) } }),
    settings: async () => {
      const changed = await settings.change({ recentFolders: Array.from({ length: 20 }, () => '/x'.repeat(1000)) })
      if (!changed.ok) throw new StorageFault(changed.fault)
    },
    lane: async () => {
      await (await database.lane.enter('w', new AbortController().signal))?.()
    },
  }
}

async function numbers(database: Database): Promise<readonly number[]> {
  return (await database.events.read(session)).map((event) => event.seq)
}

const first = await openAll()
const workspace = await first.database.timeline.workspace('/w', 'w')
await first.database.events.append(session, [opened(workspace.id), note('t1', 'before')])
await first.audit.append({ fact: 'asked', atMs: 1, actor: 'agent' })
await first.settings.change({ maxSteps: 7 })
fill()
const acts = actsOn(first)
const whenFull = {
  event: await codeOf(acts.event),
  audit: await codeOf(acts.audit),
  settings: await codeOf(acts.settings),
  lane: await codeOf(acts.lane),
  read: await codeOf(() => first.database.events.read(session)),
}
rmSync(filler)
const afterwards = { event: await codeOf(acts.event), audit: await codeOf(acts.audit), settings: await codeOf(acts.settings), lane: await codeOf(acts.lane) }
await first.database.close()

const again = await openAll()
const facts: DiskFullFacts = {
  whenFull,
  afterwards,
  seqs: await numbers(again.database),
  auditOk: (await again.audit.verify()).ok,
  settingsFaults: (await again.settings.read()).faults.length,
  openFaults: again.database.faults.length,
}
await again.database.close()
writeFileSync(1, `${JSON.stringify(facts)}\n`)
