/** A port on which a program listens, where this machine's own browser can reach it. */
export interface ProgramPort {
  readonly port: number
  /** Something on it has answered as HTTP does. */
  readonly isHttp: boolean
}

/** A program that a finished command left running (R113). */
export interface Program {
  readonly callId: string
  readonly pid: number
  readonly command: string
  /** In ascending order; empty in a sandbox without network, where nobody outside could reach one. */
  readonly ports: readonly ProgramPort[]
}

/** Looks at programs left running, without touching them but for one question to each new port. */
export interface ProgramWatch {
  programs(): Promise<readonly Program[]>
  /** The end of what the programs of a call print, without terminal sequences and not masked; null when none of them runs. */
  printed(callId: string): string | null
}
