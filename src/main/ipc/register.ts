import { ipcMain, type WebContents } from 'electron'
import { channels, type PushName } from '../../shared/ipc/channels'
import type { PushBodies } from '../../shared/ipc/schemas'
import { answer, type Handlers, type SenderCheck } from './answer'

/**
 * Registers every channel through one wrapper, which checks sender and arguments before a handler is called. The only place
 * that touches `ipcMain`. Returns what takes all of them away again.
 */
export function registerChannels(handlers: Promise<Handlers>, check: SenderCheck): () => void {
  for (const name of channels) ipcMain.handle(name, (event, ask: unknown) => answer(name, event, ask, handlers, check))
  return () => channels.forEach((name) => ipcMain.removeHandler(name))
}

/** Sends a push to a window that still lives. */
export function pushTo<Name extends PushName>(contents: WebContents, name: Name, body: PushBodies[Name]): void {
  if (!contents.isDestroyed()) contents.send(name, body)
}
