import type { Result } from '../../../shared/domain/result'
import type { SandboxReport } from '../../../shared/domain/sandbox'

/** What one command may do inside. The rest is policy that no caller can change. */
export interface SandboxUse {
  /** Real path of the folder that the person opened; nothing that a model named (SECURITY decision 10). */
  readonly root: string
  /** Judged real path of the working folder; inside the root, or the command is not started. */
  readonly cwd: string
  /** The network, by consent; without it there is not even the loopback of the machine. */
  readonly network: boolean
  /** Protected names, relative to the root, that the approved command says it writes and the card named: writable this once. */
  readonly lifted: readonly string[]
}

/** How a command is started inside. */
export interface SandboxLaunch {
  /**
   * Stands before the shell and its arguments. The shell is process 1 of a PID namespace of its own, which ends with it; its
   * launcher ends with its parent.
   */
  readonly argv: readonly string[]
  /** Changes to the environment of the command; null takes a variable away. */
  readonly environment: Readonly<Record<string, string | null>>
  /** Removes what had to be left in the project for the time of the command. Call it when nothing of the command lives. Never rejects. */
  done(): Promise<void>
}

/**
 * Confines commands: the whole disk is read-only, the home folder hidden but for tools and harmless settings, the project
 * writable but for protected names, also those that do not exist yet; a private /tmp; no sockets of the system, no
 * capabilities, no network without consent. There is no setting that turns it off; `outside` is an approval of its own.
 */
export interface Sandbox {
  /** Tests itself at the first call, by trying to escape; later calls give the same answer. Never rejects. */
  report(): Promise<SandboxReport>
  /** Tests itself again. */
  test(): Promise<SandboxReport>
  /** Makes ready for one command. Fails when there is no sandbox, or when something of the project cannot be held safely. */
  launcher(use: SandboxUse): Promise<Result<SandboxLaunch>>
}
