import { said, type Said } from '../../../shared/domain/result'
import type { TrustServer } from '../../../shared/domain/trust'
import type { CommandVerdict } from '../../../shared/domain/verdict'
import { referencesOf } from '../mcp/expand'
import { showHidden } from '../mcp/hiddenText'
import { refusedServers } from '../mcp/serverNames'
import { canRedirectPrograms } from '../policy/shell/environment'
import type { McpServerConfig } from '../ports/mcpConfig'
import type { TrustNotes } from './textNotes'

/** What judging a server needs to know of the app. */
export interface ServerSurroundings {
  /** Judges a command line in the folder, as those of the agent are. */
  judge(command: string): CommandVerdict
  /** Whether a variable is set, never its value. */
  isSet(variable: string): boolean
  /** Names of the app's own servers. */
  readonly appServers: readonly string[]
}

/** Variables that hold keys of the app; a folder gets none of them. */
export function isAppVariable(name: string): boolean {
  return /^COUNTERSIGN_/iu.test(name)
}

/** The server as it is shown: every word of its start, and by name what it wants. */
export function shownServer({ command, args, cwd, env, url, headers }: McpServerConfig, { isSet }: Pick<ServerSurroundings, 'isSet'>): TrustServer {
  const values = [command, ...args, cwd, url, ...Object.values(env), ...Object.values(headers)]
  const names = new Set(values.flatMap(referencesOf).flatMap((one) => (one.kind === 'variable' ? [one.name] : [])))
  return { command, args, url, variables: [...names].map((name) => ({ name, isSet: !isAppVariable(name) && isSet(name) })) }
}

/** Programs that run the text they are given. */
const shells = /^(?:(?:ba|da|z|k|fi|c|tc)?sh|cmd|powershell|pwsh|eval)(?:\.exe)?$/iu
const inlineCode = /^-(?:[a-z]*c|e|p|Command|EncodedCommand|enc)$|^--?(?:eval|print|command|encodedcommand)(?:=|$)|^\/c$/iu
const interpreters = /^(?:node|deno|bun|python[\d.]*|ruby|perl|php|lua|osascript)(?:\.exe)?$/iu
const downloaders = /^(?:npx|bunx|uvx|pipx|dlx|npm|pnpm|yarn|bun|uv|docker|podman|deno|go)(?:\.cmd|\.exe)?$/iu
const downloads = /^(?:exec|x|dlx|run|tool|install)$/iu

/**
 * What to look at before a server of the folder is trusted. The command guard judges its start as if the agent had asked for
 * it; where even a person cannot see what would run, it says so in red.
 */
export function notesOfServer(config: McpServerConfig, around: ServerSurroundings): TrustNotes {
  const notes: { readonly line: null; readonly tone: 'warn' | 'bad'; readonly say: Said }[] = []
  const bad = (say: Said): void => void notes.push({ line: null, tone: 'bad', say })
  const warn = (say: Said): void => void notes.push({ line: null, tone: 'warn', say })
  const { name, command, args, env, url } = config
  if (around.appServers.includes(name)) warn(said('trust.server-shadowed', { name }))
  else {
    const alike = refusedServers([...around.appServers, name]).get(name)
    if (alike !== undefined) bad(alike)
  }
  if (command !== '') startNotes(command, args, around).forEach(({ tone, say }) => (tone === 'bad' ? bad(say) : warn(say)))
  if (url !== '') warn(said('trust.server-address', { host: hostOf(url) }))
  for (const variable of Object.keys(env)) if (canRedirectPrograms(variable)) bad(said('trust.server-variable', { name: variable }))
  const values = [command, ...args, config.cwd, url, ...Object.values(env), ...Object.values(config.headers)]
  const references = values.flatMap(referencesOf)
  const keys = new Set(references.flatMap((one) => (one.kind === 'secret' || isAppVariable(one.name) ? [one.name] : [])))
  if (keys.size > 0) bad(said('trust.server-key', { names: [...keys] }))
  if (values.some((value) => showHidden(value) !== value)) bad(said('trust.server-hidden'))
  return notes
}

function startNotes(command: string, args: readonly string[], around: Pick<ServerSurroundings, 'judge'>): readonly { readonly tone: 'warn' | 'bad'; readonly say: Said }[] {
  const program = command.replace(/^.*[/\\]/u, '')
  const judged = around.judge([command, ...args].map(quoted).join(' '))
  if (judged.kind === 'deny') return [{ tone: 'bad', say: said('trust.server-denied', { reason: judged.reason }) }]
  const isText = (shells.test(program) || interpreters.test(program)) && args.some((arg) => inlineCode.test(arg))
  const hosts = [...new Set(judged.parts.flatMap((part) => part.hosts))]
  if (isText && hosts.length > 0) return [{ tone: 'bad', say: said('trust.server-fetches', { hosts }) }]
  if (isText || judged.parts.length === 0) return [{ tone: 'bad', say: said('trust.server-text') }]
  if (downloaders.test(program) && (/^(?:npx|bunx|uvx|pipx|dlx)/iu.test(program) || args.slice(0, 2).some((arg) => downloads.test(arg)))) {
    return [{ tone: 'warn', say: said(isPinned(args) ? 'trust.server-downloads' : 'trust.server-downloads-newest') }]
  }
  return []
}

/** Whether a word names a version that does not move: `name@1.2.3`, `name==1.2.3` or a digest. */
function isPinned(args: readonly string[]): boolean {
  return args.some((arg) => /.(?:@|==|:)v?\d+\.\d+(?:\.\d+)?[\w.+-]*$|@sha256:[0-9a-f]{64}$/u.test(arg))
}

function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/iu.exec(url)?.[1] ?? url
}

/** The word as bash reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
