import type { CallId, WorkspaceId } from '../../../shared/domain/ids'
import { fail, succeed, type Result, type Said } from '../../../shared/domain/result'
import type { Rule, RuleDraft, RuleEffect, RuleShape, RuleWord } from '../../../shared/domain/rule'
import type { RuleProposal, RuleRow } from '../../../shared/ipc/views'
import { parseWords, wordsText } from './wordsText'

/** One word in the editor: what it was written as stays, so that a click can come back to it. */
export interface EditWord {
  readonly kind: RuleWord['kind']
  /** Null where it never was one. */
  readonly exact: string | null
  readonly pattern: string
}

export type EndKind = 'minutes' | 'uses' | 'never' | 'custom' | 'kept'
export const timeUnits = ['minutes', 'hours', 'days'] as const
export type TimeUnit = (typeof timeUnits)[number]

/** When a rule ends, as one chooses it. A time counts from the saving on; `kept` is the end of the rule that is edited. */
export interface EditEnds {
  readonly kind: EndKind
  readonly amount: string
  readonly unit: TimeUnit
  readonly uses: string
  readonly kept: Pick<Rule, 'expiresAtMs' | 'usesLeft'> | null
}

/** A rule while one writes it. Every kind keeps its own fields, so that looking at another loses nothing. */
export interface Editing {
  /** By which the editor finds it again: one new rule, one for each rule and each call. */
  readonly key: string
  /** The rule that is edited. */
  readonly replaces: string | null
  /** The call it is made from, and what could be made of it. */
  readonly callId: CallId | null
  readonly choices: readonly RuleShape[]
  readonly effect: RuleEffect
  readonly kind: RuleShape['kind']
  readonly words: readonly EditWord[]
  readonly isOpen: boolean
  /** Where the command may run, relative to the project; null: anywhere in it. */
  readonly folder: string | null
  /** The folder that a click leads back to. */
  readonly homeFolder: string
  /** The words as text; null while they are chips. */
  readonly text: string | null
  readonly fileTool: string
  readonly glob: string
  readonly mcpTool: string
  readonly host: string
  readonly scope: 'this' | 'own' | 'all'
  /** The project of the rule that is edited, where it is another than the one that is open. */
  readonly own: { readonly id: WorkspaceId; readonly name: string | null } | null
  readonly ends: EditEnds
}

/** The tools that a rule on files can be about, those that change first. */
export const fileTools = ['write_file', 'edit_file', 'move_path', 'delete_path', 'read_file', 'list_files', 'find_files', 'search_text', 'search_code'] as const
export type FileTool = (typeof fileTools)[number]

/** A rule that says nothing yet. */
export function newEditing(hasFolder: boolean): Editing {
  return {
    key: 'new', replaces: null, callId: null, choices: [], effect: 'allow', kind: 'command', words: [], isOpen: false, folder: '', homeFolder: '', text: '', fileTool: 'edit_file', glob: '', mcpTool: '', host: '',
    scope: hasFolder ? 'this' : 'all', own: null, ends: { kind: 'never', amount: '8', unit: 'hours', uses: '', kept: null },
  }
}

/** What a call proposes, with the narrowest of its shapes to begin with. */
export function editingOfCall(callId: CallId, { drafts }: RuleProposal): Editing {
  const choices = drafts.map(({ shape }) => shape)
  const [first] = choices
  const empty: Editing = { ...newEditing(true), key: callKey(callId), callId, choices }
  return first ? withShape(empty, first) : empty
}

/** A rule that is there, to be saved in its place. */
export function editingOfRule({ rule, workspaceName }: RuleRow, openId: WorkspaceId | null): Editing {
  const { id, effect, workspaceId, expiresAtMs, usesLeft } = rule
  const isElsewhere = workspaceId !== null && workspaceId !== openId
  const ends = newEditing(true).ends
  const isEndless = expiresAtMs === null && usesLeft === null
  return withShape({
    ...newEditing(true), key: ruleKey(id), replaces: id, callId: rule.createdFromCall, effect, scope: workspaceId === null ? 'all' : isElsewhere ? 'own' : 'this', own: isElsewhere ? { id: workspaceId, name: workspaceName } : null,
    ends: isEndless ? ends : { ...ends, kind: 'kept', kept: { expiresAtMs, usesLeft } },
  }, rule.shape)
}

