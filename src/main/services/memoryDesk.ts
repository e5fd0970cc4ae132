import type { MemoryDesk } from '../core/ports/memoryDesk'
import type { Memories, MemoriesPorts } from './memories'
import { fitMemory } from './memoryTexts'
import type { OpenSession } from './sessions'

/** What `save_memory` works with in one session. */
export function memoryDeskFor(session: Pick<OpenSession, 'id' | 'workspaceId'>, memories: Pick<Memories, 'accept' | 'related'>, withoutKnown: MemoriesPorts['withoutKnown']): MemoryDesk {
  return {
    fit: (text) => fitMemory(text, withoutKnown),
    related: (text) => memories.related(session.workspaceId, text),
    accept: (fact) => memories.accept(session.workspaceId, { ...fact, sessionId: session.id }),
  }
}
