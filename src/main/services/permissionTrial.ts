import type { Call } from '../../shared/domain/call'
import { askedOf } from '../../shared/domain/askedOf'
import type { Rule, RuleDraft } from '../../shared/domain/rule'
import type { BackTest } from '../../shared/ipc/views'
import { backTester, toolOfShape } from '../core/policy/backTest'
import { pastQuestion } from '../core/policy/pastQuestion'
import type { PermissionQuestion } from '../core/policy/permissionQuestion'
import type { Where } from '../core/policy/shell/call'
import type { Clock } from '../core/ports/clock'
import type { PastCall, RuleStore } from '../core/ports/ruleStore'
import { inSlices } from './memoryPlan'

/** Older calls say little of today. */
const maxCalls = 20_000
const pageCalls = 200
/** The rest of the app gets a turn after as long. */
const sliceMs = 8
const longestShown = 400

/** What trying needs. */
export interface TrialParts {
  readonly store: Pick<RuleStore, 'past'>
  readonly clock: Clock
  /** How the guards see a project. */
  whereOf(root: string): Where
  redact(text: string): string
}

/** Tries a draft on the newest calls of its kind in its scope, judged again by today's guards. Holds nobody up for long. */
export async function tryOnPast(draft: RuleDraft, others: readonly Rule[], parts: TrialParts): Promise<BackTest> {
  const { store, clock } = parts
  const tester = backTester({ draft, others, nowMs: clock.nowMs(), on: (call) => shownOf(call, parts) })
  const places = new Map<string, Where>()
  let before: number | null = null
  let sinceMs = performance.now()
  for (let seen = 0; seen < maxCalls; seen += pageCalls) {
    const page = await store.past({ tool: toolOfShape(draft.shape), workspaceId: draft.workspaceId, before, limit: pageCalls })
    for (const call of page.calls) {
      const where = places.get(call.root) ?? parts.whereOf(call.root)
      places.set(call.root, where)
      tester.take(call, () => pastQuestion(call, where))
      if (performance.now() - sinceMs < sliceMs) continue
      await new Promise<void>((resolve) => void setImmediate(resolve))
      sinceMs = performance.now()
    }
    if (page.next === null) break
    before = page.next
  }
  return inSlices(tester.result(), { nowMs: () => performance.now() })
}

/** A call of the journal as the guards judge it now. */
export function questionOf(call: Call, where: Where): PermissionQuestion {
  return pastQuestion({ tool: call.tool, asked: askedOf(call.approved === null ? call.proposed : JSON.stringify(call.approved)) }, where)
}

function shownOf({ tool, asked }: PastCall, parts: TrialParts): string {
  const { command, path, from, to, url } = asked
  const text = command ?? path ?? (from === undefined ? url : `${from} → ${to ?? ''}`) ?? tool
  return parts.redact(text.replaceAll(/\s+/gu, ' ')).slice(0, longestShown)
}
