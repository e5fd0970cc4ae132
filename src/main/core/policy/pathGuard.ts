import { said, type Said } from '../../../shared/domain/result'
import type { Verdict } from '../../../shared/domain/verdict'
import type { PathFacts, PathUse } from '../ports/workspaceFs'
import { foldName } from './foldName'
import { secretFolders, secretPlaces } from './protectedNames'
import { classifyPath, isSecretPath, protectionOf, type Fence } from './protectedPaths'

const changes: readonly PathUse[] = ['write', 'create', 'mkdir', 'delete', 'rename']

/**
 * Judges one use of one place (R62, R65, R67), from what the component walk found. Pure. The place counts, not the text: a
 * link with an innocent name is what it leads to. What could not be found out is denied; outside the project everything is
 * denied; inside, protected places are denied or asked, and the rest may be let run by a person or a rule.
 */
export function judgePath(facts: PathFacts, use: PathUse, fence: Fence): Verdict {
  const path = facts.relative === null || facts.relative === '' ? facts.given : facts.relative
  const deny = (reason: Said): Verdict => ({ kind: 'deny', reason })
  if (facts.problem !== null) return deny(said(`path.${facts.problem}`, { path: facts.given }))

  const place = classifyPath(facts.realPath, fence)
  const isChange = changes.includes(use)
  const takesAll = use === 'delete' || use === 'rename'
  if (place.isAppData || (takesAll && place.holds.includes('app-data'))) return deny(said('path.app-data', { path }))
  if (place.special === 'null-device' && use === 'read') return { kind: 'allowable', reason: said('path.fine', { path }) }
  if (facts.kind === 'special' || place.special !== null) return deny(said('path.special', { path }))
  if (place.secret === 'credentials') return deny(said('path.credentials', { path: facts.realPath }))
  if (facts.relative === null) return deny(outside(facts))
  if (isChange && place.isStartPlace) return deny(said('path.start-place', { path: facts.realPath }))
  if (isChange && use !== 'mkdir' && facts.relative === '') return deny(said('path.root', { path }))
  return isChange ? judgeChange(facts, facts.relative, use) : judgeLook(facts, facts.relative, use)
}

function outside(facts: PathFacts): Said {
  if (!facts.isThroughLink) return said('path.outside', { path: facts.given })
  return said('path.outside-through-link', { path: facts.given, realPath: facts.realPath })
}

function judgeChange(facts: PathFacts, path: string, use: PathUse): Verdict {
  const protection = protectionOf(path)
  if (protection === 'git') return { kind: 'deny', reason: said('path.git', { path }) }
  if (protection === 'executed') return { kind: 'ask', reason: said('path.executed', { path }) }
  if (isSecretPath(path) || isSecretFolder(path)) return { kind: 'ask', reason: said('path.secret-change', { path }) }
  if (facts.holds !== undefined && facts.holds.length > 0) return { kind: 'ask', reason: said('path.holds-protected', { path, holds: facts.holds }) }
  if (/[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u.test(path)) return { kind: 'ask', reason: said('path.hidden-characters', { path }) }
  const isReplaced = use === 'write' || use === 'create'
  return isReplaced && facts.kind === 'file' && facts.linkCount > 1 ? hardLink(facts, path) : fine(path)
}

function judgeLook(facts: PathFacts, path: string, use: PathUse): Verdict {
  if (use !== 'read') return fine(path)
  if (isSecretPath(path)) return { kind: 'ask', reason: said('path.secret', { path }) }
  // Package stores share one file under many names; reading a dependency is no news.
  const isInStore = path.split('/').map(foldName).includes('node_modules')
  return facts.kind === 'file' && facts.linkCount > 1 && !isInStore ? hardLink(facts, path) : fine(path)
}

function hardLink(facts: PathFacts, path: string): Verdict {
  return { kind: 'ask', reason: said('path.hard-link', { path, count: facts.linkCount }) }
}

/** A folder of secrets, or one whose name makes a file in it one, would lose the name it is known by when moved as a whole. */
function isSecretFolder(path: string): boolean {
  const last = path.split('/').map(foldName).pop() ?? ''
  return secretFolders.includes(last) || secretPlaces.some((place) => place.startsWith(`${last}/`))
}

function fine(path: string): Verdict {
  return { kind: 'allowable', reason: said('path.fine', { path }) }
}
