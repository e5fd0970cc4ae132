import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SnapshotBounds } from '../../src/main/core/ports/snapshotStore'
import type { Database } from '../../src/main/adapters/sqlite/database'
import type { MutatingCall } from '../../src/main/core/ports/callSnapshots'
import { openSnapshots, type Snapshots } from '../../src/main/services/snapshots'
import type { SnapshotPorts } from '../../src/main/services/snapshotPorts'
import type { AuditDraft } from '../../src/shared/domain/audit'
import { asId, type CallId, type SessionId, type SnapshotId, type TurnId } from '../../src/shared/domain/ids'
import type { Author } from '../../src/shared/domain/snapshot'
import { openIn } from './scratchDatabase'
import { fsck, makeScratch, valueOf, workersFolder, type Scratch } from './sideRepository'
import { snapshotPorts } from './snapshotPorts'

/** A project with its snapshots over the real database and the real store. Everything is closed when the test ends. */
export interface SnapshotWorld {
  readonly scratch: Scratch
  readonly snapshots: Snapshots
  readonly database: Database
  readonly ports: SnapshotPorts
  readonly audit: AuditDraft[]
  readonly sessionId: SessionId
  at(name: string): string
  write(name: string, text: string): void
  /** A call from before to after, in which `act` happens. */
  call(author: MutatingCall['author'], act: () => void | Promise<void>, more?: { readonly turnId?: string; readonly touched?: readonly string[]; readonly sessionId?: SessionId }): Promise<{ readonly before: SnapshotId; readonly after: SnapshotId }>
  /** The timeline as `kind author` with the changed paths. */
  story(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly scratch?: Scratch
  readonly isRecorded?: boolean
  readonly bounds?: SnapshotBounds
  readonly ports?: Partial<SnapshotPorts>
}

export async function openWorld(options: WorldOptions = {}): Promise<SnapshotWorld> {
  const scratch = options.scratch ?? makeScratch()
  if (!options.scratch) onTestFinished(() => scratch.remove())
  const database = await openIn(scratch.data)
  const workspace = await database.timeline.workspace(scratch.project, 'project')
  const audit: AuditDraft[] = []
  let tellReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => (tellReady = resolve))
  const ports: SnapshotPorts = {
    ...snapshotPorts(database, scratch.data, workersFolder, audit, options.bounds),
    onProgress: ({ isDone }) => isDone && tellReady(),
    ...options.ports,
  }
  const { ids } = ports
  const snapshots = valueOf(await openSnapshots(workspace, ports, { isRecorded: options.isRecorded ?? true }))
  // Until the first snapshot is there, what a test writes would be a part of it.
  if (options.isRecorded ?? true) await ready
  const sessionId = asId<SessionId>(ids.next())
  await database.events.append(sessionId, [{ type: 'session-opened', workspaceId: workspace.id, title: 't', level: 'writes' }])
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await snapshots.close()
      await database.close()
      fsck(join(scratch.data, 'snapshots', workspace.id))
    })())
  onTestFinished(close)
  return { ...worldOf(scratch, snapshots, () => ids.next(), sessionId), scratch, snapshots, database, ports, audit, sessionId, close }
}

function worldOf(scratch: Scratch, snapshots: Snapshots, nextId: () => string, sessionId: SessionId): Pick<SnapshotWorld, 'at' | 'write' | 'call' | 'story'> {
  const at = (name: string): string => join(scratch.project, name)
  return {
    at,
    write(name, text) {
      mkdirSync(join(at(name), '..'), { recursive: true })
      writeFileSync(at(name), text)
    },
    async call(author, act, more = {}) {
      const call: MutatingCall = { callId: asId<CallId>(nextId()), sessionId: more.sessionId ?? sessionId, turnId: asId<TurnId>(more.turnId ?? 'turn-1'), step: 1, author, touches: more.touched ?? null }
      const entered = await snapshots.enter(call, new AbortController().signal)
      if (!entered) throw new Error('cancelled')
      const stay = valueOf(entered)
      // A change of the very tick in which the call began would count as made before it.
      await new Promise((resolve) => setTimeout(resolve, 25))
      await act()
      const after = await stay.leave()
      if (!after) throw new Error('no snapshot after the call')
      return { before: stay.before, after }
    },
    async story() {
      const { rows } = await snapshots.reading.timeline()
      return rows.map(({ kind, author, changed }) => [kind, author ?? ('' as Author), ...changed.map(({ path }) => path)].filter((part) => part !== '').join(' '))
    },
  }
}
