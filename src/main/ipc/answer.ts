import type { IpcMainInvokeEvent, WebContents } from 'electron'
import type { Answer, Asked } from '../../shared/ipc/bridge'
import type { ChannelName } from '../../shared/ipc/channels'
import { schemas } from '../../shared/ipc/schemas'

/** A handler for each channel; a channel without one does not compile. */
export type Handlers = { readonly [Name in ChannelName]: (asked: Asked<Name>) => Promise<Answer<Name>> }

/** Who may call: the main frame of a known window, on a page of ours (E17). */
export interface SenderCheck {
  isKnownWindow(contents: WebContents): boolean
  isOwnPage(address: string): boolean
}

/** The two that tell who calls. */
export type Sender = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>

/** Thrown back to a caller that is not the window; it says nothing more. */
const refusal = 'refused'

/**
 * Answers one call: sender checked, arguments validated by the channel's schema, then the handler (E17, E18), which a window
 * that is faster than the host waits for. What the schema does not name never reaches the handler.
 */
export async function answer<Name extends ChannelName>(name: Name, from: Sender, ask: unknown, handlers: Promise<Handlers>, check: SenderCheck): Promise<Answer<Name>> {
  if (!isFromWindow(from, check)) throw new Error(refusal)
  const asked = schemas[name].input.safeParse(ask)
  if (!asked.success) throw new Error(`${name}: ${asked.error.issues[0]?.message ?? 'bad arguments'}`)
  return (await handlers)[name](asked.data as Asked<Name>)
}

/** True only for the top frame of a window of ours that shows a page of ours. A frame that is gone is nobody's. */
export function isFromWindow({ sender, senderFrame: frame }: Sender, check: SenderCheck): boolean {
  return frame !== null && check.isKnownWindow(sender) && frame === sender.mainFrame && check.isOwnPage(frame.url)
}
