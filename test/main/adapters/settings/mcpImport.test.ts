import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../../../support/scratchDatabase'
import { openMcpConfig } from '../../../../src/main/adapters/settings/mcpConfig'
import { scanOthers } from '../../../../src/main/adapters/settings/mcpImport'

/** A home with these files in it. */
function homeWith(files: Readonly<Record<string, string | Buffer>>): string {
  const home = scratchFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    writeFileSync(path.join(home, name), content)
  }
  return home
}

const one = (key: string, name: string) => JSON.stringify({ other: { servers: 1 }, [key]: { [name]: { command: 'x' } } })
const scan = (home: string, platform: NodeJS.Platform, env: Readonly<Record<string, string>> = {}) => scanOthers({ home, env, platform })
const brief = async (home: string, platform: NodeJS.Platform, env: Readonly<Record<string, string>> = {}) =>
  (await scan(home, platform, env)).map(({ tool, source, servers, faults }) => [tool, path.relative(home, source), servers.map((server) => server.name), faults.map((fault) => fault.code)])

/** What lies in the same place on every system. */
const everywhere = {
  '.claude.json': JSON.stringify({ projects: { '/p': { mcpServers: { ofProject: { command: 'x' } } } }, mcpServers: { code: { command: 'x' } } }),
  '.cursor/mcp.json': one('mcpServers', 'cursor'),
  '.cline/data/settings/cline_mcp_settings.json': one('mcpServers', 'clineCli'),
  '.copilot/mcp-config.json': one('mcpServers', 'copilot'),
  '.codeium/windsurf/mcp_config.json': JSON.stringify({ mcpServers: { windsurf: { serverUrl: 'https://w.example' } } }),
  '.gemini/settings.json': one('mcpServers', 'gemini'),
  '.config/opencode/opencode.jsonc': '{ /* mine */ "mcp": { "opencode": { "type": "local", "command": ["x"] }, }, }',
  '.codex/config.toml': 'model = "x"\n[mcp_servers.codex]\ncommand = "x"\n',
}
const inHome = [
  ['Cline', '.cline/data/settings/cline_mcp_settings.json', ['clineCli'], []], ['GitHub Copilot CLI', '.copilot/mcp-config.json', ['copilot'], []], ['Windsurf', '.codeium/windsurf/mcp_config.json', ['windsurf'], []],
  ['Gemini CLI', '.gemini/settings.json', ['gemini'], []], ['opencode', '.config/opencode/opencode.jsonc', ['opencode'], []],
]

test.each<[NodeJS.Platform, string, string, string]>([
  ['linux', '.config', '.config/zed/settings.json', '.config/goose/config.yaml'],
  ['darwin', 'Library/Application Support', '.config/zed/settings.json', '.config/goose/config.yaml'],
  ['win32', 'AppData/Roaming', 'AppData/Roaming/Zed/settings.json', 'AppData/Roaming/Block/goose/config/config.yaml'],
])('R43: on %s the servers of every tool are found where it keeps them, and nothing is written', async (platform, apps, zed, goose) => {
  const user = `${apps}/Code/User`
  const files = {
    ...everywhere,
    [`${apps}/Claude/claude_desktop_config.json`]: one('mcpServers', 'desktop'),
    [`${user}/mcp.json`]: one('servers', 'vscode'),
    [`${user}/settings.json`]: '// settings\n{ "editor.tabSize": 2, "mcp": { "servers": { "old": { "command": "x" } } } }',
    [`${user}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`]: one('mcpServers', 'cline'),
    [`${user}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`]: one('mcpServers', 'roo'),
    [`${apps}/Code - Insiders/User/mcp.json`]: one('servers', 'insiders'),
    [zed]: '{ "theme": "x", "context_servers": { "zed": { "source": "custom", "command": "x" }, "ext": { "source": "extension", "settings": {} } } }',
    [goose]: 'GOOSE_MODEL: x\nextensions:\n  developer: {type: builtin, enabled: true}\n  goose: {type: stdio, cmd: x, enabled: true}\n',
  }
  const home = homeWith(files)
  const before = statSync(path.join(home, '.claude.json')).mtimeMs
  const found = await brief(home, platform)
  const [cline, copilot, windsurf, gemini, opencode] = inHome
  expect(found).toEqual([
    ['Claude Desktop', `${apps}/Claude/claude_desktop_config.json`, ['desktop'], []],
    ['Claude Code', '.claude.json', ['code'], []],
    ['Cursor', '.cursor/mcp.json', ['cursor'], []],
    ['VS Code', `${user}/mcp.json`, ['vscode'], []],
    ['VS Code', `${user}/settings.json`, ['old'], []],
    ['Cline', `${user}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`, ['cline'], []],
    ['Roo Code', `${user}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`, ['roo'], []],
    ['VS Code', `${apps}/Code - Insiders/User/mcp.json`, ['insiders'], []],
    cline, copilot, windsurf, gemini, opencode,
    ['Zed', zed, ['zed'], ['mcp.import-extension']],
    ['Codex', '.codex/config.toml', ['codex'], []],
    ['goose', goose, ['goose'], []],
  ])
  expect(statSync(path.join(home, '.claude.json')).mtimeMs).toBe(before)
  for (const [name, content] of Object.entries(files)) expect(readFileSync(path.join(home, name), 'utf8')).toBe(content)
})

