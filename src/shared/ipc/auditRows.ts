import type { AuditEntry, AuditFact } from '../domain/audit'
import { asId, type CallId, type SessionId, type TurnId } from '../domain/ids'
import { said, type Said } from '../domain/result'
import type { AuditAsk, AuditRecord, AuditRow } from './views'

const callFacts: ReadonlySet<AuditFact> = new Set(['asked', 'decided', 'started', 'trial-begun', 'tried', 'trial-kept', 'trial-discarded', 'finished'])

/** Whether entries of this fact with one call id are one row. */
export function isOfCall({ fact, callId }: Pick<AuditEntry, 'fact' | 'callId'>): boolean {
  return callId !== undefined && callFacts.has(fact)
}

type Args = Readonly<Record<string, unknown>>

function argsOf({ args }: AuditEntry): Args {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Args) : {}
}

/** What an entry is about, for the filter. Lines of before `effect` was recorded are told by their arguments. */
export function whatOf(entry: AuditEntry): AuditRow['what'] {
  if (entry.fact === 'rolled-back') return 'rollback'
  if (!isOfCall(entry)) return entry.fact === 'server-pinned' || entry.fact === 'server-changed' ? 'mcp' : 'other'
  if (entry.tool?.startsWith('mcp__')) return 'mcp'
  const args = argsOf(entry)
  switch (entry.effect) {
    case 'execute': return 'command'
    case 'write': return 'edit'
    case 'network': return 'web'
    case 'read': return 'read'
    default: return 'command' in args ? 'command' : 'url' in args ? 'web' : 'content' in args || 'edits' in args || 'to' in args ? 'edit' : 'path' in args ? 'read' : 'other'
  }
}

const objectKeys = ['command', 'path', 'from', 'url', 'pattern', 'query', 'question', 'text', 'name', 'server', 'to', 'folder'] as const
const onCharacters = 300

/** Command, path, address or name, in one line. */
function onOf(entries: readonly AuditEntry[]): string {
  const entry = entries.find((one) => one.args !== undefined) ?? entries[0]
  if (entry === undefined) return ''
  const args = argsOf(entry)
  const found = entry.fact === 'rolled-back' ? undefined : objectKeys.map((key) => args[key]).find((value) => typeof value === 'string' && value !== '')
  const to = typeof args['from'] === 'string' && typeof args['to'] === 'string' ? ` → ${args['to']}` : ''
  const isServer = entry.fact.startsWith('server-') || entry.tool?.startsWith('mcp__') === true
  const text = isServer ? (entry.tool ?? '') : typeof found === 'string' ? found + to : isOfCall(entry) ? (entry.tool ?? '') : (entry.changed?.map(({ path }) => path).join(', ') ?? '')
  return text.slice(0, onCharacters).replace(/\s+/gu, ' ').trim()
}

function lastOf(entries: readonly AuditEntry[], fact: AuditFact): AuditEntry | undefined {
  return entries.filter((one) => one.fact === fact).at(-1)
}

const decisions: Readonly<Record<string, AuditRow['by']['decision']>> = { deny: 'denied', skip: 'skipped' }

/** The last word on a call, or who did a thing that is none. */
function byOf(entries: readonly AuditEntry[]): AuditRow['by'] {
  const last = entries.at(-1)
  if (last === undefined || !isOfCall(last)) return { actor: last?.actor ?? 'app', ruleId: last?.ruleId ?? null, decision: last?.actor === 'person' ? 'allowed' : 'none' }
  const decided = lastOf(entries, 'decided')
  if (decided) return { actor: decided.actor, ruleId: decided.ruleId ?? null, decision: decisions[decided.outcome ?? ''] ?? 'allowed' }
  const isWaiting = entries.some(({ fact }) => fact === 'asked') && last.fact !== 'finished'
  return { actor: last.actor, ruleId: null, decision: isWaiting ? 'waiting' : 'none' }
}

const outcomeWords = [
  'all', 'writes', 'commands', 'read-only', 'applied', 'partly', 'undone', 'applying', 'added', 'renamed', 'changed', 'removed', 'switched-off', 'switched-on', 'tool-on', 'tool-off', 'effect', 'start-accepted', 'tool-accepted',
] as const
const wordFacts: ReadonlySet<AuditFact> = new Set(['level-changed', 'rolled-back', 'server-changed'])

/** The sentence of an entry; a state that has a word is said in the reader's language. */
function factOf({ fact, outcome = '' }: AuditEntry): Said {
  const word = wordFacts.has(fact) ? outcomeWords.find((one) => one === outcome) : undefined
  return said(`audit.fact.${fact}`, { outcome: word ? said(`audit.word.${word}`) : outcome })
}

type Outcome = Pick<AuditRow, 'outcome' | 'tone'>

