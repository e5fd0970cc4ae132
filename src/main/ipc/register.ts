import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import type { Answer, Asked } from '../../shared/ipc/bridge'
import { channels, type ChannelName, type PushName } from '../../shared/ipc/channels'
import { schemas, type PushBodies } from '../../shared/ipc/schemas'

/** A handler for each channel; a channel without one does not compile. */
export type Handlers = { readonly [Name in ChannelName]: (asked: Asked<Name>) => Promise<Answer<Name>> }

/** Who may call: the main frame of a known window, on a page of ours (E17). */
export interface SenderCheck {
  isKnownWindow(contents: WebContents): boolean
  isOwnPage(address: string): boolean
}

/** Thrown back to a caller that is not the window; it says nothing more. */
const refusal = 'refused'

/**
 * Registers every channel through one wrapper: sender checked, arguments validated by the channel's schema, then the
 * handler (E17, E18), which a window that is faster than the host waits for. The only place that touches `ipcMain`.
 * Returns what takes all of them away again.
 */
export function registerChannels(handlers: Promise<Handlers>, check: SenderCheck): () => void {
  for (const name of channels) ipcMain.handle(name, (event, ask: unknown) => answer(name, event, ask, handlers, check))
  return () => channels.forEach((name) => ipcMain.removeHandler(name))
}

async function answer<Name extends ChannelName>(name: Name, event: IpcMainInvokeEvent, ask: unknown, handlers: Promise<Handlers>, check: SenderCheck): Promise<unknown> {
  if (!isFromWindow(event, check)) throw new Error(refusal)
  const asked = schemas[name].input.safeParse(ask)
  if (!asked.success) throw new Error(`${name}: ${asked.error.issues[0]?.message ?? 'bad arguments'}`)
  return (await handlers)[name](asked.data as Asked<Name>)
}

/** True only for the top frame of a window of ours that shows a page of ours. */
export function isFromWindow(event: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>, check: SenderCheck): boolean {
  const frame = event.senderFrame
  return frame !== null && check.isKnownWindow(event.sender) && frame === event.sender.mainFrame && check.isOwnPage(frame.url)
}

/** Sends a push to a window that still lives. */
export function pushTo<Name extends PushName>(contents: WebContents, name: Name, body: PushBodies[Name]): void {
  if (!contents.isDestroyed()) contents.send(name, body)
}
