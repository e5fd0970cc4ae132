import type { Compaction, TrimmedResult } from '../../../shared/domain/compaction'
import type { AgentEvent } from '../../../shared/domain/event'
import type { CallId, CompactionId } from '../../../shared/domain/ids'

/** A compaction as it was recorded. `missed`: what a rollback hid then, so that its summary does not hold it. */
export interface HeldCompaction {
  readonly seq: number
  readonly compaction: Compaction
  readonly missed: ReadonlySet<number>
  /** Its summary is the person's by now. */
  readonly isEdited: boolean
}

/** Which compaction holds, and what the person pinned, kept up as events come. */
export class Compactions {
  private readonly made = new Map<CompactionId, HeldCompaction>()
  private readonly undone = new Set<CompactionId>()
  private readonly pins = new Set<number>()
  private trims: ReadonlyMap<CallId, TrimmedResult> = new Map()

  /** Takes an event in order; true when what holds may have changed. `hiddenSeqs` are those of the messages that are hidden now. */
  add(event: AgentEvent, hiddenSeqs: () => readonly number[]): boolean {
    switch (event.type) {
      case 'history-compacted': {
        const before = this.made.get(event.compactionId)
        // Under a known id its summary was edited: it stays where it was made.
        this.made.set(event.compactionId, { seq: before?.seq ?? event.seq, compaction: event, missed: before?.missed ?? new Set(hiddenSeqs()), isEdited: before !== undefined })
        return true
      }
      case 'compaction-undone':
        this.undone.add(event.compactionId)
        return true
      case 'message-pinned':
        if (event.isPinned) this.pins.add(event.messageSeq)
        else this.pins.delete(event.messageSeq)
        return true
      default:
        return false
    }
  }

  /** The newest that was not undone and that no rollback hides. */
  current(isHidden: (seq: number) => boolean): HeldCompaction | null {
    let held: HeldCompaction | null = null
    for (const [id, one] of this.made) if (!this.undone.has(id) && !isHidden(one.seq)) held = one
    return held
  }

  /** The newest of all, undone or not; null before the first. */
  newest(): { readonly held: HeldCompaction; readonly isUndone: boolean } | null {
    const last = [...this.made].at(-1)
    return last ? { held: last[1], isUndone: this.undone.has(last[0]) } : null
  }

  /** Whether the person wants a message kept whole now. */
  isPinned(seq: number): boolean {
    return this.pins.has(seq)
  }

  /**
   * Pinned as far as the compaction goes: what was pinned when it was made is in no summary, so it stays until the next one,
   * also where the pin was taken off since.
   */
  staysWhole(seq: number, held: HeldCompaction | null): boolean {
    return this.pins.has(seq) || held?.compaction.pinned.includes(seq) === true
  }

  /** Results that are trimmed otherwise than before; `trimOf` says the new way. */
  retrim(held: HeldCompaction | null): readonly CallId[] {
    const before = this.trims
    this.trims = new Map(held?.compaction.trimmed.map((one) => [one.callId, one]))
    return [...new Set([...before.keys(), ...this.trims.keys()])].filter((id) => !isSame(before.get(id), this.trims.get(id)))
  }

  trimOf(callId: CallId): TrimmedResult | undefined {
    return this.trims.get(callId)
  }
}

function isSame(a: TrimmedResult | undefined, b: TrimmedResult | undefined): boolean {
  return a?.headCharacters === b?.headCharacters && a?.tailCharacters === b?.tailCharacters && a?.outputRef === b?.outputRef
}

/** Whether a message is no longer sent whole. */
export function isCovered(seq: number, held: HeldCompaction | null, staysWhole: (seq: number) => boolean): boolean {
  return held !== null && seq < held.compaction.beforeSeq && !held.missed.has(seq) && !staysWhole(seq)
}
