import { said } from '../../../shared/domain/result'
import type { AskingLevel } from '../../../shared/domain/session'
import { severest, type CommandVerdict, type Verdict } from '../../../shared/domain/verdict'
import type { CallArgs } from '../../../shared/domain/call'
import type { PathFacts, PathUse, WorkspaceFs } from '../ports/workspaceFs'
import type { JudgedCommand } from './commandGuard'
import type { JudgedPart } from './shell/call'
import type { JudgedPath, Tool } from '../tools/defineTool'

/** What the guards say about one call: the most severe verdict, the parts of its command, and the places it may act on. */
export interface Judgement {
  readonly verdict: Verdict
  readonly parts: readonly JudgedPart[]
  readonly places: readonly JudgedPath[]
  /** True when every part of the command is a known reader (R64). */
  readonly isReader: boolean
}

/** What judging needs. `judgePath` and `judgeCommand` are the two guards, bound to the workspace's fence. */
export interface JudgePorts {
  readonly level: AskingLevel
  readonly fs: WorkspaceFs
  judgePath(facts: PathFacts, use: PathUse): Verdict
  judgeCommand(command: string, cwd: string): JudgedCommand
  /** What the disk adds to the command's words: see `judgeReads`. */
  judgeReads(command: JudgedCommand, cwd: string): Promise<JudgedCommand>
  isReader(verdict: CommandVerdict): boolean
}

const clear: Verdict = { kind: 'allowable', reason: said('guard.nothing-against') }

/** Judges a call by its paths, its command and what the command reaches on the disk. Effects on the disk: none. */
export async function judgeCall(tool: Tool, args: CallArgs, ports: JudgePorts): Promise<Judgement> {
  const none = { parts: [], places: [], isReader: false }
  if (ports.level === 'read-only' && (tool.effect !== 'read' || tool.isHiddenReadOnly)) return { ...none, verdict: { kind: 'deny', reason: said('tool.not-offered', { tool: tool.name }) } }
  const start = tool.verdict?.(args) ?? clear
  if (start.kind === 'deny') return { ...none, verdict: start }

  const places = await Promise.all(tool.paths(args).map(async (claim) => ({ ...claim, facts: await ports.fs.locate(claim.path, claim.use) })))
  const byPaths = places.reduce((worst, place) => severest(worst, ports.judgePath(place.facts, place.use)), start)
  const line = tool.command?.(args)
  if (line === undefined || byPaths.kind === 'deny') return { ...none, verdict: byPaths, places }

  const cwd = places.find((place) => place.use === 'exec-cwd')?.facts.realPath ?? line.cwd
  const command = await ports.judgeReads(ports.judgeCommand(line.command, cwd), cwd)
  const verdict = severest<Verdict>(command, byPaths)
  return { verdict, parts: command.parts, places, isReader: verdict.kind === 'allowable' && ports.isReader(command) }
}
