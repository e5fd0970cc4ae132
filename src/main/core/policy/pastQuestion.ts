import { said } from '../../../shared/domain/result'
import { severest, type Verdict } from '../../../shared/domain/verdict'
import type { PastCall } from '../ports/ruleStore'
import type { PathFacts, PathUse } from '../ports/workspaceFs'
import { builtinTools } from '../tools/builtins'
import type { JudgedPath } from '../tools/defineTool'
import { judgeCommand } from './commandGuard'
import { judgePath } from './pathGuard'
import { isCommand, type PermissionQuestion } from './permissionQuestion'
import type { Where } from './shell/call'
import { resolvePath } from './shell/paths'

/**
 * A past call as today's guards judge it, by its texts alone: links and what lay on the disk then are not known any more.
 * `where` is the folder of its session.
 */
export function pastQuestion({ tool, asked }: Pick<PastCall, 'tool' | 'asked'>, where: Where): PermissionQuestion {
  const places = placesOf(tool, asked, where)
  const byPaths = places.reduce<Verdict>((worst, { facts, use }) => severest(worst, judgePath(facts, use, where)), { kind: 'allowable', reason: said('guard.nothing-against') })
  const base = { tool, args: asked, root: where.root, readersAnswer: true, places }
  if (!isCommand({ tool })) return { ...base, verdict: byPaths, parts: [] }
  const judged = judgeCommand(asked['command'] ?? '', { ...where, cwd: resolvePath(asked['cwd'] ?? '.', [where.root])[0] ?? where.root })
  return { ...base, verdict: severest<Verdict>(judged, byPaths), parts: judged.parts }
}

function placesOf(tool: string, asked: PastCall['asked'], where: Where): readonly JudgedPath[] {
  // A path that was left out is the project itself.
  const claims = builtinTools.find(({ name }) => name === tool)?.paths({ path: '.', ...asked }) ?? []
  return claims.map(({ path, use }) => ({ path, use, facts: factsOf(path, use, where.root) }))
}

function factsOf(path: string, use: PathUse, root: string): PathFacts {
  const realPath = resolvePath(path, [root])[0] ?? root
  const relative = realPath === root ? '' : realPath.startsWith(`${root}/`) ? realPath.slice(root.length + 1) : null
  const kind = use === 'list' || use === 'exec-cwd' || relative === '' ? 'folder' : 'file'
  return { given: path, realPath, relative, problem: null, kind, isThroughLink: false, linkCount: 1, identity: null, parent: null }
}
