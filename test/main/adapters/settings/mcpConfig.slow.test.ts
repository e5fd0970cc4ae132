import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../../../support/scratchDatabase'
import { openMcpConfig } from '../../../../src/main/adapters/settings/mcpConfig'
import type { McpServerConfig } from '../../../../src/main/core/ports/mcpConfig'

const places = { home: '/nowhere', env: {}, platform: 'linux' as const }
const server = (name: string, fields: Partial<McpServerConfig> = {}): McpServerConfig => ({
  name, transport: 'stdio', command: 'npx', args: [], cwd: '', env: {}, url: '', headers: {}, isDisabled: false, timeoutMs: null, ...fields,
})
const remote = (name: string, url: string, fields: Partial<McpServerConfig> = {}): McpServerConfig => server(name, { transport: 'http', command: '', url, ...fields })

function open(content?: string | Buffer) {
  const file = path.join(scratchFolder(), 'mcp.json')
  if (content !== undefined) writeFileSync(file, content)
  return { file, config: openMcpConfig(file, places), text: () => readFileSync(file, 'utf8') }
}

describe('R43: mcp.json', () => {
  test('is created when absent, for its owner alone, in the form that other tools read', async () => {
    const { file, config, text } = open()
    expect(await config.read()).toEqual({ servers: [], fault: null, faults: [] })
    expect(JSON.parse(text())).toEqual({ mcpServers: {} })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(path.dirname(file))).toEqual(['mcp.json'])
  })

  test('a first entry that is saved before anything was read makes it too', async () => {
    const { config, text } = open()
    expect(await config.write(server('docs', { args: ['-y', 'docs'], env: { A: '${A:-b}' } }), null)).toEqual({ ok: true, value: null })
    expect(text()).toBe('{\n  "mcpServers": {\n    "docs": {\n      "command": "npx",\n      "args": [\n        "-y",\n        "docs"\n      ],\n      "env": {\n        "A": "${A:-b}"\n      }\n    }\n  }\n}\n')
  })

  test('the forms that people have are read, with comments and trailing commas', async () => {
    const { config } = open(`\ufeff// mine
{
  "mcpServers": {
    "a": { "command": "node", "args": ["x", 3000, true], "env": { "PORT": 3000, "T": "\${TOKEN}" }, "cwd": "/w", "timeout": 90, },
    "b": { "type": "sse", "url": "https://b.example/sse", "headers": { "Authorization": "Bearer \${T}" }, "disabled": true },
    "c": { "serverUrl": "https://c.example" }, /* Windsurf */
    "d": { "httpUrl": "https://d.example", "timeout": 600000 },
    "e": { "command": "e", "enabled": false, "url": null, "timeout": 0 },
  },
}`)
    expect(await config.read()).toEqual({
      fault: null, faults: [],
      servers: [
        server('a', { command: 'node', args: ['x', '3000', 'true'], env: { PORT: '3000', T: '${TOKEN}' }, cwd: '/w', timeoutMs: 90_000 }),
        remote('b', 'https://b.example/sse', { headers: { Authorization: 'Bearer ${T}' }, isDisabled: true }),
        remote('c', 'https://c.example'),
        remote('d', 'https://d.example', { timeoutMs: 600_000 }),
        server('e', { command: 'e', isDisabled: true }),
      ],
    })
  })

  test('names that mean something to JavaScript are names', async () => {
    const { config } = open('{"mcpServers": {"__proto__": {"command": "x", "env": {"__proto__": "1", "constructor": "2"}}}}')
    const { servers } = await config.read()
    expect(servers.map((one) => [one.name, Object.entries(one.env)])).toEqual([['__proto__', [['__proto__', '1'], ['constructor', '2']]]])
    expect(await config.write(server('toString'), null)).toMatchObject({ ok: true })
    expect((await config.read()).servers.map((one) => one.name)).toEqual(['__proto__', 'toString'])
  })
})

