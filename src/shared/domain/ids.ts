/**
 * Branded identifiers. Each is a full-length unique string made by the `IdSource` port (R94); two kinds never mix.
 */
declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** One conversation in one workspace. */
export type SessionId = Branded<'session'>
/** From one message of the user until the agent stops. */
export type TurnId = Branded<'turn'>
/** One message as stored. */
export type MessageId = Branded<'message'>
/** Ours, unique for ever; joins a call with its single result. The provider's own id is `providerCallId`. */
export type CallId = Branded<'call'>
/** A folder that was opened. */
export type WorkspaceId = Branded<'workspace'>
/** The files at a moment. */
export type SnapshotId = Branded<'snapshot'>
/** One going back to a moment, or its undoing. */
export type RollbackId = Branded<'rollback'>
/** One long-term memory. */
export type MemoryId = Branded<'memory'>
/** One replacing of old turns by a summary. */
export type CompactionId = Branded<'compaction'>

/** Takes a string that was stored or received as an id of the wanted kind; it does not check the text. */
export function asId<Id extends string>(text: string): Id {
  return text as Id
}
