import type { IndexState } from '../../shared/domain/retrieval'
import type { Said } from '../../shared/domain/result'

/** What can be asked of the library thread: name → arguments and answer. Plain data, so that it can be cloned between threads. */
export interface LibraryOperations {
  terms: { args: readonly string[]; answer: readonly (readonly string[])[] }
  queryTerms: { args: readonly string[]; answer: readonly (readonly string[])[] }
}
export type LibraryOperationName = keyof LibraryOperations

/** What the thread says unasked: name → what it says. */
export interface LibraryPushes {
  'index-state': IndexState
}
export type LibraryPushName = keyof LibraryPushes

/** A request of the main thread. `cancel` aborts the signal of an operation that runs; after `close` the thread ends. */
export type LibraryRequest =
  | { readonly kind: 'ask'; readonly id: number; readonly op: LibraryOperationName; readonly args: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' }

/** The thread's messages. `failed` is the disk's, the file's or the network's fault, `bug` the program's. */
export type LibraryMessage =
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Said }
  | { readonly kind: 'bug'; readonly id: number; readonly message: string; readonly stack: string }
  | { readonly kind: 'pushed'; readonly name: LibraryPushName; readonly value: unknown }
