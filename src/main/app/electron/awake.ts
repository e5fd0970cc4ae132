import { powerMonitor, powerSaveBlocker } from 'electron'
import type { WakeNews } from '../../core/ports/wakeNews'

/** Keeps the system from sleeping while it is told so; the display may go dark. */
export function systemAwake(): (isAwake: boolean) => void {
  let blocker: number | null = null
  return (isAwake) => {
    if (isAwake) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  }
}

/** The system's own word that a sleep is over. */
export const systemWakes: WakeNews = (listener) => {
  powerMonitor.on('resume', listener)
  return () => powerMonitor.off('resume', listener)
}
