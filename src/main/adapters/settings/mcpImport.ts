import path from 'node:path'
import type { McpImportable } from '../../core/ports/mcpConfig'
import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import { parseJson, placeOf, propertyOf, valueOf } from './jsonText'
import type { Steps } from './mcpEntry'
import { readSection, sectionOf, type Dialect, type Reading } from './mcpShapes'
import { jsonProblem, placed, type Place } from './mcpText'
import { readSmallFile, type SmallFile } from './smallFile'

/** Where a person's files lie. */
export interface Places {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

type Form = 'JSON' | 'TOML' | 'YAML'

interface Source {
  readonly tool: string
  readonly file: string
  readonly form: Form
  readonly dialect: Dialect
}

const limitBytes = 2 * 1024 * 1024
/** Claude Code keeps much else in that file. */
const largeBytes = 32 * 1024 * 1024

/** The name of the variable that holds the person's home. */
export function homeVariable(platform: NodeJS.Platform): 'HOME' | 'USERPROFILE' {
  return platform === 'win32' ? 'USERPROFILE' : 'HOME'
}

/** Reads where other tools keep their servers for all projects; what they keep for one project is left out. Nothing is written. */
export async function scanOthers(places: Places): Promise<readonly McpImportable[]> {
  const found: McpImportable[] = []
  for (const source of sourcesOf(places)) {
    const one = await readSource(source, places)
    if (one !== null && (one.servers.length > 0 || one.faults.length > 0)) found.push(one)
  }
  return found
}

/** The documented places, as of 2026. A variable that moves one must hold a whole path. */
function sourcesOf({ home, env, platform }: Places): readonly Source[] {
  const join = (...parts: readonly string[]) => path.join(...parts)
  const inHome = (...parts: readonly string[]) => path.join(home, ...parts)
  const moved = (name: string, otherwise: string) => (path.isAbsolute(env[name] ?? '') ? (env[name] ?? '') : otherwise)
  const xdg = moved('XDG_CONFIG_HOME', inHome('.config'))
  const roaming = moved('APPDATA', inHome('AppData', 'Roaming'))
  // Where Electron apps keep what is theirs.
  const apps = platform === 'darwin' ? inHome('Library', 'Application Support') : platform === 'win32' ? roaming : xdg
  const json = (tool: string, file: string, dialect: Dialect = 'plain'): Source => ({ tool, file, form: 'JSON', dialect })
  const editors = ['Code', 'Code - Insiders'].flatMap((folder) => {
    const user = (...parts: readonly string[]) => join(apps, folder, 'User', ...parts)
    return [
      json('VS Code', user('mcp.json'), 'vscode'),
      json('VS Code', user('settings.json'), 'vscode'),
      json('Cline', user('globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json')),
      json('Roo Code', user('globalStorage', 'rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json')),
    ]
  })
  return [
    json('Claude Desktop', join(apps, 'Claude', 'claude_desktop_config.json')),
    json('Claude Code', join(moved('CLAUDE_CONFIG_DIR', home), '.claude.json')),
    json('Cursor', inHome('.cursor', 'mcp.json')),
    ...editors,
    json('Cline', inHome('.cline', 'data', 'settings', 'cline_mcp_settings.json')),
    json('GitHub Copilot CLI', join(moved('COPILOT_HOME', inHome('.copilot')), 'mcp-config.json')),
    json('Windsurf', inHome('.codeium', 'windsurf', 'mcp_config.json')),
    json('Gemini CLI', inHome('.gemini', 'settings.json'), 'gemini'),
    ...['opencode.json', 'opencode.jsonc'].map((name) => json('opencode', join(xdg, 'opencode', name), 'opencode')),
    json('Zed', platform === 'win32' ? join(roaming, 'Zed', 'settings.json') : join(platform === 'darwin' ? inHome('.config') : xdg, 'zed', 'settings.json'), 'zed'),
    { tool: 'Codex', file: join(moved('CODEX_HOME', inHome('.codex')), 'config.toml'), form: 'TOML', dialect: 'codex' },
    { tool: 'goose', file: platform === 'win32' ? join(roaming, 'Block', 'goose', 'config', 'config.yaml') : join(xdg, 'goose', 'config.yaml'), form: 'YAML', dialect: 'goose' },
  ]
}

/** Null: the tool is not there, or has no servers. */
async function readSource({ tool, file, form, dialect }: Source, { platform }: Places): Promise<McpImportable | null> {
  const broken = (fault: Said) => ({ source: file, tool, servers: [], faults: [fault] })
  const content = await readSmallFile(file, tool === 'Claude Code' ? largeBytes : limitBytes)
  if (content.kind === 'absent') return null
  if (content.kind !== 'text') return broken(unreadable(content, file))
  const text = content.text.replace(/^\ufeff/, '')
  if (text.trim() === '') return null
  const document = await readDocument(text, form, file)
  if (!document.ok) return broken(document.fault)
  const section = sectionOf(document.value)
  // A settings file of an editor may have a `servers` or `extensions` of its own.
  const isTheirs = section !== null && section.steps.length > 0 && isExpected(section.dialect, dialect)
  if (!isTheirs) return null
  const reading: Reading = { tool, homeVariable: homeVariable(platform), place: (steps) => placed({ file, ...(form === 'JSON' ? lineOf(text, steps) : {}) }) }
  return { source: file, tool, ...readSection({ ...section, dialect }, reading) }
}

function isExpected(found: Dialect, wanted: Dialect): boolean {
  const usual = (dialect: Dialect) => (dialect === 'gemini' ? 'plain' : dialect)
  // opencode's second version has what VS Code's settings have.
  return usual(found) === usual(wanted) || (wanted === 'opencode' && found === 'vscode')
}

function unreadable(content: Exclude<SmallFile, { readonly kind: 'text' | 'absent' }>, file: string): Said {
  switch (content.kind) {
    case 'no-file': return said('mcp.import-no-file', { file })
    case 'too-large': return said('mcp.import-too-large', { file, bytes: content.sizeBytes })
    case 'no-text': return said('mcp.config-no-text', { file, line: content.line })
    case 'cannot': return said('mcp.config-cannot-open', { file, problem: content.problem })
  }
}

/** Reads a text of a known form; the parsers for other forms than JSON are loaded with the first such text. What the parsers say of it may hold parts of it, and so is not passed on. */
export async function readDocument(text: string, form: Form, file: string): Promise<Result<unknown>> {
  const broken = (place: Omit<Place, 'file'>) => fail('mcp.import-broken', { ...placed({ file, ...place }), form })
  if (form === 'JSON') return readJson(text, file)
  if (form === 'TOML') {
    const { parse: parseToml, TomlError } = await import('smol-toml')
    try {
      return succeed(parseToml(text))
    } catch (error) {
      if (error instanceof TomlError) return broken({ line: error.line, column: error.column })
      if (error instanceof RangeError) return broken({})
      throw error
    }
  }
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { logLevel: 'silent' })
  const [first] = document.errors
  const start = first?.linePos?.[0]
  if (first !== undefined) return broken(start === undefined ? {} : { line: start.line, column: start.col })
  try {
    return succeed(document.toJS({ maxAliasCount: 100 }))
  } catch (error) {
    // Aliases without end or target.
    if (error instanceof ReferenceError || error instanceof RangeError) return broken({})
    throw error
  }
}

function readJson(text: string, file: string): Result<unknown> {
  try {
    // Much quicker than the parser that allows comments.
    return succeed(JSON.parse(text) as unknown)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const parsed = parseJson(text)
  if (parsed.ok) return succeed(valueOf(parsed.root))
  return fail('mcp.import-broken-json', { ...placed({ file, ...placeOf(text, parsed.offset) }), problem: jsonProblem(parsed.code) })
}

/** Line and column of what stands there, or of the nearest thing around it. */
function lineOf(text: string, steps: Steps): Omit<Place, 'file'> {
  const parsed = parseJson(text)
  if (!parsed.ok) return {}
  let offset = parsed.root.offset
  let node: typeof parsed.root | undefined = parsed.root
  for (const step of steps) {
    const property: ReturnType<typeof propertyOf> = typeof step === 'string' ? propertyOf(node, step) : undefined
    node = typeof step === 'number' ? node?.children?.[step] : property?.value
    if (node === undefined) break
    offset = property?.keyNode.offset ?? node.offset
  }
  return placeOf(text, offset)
}