function outcomeOf(entries: readonly AuditEntry[], by: AuditRow['by']): Outcome {
  const last = entries.at(-1)
  if (last === undefined) return { outcome: said('audit.unreadable'), tone: 'bad' }
  if (!isOfCall(last)) return { outcome: factOf(last), tone: last.fact === 'torn-line-dropped' ? 'warn' : 'plain' }
  if (last.fact !== 'finished') return openOutcome(last, by)
  const files = last.changed?.length ?? 0
  switch (last.outcome) {
    case 'ok': return { outcome: doneWith(last.exitCode ?? null, files), tone: last.exitCode ? 'bad' : 'ok' }
    case 'failed': return { outcome: last.exitCode == null ? said('audit.failed') : doneWith(last.exitCode, files), tone: 'bad' }
    case 'denied': return by.actor === 'policy' ? { outcome: said('audit.denied-policy'), tone: 'bad' } : { outcome: said('audit.not-run'), tone: 'plain' }
    case 'skipped': return { outcome: said('audit.skipped'), tone: 'plain' }
    case 'cancelled': return { outcome: said('audit.cancelled'), tone: 'warn' }
    default: return { outcome: said('audit.unknown'), tone: 'warn' }
  }
}

function doneWith(exitCode: number | null, files: number): Said {
  const parts = [...(exitCode === null ? [] : [said('audit.exit', { code: exitCode })]), ...(files === 0 ? [] : [said('audit.files', { count: files })])]
  const [first = said('audit.done'), second] = parts
  return second ? said('audit.both', { first, second }) : first
}

function openOutcome(last: AuditEntry, by: AuditRow['by']): Outcome {
  if (by.decision === 'denied') return by.actor === 'policy' ? { outcome: said('audit.denied-policy'), tone: 'bad' } : { outcome: said('audit.not-run'), tone: 'plain' }
  if (by.decision === 'skipped') return { outcome: said('audit.skipped'), tone: 'plain' }
  if (by.decision === 'waiting') return { outcome: said('audit.waiting'), tone: 'warn' }
  return { outcome: said(last.fact === 'decided' ? 'audit.not-started' : 'audit.no-end'), tone: 'warn' }
}

/**
 * One row: the entries of a call, or one of another fact, oldest first.
 *
 * @param entry the number the row is known by, that of its last entry.
 */
export function auditRowOf(entries: readonly AuditEntry[], entry: number): AuditRow {
  const first = entries[0]
  const last = entries.at(-1)
  const by = byOf(entries)
  return {
    entry,
    atMs: last?.atMs ?? 0,
    what: first ? whatOf(entries.find((one) => one.effect !== undefined) ?? first) : 'other',
    tool: last?.tool ?? null,
    callId: last?.callId === undefined ? null : asId<CallId>(last.callId),
    sessionId: last?.sessionId === undefined ? null : asId<SessionId>(last.sessionId),
    on: onOf(entries),
    by,
    ...outcomeOf(entries, by),
  }
}

/** Whether a row answers the filters that need no text. */
export function fitsFilters(row: Pick<AuditRow, 'what' | 'atMs'> & { readonly actor: AuditRow['by']['actor'] }, ask: Pick<AuditAsk, 'what' | 'by' | 'sinceMs'>): boolean {
  return (ask.what === 'all' || ask.what === row.what) && (ask.by === 'all' || ask.by === row.actor) && (ask.sinceMs === null || row.atMs >= ask.sinceMs)
}

/** Everything of a row that a search looks in, in lower case. */
export function searchTextOf(entries: readonly AuditEntry[]): string {
  return entries.flatMap((entry) => [entry.fact, entry.tool, entry.outcome, entry.say, entry.ruleId, entry.callId, ...textsIn(entry.args), ...(entry.changed ?? []).map(({ path }) => path), ...(entry.taint ?? [])]).join('\n').toLowerCase()
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** What the journal and the conversation know of a call besides the log, redacted already. */
export interface AuditBeside {
  readonly proposed: unknown
  readonly effective: unknown
  readonly confined: AuditEntry['confined'] | null
  readonly sources: readonly string[]
  readonly output: string | null
}

const marker = /\[redacted:[^\]\s]{0,80}\]/gu
const outputLines = 20
const outputCharacters = 4_000