describe('R44: a hand-written file', () => {
  const hand = `// Our servers
{
\t"$schema": "x",
\t"mcpServers": {
\t\t// for the wiki
\t\t"docs": {
\t\t\t"command": "npx", // new enough
\t\t\t"args": [
\t\t\t\t"-y", // yes
\t\t\t\t"docs@1"
\t\t\t],
\t\t\t"env": { "A": "1", /* two */ "B": "2" },
\t\t\t"autoApprove": ["read"]
\t\t}, // end of docs
\t\t"web": {"url": "https://web.example"}
\t}
}
`

  test('only what differs is touched', async () => {
    const { config, text } = open(hand)
    const docs = server('docs', { args: ['-y', 'docs@1'], env: { A: '1', B: '2' } })
    await config.write(docs, 'docs')
    expect(text()).toBe(hand)
    await config.write({ ...docs, args: ['-y', 'docs@2'], env: { A: '1', B: 'two' } }, 'docs')
    expect(text()).toBe(hand.replace('docs@1', 'docs@2').replace('"B": "2"', '"B": "two"'))
  })

  test('a new name keeps the place and everything in it', async () => {
    const { config, text } = open(hand)
    await config.write(server('wiki', { args: ['-y', 'docs@1'], env: { A: '1', B: '2' } }), 'docs')
    expect(text()).toBe(hand.replace('"docs":', '"wiki":'))
  })

  test('what is added stands in the manner of its neighbours, and comments stay beside what they speak of', async () => {
    const { config, text } = open(hand)
    await config.write(server('docs', { args: ['-y', 'docs@1', '--all'], env: { A: '1', B: '2', C: '3' }, isDisabled: true }), 'docs')
    await config.write(remote('web', 'https://web.example', { headers: { H: 'v' } }), 'web')
    await config.write(server('new'), null)
    expect(text()).toBe(hand
      .replace('"docs@1"\n', '"docs@1",\n\t\t\t\t"--all"\n')
      .replace('"B": "2" }', '"B": "2", "C": "3" }')
      .replace('["read"]\n', '["read"],\n\t\t\t"disabled": true\n')
      .replace('"https://web.example"}', '"https://web.example", "headers": {"H":"v"}},\n\t\t"new": {\n\t\t\t"command": "npx"\n\t\t}'))
  })

  test('what is removed takes its comma along and nothing of the others', async () => {
    const { config, text } = open(hand)
    await config.remove('web')
    expect(text()).toBe(hand.replace('}, // end of docs\n\t\t"web": {"url": "https://web.example"}\n', '} // end of docs\n'))
    expect(await config.remove('docs')).toEqual({ ok: true, value: null })
    expect(text()).toBe('// Our servers\n{\n\t"$schema": "x",\n\t"mcpServers": {\n\t\t// for the wiki\n\t\t// end of docs\n\t}\n}\n')
    expect(await config.remove('docs')).toMatchObject({ ok: false, fault: { code: 'mcp.config-not-there', values: { name: 'docs' } } })
  })

  test('line ends and the mark at the start stay what they are', async () => {
    const { config, text } = open(`\ufeff${hand.replaceAll('\n', '\r\n')}`)
    await config.write(server('new', { args: ['a'] }), null)
    expect(text().startsWith('\ufeff// Our')).toBe(true)
    expect(text().replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect((await config.read()).servers.map((one) => one.name)).toEqual(['docs', 'web', 'new'])
  })

  test('another transport leaves nothing that contradicts it', async () => {
    const { config, text } = open('{\n  "mcpServers": {\n    "a": {\n      "type": "stdio",\n      "command": "x",\n      "args": ["1"],\n      "note": 1\n    }\n  }\n}\n')
    await config.write(remote('a', 'https://a.example', { args: [] }), 'a')
    expect(await config.read()).toEqual({ servers: [remote('a', 'https://a.example')], fault: null, faults: [] })
    expect(JSON.parse(text())).toEqual({ mcpServers: { a: { type: 'http', args: [], note: 1, url: 'https://a.example' } } })
    await config.write(server('a', { command: 'y' }), 'a')
    expect(JSON.parse(text())).toEqual({ mcpServers: { a: { type: 'stdio', command: 'y', args: [], note: 1 } } })
  })

  test('an address under another tool’s name stays under it', async () => {
    const { config, text } = open('{"mcpServers": {"a": {"serverUrl": "https://a.example"}}}')
    await config.write(remote('a', 'https://b.example', { isDisabled: true }), 'a')
    expect(text()).toBe('{"mcpServers": {"a": {"serverUrl": "https://b.example", "disabled": true}}}')
  })
})

describe('R44: a broken file is shown with its line, and never overwritten', () => {
  test.each([
    ['a missing comma', '{\n  "mcpServers": {\n    "a": {"command": "x"}\n    "b": {"command": "y"}\n  }\n}', 'mcp.config-broken', 4, 5],
    ['half a file', '{\n  "mcpServers": {\n    "a": {"comm', 'mcp.config-broken', 3, 11],
    ['single quotes', "{'mcpServers': {}}", 'mcp.config-broken', 1, 2],
    ['a Windows path', '{"mcpServers": {"a": {"command": "C:\\Users\\x"}}}', 'mcp.config-broken', 1, 34],
    ['NUL bytes', '\0\0\0', 'mcp.config-broken', 1, 1],
    ['a list', '\n[]', 'mcp.config-not-object', 2, 1],
    ['servers as a list', '{\n "mcpServers": []}', 'mcp.config-servers-not-object', 2, 16],
    ['brackets without end', '['.repeat(200_000), 'mcp.config-broken', 1, 1],
  ])('%s', async (_, content, code, line, column) => {
    const { file, config, text } = open(content)
    const { fault, servers } = await config.read()
    expect({ servers, fault }).toMatchObject({ servers: [], fault: { code, values: { file, line, column } } })
    expect(await config.write(server('new'), null)).toEqual({ ok: false, fault })
    expect(await config.remove('a')).toEqual({ ok: false, fault })
    expect(text()).toBe(content)
  })

  test('bytes that are no UTF-8', async () => {
    const content = Buffer.from('{\n "mcpServers": {"é": {"command": "x"}}}', 'latin1')
    const { file, config } = open(content)
    expect((await config.read()).fault).toMatchObject({ code: 'mcp.config-no-text', values: { file, line: 2 } })
    expect(await config.write(server('new'), null)).toMatchObject({ ok: false, fault: { code: 'mcp.config-no-text' } })
    expect(readFileSync(file).equals(content)).toBe(true)
  })

  test('a folder, a pipe and a giant under its name are said, and not waited for', async () => {
    const folder = scratchFolder()
    const at = (name: string) => path.join(folder, name)
    mkdirSync(at('folder'))
    if (process.platform !== 'win32') execFileSync('mkfifo', [at('pipe')])
    writeFileSync(at('giant'), ' '.repeat(5_000_000))
    const codes = await Promise.all(['folder', ...(process.platform === 'win32' ? [] : ['pipe']), 'giant'].map(async (name) => (await openMcpConfig(at(name), places).read()).fault?.code))
    expect(new Set(codes)).toEqual(new Set(['mcp.config-no-file', 'mcp.config-too-large']))
  })

  test('an empty file is no fault', async () => {
    for (const content of ['', ' \r\n', '\ufeff']) {
      const { config } = open(content)
      expect(await config.read()).toEqual({ servers: [], fault: null, faults: [] })
      await config.write(server('a'), null)
      expect((await config.read()).servers).toEqual([server('a')])
    }
  })
})

describe('R44: an entry that cannot be used falls away alone', () => {
  test.each([
    ['both', '{"command": "x", "url": "y"}', 'mcp.entry-both', '', 5],
    ['neither', '{"args": []}', 'mcp.entry-neither', '', 5],
    ['a text', '"npx x"', 'mcp.entry-not-object', '', 5],
    ['command as a list', '{"command": ["x"]}', 'mcp.entry-not-text', 'command', 24],
    ['args as a text', '{"command": "x", "args": "-y"}', 'mcp.entry-not-list', 'args', 37],
    ['a list in args', '{"command": "x", "args": ["a", []]}', 'mcp.entry-not-text', 'args[2]', 43],
    ['env as a list', '{"command": "x", "env": ["A=1"]}', 'mcp.entry-not-map', 'env', 36],
    ['an object in env', '{"command": "x", "env": {"A": {}}}', 'mcp.entry-not-text', 'env.A', 42],
    ['disabled as a text', '{"command": "x", "disabled": "no"}', 'mcp.entry-not-flag', 'disabled', 41],
    ['timeout as a text', '{"command": "x", "timeout": "1m"}', 'mcp.entry-not-number', 'timeout', 40],
  ])('%s', async (_, entry, code, field, column) => {
    const { file, config } = open(`{"mcpServers": {\n    "bad": ${entry},\n "good": {"command": "g"}}}`)
    const { servers, fault, faults } = await config.read()
    expect({ servers, fault }).toEqual({ servers: [server('good', { command: 'g' })], fault: null })
    expect(faults).toMatchObject([{ code, values: { name: 'bad', field, file, line: 2, column } }])
    // Saved from the form it is good again.
    expect(await config.write(server('bad', { args: ['1'], env: { A: 'b' } }), 'bad')).toEqual({ ok: true, value: null })
    expect(await config.read()).toEqual({ servers: [server('bad', { args: ['1'], env: { A: 'b' } }), server('good', { command: 'g' })], fault: null, faults: [] })
  })

  test('a name that is there twice is named, the last one counts, and it is not saved over', async () => {
    const content = '{"mcpServers": {\n "a": {"command": "1"},\n "a": {"command": "2"}}}'
    const { file, config, text } = open(content)
    expect(await config.read()).toMatchObject({ servers: [{ name: 'a', command: '2' }], faults: [{ code: 'mcp.entry-twice', values: { name: 'a', file, line: 2, column: 2 } }] })
    expect(await config.write(server('a'), 'a')).toMatchObject({ ok: false, fault: { code: 'mcp.config-name-twice' } })
    expect(text()).toBe(content)
    await config.remove('a')
    expect((await config.read()).servers).toEqual([])
  })

  test('names that cannot be shown or sent are faults', async () => {
    const { config } = open(`{"mcpServers": {"": {"command": "x"}, " a": {"command": "x"}, "b\\n": {"command": "x"}, "\\ud800": {"command": "x"}, "${'n'.repeat(201)}": {"command": "x"}}}`)
    expect((await config.read()).faults.map((fault) => fault.code)).toEqual(Array.from({ length: 5 }, () => 'mcp.entry-name'))
    expect(await config.write(server(''), null)).toMatchObject({ ok: false, fault: { code: 'mcp.config-bad-name' } })
    expect(await config.write(server('x', { url: 'https://x.example' }), null)).toMatchObject({ ok: false, fault: { code: 'mcp.config-two-ways' } })
    expect(await config.write(server('x', { command: '' }), null)).toMatchObject({ ok: false, fault: { code: 'mcp.config-no-way' } })
  })
})

describe('beside others', () => {
  test('a change by hand just before is not lost, and a name that it took is not overwritten', async () => {
    const { file, config } = open('{"mcpServers": {"a": {"command": "1"}}}')
    await config.read()
    writeFileSync(file, '{"mcpServers": {"a": {"command": "1"}, "b": {"command": "hand"}}}')
    expect(await config.write(server('b'), null)).toMatchObject({ ok: false, fault: { code: 'mcp.config-name-taken', values: { name: 'b' } } })
    expect(await config.write(server('b'), 'a')).toMatchObject({ ok: false, fault: { code: 'mcp.config-name-taken' } })
    await config.write(server('c'), null)
    expect((await config.read()).servers.map((one) => [one.name, one.command])).toEqual([['a', '1'], ['b', 'hand'], ['c', 'npx']])
  })

  test('many that write at once lose nothing', async () => {
    const { file, config } = open()
    const other = openMcpConfig(file, places)
    await Promise.all(Array.from({ length: 12 }, (_, index) => (index % 2 ? config : other).write(server(`s${index}`), null)))
    expect((await config.read()).servers.map((one) => one.name).sort()).toEqual(Array.from({ length: 12 }, (_, index) => `s${index}`).sort())
    expect(readdirSync(path.dirname(file))).toEqual(['mcp.json'])
  })

  test('an entry that was removed by hand meanwhile is put back by saving it', async () => {
    const { config } = open('{"mcpServers": {}}')
    await config.write(server('new name'), 'gone')
    expect((await config.read()).servers).toEqual([server('new name')])
  })

  test.skipIf(process.platform === 'win32')('a link is followed and stays one', async () => {
    const folder = scratchFolder()
    const target = path.join(folder, 'dotfiles.json')
    writeFileSync(target, '{"mcpServers": {}}')
    const file = path.join(scratchFolder(), 'mcp.json')
    symlinkSync(target, file)
    const config = openMcpConfig(file, places)
    await config.write(server('a'), null)
    expect([lstatSync(file).isSymbolicLink(), lstatSync(target).isFile()]).toEqual([true, true])
    expect((await config.read()).servers).toEqual([server('a')])
    expect(readFileSync(target, 'utf8')).toContain('"a"')
    rmSync(target)
    expect(await config.read()).toEqual({ servers: [], fault: null, faults: [] })
    expect(existsSync(target)).toBe(false)
  })

  test('a folder that cannot be made is a fault in words, and reading goes on', async () => {
    const folder = scratchFolder()
    writeFileSync(path.join(folder, 'data'), '')
    const config = openMcpConfig(path.join(folder, 'data', 'mcp.json'), places)
    expect(await config.read()).toEqual({ servers: [], fault: null, faults: [] })
    expect(await config.write(server('a'), null)).toMatchObject({ ok: false, fault: { code: 'settings.not-saved' } })
  })
})

describe('changes by others', () => {
  /** Waits until it is so; the test's own time limit ends it. */
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  test('are told, also from editors that put another file in its place, and after it was deleted', async () => {
    const { file, config } = open('{"mcpServers": {}}')
    await config.read()
    let told = 0
    const stop = config.watch(() => (told += 1))
    writeFileSync(file, '{"mcpServers": {"a": {"command": "1"}}}')
    await until(() => told === 1)
    writeFileSync(`${file}.new`, '{"mcpServers": {"a": {"command": "2"}}}')
    renameSync(`${file}.new`, file)
    await until(() => told === 2)
    rmSync(file)
    await until(() => told === 3)
    writeFileSync(file, '{"mcpServers": {"a": {"command": "3"}}}')
    await until(() => told === 4)
    stop()
  })

  test('one’s own are not, but a change by hand that came before one is', async () => {
    const { file, config } = open('{"mcpServers": {}}')
    const told: string[] = []
    const stop = config.watch(() => told.push(readFileSync(file, 'utf8')))
    await config.write(server('own'), null)
    await config.write(server('own', { isDisabled: true }), 'own')
    writeFileSync(file, '{"mcpServers": {"hand": {"command": "1"}}}')
    await config.write(server('late'), null)
    await until(() => told.length > 0)
    expect(told.map((text) => Object.keys((JSON.parse(text) as { mcpServers: object }).mcpServers))).toEqual([['hand', 'late']])
    stop()
    writeFileSync(file, '{}')
    expect(told).toHaveLength(1)
  })
})
