import type { CallId } from '../../../shared/domain/ids'
import type { Memory, MemoryScope, RelatedMemory } from '../../../shared/domain/memory'
import type { Result } from '../../../shared/domain/result'
import type { TaintSource } from '../../../shared/domain/tool'

/** A fact that the model proposes and the person accepted. `outside`: its words came from there. */
export interface AcceptedMemory {
  readonly text: string
  readonly scope: MemoryScope
  readonly callId: CallId
  readonly outside: TaintSource | null
}

/** Takes the facts that the model proposes, for one session (R33). */
export interface MemoryDesk {
  /** The text as it would be stored, or why it cannot be: empty, too long, a secret in it. */
  fit(text: string): Result<string>
  /** Entries that say the same or may say the opposite. */
  related(text: string): Promise<readonly RelatedMemory[]>
  /** Stores it; an entry that says the same is given back instead of a second one. */
  accept(fact: AcceptedMemory): Promise<Result<{ readonly memory: Memory; readonly isNew: boolean }>>
}
