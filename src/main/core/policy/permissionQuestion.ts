import type { CallArgs } from '../../../shared/domain/call'
import type { Verdict } from '../../../shared/domain/verdict'
import type { JudgedPath } from '../tools/defineTool'
import type { JudgedPart } from './shell/call'

/** A call as the guards judged it. `root` is the real path of the project. */
export interface PermissionQuestion {
  readonly tool: string
  readonly args: CallArgs
  readonly root: string
  readonly verdict: Verdict
  /** Of a command, as judged; else none. */
  readonly parts: readonly JudgedPart[]
  /** Where a file tool would act, as located on the disk. */
  readonly places: readonly JudgedPath[]
  /** Whether the built-in list of readers may answer parts of a command: it may not where the person wants to be asked for all. */
  readonly readersAnswer: boolean
}

/** Whether the call runs a command line, whose parts are answered one by one. */
export function isCommand({ tool }: { readonly tool: string }): boolean {
  return tool === 'run_command'
}
