import { Brain, FilePen, FileText, FolderTree, Globe, GraduationCap, ListTree, MessageCircleQuestion, MoveRight, Plug, Search, SquareTerminal, Trash2, Wrench, type LucideIcon } from 'lucide-react'
import { createElement } from 'react'
import type { CallView } from '../../../shared/domain/chatView'
import { webKind } from '../../../shared/domain/sourceName'
import type { TaintSource } from '../../../shared/domain/tool'
import { say as sayIn } from '../../../shared/words/say'
import type { Speaker } from '../../ui/words'
import type { SealKind } from '../../ui/marks'

interface ToolLook {
  readonly verb: 'read' | 'list' | 'search' | 'find' | 'write' | 'edit' | 'move' | 'delete' | 'command' | 'ask' | 'plan' | 'remember' | 'fetch' | 'search-web' | 'skill' | 'start'
  readonly icon: LucideIcon
}

const looks: Readonly<Record<string, ToolLook>> = {
  read_file: { verb: 'read', icon: FileText }, list_files: { verb: 'list', icon: FolderTree }, search_text: { verb: 'search', icon: Search }, find_files: { verb: 'find', icon: Search },
  write_file: { verb: 'write', icon: FilePen }, edit_file: { verb: 'edit', icon: FilePen }, move_path: { verb: 'move', icon: MoveRight }, delete_path: { verb: 'delete', icon: Trash2 },
  save_memory: { verb: 'remember', icon: Brain }, run_command: { verb: 'command', icon: SquareTerminal }, ask_user: { verb: 'ask', icon: MessageCircleQuestion }, update_plan: { verb: 'plan', icon: ListTree }, fetch_url: { verb: 'fetch', icon: Globe }, search_web: { verb: 'search-web', icon: Globe },
  search_code: { verb: 'search', icon: Search }, load_skill: { verb: 'skill', icon: GraduationCap }, start_server: { verb: 'start', icon: Plug },
}
const objectKeys = ['path', 'command', 'from', 'pattern', 'query', 'text', 'question', 'url', 'uri', 'name', 'server'] as const

/** What a call does, in one word; a tool this window does not know keeps its own name. */
export function verbOf(tool: string, say: Speaker): string {
  const look = looks[tool]
  return look ? say(`session.verb.${look.verb}`) : tool
}

/** The icon of what a call does; the word beside it says the same. */
export function ToolIcon({ tool }: { readonly tool: string }) {
  return createElement(looks[tool]?.icon ?? (tool.startsWith('mcp__') ? Plug : Wrench), { className: 'i', size: 14, 'aria-hidden': true })
}

/** What a call does it to: its path, command or pattern, as the model or the person wrote it. */
export function objectOf(call: Pick<CallView, 'args' | 'argumentsText' | 'mcp'>): string {
  // What a name means to a server's tool is not known: all of them are shown.
  if (call.mcp) return shortArguments(call)
  const found = objectKeys.map((key) => call.args?.[key]).find((value) => typeof value === 'string' && value !== '')
  if (typeof found !== 'string') return call.args && Object.keys(call.args).length > 0 ? JSON.stringify(call.args) : ''
  const to = call.args?.['to']
  return typeof to === 'string' ? `${found} → ${to}` : found
}

function shortArguments({ args, argumentsText }: Pick<CallView, 'args' | 'argumentsText'>): string {
  if (args === null) return argumentsText
  return Object.entries(args).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ').slice(0, shortCharacters)
}

/** Beyond this nothing is seen of a row's arguments. */
const shortCharacters = 300

/** A command that runs in a terminal here; a server's tool runs elsewhere, whatever its effect. */
export function isCommand(call: Pick<CallView, 'effect' | 'mcp'>): boolean {
  return call.effect === 'execute' && call.mcp === null
}