export const callKey = (callId: CallId): string => `call ${callId}`
export const ruleKey = (id: string): string => `rule ${id}`

/** The editor with another shape in it; the fields of other kinds stay. */
export function withShape(editing: Editing, shape: RuleShape): Editing {
  switch (shape.kind) {
    case 'command': return { ...editing, kind: 'command', words: shape.words.map(editWord), isOpen: shape.isOpen, folder: shape.folder ?? null, homeFolder: shape.folder ?? '', text: null }
    case 'files': return { ...editing, kind: 'files', fileTool: shape.tool, glob: shape.glob }
    case 'tool': return { ...editing, kind: 'tool', mcpTool: shape.tool, scope: editing.scope === 'all' ? 'this' : editing.scope }
    case 'host': return { ...editing, kind: 'host', host: shape.host }
  }
}

function editWord(word: RuleWord): EditWord {
  if (word.kind === 'any') return { kind: 'any', exact: null, pattern: '' }
  return word.kind === 'exact' ? { kind: 'exact', exact: word.text, pattern: patternOf(word.text) } : { kind: 'pattern', exact: null, pattern: word.text }
}

/** The pattern that people mean by a word: what stands before its last divider, then anything. `src/a.ts` → `src/*`. */
export function patternOf(word: string): string {
  const end = Math.max(...[...':/='].map((sign) => word.lastIndexOf(sign, word.length - 2)))
  return `${end > 0 ? word.slice(0, end + 1) : word}*`
}

/** A click on a word: exact, then a pattern, then any, then exact again. The program stays as it is; an any that never was a word asks for text. */
export function turnWord(editing: Editing, at: number): Editing {
  const word = editing.words[at]
  if (at === 0 || !word) return editing
  const next: EditWord['kind'] | null = word.kind === 'exact' ? 'pattern' : word.kind === 'pattern' ? 'any' : word.exact !== null ? 'exact' : word.pattern !== '' ? 'pattern' : null
  if (next === null) return asText(editing)
  return { ...editing, words: editing.words.map((each, index) => (index === at ? { ...each, kind: next } : each)) }
}

export function asText(editing: Editing): Editing {
  return { ...editing, text: editing.words.length === 0 ? '' : wordsText({ words: editing.words.map(ruleWord), isOpen: editing.isOpen }) }
}

/** Back to chips; only where the text can be read. */
export function asWords(editing: Editing): Editing {
  const parsed = parseWords(editing.text ?? '')
  if (editing.text === null || !parsed.ok) return editing
  // A word that is still where it was keeps what it was before.
  const words = parsed.value.words.map((word, at) => {
    const before = editing.words[at]
    return before && same(ruleWord(before), word) ? before : editWord(word)
  })
  return { ...editing, words, isOpen: parsed.value.isOpen, text: null }
}

function same(first: RuleWord, second: RuleWord): boolean {
  return JSON.stringify(first) === JSON.stringify(second)
}

function ruleWord({ kind, exact, pattern }: EditWord): RuleWord {
  return kind === 'any' ? { kind } : { kind, text: kind === 'exact' ? (exact ?? '') : pattern }
}

/** What of an editor cannot be a rule yet, by the field it belongs to. */
export interface EditFaults {
  readonly shape: Said | null
  readonly scope: Said | null
  readonly ends: Said | null
}

type Drafted = { readonly ok: true; readonly draft: RuleDraft } | { readonly ok: false; readonly faults: EditFaults }

