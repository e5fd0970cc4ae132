import { said, type Said } from '../../../shared/domain/result'
import type { RuleDraft, RuleShape, RuleWord } from '../../../shared/domain/rule'
import type { BackTest, BackTestRow } from '../../../shared/ipc/views'
import type { SealKind } from '../../ui/marks'
import type { Speaker } from '../../ui/words'
import type { LiveFacts, LiveRow } from './live'
import { fileTools, type Editing } from './editing'
import { wordsText } from './wordsText'

/** A shape in one line, as it is named to people who hear the page. */
export function shapeText(shape: RuleShape, say: Speaker): string {
  switch (shape.kind) {
    case 'command': return wordsText(shape)
    case 'files': return `${toolText(shape.tool, say)} ${shape.glob}`
    case 'tool': return shape.tool
    case 'host': return shape.host
  }
}

/** What a file tool does; the name of one that is not known here stays itself. */
export function toolText(tool: string, say: Speaker): string {
  const known = fileTools.find((name) => name === tool)
  return known === undefined ? tool : say(`permission.tool.${known}`)
}

const steps = [
  { code: 'permission.in.seconds', unitMs: 1000, belowMs: 60_000 },
  { code: 'permission.in.minutes', unitMs: 60_000, belowMs: 90 * 60_000 },
  { code: 'permission.in.hours', unitMs: 3_600_000, belowMs: 48 * 3_600_000 },
  { code: 'permission.in.days', unitMs: 86_400_000, belowMs: Infinity },
] as const

/** How long it still lasts, never less than it does: "In 8 min". */
export function leftText(expiresAtMs: number, nowMs: number): Said {
  const leftMs = Math.max(0, expiresAtMs - nowMs)
  const { code, unitMs } = steps.find(({ belowMs }) => leftMs < belowMs) ?? steps[3]
  return said(code, { count: Math.max(1, Math.ceil(leftMs / unitMs)) })
}

/** When it ends, in words: by time, by count, with its turn or session, or never. */
export function endsText({ expiresAtMs, usesLeft, lifetime }: Pick<LiveFacts, 'expiresAtMs' | 'usesLeft' | 'lifetime'>, nowMs: number): Said {
  const time = expiresAtMs === null ? null : leftText(expiresAtMs, nowMs)
  const uses = usesLeft === null ? null : said('permission.left', { count: usesLeft })
  if (time !== null && uses !== null) return said('permission.ends.both', { time, uses })
  return time ?? uses ?? said(lifetime === null ? 'permission.ends.never' : `approval.wider.ends.${lifetime}`)
}

/** Where it holds. */
export function scopeText(live: LiveRow, isOpenHere: (id: string) => boolean): Said {
  if (live.kind === 'grant') return live.row.grant.turnId === null ? said('permission.scope.session', { title: live.row.sessionTitle }) : said('permission.scope.turn', { title: live.row.sessionTitle })
  const { rule, workspaceName } = live.row
  if (rule.workspaceId === null) return said('permission.scope.all')
  return isOpenHere(rule.workspaceId) ? said('permission.scope.this') : workspaceName === null ? said('permission.scope.gone') : said('permission.scope.named', { name: workspaceName })
}

/** Who answered a past call then, as the seal that stands for it everywhere. */
export function sealThen({ then: { by, decision } }: BackTestRow, say: Speaker): { readonly kind: SealKind; readonly word: string } {
  if (decision === 'skipped') return { kind: 'refused', word: say('session.seal.skipped') }
  if (decision === 'denied') return { kind: 'refused', word: say(by === 'policy' ? 'session.seal.policy' : by === 'rule' ? 'permission.rule-denied' : 'session.seal.denied') }
  if (by === 'person') return { kind: 'signed', word: say('session.seal.signed') }
  return { kind: 'rule', word: say(by === 'grant' ? 'session.seal.grant' : by === 'level' ? 'session.seal.level' : 'session.seal.rule') }
}

/** Which part keeps a call asking; null when it is something else. */
export function askingPart({ why }: BackTestRow): number | null {
  const number = why?.code === 'guard.part-asks' ? why.values['number'] : null
  return typeof number === 'number' ? number : null
}

/** 30 Nov 14:07; with its year when that is another. */
export function momentText(atMs: number, say: Speaker, nowMs: number): string {
  const at = new Date(atMs)
  const isThisYear = at.getFullYear() === new Date(nowMs).getFullYear()
  const day = new Intl.DateTimeFormat(say.locale === 'en' ? 'en-GB' : say.locale, say.locale === 'en' ? { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) } : { month: '2-digit', day: '2-digit', ...(isThisYear ? {} : { year: 'numeric' }) }).format(at)
  return `${day.replaceAll('/', '-')} ${say.time(atMs)}`
}

/** 14:05 today, else with its day. */
export function sinceText(atMs: number, say: Speaker, nowMs: number): string {
  return new Date(atMs).toDateString() === new Date(nowMs).toDateString() ? say.time(atMs) : momentText(atMs, say, nowMs)
}

const scriptRunners: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])

/** What a free word stands for, where that is known. */
export function anyText(words: readonly { readonly kind: string; readonly exact: string | null }[], at: number, say: Speaker): string {
  const [program, command] = words
  if (at === 2 && command?.kind === 'exact' && command.exact === 'run' && scriptRunners.has(program?.exact ?? '')) return say('permission.any-script')
  return say(words[at]?.exact?.startsWith('-') === true ? 'permission.any-option' : 'approval.wider.any-word')
}

/** Main tells of so many past calls at most. */
const maxRows = 200

/** What the past says of a draft, in one sentence. */
export function testText({ effect }: RuleDraft, { total, wouldRun, deniedThen, rows }: BackTest): Said {
  if (total === 0) return said('permission.tried.none')
  if (effect === 'allow') {
    if (wouldRun === 0) return said('permission.tried.allow-none', { total })
    return deniedThen > 0 ? said('permission.tried.denied', { count: wouldRun, total, denied: deniedThen }) : said('permission.tried.allow', { count: wouldRun, total })
  }
  const count = rows.filter(({ now }) => now === (effect === 'deny' ? 'denied' : 'asks')).length
  if (rows.length < maxRows) return said(`permission.tried.${effect}`, { count, total })
  return said(`permission.tried.${effect}-many`, { count, total })
}

/** What names a rule that is not saved. */
export function draftName({ kind, text, words, isOpen, fileTool, glob, mcpTool, host }: Editing, say: Speaker): string {
  const name = { command: text ?? wordsText({ words: words.map((word): RuleWord => (word.kind === 'any' ? { kind: 'any' } : { kind: word.kind, text: word.exact ?? word.pattern })), isOpen }), files: `${toolText(fileTool, say)} ${glob}`, tool: mcpTool, host }[kind].trim()
  return name === '' ? say('permission.new') : name
}
