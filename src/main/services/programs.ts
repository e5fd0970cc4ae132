import type { Settings } from '../../shared/domain/settings'
import type { ProgramWatch } from '../core/ports/programWatch'

/** Nobody sees a command of a host without a window, nor could stop it: it gets time for a long build and no more (D02). */
const unseenLimitSeconds = 600

/** The limit of a command that names none; null: none, and the person sees how long it runs. */
export function commandLimitMs({ commandSeconds }: Pick<Settings, 'commandSeconds'>, { followsQueue = false }: { readonly followsQueue?: boolean }): number | null {
  const seconds = commandSeconds ?? (followsQueue ? null : unseenLimitSeconds)
  return seconds === null ? null : seconds * 1000
}

/**
 * Opens what a program shows in the browser. Only ports that are listed, so that a page that was taken over cannot send the
 * person anywhere else.
 */
export function makeProgramDoor(watch: Pick<ProgramWatch, 'programs'>, openAddress: ((url: string) => Promise<void>) | null): (port: number) => Promise<boolean> {
  return async (port) => {
    const isListed = (await watch.programs()).some(({ ports }) => ports.some((one) => one.port === port && one.isHttp))
    if (!isListed || openAddress === null) return false
    await openAddress(`http://localhost:${port}/`)
    return true
  }
}