test('folders that a variable moves are followed, when it holds a whole path', async () => {
  const home = homeWith({ 'a/.claude.json': one('mcpServers', 'code'), 'b/config.toml': '[mcp_servers.codex]\ncommand = "x"', 'c/goose/config.yaml': 'extensions: {goose: {type: stdio, cmd: x}}' })
  const env = { CLAUDE_CONFIG_DIR: path.join(home, 'a'), CODEX_HOME: path.join(home, 'b'), XDG_CONFIG_HOME: path.join(home, 'c'), COPILOT_HOME: 'relative' }
  expect((await brief(home, 'linux', env)).map(([tool, file]) => [tool, file])).toEqual([['Claude Code', 'a/.claude.json'], ['Codex', 'b/config.toml'], ['goose', 'c/goose/config.yaml']])
})

test('a file that cannot be read is named with its place, and the others still come', async () => {
  const home = homeWith({
    '.cursor/mcp.json': '{\n  "mcpServers": {\n    "a" "b"\n  }\n}',
    '.codex/config.toml': '[mcp_servers.a]\ncommand = "secret\n',
    '.config/goose/config.yaml': 'extensions:\n  a: [\n',
    '.config/Code/User/mcp.json': Buffer.from([0x7b, 0xff, 0xfe]),
    '.gemini/settings.json': '{\n "mcpServers": {\n  "good": {"command": "x"},\n  "bad": {"command": "x",\n   "args": "y"}}}',
    '.codeium/windsurf/mcp_config.json': ' '.repeat(3_000_000),
    '.copilot/mcp-config.json': '',
    '.claude.json': '{"numStartups": 5}',
  })
  mkdirSync(path.join(home, '.config/zed/settings.json'), { recursive: true })
  const found = await scan(home, 'linux')
  const byTool = Object.fromEntries(found.map(({ tool, servers, faults }) => [tool, { names: servers.map((server) => server.name), faults: faults.map(({ code, values }) => [code, values['line'], values['column']]) }]))
  expect(byTool).toEqual({
    Cursor: { names: [], faults: [['mcp.import-broken-json', 3, 9]] },
    'VS Code': { names: [], faults: [['mcp.config-no-text', 1, undefined]] },
    Windsurf: { names: [], faults: [['mcp.import-too-large', undefined, undefined]] },
    'Gemini CLI': { names: ['good'], faults: [['mcp.entry-not-list', 5, 4]] },
    Zed: { names: [], faults: [['mcp.import-no-file', undefined, undefined]] },
    Codex: { names: [], faults: [['mcp.import-broken', 2, expect.any(Number)]] },
    goose: { names: [], faults: [['mcp.import-broken', expect.any(Number), expect.any(Number)]] },
  })
  for (const { source, faults } of found) for (const fault of faults) expect(fault.values).toMatchObject({ file: source })
  expect(JSON.stringify(found)).not.toContain('secret')
})

test.skipIf(process.platform === 'win32')('a pipe under a known name is not waited for, and aliases without end are not followed', async () => {
  const home = homeWith({ '.config/goose/config.yaml': `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.split('').map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at] ?? ''}`).join(',')}]`).join('\n')}\nextensions: {g: *i}\n` })
  mkdirSync(path.join(home, '.cursor'))
  execFileSync('mkfifo', [path.join(home, '.cursor/mcp.json')])
  expect(await brief(home, 'linux')).toEqual([['Cursor', '.cursor/mcp.json', [], ['mcp.import-no-file']], ['goose', '.config/goose/config.yaml', [], ['mcp.import-broken']]])
})

test('what was found can be saved as it came, and reads the same', async () => {
  const home = homeWith(everywhere)
  const config = openMcpConfig(path.join(scratchFolder(), 'mcp.json'), { home, env: {}, platform: 'linux' })
  const servers = (await config.scanOthers()).flatMap((found) => found.servers)
  for (const server of servers) expect(await config.write(server, null)).toEqual({ ok: true, value: null })
  expect((await config.read()).servers).toEqual(servers)
  expect(servers.length).toBe(8)
  expect(readdirSync(home).sort()).toEqual(['.claude.json', '.cline', '.codeium', '.codex', '.config', '.copilot', '.cursor', '.gemini'])
})