/** The whole record of a row. */
export function auditRecordOf(entries: readonly AuditEntry[], entry: number, beside: AuditBeside): AuditRecord {
  const row = auditRowOf(entries, entry)
  const last = entries.at(-1)
  const of = (fact: AuditFact): AuditEntry | undefined => lastOf(entries, fact)
  const [asked, decided, started, finished] = [entries.find((one) => one.fact === 'asked'), of('decided'), of('started'), of('finished')]
  const isCall = last !== undefined && isOfCall(last)
  const isAllowed = row.by.decision === 'allowed'
  const proposed = textOf(isCall ? (asked?.args ?? beside.proposed ?? decided?.args) : last?.args)
  const approved = isCall && isAllowed ? textOf(decided?.args) : null
  const effective = isCall && isAllowed ? textOf(started?.args ?? beside.effective) : null
  const output = beside.output === null ? null : tailOf(beside.output)
  return {
    row,
    turnId: last?.turnId === undefined ? null : asId<TurnId>(last.turnId),
    sentence: isCall ? said('audit.sentence', { decided: decidedWords(row, decided), ran: ranWords(entries, effective !== null, finished?.confined ?? beside.confined ?? null) }) : row.outcome,
    proposed, approved, effective,
    steps: entries.map((one) => ({ entry: one.entry, atMs: one.atMs, say: stepOf(one, entries) })),
    changed: finished?.changed ?? last?.changed ?? [],
    beforeSnapshot: started?.commit ?? started?.snapshotId ?? null,
    afterSnapshot: finished?.commit ?? finished?.snapshotId ?? (isCall ? null : (last?.commit ?? last?.snapshotId ?? null)),
    sources: [...new Set([...entries.flatMap((one) => one.taint ?? []), ...beside.sources])],
    masked: Math.max(0, ...[proposed, approved, effective].map(countMarkers)) + countMarkers(output),
    chain: last?.chain ?? '',
    prev: last?.prev ?? '',
    isSigned: entries.length > 0 && entries.every((one) => one.mac !== undefined),
    output,
  }
}

function countMarkers(text: string | null): number {
  return text?.match(marker)?.length ?? 0
}

/** A command as its text, with what else it was given below; anything else as JSON. */
function textOf(args: unknown): string | null {
  if (args === undefined || args === null) return null
  if (typeof args === 'string') return args
  const { command, ...rest } = args as Args
  if (typeof command !== 'string') return JSON.stringify(args, null, 2)
  return Object.keys(rest).length === 0 ? command : `${command}\n${JSON.stringify(rest)}`
}

function tailOf(text: string): string {
  return text.trimEnd().split('\n').slice(-outputLines).join('\n').slice(-outputCharacters)
}

function isEdited(decided: AuditEntry | undefined): boolean {
  return decided?.outcome === 'edited' || decided?.outcome === 'edited-text'
}

function whoOf({ actor, ruleId }: AuditRow['by']): Said {
  if (actor === 'rule') return ruleId === null || !/^\d+$/.test(ruleId) ? said('audit.who.readers') : said('audit.who.rule', { rule: ruleId })
  return said(`audit.who.${actor}`)
}

function decidedWords({ by, what }: AuditRow, decided: AuditEntry | undefined): Said {
  switch (by.decision) {
    case 'allowed': return said(isEdited(decided) ? 'audit.allowed-edited' : 'audit.allowed', { who: whoOf(by) })
    case 'denied': return said('audit.denied', { who: whoOf(by) })
    case 'skipped': return said('audit.skipped-by', { who: whoOf(by) })
    case 'waiting': return said('audit.waits')
    case 'none': return said(what === 'read' ? 'audit.nobody-asked' : 'audit.nobody-decided')
  }
}

function ranWords(entries: readonly AuditEntry[], hasRun: boolean, confined: AuditEntry['confined'] | null): Said {
  if (!hasRun && !entries.some(({ fact, outcome }) => fact === 'started' || (fact === 'finished' && outcome === 'ok'))) return said('audit.ran.not')
  return confined == null ? said('audit.ran.plain') : said(`audit.ran.${confined}`)
}

function stepOf(entry: AuditEntry, entries: readonly AuditEntry[]): Said {
  const by = { actor: entry.actor, ruleId: entry.ruleId ?? null, decision: 'none' } as const
  if (entry.fact === 'decided') {
    const decision = decisions[entry.outcome ?? '']
    const what = said(decision === 'denied' ? 'audit.step.denied' : decision === 'skipped' ? 'audit.step.skipped' : isEdited(entry) ? 'audit.step.edited' : 'audit.step.allowed', { who: whoOf(by) })
    const asked = entries.find((one) => one.fact === 'asked' && one.entry < entry.entry)
    return asked ? said('audit.after', { what, seconds: secondsOf(entry.atMs - asked.atMs) }) : what
  }
  if (entry.fact === 'finished') {
    const started = entries.find((one) => one.fact === 'started')
    const what = said('audit.step.ended', { outcome: outcomeOf([...entries.filter((one) => one.fact === 'decided'), entry], byOf(entries)).outcome })
    return started ? said('audit.after', { what, seconds: secondsOf(entry.atMs - started.atMs) }) : what
  }
  return factOf(entry)
}

function secondsOf(ms: number): number {
  return Math.max(0, Math.round(ms / 100) / 10)
}
