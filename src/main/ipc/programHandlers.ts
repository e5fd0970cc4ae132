import type { HostServices } from '../services/hostServices'
import type { Handlers } from './answer'

/** Enough to see what a program does; the window asks again and again while it shows it. */
const shownCharacters = 16_000

/** Commands that go on without their turn, and programs left running (R113). */
export function programHandlers(host: HostServices): Pick<Handlers, 'command/leave' | Extract<keyof Handlers, `program/${string}`>> {
  return {
    'command/leave': ({ callId }) => {
      host.runs.leave(callId)
      return Promise.resolve(null)
    },
    'program/list': () => host.commands.programs(),
    'program/end': async ({ pid }) => {
      await host.commands.endProgram(pid)
      return null
    },
    'program/output': ({ callId }) => {
      const printed = host.commands.printed(callId)
      // Masked as a whole first: a secret that the cut divides would not be known for one.
      return Promise.resolve(printed === null ? null : host.redact(printed).slice(-shownCharacters))
    },
    'program/open': ({ port }) => host.openProgram(port),
  }
}
