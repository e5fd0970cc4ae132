import type { Host } from '../../shared/ipc/bridge'

declare global {
  interface Window {
    /** Put there by the preload script, or by a test. */
    readonly host: Host
  }
}

/** The doors to the main process. Only stores ask for them. */
export function host(): Host {
  return window.host
}
