/**
 * Branded identifiers. Each is a full-length unique string made by the `IdSource` port (R94); two kinds never mix.
 */
declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type SessionId = Branded<'session'>
export type TurnId = Branded<'turn'>
export type MessageId = Branded<'message'>
/** Ours, unique for ever; joins a call with its single result. The provider's own id is `providerCallId`. */
export type CallId = Branded<'call'>
export type WorkspaceId = Branded<'workspace'>
export type SnapshotId = Branded<'snapshot'>
export type RollbackId = Branded<'rollback'>

/** Takes a string that was stored or received as an id of the wanted kind; it does not check the text. */
export function asId<Id extends string>(text: string): Id {
  return text as Id
}
