import type { z } from 'zod'
import type { ChannelName, PushName } from './channels'
import type { PushBodies, Schemas } from './schemas'

/** What a channel takes, before its schema gave it brands. */
export type Ask<Name extends ChannelName> = z.input<Schemas[Name]['input']>
/** What a handler gets, after its schema. */
export type Asked<Name extends ChannelName> = z.output<Schemas[Name]['input']>
/** What a channel answers. */
export type Answer<Name extends ChannelName> = Exclude<Schemas[Name]['output'], undefined>

/** `session/set-level` → `sessionSetLevel`. */
type Camel<Text extends string> = Text extends `${infer Head}/${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Text extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Text

/**
 * The object the preload script puts on `window.host`: a function a channel, one subscription for the pushes, and the path of
 * a folder that the person dropped on the window (empty for anything that is no dropped file).
 */
export type Host = {
  readonly [Name in ChannelName as Camel<Name>]: (ask: Ask<Name>) => Promise<Answer<Name>>
} & {
  readonly on: <Name extends PushName>(push: Name, listener: (body: PushBodies[Name]) => void) => () => void
  readonly droppedPath: (file: object) => string
}

/** The function name of a channel: slashes and hyphens fall, the next letter is upper case. */
export function functionName(channel: string): string {
  return channel.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase())
}
