import type { McpServerConfig } from '../../core/ports/mcpConfig'
import { said, type Said, type Values } from '../../../shared/domain/result'
import { fieldOf, isRecord, readEntry, timeoutNumber, urlNames, type Steps } from './mcpEntry'
import { entryFault } from './mcpText'

type Fields = Readonly<Record<string, unknown>>

/** How a tool writes what others write in another way. */
export type Dialect = 'plain' | 'gemini' | 'vscode' | 'opencode' | 'zed' | 'codex' | 'goose'

/** A list of servers inside a document, and where it stands. */
export interface Section {
  readonly steps: Steps
  readonly entries: Fields
  readonly dialect: Dialect
}

/** What a list gave. A server that needs a look before it can run is in both. */
export interface Found {
  readonly servers: readonly McpServerConfig[]
  readonly faults: readonly Said[]
}

/** How what was found is told, and what stands for the person's home on this system. */
export interface Reading {
  readonly tool: string | Said
  readonly homeVariable: 'HOME' | 'USERPROFILE'
  place(steps: Steps): Values
}

const reachNames = ['command', 'cmd', 'uri', ...urlNames]

/** Whether a value looks like one server. */
export function isServer(value: unknown): value is Fields {
  return isRecord(value) && reachNames.some((name) => ['string', 'object'].includes(typeof fieldOf(value, name)))
}

/** The list of servers of a document, whichever tool it is of; null where there is none. */
export function sectionOf(document: unknown): Section | null {
  if (!isRecord(document)) return null
  const at = (dialect: Dialect, ...steps: readonly string[]): Section | null => {
    const entries = steps.reduce<unknown>((value, step) => (isRecord(value) ? fieldOf(value, step) : undefined), document)
    return isRecord(entries) ? { steps, entries, dialect } : null
  }
  const plain = at('plain', 'mcpServers')
  // Only Gemini CLI has this name; its times are milliseconds.
  const isGemini = plain !== null && Object.values(plain.entries).some((entry) => isRecord(entry) && Object.hasOwn(entry, 'httpUrl'))
  if (isGemini) return { ...plain, dialect: 'gemini' }
  const named = plain ?? at('codex', 'mcp_servers') ?? at('zed', 'context_servers') ?? at('vscode', 'mcp', 'servers') ?? at('opencode', 'mcp') ?? at('vscode', 'servers') ?? at('goose', 'extensions')
  if (named !== null) return named
  const values = Object.values(document)
  return values.length > 0 && !isServer(document) && values.every(isServer) ? { steps: [], entries: document, dialect: 'plain' } : null
}

/** Nobody has more; each fault is looked for in the text. */
const mostEntries = 500

/** Reads a list. A bad entry falls away alone; what cannot be taken over as it is, is named. */
export function readSection({ entries, dialect, steps }: Section, reading: Reading): Found {
  const servers: McpServerConfig[] = []
  const faults: Said[] = []
  for (const [name, entry] of Object.entries(entries).slice(0, mostEntries)) {
    if (isBuiltIn(entry, dialect)) continue
    const found = readForeign(name, entry, dialect, { ...reading, place: (inner) => reading.place([...steps, name, ...inner]) })
    servers.push(...found.servers)
    faults.push(...found.faults)
  }
  return { servers, faults }
}

/** Reads one entry in whatever form. */
export function readForeign(name: string, entry: unknown, dialect: Dialect, reading: Reading): Found {
  if (dialect === 'zed' && isRecord(entry) && !isServer(entry)) return { servers: [], faults: [said('mcp.import-extension', { ...reading.place([]), name, tool: reading.tool })] }
  const read = readEntry(name, canonical(entry, dialect))
  if (!read.ok) return { servers: [], faults: [entryFault(name, read, reading.place(read.steps))] }
  const notes: Said[] = []
  const note = (code: 'mcp.import-fill' | 'mcp.import-variable', field: string, variable: string) => notes.push(said(code, { ...reading.place([]), name, field, variable, tool: reading.tool }))
  const ours = (text: string, field: string) => rewritten(text, dialect, reading.homeVariable, (code, variable) => note(code, field, variable))
  const each = (map: Readonly<Record<string, string>>, field: string) => Object.fromEntries(Object.entries(map).map(([key, value]) => [key, ours(value, `${field}.${key}`)]))
  const { server } = read
  for (const key of listed(entry, 'env_keys')) note('mcp.import-fill', `env.${key}`, key)
  if (isRecord(entry) && fieldOf(entry, 'envFile') !== undefined) note('mcp.import-variable', 'envFile', 'envFile')
  return {
    servers: [{
      ...server,
      command: ours(server.command, 'command'), args: server.args.map((arg) => ours(arg, 'args')), cwd: ours(server.cwd, 'cwd'), url: ours(server.url, 'url'),
      env: each(server.env, 'env'), headers: each(server.headers, 'headers'),
    }],
    faults: notes,
  }
}

/** goose lists what it brings itself beside what it starts. */
function isBuiltIn(entry: unknown, dialect: Dialect): boolean {
  if (dialect !== 'goose' || !isRecord(entry)) return false
  const type = fieldOf(gooseFields(entry), 'type')
  return typeof type === 'string' && !['stdio', 'sse', 'streamable_http'].includes(type)
}

