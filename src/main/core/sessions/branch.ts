import type { AgentEvent } from '../../../shared/domain/event'
import type { RollbackId } from '../../../shared/domain/ids'
import { HiddenRanges } from '../context/hiddenRanges'

interface Message {
  readonly seq: number
  /** The message that stood last when this one was said; 0: none did. With the same of that one, all that it was said behind. */
  readonly behind: number
}

/** What a session's messages were said behind, kept up as events come: a conversation that is shown must have taken place (R78, R96). */
export class Branch {
  readonly #hidden = new HiddenRanges()
  readonly #messages: Message[] = []
  readonly #undone = new Set<RollbackId>()
  #seq = 0

  /** Up to here the events are known. */
  get seq(): number {
    return this.#seq
  }

  /** Takes the next event of the session, in order; one that is known already changes nothing. */
  add(event: AgentEvent): void {
    if (event.seq <= this.#seq) return
    this.#seq = event.seq
    this.#hidden.add(event)
    if (event.type === 'rollback-undone') this.#undone.add(event.undoneId)
    if (event.type !== 'user-message-added' && event.type !== 'assistant-message-added') return
    this.#messages.push({ seq: event.seq, behind: this.#lastShown() })
  }

  #lastShown(): number {
    for (let at = this.#messages.length - 1; at >= 0; at -= 1) {
      const seq = this.#messages[at]?.seq ?? 0
      if (!this.#hidden.has(seq)) return seq
    }
    return 0
  }

  /** Whether undoing a rollback now would put messages behind others than those they were said behind. */
  mixes(id: RollbackId): boolean {
    if (this.#undone.has(id)) return false
    const before = this.#breaks()
    if (!this.#hidden.toggle(id)) return false
    const after = this.#breaks()
    this.#hidden.toggle(id)
    return after > before
  }

  /** How many of the messages in sight do not stand where they were said. */
  #breaks(): number {
    const shown = this.#messages.filter(({ seq }) => !this.#hidden.has(seq))
    return shown.filter(({ behind }, at) => behind !== (shown[at - 1]?.seq ?? 0)).length
  }
}

/** The same over a whole session. */
export function undoMixes(events: readonly AgentEvent[], id: RollbackId): boolean {
  const branch = new Branch()
  for (const event of events) branch.add(event)
  return branch.mixes(id)
}
