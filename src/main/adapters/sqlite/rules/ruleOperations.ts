import type { Db } from '../driver'
import type { Operations } from '../protocol'
import { ruleTable } from '../tables/ruleTable'
import { pastCalls } from './pastCalls'

/** The worker's side of rules, and of the past they are tried on. */
export function ruleOperations(db: Db) {
  const rules = ruleTable(db)
  const past = pastCalls(db)
  const remove = (ids: readonly string[]) => {
    const found = ids.flatMap((id) => rules.get(id) ?? [])
    for (const { id } of found) rules.remove(id)
    return found
  }
  return {
    rules: ({ nowMs }: Operations['rules']['args']) => rules.list(nowMs),
    saveRules({ drafts, replaces, atMs }: Operations['saveRules']['args']) {
      if (replaces !== null && remove([replaces]).length === 0) return null
      return drafts.flatMap((draft) => rules.insert(draft, atMs) ?? [])
    },
    removeRules: ({ ids }: Operations['removeRules']['args']) => remove(ids),
    useRule: ({ id, atMs }: Operations['useRule']['args']) => rules.use(id, atMs),
    pastCalls: ({ tool, workspaceId, before, limit }: Operations['pastCalls']['args']) => past.page(tool, workspaceId, before, limit),
    grantHistories: ({ workspaceId }: Operations['grantHistories']['args']) => past.grantSessions(workspaceId).map((session) => ({ ...session, events: past.grantEvents(session.sessionId) })),
    projectNames: () => past.projectNames(),
  }
}
