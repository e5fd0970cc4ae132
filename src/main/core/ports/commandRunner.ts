import type { Result } from '../../../shared/domain/result'
import type { SandboxHint } from '../../../shared/domain/sandbox'
import type { CancelSignal } from './cancelSignal'

/** One approved command. Run by `bash --noprofile --norc -c` with the exact approved bytes as one argument. */
export interface CommandStart {
  readonly callId: string
  readonly command: string
  /** Judged real path of the working folder. */
  readonly cwd: string
  /** Null: the limit that the settings give to a command that names none, which may be no limit at all. */
  readonly timeoutMs: number | null
  readonly confinement: Confinement
}

/**
 * What holds the command (R72): the sandbox of the root that the person opened, with what this command may do in it, see
 * `SandboxUse`; or nothing, which takes an approval of its own. Where there is no sandbox, `sandboxed` runs without: whoever
 * asks a person has told so before. `isToldHeld`: they were told that one holds it; then it does not run without.
 */
export type Confinement =
  | { readonly kind: 'sandboxed'; readonly root: string; readonly network: boolean; readonly lifted: readonly string[]; readonly isToldHeld?: boolean }
  | { readonly kind: 'outside' }

/** How a command ended. Output is what a terminal would have received, decoded, ANSI sequences kept. */
export interface CommandEnd {
  readonly exitCode: number | null
  /**
   * Name of the signal that ended it, when one did: by the shell's convention, in which 128 and its number are the exit code,
   * or the one that took the whole command away, and then there is no exit code.
   */
  readonly endSignal: string | null
  readonly isTimedOut: boolean
  /** The limit that ended it, when one did. */
  readonly limitMs?: number
  /** The person let it go on: its result ends here, the command does not; it is among those left running, and its exit code is not known. */
  readonly isLeft?: boolean
  readonly isCancelled: boolean
  /** Head and tail of the output as text without ANSI sequences, cut in the middle with the size stated when too long. */
  readonly text: string
  readonly totalBytes: number
  /** Name in the outputs store of the full output; null when `text` is whole. */
  readonly outputRef: string | null
  /** Processes the command left running (R113). */
  readonly leftRunning: readonly number[]
  /** The folders of its PATH, when the exit code says that a program was not found (127). */
  readonly searched?: readonly string[]
  /** With `searched`: the login shell was asked for its PATH and did not tell it, or not in time. */
  readonly pathProblem?: 'slow' | 'silent'
  /** What really held it. */
  readonly confined: 'sandbox' | 'none'
  /** What a command that failed in the sandbox seems to have lacked, by its output: the network, or a path it may not write or see. */
  readonly hints: readonly SandboxHint[]
}

/** A running command. */
export interface RunningCommand {
  readonly pid: number
  /** Sends keys to its terminal. */
  write(text: string): void
  resize(columns: number, rows: number): void
  /** Ends the result here and lets the command go on; does nothing once it has ended. */
  leave(): void
  readonly ended: Promise<CommandEnd>
}

/**
 * Runs commands in a pty each, with a named environment only, in a process group (and PID namespace where the system
 * has one) of their own. Cancelling asks all of its processes to end, waits at most 100 ms, then kills and sweeps; all are
 * gone within 150 ms of the signal (R11). A process left running after the command ended lives on and is listed.
 */
export interface CommandRunner {
  /** `onOutput` gets decoded text as it comes, its secrets masked, under flow control; it must not block. */
  start(start: CommandStart, onOutput: (text: string) => void, signal: CancelSignal): Promise<Result<RunningCommand>>
  /** Programs that finished commands left behind, over all calls. */
  leftRunning(): readonly { readonly callId: string; readonly pid: number; readonly command: string }[]
  /** Ends one of them. */
  endProgram(pid: number): Promise<void>
  /** Ends everything started here; used when the app closes (R15). */
  closeAll(): Promise<void>
}
