import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameOfCommand, nameOfUrl } from '../../../../src/main/adapters/settings/mcpNames'
import { readPasted } from '../../../../src/main/adapters/settings/mcpPaste'
import { wordsOf } from '../../../../src/main/adapters/settings/commandLine'
import type { McpServerConfig } from '../../../../src/main/core/ports/mcpConfig'

const server = (name: string, command: string, args: readonly string[] = [], fields: Partial<McpServerConfig> = {}): McpServerConfig => ({
  name, transport: 'stdio', command, args, cwd: '', env: {}, url: '', headers: {}, isDisabled: false, timeoutMs: null, ...fields,
})
const remote = (name: string, url: string, fields: Partial<McpServerConfig> = {}): McpServerConfig => server(name, '', [], { transport: 'http', url, ...fields })
const paste = (text: string, platform: NodeJS.Platform = 'linux') => readPasted(text, platform)
const found = async (text: string) => {
  const read = await paste(text)
  return read.ok ? { servers: read.value.servers, notes: read.value.faults.map((fault) => [fault.code, fault.values['field'], fault.values['variable']]) } : read.fault
}

describe('R43: a pasted text', () => {
  test.each<[string, string, readonly McpServerConfig[]]>([
    ['mcpServers', '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"], "env": {"K": "v"}}, "b": {"url": "https://b.example"}}}', [server('a', 'npx', ['-y', 'x'], { env: { K: 'v' } }), remote('b', 'https://b.example')]],
    ['in a Markdown fence, with comments', '```jsonc\n{\n  // mine\n  "mcpServers": {"a": {"command": "x",},},\n}\n```', [server('a', 'x')]],
    ['VS Code', '{"servers": {"a": {"type": "stdio", "command": "x", "args": ["${env:HOME}"]}}}', [server('a', 'x', ['${HOME}'])]],
    ['VS Code settings', '{"mcp": {"inputs": [], "servers": {"a": {"command": "x"}}}}', [server('a', 'x')]],
    ['opencode', '{"mcp": {"a": {"type": "local", "command": ["bun", "x", "y"], "environment": {"K": "{env:K}"}, "enabled": false, "timeout": 5000}, "b": {"type": "remote", "url": "https://b.example"}}}', [server('a', 'bun', ['x', 'y'], { env: { K: '${K}' }, isDisabled: true }), remote('b', 'https://b.example')]],
    ['Zed, old and new', '{"context_servers": {"a": {"command": {"path": "x", "args": ["1"], "env": {"K": "v"}}, "settings": {}}, "b": {"source": "custom", "command": "y"}}}', [server('a', 'x', ['1'], { env: { K: 'v' } }), server('b', 'y')]],
    ['Gemini CLI', '{"mcpServers": {"a": {"httpUrl": "https://a.example", "timeout": 3000, "headers": {"X": "$K"}}}}', [remote('a', 'https://a.example', { timeoutMs: 3000, headers: { X: '${K}' } })]],
    ['Windsurf', '{"mcpServers": {"a": {"serverUrl": "https://a.example"}}}', [remote('a', 'https://a.example')]],
    ['Codex', '[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "x"]\nenv_vars = ["T"]\ntool_timeout_sec = 90\n[mcp_servers.a.env]\nK = "v"\n\n[mcp_servers.b]\nurl = "https://b.example"\nbearer_token_env_var = "B"\nhttp_headers = { "X-A" = "1" }\nenv_http_headers = { "X-B" = "C" }\nenabled = false\n', [server('a', 'npx', ['-y', 'x'], { env: { T: '${T}', K: 'v' }, timeoutMs: 90_000 }), remote('b', 'https://b.example', { headers: { Authorization: 'Bearer ${B}', 'X-B': '${C}', 'X-A': '1' }, isDisabled: true })]],
    ['goose', 'extensions:\n  dev:\n    type: builtin\n    name: developer\n  a:\n    type: stdio\n    cmd: npx\n    args: [-y, x]\n    envs: {K: v}\n    timeout: 300\n  b:\n    type: streamable_http\n    uri: https://b.example\n    enabled: false\n', [server('a', 'npx', ['-y', 'x'], { env: { K: 'v' }, timeoutMs: 300_000 }), remote('b', 'https://b.example', { isDisabled: true })]],
    ['a list of its own', '{"a": {"command": "x"}, "b": {"url": "https://b.example"}}', [server('a', 'x'), remote('b', 'https://b.example')]],
    ['a piece of one', '"a": {\n  "command": "x"\n},', [server('a', 'x')]],
    ['a piece with a bracket too many', '"a": {"command": "x"}\n}', [server('a', 'x')]],
    ['one server', '{"command": "npx", "args": ["-y", "@scope/server-files@1.2"]}', [server('files', 'npx', ['-y', '@scope/server-files@1.2'])]],
    ['one server with its name', '{"name": "mine", "type": "http", "url": "https://x.example/mcp"}', [remote('mine', 'https://x.example/mcp')]],
    ['a list of servers', '[{"name": "a", "command": "x"}, {"url": "https://mcp.linear.app/sse"}]', [server('a', 'x'), remote('linear', 'https://mcp.linear.app/sse')]],
    ['smart quotes', '{“mcpServers”: {“a”: {“command”: “x”}}}', [server('a', 'x')]],
    ['Windows paths that are no JSON', '{"mcpServers": {"a": {"command": "C:\\Users\\me\\new\\tool.exe", "args": ["--dir=D:\\temp", "C:\\\\ok"]}}}', [server('a', 'C:\\Users\\me\\new\\tool.exe', ['--dir=D:\\temp', 'C:\\ok'])]],
    ['an address', ' https://mcp.sentry.dev/mcp?x=1 \n', [remote('sentry', 'https://mcp.sentry.dev/mcp?x=1')]],
  ])('%s', async (_, text, servers) => expect(await found(text)).toEqual({ servers, notes: [] }))

  test.each<[string, McpServerConfig]>([
    ['npx -y @scope/server --flag "a b"', server('scope', 'npx', ['-y', '@scope/server', '--flag', 'a b'])],
    ['$ FOO=bar BAZ="1 2" uvx mcp-server-fetch', server('fetch', 'uvx', ['mcp-server-fetch'], { env: { FOO: 'bar', BAZ: '1 2' } })],
    ['env K=v node /srv/weather/build/index.js', server('weather', 'node', ['/srv/weather/build/index.js'], { env: { K: 'v' } })],
    ["claude mcp add docs -- npx -y docs --token '$HOME'", server('docs', 'npx', ['-y', 'docs', '--token', '$HOME'])],
    ['claude mcp add --transport http notion https://mcp.notion.com/mcp --header "Authorization: Bearer a:b"', remote('notion', 'https://mcp.notion.com/mcp', { headers: { Authorization: 'Bearer a:b' } })],
    ['claude mcp add airtable --env K=v=w -- npx -y airtable-mcp-server -e x', server('airtable', 'npx', ['-y', 'airtable-mcp-server', '-e', 'x'], { env: { K: 'v=w' } })],
    ['claude mcp add -s user -e A=1 mine node server.js --scope all', server('mine', 'node', ['server.js', '--scope', 'all'], { env: { A: '1' } })],
    [`claude mcp add-json mine '{"type":"http","url":"https://a.example","headers":{"X":"1"}}'`, remote('mine', 'https://a.example', { headers: { X: '1' } })],
    ['codex mcp add mine --env=K=v -- npx -y x', server('mine', 'npx', ['-y', 'x'], { env: { K: 'v' } })],
    ['codex mcp add mine --url https://a.example --bearer-token-env-var TOKEN', remote('mine', 'https://a.example', { headers: { Authorization: 'Bearer ${TOKEN}' } })],
    ['gemini mcp add -t http mine https://a.example -H "X: 1"', remote('mine', 'https://a.example', { headers: { X: '1' } })],
    [`code --add-mcp '{"name":"mine","command":"uvx","args":["x"]}'`, server('mine', 'uvx', ['x'])],
    ['docker run -i --rm \\\n  -e GITHUB_TOKEN -e MODE=ro \\\n  ghcr.io/github/github-mcp-server:latest', server('github', 'docker', ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', '-e', 'MODE=ro', 'ghcr.io/github/github-mcp-server:latest'], { env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' } })],
    ['"C:\\Program Files\\My Tool\\mcp-tool.exe" --dir C:\\data\\new', server('tool', 'C:\\Program Files\\My Tool\\mcp-tool.exe', ['--dir', 'C:\\data\\new'])],
    ['cmd /c npx -y weather-mcp', server('weather', 'cmd', ['/c', 'npx', '-y', 'weather-mcp'])],
    ['uv —directory “/p/my weather” run weather.py # starts it', server('weather', 'uv', ['--directory', '/p/my weather', 'run', 'weather.py'])],
  ])('the command %s', async (text, expected) => expect(await found(text)).toEqual({ servers: [expected], notes: [] }))

  test('f02: every argument is taken as it is, and nothing of a shell is done', async () => {
    const args = ['--dir', '/a b/c', '"q"', '', "a'b", '$HOME', '*', 'ünï 码']
    const line = `node ${args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ')}`
    expect(await found(line)).toMatchObject({ servers: [{ command: 'node', args }] })
  })

  test('any list of arguments survives being written for a shell', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme' }).filter((text) => !/[“”„‟‘’‚‛\u00a0\u202f—–\r\n\\^`]/.test(text))), (args) => {
      expect(wordsOf(args.map((arg) => `'${arg.replaceAll("'", `'"'"'`)}'`).join(' '))).toEqual({ ok: true, words: args })
    }))
  })

  test.each([
    ['', 'mcp.paste-empty'], ['``` \n```', 'mcp.paste-empty'], ['please add the github server, thanks', 'mcp.paste-unknown'], ['请添加 服务', 'mcp.paste-unknown'], ['<mcp name="x"/>', 'mcp.paste-several'], ['servers:', 'mcp.paste-unknown'],
    ['cd /x && npx y', 'mcp.paste-several'], ['npx x | tee log', 'mcp.paste-several'], ['npx $(cat x)', 'mcp.paste-several'], ['npm install x\nnpx x', 'mcp.paste-several'], ['npx "x', 'mcp.paste-quote'],
    ['claude mcp add name', 'mcp.paste-add'], ['claude mcp add', 'mcp.paste-add'], ['{}', 'mcp.paste-unknown'], ['{"a": 1}', 'mcp.paste-unknown'], ['[1]', 'mcp.paste-unknown'],
    ['{"mcpServers": {"a": {"command": "x", "url": "y"}}}', 'mcp.entry-both'], ['{"mcpServers": {}}', 'mcp.paste-unknown'], ['[mcp_servers.a]\ncommand = ', 'mcp.import-broken'], ['extensions:\n  a: [', 'mcp.import-broken'], ['x'.repeat(1_100_000), 'mcp.paste-too-large'],
    ['['.repeat(100_000), 'mcp.paste-broken'],
  ])('%s fails in words', async (text, code) => expect(await paste(text)).toMatchObject({ ok: false, fault: { code } }))

  test('broken JSON is told with its place in what was pasted', async () => {
    expect(await paste('{"mcpServers": {\n  "a": {"command" "x"}}}')).toMatchObject({ ok: false, fault: { code: 'mcp.paste-broken', values: { line: 2, column: 19, problem: { code: 'mcp.json-colon' } } } })
    expect(await paste('"a": {"command" "x"}')).toMatchObject({ ok: false, fault: { code: 'mcp.paste-broken', values: { line: 1, column: 17 } } })
  })

  test('what another tool asks for or only it knows is named, and no keychain is reached', async () => {
    expect(await found('{"servers": {"a": {"command": "x", "args": ["${workspaceFolder}/y", "${userHome}${pathSeparator}z"], "envFile": ".env", "env": {"K": "${input:api-key}", "S": "${secret:OTHER}", "D": "${A:-b}"}}}}')).toEqual({
      servers: [server('a', 'x', ['${workspaceFolder}/y', '${HOME}/z'], { env: { K: '${API_KEY}', S: '${OTHER}', D: '${A:-b}' } })],
      notes: [['mcp.import-variable', 'envFile', 'envFile'], ['mcp.import-variable', 'args', '${workspaceFolder}'], ['mcp.import-fill', 'env.K', 'api-key'], ['mcp.import-fill', 'env.S', 'OTHER']],
    })
    expect(await paste('{"servers": {"a": {"command": "${userHome}/x"}}}', 'win32')).toMatchObject({ value: { servers: [{ command: '${USERPROFILE}/x' }] } })
    expect(await found('extensions:\n  a:\n    type: stdio\n    cmd: x\n    env_keys: [TOKEN]\n')).toEqual({ servers: [server('a', 'x', [], { env: { TOKEN: '${TOKEN}' } })], notes: [['mcp.import-fill', 'env.TOKEN', 'TOKEN']] })
  })

  test.each(['```\n' + '\n'.repeat(900_000) + 'x', `a${'\n'.repeat(900_000)}b`, `"a": {${' ,'.repeat(400_000)}`, `npx ${'-'.repeat(900_000)}`, `npx x${'@'.repeat(900_000)}`, `npx ${'${'.repeat(400_000)}`, `"${'=C:'.repeat(300_000)}`])('a long and hostile text is done with, case %#', async (text) => {
    expect(typeof (await paste(text)).ok).toBe('boolean')
  })

  test('a text never throws', async () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', "'", ':', ',', '\\', '\n', ' ', '=', '$', '${', '-', '--', 'mcp', 'add', 'claude', 'npx', '"mcpServers"', '"command"', '[mcp_servers.a]', 'extensions:\n', '&a', '*a', '<<', '“', 'C:\\', '__proto__', '\0', '\ud800')
    await fc.assert(fc.asyncProperty(fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')), async (text) => {
      expect(typeof (await paste(text)).ok).toBe('boolean')
    }), { numRuns: 1000 })
  })
})

