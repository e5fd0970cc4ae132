import { powerSaveBlocker } from 'electron'

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
