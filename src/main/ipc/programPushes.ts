import type { ProgramRow } from '../../shared/ipc/views'
import type { HostServices } from '../services/hostServices'

/** How often it is looked for programs that ended and ports that appeared. */
const lookMs = 2000

/** What the pushes are made of. */
export interface ProgramPushParts {
  readonly commands: Pick<HostServices['commands'], 'leftRunning' | 'programs'>
  /** Whether somebody could see it. */
  readonly isSeen: () => boolean
  readonly push: (programs: readonly ProgramRow[]) => void
}

/** Tells the windows of programs left running when something about them changed; looks only while some run and somebody looks. */
export function makeProgramPushes({ commands, isSeen, push }: ProgramPushParts): { readonly look: () => Promise<void>; readonly stop: () => void } {
  let last = '[]'
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const look = async (): Promise<void> => {
    clearTimeout(timer)
    const programs = isSeen() ? await commands.programs() : null
    if (isStopped) return
    const now = programs === null ? last : JSON.stringify(programs)
    if (programs !== null && now !== last) push(programs)
    last = now
    clearTimeout(timer)
    if (last !== '[]' || commands.leftRunning().length > 0) timer = setTimeout(() => void look(), lookMs).unref()
  }
  return {
    look,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