/** Earlier versions of goose wrote all but the switch one level deeper. */
function gooseFields(entry: Fields): Fields {
  const inner = fieldOf(entry, 'config')
  return isRecord(inner) ? { ...inner, enabled: fieldOf(entry, 'enabled') } : entry
}

/** The entry in the form of mcp.json. What has a wrong type is passed on as it is, for the reader to name. */
function canonical(given: unknown, dialect: Dialect): unknown {
  if (!isRecord(given)) return given
  const entry = dialect === 'goose' ? gooseFields(given) : given
  const whole = first(entry, 'command', 'cmd')
  // Zed had an object here once, opencode has a list.
  const parts = isRecord(whole) ? { command: fieldOf(whole, 'path'), args: fieldOf(whole, 'args'), env: fieldOf(whole, 'env') } : { command: whole, args: first(entry, 'args'), env: undefined }
  const args: unknown = Array.isArray(parts.command) && (parts.args === undefined || Array.isArray(parts.args)) ? [...(parts.command.slice(1) as unknown[]), ...((parts.args ?? []) as unknown[])] : parts.args
  const command: unknown = Array.isArray(parts.command) ? parts.command[0] : parts.command
  return {
    command, args,
    env: merged(parts.env ?? first(entry, 'env', 'environment', 'envs'), references([...listed(entry, 'env_vars'), ...listed(entry, 'env_keys')])),
    url: first(entry, ...urlNames, 'uri'),
    headers: merged(first(entry, 'headers', 'http_headers'), codexHeaders(entry)),
    cwd: fieldOf(entry, 'cwd'), disabled: fieldOf(entry, 'disabled'), enabled: fieldOf(entry, 'enabled'), timeout: timeOf(entry, dialect),
  }
}

function first(entry: Fields, ...names: readonly string[]): unknown {
  return names.map((name) => fieldOf(entry, name)).find((value) => value !== undefined && value !== '')
}

/** Names in a list; Codex also has objects there. */
function listed(entry: unknown, name: string): readonly string[] {
  const list = isRecord(entry) ? (fieldOf(entry, name) ?? fieldOf(gooseFields(entry), name)) : undefined
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown) => {
    const text = isRecord(item) ? fieldOf(item, 'name') : item
    return typeof text === 'string' ? [text] : []
  })
}

function references(names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, `\${${name}}`]))
}

/** What is written out counts before what is only named. */
function merged(written: unknown, named: Fields): unknown {
  if (Object.keys(named).length === 0) return written
  return written === undefined ? named : isRecord(written) ? { ...named, ...written } : written
}

function codexHeaders(entry: Fields): Fields {
  const named = fieldOf(entry, 'env_http_headers')
  const [variable, token] = [fieldOf(entry, 'bearer_token_env_var'), fieldOf(entry, 'bearer_token')]
  const bearer = typeof variable === 'string' ? `\${${variable}}` : token
  return {
    ...(typeof bearer === 'string' ? { Authorization: `Bearer ${bearer}` } : {}),
    ...(isRecord(named) ? Object.fromEntries(Object.entries(named).map(([header, name]) => [header, `\${${String(name)}}`])) : {}),
  }
}

/** In the seconds of mcp.json. opencode's time is only for the listing of tools. */
function timeOf(entry: Fields, dialect: Dialect): unknown {
  if (dialect === 'opencode') return undefined
  const time = first(entry, 'timeout', 'tool_timeout_sec')
  return dialect === 'gemini' && typeof time === 'number' && time > 0 ? timeoutNumber(time) : time
}

/**
 * Other tools' ways to name a variable, in ours. A value that the tool asks for, or keeps in a keychain, becomes a variable
 * too, so that nothing starts with a placeholder for a key. No text from outside reaches into our keychain.
 */
function rewritten(text: string, dialect: Dialect, home: string, note: (code: 'mcp.import-fill' | 'mcp.import-variable', variable: string) => void): string {
  const plain = dialect === 'gemini' ? text.replace(/\$([A-Za-z_]\w*)/g, '${$1}') : text
  const braced = dialect === 'opencode' ? plain.replace(/(?<!\$)\{(env|file):([^}]{0,500})\}/g, '${$1:$2}') : plain
  return braced.replace(/\$\{([^}]{0,500})\}/g, (asWritten, inner: string) => {
    const [, kind, name = ''] = /^(env|input|secret):(.*)$/.exec(inner) ?? []
    if (kind === 'env' && /^[A-Za-z_]\w*$/.test(name)) return `\${${name}}`
    if (kind === 'input' || kind === 'secret') {
      note('mcp.import-fill', name)
      return `\${${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_').replace(/^(?=[0-9]|$)/, '_')}}`
    }
    if (inner === 'userHome') return `\${${home}}`
    if (inner === 'pathSeparator' || inner === '/') return '/'
    if (!/^[A-Za-z_]\w*(:-.*)?$/s.test(inner) || vscodeOnly.has(inner)) note('mcp.import-variable', asWritten)
    return asWritten
  })
}

/** Names that look like variables and mean something in an editor. */
const vscodeOnly: ReadonlySet<string> = new Set(['workspaceFolder', 'workspaceFolderBasename', 'workspaceRoot', 'cwd', 'file'])