test.each<[string, readonly string[], string]>([
  ['npx', ['-y', '@modelcontextprotocol/server-filesystem', '/x'], 'filesystem'], ['npx', ['@playwright/mcp@latest'], 'playwright'], ['npx', ['-p', 'typescript', 'some-tool'], 'some-tool'],
  ['uvx', ['--from', 'git+https://github.com/o/r', 'serena', 'start'], 'serena'], ['pnpm', ['dlx', 'x-mcp'], 'x'], ['python', ['-m', 'mcp_server_time'], 'time'], ['/usr/bin/python3', ['-u', './tools/db/server.py'], 'db'],
  ['node', [], 'node'], ['/opt/github-mcp-server', ['stdio'], 'github'], ['docker', ['run', '--name', 'x', '-i', 'mcp/time'], 'time'], ['C:\\x\\Foo Bar.EXE', [], 'Foo-Bar'], ['', [], 'server'], ['npx', ['-y', '@码/码'], 'server'],
])('a name made of %s %j is %s', (command, args, name) => expect(nameOfCommand(command, args)).toBe(name))

test.each([
  ['https://mcp.linear.app/sse', 'linear'], ['https://api.githubcopilot.com/mcp/', 'githubcopilot'], ['http://localhost:3000/mcp', 'localhost'], ['http://127.0.0.1:1/', '127-0-0-1'],
  ['https://user:pw@mcp.example.co.uk', 'example'], ['https://huggingface.co/mcp', 'huggingface'], ['https://mcp.dev', 'mcp'], ['https://[::1]:1', 'server'],
])('a name made of %s is %s', (url, name) => expect(nameOfUrl(url)).toBe(name))
