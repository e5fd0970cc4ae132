import { parse } from 'unbash'
import { said, type Said } from '../../../shared/domain/result'
import { severest, type CommandVerdict, type Verdict } from '../../../shared/domain/verdict'
import { plainStream, type JudgedPart, type Where } from './shell/call'
import { severestPart } from './shell/outcomes'
import { readerCodes } from './shell/outsideWords'
import { makeClassifier } from './shell/paths'
import { firstState } from './shell/state'
import { checkText } from './shell/textChecks'
import { engine } from './shell/walk'
import { TooDeep, tooDeep, type Walk } from './shell/walkTypes'

/** A verdict with all that rules need to know of its parts. */
export interface JudgedCommand extends CommandVerdict {
  readonly parts: readonly JudgedPart[]
}

/** Loops and functions are unrolled this often in one command line at most; beyond, they count as not known. */
const unrollLimit = 400
/** What commands run inside others is judged this often in one command line at most, and in a piece of one that was given up. */
const runLimit = 800
const runsOfPiece = 100
/** Longer texts are not even parsed. A person is asked, and cannot approve what cannot be shown. */
const maxParseLength = 200_000
/** As many pieces of a text that was given up are looked at, from both ends, and none that is longer than this. */
const mostPieces = 1000
const longestPiece = 10_000

/**
 * Judges a command line before it runs (R66). Pure and fast; never throws.
 *
 * The verdict comes from bash's own structure: every simple command in every list, pipeline, substitution, function and
 * wrapper is judged in the folder it would run in, and the most severe one decides. What is not understood asks. Three
 * checks are made on the raw text, for what a person could not see. PowerShell and cmd are not understood: everything asks,
 * but for what is plainly catastrophic.
 *
 * `parts` is empty when the text could not be parsed whole; then the verdict is `ask`, or `deny` when what was understood
 * is already forbidden. Links on the disk are not seen here: the sandbox and the snapshots cover what a path leads to.
 */
export function judgeCommand(command: string, where: Where): JudgedCommand {
  if (where.shell !== undefined && where.shell !== 'bash') return judgeForeign(command, where, where.shell)
  if (command.trim() === '') return asks(said('guard.empty'))
  if (command.length > maxParseLength) return { ...severest<Verdict>({ kind: 'ask', reason: said('guard.too-long', { limit: maxParseLength }) }, deniedPiece(command, where)), parts: [] }
  const hidden = checkText(command)
  const judged = judgeParsed(command, where)
  return hidden ? { ...severest<Verdict>({ kind: 'ask', reason: hidden }, judged), parts: judged.parts } : judged
}

/** A command for another shell: what that shell's program would be denied for as text is denied. */
function judgeForeign(command: string, where: Where, shell: 'powershell' | 'cmd'): JudgedCommand {
  const asking = asks(said('guard.not-bash', { shell }))
  if (command.length > maxParseLength) return asking
  const text = `'${command.replaceAll("'", "'\\''")}'`
  const found = judgeParsed(shell === 'cmd' ? `cmd /c ${text}` : `pwsh -c ${text}`, { ...where, shell: 'bash' })
  return found.kind === 'deny' ? { kind: 'deny', reason: found.reason, parts: [] } : asking
}

/**
 * True when every part is a known reader inside the project, so that nobody needs to be asked (R64). Reading commands of
 * git count only when the caller said that the project's git settings run nothing.
 */
export function isBuiltinReader(verdict: CommandVerdict): boolean {
  return verdict.kind === 'allowable' && verdict.parts.length > 0 && verdict.parts.every((part) => part.verdict === 'allowable' && readerCodes.has(part.reason.code) && part.writes.length + part.deletes.length + part.hosts.length === 0)
}

function judgeParsed(command: string, where: Where, isPiece = false): JudgedCommand {
  const walk: Walk = {
    // A copy: what is found out about the project's scripts holds for this one judgement.
    where: { ...where }, classify: makeClassifier(where), parts: [], budget: { left: unrollLimit, runs: isPiece ? runsOfPiece : runLimit }, depth: 0, running: [], defined: new Map(), fit: 'plain', faults: [], engine,
  }
  const stopped = walkAll(command, walk)
  const parts = withoutRepeats(walk.parts)
  const worst = severestPart(parts)
  const found: Verdict = worst ? { kind: worst.verdict, reason: worst.reason } : { kind: 'allowable', reason: said('guard.nothing-runs') }
  if (stopped === null) return { ...found, parts }
  return { ...severest(severest(found, { kind: 'ask', reason: stopped }), found.kind === 'deny' || isPiece ? clear : deniedPiece(command, where)), parts: [] }
}

const clear: Verdict = { kind: 'allowable', reason: said('guard.nothing-runs') }

/**
 * What is forbidden in a text that cannot be judged whole, looked for piece by piece: giving up must not turn a denial
 * into a question. Pieces end where a command may end, whatever quotes they stand in.
 */
function deniedPiece(command: string, where: Where): Verdict {
  const pieces = command.split(/[\n;&|`(){}]+/u).filter((piece) => piece.length <= longestPiece && /\w\s+\S|\w{4}/u.test(piece))
  for (const piece of pieces.length <= mostPieces ? pieces : [...pieces.slice(0, mostPieces / 2), ...pieces.slice(-mostPieces / 2)]) {
    const found = judgeParsed(piece, where, true)
    if (found.kind === 'deny') return found
  }
  return clear
}

/** Walks the text; null when all of it was understood. */
function walkAll(command: string, walk: Walk): Said | null {
  try {
    const { state } = engine.script(parse(command), firstState(walk.where.cwd, walk.where.home), plainStream, walk)
    for (const [node, isCalled] of walk.defined) {
      if (!isCalled) engine.functionBody(node, { ...state, positional: null, isEnded: false }, plainStream, { ...walk, running: [node] })
    }
  } catch (error) {
    if (error instanceof TooDeep || error instanceof RangeError) return said('guard.too-deep')
    throw error
  }
  const [fault] = walk.faults
  if (fault === undefined) return null
  return walk.faults.includes(tooDeep) ? said('guard.too-deep') : said('guard.unparsable', { detail: fault })
}

/** Loops are judged twice and functions often: what is the same is shown once. */
function withoutRepeats(parts: readonly JudgedPart[]): readonly JudgedPart[] {
  const seen = new Set<string>()
  return parts.filter((part) => {
    const key = JSON.stringify([part.argv, part.verdict, part.reason.code, part.reads, part.writes, part.deletes, part.hosts])
    return seen.has(key) ? false : Boolean(seen.add(key))
  })
}

function asks(reason: Said): JudgedCommand {
  return { kind: 'ask', reason, parts: [] }
}
