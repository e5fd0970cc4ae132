import type { RuleStore } from '../../../core/ports/ruleStore'
import { readEvent } from '../../../../shared/domain/readEvent'
import { asId } from '../../../../shared/domain/ids'
import type { Client } from '../client'

/** The store of rules over the database worker. */
export function rulesOver(client: Client): RuleStore {
  return {
    rules: (nowMs) => client.ask('rules', { nowMs }),
    save: (drafts, replaces, atMs) => client.ask('saveRules', { drafts, replaces, atMs }),
    remove: (ids) => client.ask('removeRules', { ids }),
    use: (id, atMs) => client.ask('useRule', { id, atMs }),
    past: (ask) => client.ask('pastCalls', ask),
    async grants(workspaceId) {
      const found = await client.ask('grantHistories', { workspaceId })
      return found.map((one) => ({ sessionId: asId(one.sessionId), workspaceId: asId(one.workspaceId), title: one.title, openTurn: one.openTurn === null ? null : asId(one.openTurn), events: one.events.map((row) => readEvent(row)) }))
    },
    projectNames: () => client.ask('projectNames', null),
  }
}
