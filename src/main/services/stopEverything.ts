import { succeed } from '../../shared/domain/result'
import { queueOf } from '../../shared/domain/messageQueue'
import type { Stopped } from '../../shared/ipc/recoveryViews'
import type { AuditSink } from '../core/ports/auditSink'
import type { Clock } from '../core/ports/clock'
import type { CommandRunner } from '../core/ports/commandRunner'
import { orFault } from '../core/ports/storageFault'
import type { Permissions } from './permissions'
import type { Runs } from './runs'
import type { Sessions } from './sessions'

/** What there is to stop. */
export interface StopPorts {
  readonly runs: Pick<Runs, 'stopAll'>
  readonly sessions: Pick<Sessions, 'open'>
  readonly permissions: Pick<Permissions, 'revokeGrants'>
  readonly commands: Pick<CommandRunner, 'leftRunning' | 'endProgram'>
  readonly audit: Pick<AuditSink, 'append'>
  readonly clock: Clock
}

/**
 * The one place to stop everything (R112): every grant is taken back first, so that nothing is let through in between, then every
 * turn is cancelled as Esc does, its model, tools, servers and commands with it, then programs that were left running end. A store
 * at fault stops nothing of that; it is told. Messages that wait are kept and delivered by nobody.
 */
export async function stopEverything(ports: StopPorts): Promise<Stopped> {
  const revoked = await orFault(async () => succeed(await ports.permissions.revokeGrants()))
  const ids = await ports.runs.stopAll()
  const programs = ports.commands.leftRunning()
  await Promise.all(programs.map(({ pid }) => ports.commands.endProgram(pid)))
  const sessions = await Promise.all(ids.map((id) => ports.sessions.open(id)))
  const stopped: Stopped = {
    sessions: sessions.map(({ id, title }) => ({ id, title })),
    programs: programs.map(({ command }) => command),
    grants: revoked.ok ? revoked.value : 0,
    fault: revoked.ok ? null : revoked.fault,
    waitingMessages: sessions.reduce((sum, { events }) => sum + queueOf(events).length, 0),
  }
  await ports.audit.append({ fact: 'stopped-all', atMs: ports.clock.nowMs(), actor: 'person', args: stopped })
  return stopped
}
