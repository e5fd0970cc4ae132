/** Any AbortSignal fits. Whoever waits on something long takes one, stops when it is aborted, and removes what it added. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** For what nobody can cancel. */
export const neverCancelled: CancelSignal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined }
