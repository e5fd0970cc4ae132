import type { CallId, SessionId, TurnId } from '../../shared/domain/ids'
import type { RunningCommand } from '../core/ports/commandRunner'
import type { Sessions } from './sessions'

interface Entry {
  readonly command: RunningCommand
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly step: number
}

/** Commands of running turns, to be reached for input while they run. */
export interface RunningCommands {
  begin(callId: CallId, entry: Entry): void
  end(callId: CallId): void
  sendInput(callId: CallId, text: string): Promise<void>
  resize(callId: CallId, columns: number, rows: number): void
  /** Lets the command go on without its turn (D02). */
  leave(callId: CallId): void
}

/** Makes an empty set. */
export function makeRunningCommands(sessions: Pick<Sessions, 'append'>): RunningCommands {
  const commands = new Map<CallId, Entry>()
  return {
    begin: (callId, entry) => void commands.set(callId, entry),
    end: (callId) => void commands.delete(callId),
    async sendInput(callId, text) {
      const entry = commands.get(callId)
      if (!entry) return
      // Nobody can know whether a prompt asked for a password: that something was typed is recorded, not what.
      await sessions.append(entry.sessionId, [{ type: 'command-input-sent', turnId: entry.turnId, step: entry.step, callId, text: text.replace(/[^\r\n]/g, '•') }])
      entry.command.write(text)
    },
    leave: (callId) => commands.get(callId)?.command.leave(),
    resize: (callId, columns, rows) => commands.get(callId)?.command.resize(columns, rows),
  }
}