/** A call in few words, where its row is not: in the timeline, in a plan. */
export function labelOf(call: Pick<CallView, 'args' | 'argumentsText' | 'mcp'>): string {
  return call.mcp ? `${call.mcp.server} · ${call.mcp.tool}` : objectOf(call)
}

/** Who let a call happen. Every call has a seal; one that nobody let happen says so. */
export function sealOf(call: CallView, say: Speaker): { readonly kind: SealKind; readonly word: string } {
  if (call.progress === 'waiting') return { kind: 'waiting', word: say('session.seal.waiting') }
  switch (call.decidedBy) {
    case 'person':
      if (call.decision === 'deny') return { kind: 'refused', word: say('session.seal.denied') }
      if (call.decision === 'skip') return { kind: 'refused', word: say('session.seal.skipped') }
      return { kind: 'signed', word: call.decision === 'allow' || call.decision === 'keep' ? say('session.seal.signed') : say('session.seal.signed-edited') }
    case 'policy': return { kind: 'refused', word: say('session.seal.policy') }
    case 'rule': return { kind: 'rule', word: ruleWord(call, say) }
    case 'grant': return { kind: 'rule', word: say(call.grantedFor === undefined ? 'session.seal.grant' : `session.seal.grant.${call.grantedFor}`) }
    case 'level': return { kind: 'rule', word: say('session.seal.level') }
    case null: return call.progress === 'finished' ? { kind: 'refused', word: say('session.seal.not-run') } : { kind: 'waiting', word: say('session.seal.judged') }
  }
}

/** The number of the rule that let a call run; null where none did, or its number is not known. */
export function ruleOf(call: Pick<CallView, 'decidedBy' | 'ruleId'>): string | null {
  return call.decidedBy === 'rule' && call.ruleId !== undefined && /^\d+$/.test(call.ruleId) ? call.ruleId : null
}

function ruleWord(call: CallView, say: Speaker): string {
  const rule = ruleOf(call)
  if (rule !== null) return say('session.seal.rule-number', { rule })
  // The built-in readers answer as a rule without a number.
  return say(call.ruleId === undefined ? 'session.seal.rule' : 'session.seal.readers')
}

/** A result's text for the person: the sentence that the model read in its language is in theirs. */
export function resultText({ text, say: sentence }: Pick<CallView, 'text' | 'say'>, say: Speaker): string {
  const told = sentence === null ? '' : sayIn('en', sentence)
  return sentence !== null && say.locale !== 'en' && text.startsWith(told) ? `${say.fact(sentence)}${text.slice(told.length)}` : text
}

/** A time span as a person says it: 0.2 s, 12 s, 1 min 42 s. */
export function spanText(ms: number, say: Speaker): string {
  // A clock that is read once a second may lie behind the event it counts from.
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return say('session.seconds', { seconds: (Math.round(seconds * 10) / 10).toLocaleString(say.locale) })
  if (seconds < 60) return say('session.seconds', { seconds: Math.round(seconds) })
  return say('session.minutes', { minutes: Math.floor(seconds / 60), seconds: Math.floor(seconds % 60) })
}

const outsideWords = { 'web': 'web.outside', 'web-command': 'web.outside-command', 'web-local': 'web.outside-local' } as const

/** The mark of a result from outside: a short one for its row, and whole. */
export function outsideMark(source: TaintSource, say: Speaker): { readonly short: string; readonly whole: string } {
  switch (source.kind) {
    case 'mcp': return { short: say('session.outside'), whole: say('session.outside-title', { server: source.server }) }
    case 'web': return { short: say(outsideWords[webKind(source)], { host: source.host }), whole: say('web.outside-title', { url: source.url }) }
    case 'file': return { short: say('session.outside-file'), whole: say('session.outside-file-title', { path: source.path }) }
  }
}

/** Where a result from outside came from, in one name. */
export function outsideName(source: TaintSource | undefined): string {
  if (source === undefined) return ''
  return source.kind === 'mcp' ? source.server : source.kind === 'web' ? source.host : source.path
}
