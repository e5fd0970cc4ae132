import type { AgentEvent } from '../../shared/domain/event'
import type { MemoryId } from '../../shared/domain/ids'
import type { InjectedMemory } from '../../shared/domain/memory'
import { said, type Said } from '../../shared/domain/result'
import { StorageFault } from '../core/ports/storageFault'

/** What a prompt holds of the long-term memory; `fault` is why it holds nothing although it might. */
export interface TurnMemories {
  readonly memories: readonly InjectedMemory[]
  readonly fault: Said | null
}

/** What a turn that begins now is to hold. A memory that cannot be read keeps nobody from working; it is told instead. */
export async function memoriesFor(inject: () => Promise<readonly InjectedMemory[]>): Promise<TurnMemories> {
  try {
    return { memories: await inject(), fault: null }
  } catch (error) {
    return { memories: [], fault: faultOf(error) }
  }
}

/**
 * What the running turn of a session still holds: its recorded list, also after a crash, without what was deleted since. Where
 * nobody can say what was, nothing is sent.
 */
export async function memoriesOf(events: readonly AgentEvent[], stillThere: (ids: readonly MemoryId[]) => Promise<ReadonlySet<MemoryId>>): Promise<TurnMemories> {
  const started = events.findLast((event) => event.type === 'turn-started')
  const listed = started?.type === 'turn-started' ? (started.memories ?? []) : []
  if (listed.length === 0) return { memories: [], fault: null }
  return memoriesFor(async () => {
    const there = await stillThere(listed.map(({ id }) => id))
    return listed.filter(({ id }) => there.has(id))
  })
}

function faultOf(error: unknown): Said {
  if (error instanceof StorageFault) return said('memory.not-read', { problem: error.fault })
  return said('memory.not-read', { problem: error instanceof Error ? error.message : String(error) })
}
