import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { Clock } from '../../core/ports/clock'
import type { LaneLock } from '../../core/ports/laneLock'
import type { Client } from './client'

const beatMs = 5_000
/** How soon the end of another process's stay is noticed. One of our own is told at once. */
const lookMs = 40

/** This process's places in the queues: joined, kept alive by a heartbeat, given back. */
interface Tickets {
  join(workspaceId: string): Promise<number>
  has(ticket: number): boolean
  leave(ticket: number): Promise<void>
  close(): void
}

function makeTickets(client: Client, clock: Clock, onLeave: () => void): Tickets {
  const tickets = new Set<number>()
  /** Given back, but the disk did not take it: given back again at each beat, or nobody would get the lane any more. */
  const leaving = new Set<number>()
  let beat: ReturnType<typeof setInterval> | undefined

  function keepBeating(): void {
    beat ??= setInterval(() => {
      for (const ticket of leaving) void leave(ticket)
      // A beat that is lost with the database is told to whoever holds the lane, by what it asks next.
      client.ask('beatLane', { tickets: [...tickets], nowMs: clock.nowMs() }).catch(() => undefined)
    }, beatMs).unref()
  }

  function stopBeating(): void {
    clearInterval(beat)
    beat = undefined
  }

  async function leave(ticket: number): Promise<void> {
    tickets.delete(ticket)
    try {
      await client.ask('leaveLane', { ticket })
      leaving.delete(ticket)
      if (tickets.size + leaving.size === 0) stopBeating()
      onLeave()
    } catch {
      leaving.add(ticket)
    }
  }

  return {
    async join(workspaceId) {
      const ticket = await client.ask('joinLane', { workspaceId, nowMs: clock.nowMs() })
      tickets.add(ticket)
      keepBeating()
      return ticket
    },
    has: (ticket) => tickets.has(ticket),
    leave,
    close: stopBeating,
  }
}

/** The lane over the database's queue of tickets: first come, first served, over all sessions and processes. */
export function makeLaneLock(client: Client, clock: Clock): LaneLock & { close(): void } {
  const waiters = new Set<() => void>()
  const tickets = makeTickets(client, clock, () => {
    for (const wake of [...waiters]) wake()
  })

  async function queueUp(workspaceId: string, first: number, signal: CancelSignal): Promise<number | null> {
    let ticket = first
    try {
      for (;;) {
        const place = await client.ask('askLane', { workspaceId, ticket, nowMs: clock.nowMs() })
        if (signal.aborted) break
        if (place === 'held') return ticket
        if (place === 'lost') ticket = await tickets.join(workspaceId)
        else await pause(signal, waiters)
      }
    } catch (error) {
      await tickets.leave(ticket)
      throw error
    }
    await tickets.leave(ticket)
    return null
  }

  return {
    async enter(workspaceId, signal) {
      if (signal.aborted) return null
      const held = await queueUp(workspaceId, await tickets.join(workspaceId), signal)
      if (held === null) return null
      return async () => {
        if (tickets.has(held)) await tickets.leave(held)
      }
    },
    close: () => tickets.close(),
  }
}

/** Until somebody here leaves, the signal is aborted, or it is time to look again. */
function pause(signal: CancelSignal, waiters: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const wake = () => {
      clearTimeout(timer)
      waiters.delete(wake)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, lookMs)
    waiters.add(wake)
    signal.addEventListener('abort', wake, { once: true })
  })
}
