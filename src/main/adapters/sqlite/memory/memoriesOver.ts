import type { MemoryStore } from '../../../core/ports/memoryStore'
import type { Client } from '../client'

/** Long-term memory over the database worker. */
export function memoriesOver(client: Client): MemoryStore {
  return {
    async add(entries) {
      await client.ask('addMemories', { entries })
    },
    get: (ids) => client.ask('memories', { ids }),
    change: (changes) => client.ask('changeMemories', { changes }),
    remove: (ids, batch, atMs) => client.ask('removeMemories', { ids, batch, atMs }),
    clear: (workspaceId, scope, batch, atMs) => client.ask('clearMemories', { workspaceId, scope, batch, atMs }),
    restore: (from) => client.ask('restoreMemories', { from }),
    empty: (beforeMs) => client.ask('emptyMemories', { beforeMs }),
    count: (workspaceId) => client.ask('countMemories', { workspaceId }),
    page: (filter, order, offset, limit) => client.ask('pageMemories', { filter, order, offset, limit }),
    search: (search) => client.ask('searchMemories', search),
    same: (workspaceId, normalTexts) => client.ask('sameMemories', { workspaceId, normalTexts }),
  }
}
