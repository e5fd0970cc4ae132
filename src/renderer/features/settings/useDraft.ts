import { useState } from 'react'

/** What is being set up: what is kept, or a change to it that nothing knows of yet. */
export interface Draft<Value> {
  /** What the fields show. */
  readonly value: Value | null
  readonly isChanged: boolean
  change(value: Value): void
  /** Back to what is kept. */
  drop(): void
  /** Keeps the change. */
  use(): void
}

/**
 * A place that text of the project may go to is kept when a person said so by a button, and no earlier: what is kept is used
 * at once. Taking a place away needs no asking.
 */
export function useDraft<Value extends object>(kept: Value | null, onKeep: (value: Value) => void): Draft<Value> {
  const [draft, setDraft] = useState<Value | null>(null)
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(kept)
  return {
    value: draft ?? kept,
    isChanged,
    change: setDraft,
    drop: () => setDraft(null),
    use() {
      if (draft !== null && isChanged) onKeep(draft)
      setDraft(null)
    },
  }
}