/** What the editor says, as a rule from now on; or what is missing. Main has the last word on what can be one. */
export function draftOf(editing: Editing, openId: WorkspaceId | null, nowMs: number): Drafted {
  const shape = shapeOf(editing)
  const ends = endsIn(editing.ends, nowMs)
  const scope = scopeIn(editing, openId)
  if (!shape.ok || !ends.ok || !scope.ok) return { ok: false, faults: { shape: shape.ok ? null : shape.fault, ends: ends.ok ? null : ends.fault, scope: scope.ok ? null : scope.fault } }
  return { ok: true, draft: { effect: editing.effect, shape: shape.value, workspaceId: scope.value, ...ends.value, createdFromCall: editing.callId } }
}

/** What asks or forbids does so in every folder. */
function inFolder({ folder, effect }: Editing): { readonly folder?: string } {
  return folder === null || effect !== 'allow' ? {} : { folder }
}

/** What the editor says the rule is about. */
export function shapeOf(editing: Editing): Result<RuleShape> {
  const { kind, text, words, isOpen, fileTool, glob, mcpTool, host } = editing
  switch (kind) {
    case 'command': {
      if (text === null) return words.length === 0 ? fail('permission.text.empty') : succeed({ kind, words: words.map(ruleWord), isOpen, ...inFolder(editing) })
      const parsed = parseWords(text)
      return parsed.ok ? succeed({ ...parsed.value, ...inFolder(editing) }) : parsed
    }
    case 'files': {
      const path = glob.trim()
      if (path === '') return fail('permission.files.empty')
      if (/^(?:\/|~|[a-z]:)/iu.test(path) || path.split('/').includes('..')) return fail('permission.files.outside')
      if (path.split('/').some((name) => name === '' || name === '.')) return fail('permission.files.names')
      return succeed({ kind, tool: fileTool, glob: path })
    }
    case 'tool': return /^mcp__[\w.-]+$/u.test(mcpTool.trim()) ? succeed({ kind, tool: mcpTool.trim() }) : fail('permission.tool.name')
    case 'host': {
      const name = hostIn(host)
      return name === null ? fail('permission.host.name') : succeed({ kind, host: name })
    }
  }
}

/** The host of what was typed, which may be a whole address; the port only where it is not the scheme's own. */
export function hostIn(text: string): string | null {
  const [, scheme = 'https', host, port] = /^(?:(https?):\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(?:[/?#].*)?$/iu.exec(text.trim()) ?? []
  if (host === undefined) return null
  const own = scheme.toLowerCase() === 'https' ? 443 : 80
  return port === undefined || Number(port) === own ? host.toLowerCase() : `${host.toLowerCase()}:${Number(port)}`
}

function scopeIn({ scope, own, kind }: Editing, openId: WorkspaceId | null): Result<WorkspaceId | null> {
  if (scope === 'all') return kind === 'tool' ? fail('permission.scope.tool') : succeed(null)
  const value = scope === 'own' ? (own?.id ?? null) : openId
  return value === null ? fail('permission.scope.no-folder') : succeed(value)
}

const unitMs: Readonly<Record<TimeUnit, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }
const endless = { expiresAtMs: null, usesLeft: null }

function endsIn({ kind, amount, unit, uses, kept }: EditEnds, nowMs: number): Result<Pick<RuleDraft, 'expiresAtMs' | 'usesLeft'>> {
  switch (kind) {
    case 'never': return succeed(endless)
    case 'minutes': return succeed({ ...endless, expiresAtMs: nowMs + 10 * unitMs.minutes })
    case 'uses': return succeed({ ...endless, usesLeft: 5 })
    case 'kept': return kept?.expiresAtMs != null && kept.expiresAtMs <= nowMs ? fail('permission.ends.over') : succeed(kept ?? endless)
    case 'custom': {
      const [time, count] = [amount.trim(), uses.trim()]
      if (time === '' && count === '') return fail('permission.ends.none')
      if ((time !== '' && !isCount(time, 10_000)) || (count !== '' && !isCount(count, 1_000_000))) return fail('permission.ends.number')
      return succeed({ expiresAtMs: time === '' ? null : nowMs + Number(time) * unitMs[unit], usesLeft: count === '' ? null : Number(count) })
    }
  }
}

function isCount(text: string, most: number): boolean {
  return /^\d+$/u.test(text) && Number(text) >= 1 && Number(text) <= most
}
