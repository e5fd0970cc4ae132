import type { CallId, SessionId, WorkspaceId } from '../../../shared/domain/ids'
import type { RuleShape } from '../../../shared/domain/rule'
import type { BackTest, BackTestRow, GrantRow, PermissionsPage, RuleRow } from '../../../shared/ipc/views'

/** Something that lets calls run now: for a turn or session, or by a rule. */
export type LiveRow = { readonly kind: 'grant'; readonly row: GrantRow } | { readonly kind: 'rule'; readonly row: RuleRow }

/** The page in its parts. */
export interface Standing {
  /** What answers here without a person, what was given last first. */
  readonly live: readonly LiveRow[]
  /** Rules that hold here and only ever ask or forbid. */
  readonly limits: readonly RuleRow[]
  readonly elsewhere: readonly RuleRow[]
}

/** What holds in the opened project and has not ended. */
export function standing({ grants, rules }: PermissionsPage, openId: WorkspaceId | null, nowMs: number): Standing {
  const isLive = ({ expiresAtMs, usesLeft }: { readonly expiresAtMs: number | null; readonly usesLeft: number | null }): boolean => (expiresAtMs === null || expiresAtMs > nowMs) && (usesLeft === null || usesLeft > 0)
  const own = [...rules].filter(({ rule }) => isLive(rule)).sort((a, b) => Number(b.rule.id) - Number(a.rule.id))
  const here = own.filter(({ rule }) => rule.workspaceId === null || rule.workspaceId === openId)
  const given = [...grants].filter(({ grant }) => isLive(grant)).sort((a, b) => b.grant.givenAtMs - a.grant.givenAtMs)
  return {
    live: [...given.map((row): LiveRow => ({ kind: 'grant', row })), ...here.filter(({ rule }) => rule.effect === 'allow').map((row): LiveRow => ({ kind: 'rule', row }))],
    limits: here.filter(({ rule }) => rule.effect !== 'allow'),
    elsewhere: own.filter((row) => !here.includes(row)),
  }
}

/** What `revoke` takes. */
export type Revocable = { readonly rule: string } | { readonly grant: string; readonly sessionId: SessionId }

/** What is known of a row whatever it is. */
export interface LiveFacts {
  readonly key: string
  readonly shape: RuleShape
  readonly of: Revocable
  readonly uses: number
  readonly expiresAtMs: number | null
  readonly usesLeft: number | null
  /** A grant ends with its turn or session too. */
  readonly lifetime: 'turn' | 'session' | null
}

export function factsOf(live: LiveRow): LiveFacts {
  if (live.kind === 'rule') {
    const { id, shape, uses, expiresAtMs, usesLeft } = live.row.rule
    return { key: `rule ${id}`, shape, of: { rule: id }, uses, expiresAtMs, usesLeft, lifetime: null }
  }
  const { grant, uses } = live.row
  const { id, sessionId, turnId, shape, expiresAtMs, usesLeft } = grant
  return { key: `grant ${sessionId} ${id}`, shape, of: { grant: id, sessionId }, uses, expiresAtMs, usesLeft, lifetime: turnId === null ? 'session' : 'turn' }
}

/** Where a call can be looked at. */
export interface CallPlace {
  readonly sessionId: SessionId
  readonly callId: CallId
}

/** What the page may ask of the rest of the window. */
export interface RuleLinks {
  /** To a call in its conversation; null where it cannot be shown. */
  readonly toCall: (place: CallPlace) => (() => void) | null
  /** To the question about a call; null when none waits. */
  readonly toQuestion: (callId: CallId) => (() => void) | null
}

/** The rows of a back-test that are shown at first, and what the folded ones are. */
export interface FoldedTest {
  readonly shown: readonly BackTestRow[]
  readonly folded: readonly BackTestRow[]
  /** Past calls that would run and are not shown, listed or not. */
  readonly moreRun: number
  /** Whether every one of those is known to have been signed by the person. */
  readonly areAllSigned: boolean
  /** Others that are not shown: they still ask, or are denied. */
  readonly moreOther: number
}

const shownDenied = 8
const shownRunning = 2
const shownOther = 2

/** What was denied then comes first, then a few that would run and a few that would not; the rest is one line. */
export function foldTest({ rows, wouldRun }: Pick<BackTest, 'rows' | 'wouldRun'>): FoldedTest {
  const isDenied = (row: BackTestRow): boolean => row.now === 'runs' && row.then.decision === 'denied'
  const denied = rows.filter(isDenied)
  const running = rows.filter((row) => row.now === 'runs' && !isDenied(row))
  const other = rows.filter((row) => row.now !== 'runs')
  const shown = [...denied.slice(0, shownDenied), ...running.slice(0, shownRunning), ...other.slice(0, shownOther)]
  const folded = [...denied.slice(shownDenied), ...running.slice(shownRunning), ...other.slice(shownOther)]
  const foldedRunning = folded.filter((row) => row.now === 'runs')
  const moreRun = wouldRun - (denied.length + running.length) + foldedRunning.length
  const areAllSigned = moreRun === foldedRunning.length && foldedRunning.every(({ then }) => then.by === 'person' && then.decision === 'allowed')
  return { shown, folded, moreRun, areAllSigned, moreOther: folded.length - foldedRunning.length }
}

/** By what the narrower shapes differ from the one that is tried: "build, build:docs, lint". */
export function narrowedNames(wide: RuleShape, shapes: readonly RuleShape[]): readonly string[] {
  const names = shapes.map((shape) => {
    if (shape.kind === 'files') return shape.glob
    if (shape.kind !== 'command' || wide.kind !== 'command') return ''
    const words = shape.words.map((word) => (word.kind === 'any' ? '*' : word.text))
    const free = words.filter((_, at) => wide.words[at]?.kind !== 'exact')
    return (free.length === 0 ? words : free).join(' ')
  })
  return [...new Set(names.filter((name) => name !== ''))]
}
