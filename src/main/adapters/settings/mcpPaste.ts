import type { McpImportable, McpServerConfig } from '../../core/ports/mcpConfig'
import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import { wordsOf } from './commandLine'
import { parseJson, placeOf, valueOf } from './jsonText'
import { fieldOf } from './mcpEntry'
import { homeVariable, readDocument } from './mcpImport'
import { nameOfCommand, nameOfUrl } from './mcpNames'
import { isServer, readForeign, readSection, sectionOf, type Dialect, type Found, type Reading } from './mcpShapes'
import { jsonProblem, placed } from './mcpText'

const limitCharacters = 1024 * 1024

const tools: Readonly<Record<Dialect, string>> = { plain: '', gemini: 'Gemini CLI', vscode: 'VS Code', opencode: 'opencode', zed: 'Zed', codex: 'Codex', goose: 'goose' }

/** Reads what people copy from a page about a server: JSON or TOML of any known tool, a part of it, a command line, an address. */
export async function readPasted(given: string, platform: NodeJS.Platform): Promise<Result<McpImportable>> {
  if (given.length > limitCharacters) return fail('mcp.paste-too-large', { bytes: given.length })
  const text = unfenced(given.replace(/^\ufeff/, ''))
  if (text === '') return fail('mcp.paste-empty')
  if (/^[[{"“'‘]/.test(text) && !/^["“'‘][^"”'’]*["”'’]\s*([^:\s]|$)/.test(text)) return readTree(text, platform, /^\[+\s*"?mcp_servers\b/.test(text) ? 'TOML' : 'JSON')
  if (/^[ \t]*\[+[ \t]*"?mcp_servers\b|^[ \t]*mcp_servers\./m.test(text)) return readTree(text, platform, 'TOML')
  if (/^extensions:[ \t]*\r?$/m.test(text)) return readTree(text, platform, 'YAML')
  if (/^https?:\/\/\S+$/i.test(text)) return importable(oneServer(nameOfUrl(text), { url: text }, 'plain', platform), '')
  return readLine(text, platform)
}

/** Without the fences of Markdown and the sign of a prompt. */
function unfenced(given: string): string {
  const text = given.trim()
  const firstLine = text.indexOf('\n')
  const inside = text.startsWith('```') && text.endsWith('```') && firstLine > 0 ? text.slice(firstLine, -3).trim() : text
  return inside.replace(/^[$>]\s+(?=\S)/, '')
}

function importable({ servers, faults }: Found, tool: string): Result<McpImportable> {
  const [fault] = faults
  if (servers.length === 0 && fault !== undefined) return { ok: false, fault }
  return servers.length === 0 ? fail('mcp.paste-unknown') : succeed({ source: '', tool, servers, faults })
}

function reading(dialect: Dialect, platform: NodeJS.Platform): Reading {
  const tool = tools[dialect]
  return { tool: tool === '' ? said('mcp.paste-tool') : tool, homeVariable: homeVariable(platform), place: () => placed({ file: '' }) }
}

function oneServer(name: string, entry: unknown, dialect: Dialect, platform: NodeJS.Platform): Found {
  return readForeign(name, entry, dialect, reading(dialect, platform))
}

async function readTree(text: string, platform: NodeJS.Platform, form: 'JSON' | 'TOML' | 'YAML'): Promise<Result<McpImportable>> {
  if (form === 'JSON') return readJsonTree(text, platform)
  const document = await readDocument(text, form, '')
  return document.ok ? readValue(document.value, platform) : document
}

function readJsonTree(text: string, platform: NodeJS.Platform): Result<McpImportable> {
  const document = readLooseJson(text)
  return document.ok ? readValue(document.value, platform) : document
}

function readValue(value: unknown, platform: NodeJS.Platform): Result<McpImportable> {
  if (Array.isArray(value)) return importable(joined(value.map((entry: unknown) => named(entry, platform))), '')
  const section = sectionOf(value)
  if (section !== null) return importable(readSection(section, reading(section.dialect, platform)), tools[section.dialect])
  return isServer(value) ? importable(named(value, platform), '') : fail('mcp.paste-unknown')
}

function joined(all: readonly Found[]): Found {
  return { servers: all.flatMap((one) => one.servers), faults: all.flatMap((one) => one.faults) }
}

/** One server without its list: its own `name`, or one made of what it starts. */
function named(entry: unknown, platform: NodeJS.Platform): Found {
  if (!isServer(entry)) return { servers: [], faults: [said('mcp.paste-unknown')] }
  const own = fieldOf(entry, 'name')
  if (typeof own === 'string' && own.trim() !== '') return oneServer(own.trim(), entry, 'plain', platform)
  const found = oneServer('server', entry, 'plain', platform)
  const [server] = found.servers
  return server === undefined ? found : oneServer(nameOf(server), entry, 'plain', platform)
}

function nameOf({ command, args, url }: McpServerConfig): string {
  return command === '' ? nameOfUrl(url) : nameOfCommand(command, args)
}

/** Tries the text as it is, as the inside of an object, and with the quotes of word processors made straight. */
function readLooseJson(text: string): Result<unknown> {
  const paths = withWholePaths(text)
  const straight = withWholePaths(text.replace(/[“”„‟]/g, '"').replace(/[\u00a0\u202f]/g, ' '))
  let fault: Said | null = null
  for (const one of new Set([paths, straight])) {
    for (const whole of one.startsWith('{') || one.startsWith('[') ? [one] : [`{${one}}`, `{${one.replace(/\}$/, '')}}`]) {
      const parsed = parseJson(whole)
      if (parsed.ok) return succeed(valueOf(parsed.root))
      const place = placeOf(whole, parsed.offset)
      const column = place.line === 1 && whole !== one ? place.column - 1 : place.column
      fault ??= said('mcp.paste-broken', { line: place.line, column, problem: jsonProblem(parsed.code) })
    }
  }
  return { ok: false, fault: fault ?? said('mcp.paste-unknown') }
}

/** A text that begins with a drive and a single \ is a Windows path that nobody wrote for JSON. */
function withWholePaths(text: string): string {
  return text.replace(/"(?:[A-Za-z]:|[^"\\\n]*=[A-Za-z]:)\\(?!\\)[^"\n]*"/g, (path) => path.replace(/\\+/g, '\\\\'))
}

function readLine(text: string, platform: NodeJS.Platform): Result<McpImportable> {
  const read = wordsOf(text)
  if (!read.ok) return fail(read.fault === 'quote' ? 'mcp.paste-quote' : 'mcp.paste-several')
  const { env, rest } = withoutAssignments(read.words)
  const [command = ''] = rest
  // A sentence, a piece of code or of markup is no command.
  if (command === '' || /[{}<>[\]"=]|[:,?!]$/.test(command) || isSentence(rest)) return fail('mcp.paste-unknown')
  const added = readAdding(rest, platform)
  if (added !== null) return added
  const args = rest.slice(1)
  return importable(oneServer(nameOfCommand(command, args), { command, args, env: { ...dockerNames(command, args), ...env } }, 'plain', platform), '')
}

/** Words with the marks of prose, or a first one that no program on a search path has. */
function isSentence(words: readonly string[]): boolean {
  return words.some((word) => /^\p{L}+[,;!?，。；！？]$/u.test(word)) || /^[^\u0021-\u007e]/.test(words[0] ?? '')
}

/** `FOO=bar BAZ=1 program`, and the same behind `env`. */
function withoutAssignments(words: readonly string[]): { readonly env: Readonly<Record<string, string>>; readonly rest: readonly string[] } {
  const start = words[0] === 'env' ? 1 : 0
  const isAssignment = (word: string) => /^[A-Za-z_]\w*=/.test(word)
  const end = words.findIndex((word, index) => index >= start && !isAssignment(word))
  const given = words.slice(start, end < 0 ? words.length : end)
  if (given.length === 0) return { env: {}, rest: words }
  return { env: pairs(given), rest: end < 0 ? [] : words.slice(end) }
}

function pairs(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]))
}

/** `docker run -e NAME` hands on what the environment has, so it must be in there. */
function dockerNames(command: string, args: readonly string[]): Readonly<Record<string, string>> {
  if (!/(^|[\\/])(docker|podman)(\.exe)?$/i.test(command)) return {}
  const names = args.flatMap((arg, index) => {
    const name = /^--env=([A-Za-z_]\w*)$/.exec(arg)?.[1] ?? (arg === '-e' || arg === '--env' ? args[index + 1] : undefined)
    return name !== undefined && /^[A-Za-z_]\w*$/.test(name) ? [name] : []
  })
  return Object.fromEntries(names.map((name) => [name, `\${${name}}`]))
}

/** The commands with which other tools add a server: `claude mcp add`, `codex mcp add`, `gemini mcp add`, `code --add-mcp`. */
function readAdding(words: readonly string[], platform: NodeJS.Platform): Result<McpImportable> | null {
  if (words[1] === '--add-mcp') return words[2] === undefined ? fail('mcp.paste-add') : readJsonTree(words[2], platform)
  if (words[1] !== 'mcp' || !['add', 'add-json'].includes(words[2] ?? '')) return null
  const { env, headers, url, rest } = optionsOf(words.slice(3))
  const [name, target, ...args] = rest
  if (name === undefined || (target === undefined && url === undefined)) return fail('mcp.paste-add')
  if (words[2] === 'add-json') {
    const entry = readLooseJson(target ?? '')
    return entry.ok ? importable(oneServer(name, entry.value, 'plain', platform), '') : entry
  }
  const address = url ?? (/^https?:\/\//i.test(target ?? '') ? target : undefined)
  const entry = address === undefined ? { command: target, args, env } : { url: address, headers }
  return importable(oneServer(name, entry, 'plain', platform), '')
}

interface Options {
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly url: string | undefined
  /** Name, command and arguments. */
  readonly rest: readonly string[]
}

/** Options that take a value; the others are switches. Those of the command come behind it or behind `--`. */
const valued: ReadonlySet<string> = new Set(['-e', '--env', '-H', '--header', '-s', '--scope', '-t', '--transport', '--type', '--url', '--bearer-token-env-var', '--timeout', '--description', '--client-id', '--callback-port', '--include-tools', '--exclude-tools'])

function optionsOf(words: readonly string[]): Options {
  const found: { readonly option: string; readonly value: string }[] = []
  const rest: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') {
      rest.push(...words.slice(at + 1))
      break
    }
    // Behind the command everything is its own; behind an address the options go on.
    const isTheirs = rest.length >= 2 && !/^https?:\/\//i.test(rest[1] ?? '')
    const [, long = '', inline] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? []
    if (isTheirs || !word.startsWith('-')) rest.push(word)
    else if (inline !== undefined) found.push({ option: long, value: inline })
    else if (valued.has(word)) {
      found.push({ option: word, value: words[at + 1] ?? '' })
      at += 1
    }
  }
  const values = (...names: readonly string[]) => found.filter((one) => names.includes(one.option)).map((one) => one.value)
  const header = (text: string): readonly [string, string] => [text.slice(0, text.indexOf(':')).trim(), text.slice(text.indexOf(':') + 1).trim()]
  const bearer = values('--bearer-token-env-var')[0]
  return {
    env: pairs(values('-e', '--env').filter((text) => text.includes('='))),
    headers: { ...(bearer === undefined ? {} : { Authorization: `Bearer \${${bearer}}` }), ...Object.fromEntries(values('-H', '--header').filter((text) => text.includes(':')).map(header)) },
    url: values('--url')[0],
    rest,
  }
}
