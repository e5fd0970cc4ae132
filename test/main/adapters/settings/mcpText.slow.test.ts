import fc from 'fast-check'
import { createScanner, findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { parseJson, valueOf } from '../../../../src/main/adapters/settings/jsonText'
import { readMcpText, withoutServer, withServer } from '../../../../src/main/adapters/settings/mcpText'
import type { McpServerConfig } from '../../../../src/main/core/ports/mcpConfig'

/** Texts that a careless edit would trip over. */
const word = fc.oneof(fc.constantFrom('', 'a', '// no comment', '/* nor this */', '{', '}', '"', '\\', ',', '${A:-b}', '__proto__', 'ünï 码 👍', 'two\nlines', '\u2028', '3000', 'true'), fc.string({ maxLength: 6 }))
const name = fc.oneof(fc.constantFrom('docs', 'web', '__proto__', 'toString', 'a b', '码', '}', '//'), fc.string({ minLength: 1, maxLength: 5 })).filter((text) => text.trim() === text && text !== '' && !/[\p{Cc}\p{Cs}]/u.test(text))
const map = fc.dictionary(word, word, { maxKeys: 3 })
const common = { isDisabled: fc.boolean(), timeoutMs: fc.option(fc.integer({ min: 1, max: 20_000_000 })), env: map, headers: map, args: fc.array(word, { maxLength: 4 }), cwd: word }
const filled = word.filter((text) => text !== '')
const config = fc.oneof(
  fc.record({ name, transport: fc.constant('stdio' as const), command: filled, url: fc.constant(''), ...common }),
  fc.record({ name, transport: fc.constant('http' as const), command: fc.constant(''), url: filled, ...common }),
)

/** Blanks and comments of every kind; `eol` ends each line comment. */
const gap = (eol: string) => fc.array(fc.constantFrom(' ', '\t', eol, `// "x": {,${eol}`, '/* }, */', `/* two${eol}lines */`), { maxLength: 3 }).map((all) => all.join(''))

/** A hand-written JSON text of a value, with gaps anywhere and commas behind the last things. */
function written(value: unknown, eol: string): fc.Arbitrary<string> {
  const around = (inner: fc.Arbitrary<string>) => fc.tuple(gap(eol), inner, gap(eol)).map((all) => all.join(''))
  if (typeof value !== 'object' || value === null) return fc.constant(JSON.stringify(value))
  const parts = Array.isArray(value) ? value.map((item) => around(written(item, eol))) : Object.entries(value).map(([key, item]) => around(fc.tuple(gap(eol), gap(eol), written(item, eol)).map(([before, behind, text]) => `${JSON.stringify(key)}${before}:${behind}${text}`)))
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return fc.tuple(fc.tuple(...parts), fc.boolean(), gap(eol)).map(([texts, hasTail, tail]) => `${open}${texts.join(',')}${hasTail && texts.length > 0 ? ',' : ''}${tail}${close}`)
}

function entryOf({ command, args, cwd, env, url, headers, isDisabled, timeoutMs }: McpServerConfig): Readonly<Record<string, unknown>> {
  return { ...(command === '' ? { url } : { command }), args, env, headers, cwd, note: { kept: [1, 'x'] }, disabled: isDisabled, ...(timeoutMs === null ? {} : { timeout: timeoutMs <= 3_600_000 ? timeoutMs / 1000 : timeoutMs }) }
}

/** A file of somebody's, and what is in it. */
const world = fc.uniqueArray(config, { selector: (server) => server.name, minLength: 1, maxLength: 4 }).chain((servers) => fc.constantFrom('\n', '\r\n').chain((eol) => {
  const entries = Object.fromEntries(servers.map((server) => [server.name, entryOf(server)]))
  const root = { $schema: 'x', mcpServers: entries, future: { a: [] } }
  return fc.tuple(gap(eol), written(root, eol), gap(eol)).map((all) => ({ servers: Object.keys(entries).flatMap((key) => servers.filter((server) => server.name === key)), text: all.join(''), eol }))
}))

/** Every comment, in order. 12 and 13 are jsonc-parser's numbers for the two kinds, 17 is the end. */
function commentsOf(text: string): readonly string[] {
  const scanner = createScanner(text, false)
  const comments: string[] = []
  for (let token: number = scanner.scan(); token !== 17; token = scanner.scan()) if (token === 12 || token === 13) comments.push(text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()))
  return comments
}

function readAll(text: string): readonly McpServerConfig[] {
  const read = readMcpText(text, 'f')
  expect(read).toMatchObject({ ok: true, faults: [] })
  return read.ok ? read.servers : []
}

/** Everything that is not ours: unknown keys, at the top and in every entry. */
function strange(text: string): unknown {
  const parsed = parseJson(text)
  const { mcpServers, ...rest } = (parsed.ok ? valueOf(parsed.root) : {}) as { mcpServers: Readonly<Record<string, { note?: unknown }>> }
  return [rest, Object.values(mcpServers).map((entry) => entry.note)]
}

test('R44: saving what is in the file already changes no byte', () => {
  fc.assert(fc.property(world, ({ servers, text }) => {
    expect(readAll(text)).toEqual(servers)
    for (const server of servers) expect(withServer(text, server, server.name)).toBe(text)
  }), { numRuns: 300 })
})

test('R44: a saved entry reads as it was asked, and every byte outside of it stays', () => {
  fc.assert(fc.property(world, fc.nat(), config, ({ servers, text, eol }, at, wanted) => {
    const old = servers[at % servers.length] as McpServerConfig
    fc.pre(wanted.name === old.name || !servers.some((server) => server.name === wanted.name))
    const next = withServer(text, wanted, old.name)
    expect(readAll(next)).toEqual(servers.map((server) => (server === old ? wanted : server)))
    const [start, end] = frameOf(text, next)
    expect(text.slice(0, start) + next.slice(start, next.length - end) + text.slice(text.length - end)).toBe(next)
    // The first and last byte that differ lie inside of the entry.
    const { from, to } = extentOf(text, old.name)
    expect(start >= from && text.length - end <= to).toBe(true)
    if (eol === '\r\n') expect(next.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(strange(next)).toEqual(strange(text))
  }), { numRuns: 500 })
})

test('R44: one changed value changes only that value', () => {
  fc.assert(fc.property(world, fc.nat(), word, ({ servers, text }, at, value) => {
    const old = servers[at % servers.length] as McpServerConfig
    const [key] = Object.keys(old.env)
    fc.pre(key !== undefined && value !== old.env[key])
    const next = withServer(text, { ...old, env: Object.fromEntries(Object.entries(old.env).map(([one, was]) => [one, one === key ? value : was])) }, old.name)
    const [start, end] = frameOf(text, next)
    const before = JSON.stringify(old.env[key ?? ''])
    expect(text.length - end - start).toBeLessThanOrEqual(before.length)
    expect(commentsOf(next)).toEqual(commentsOf(text))
  }), { numRuns: 300 })
})

test('R44: adding and removing keep the comments and the other entries', () => {
  fc.assert(fc.property(world, fc.nat(), config, ({ servers, text }, at, added) => {
    fc.pre(!servers.some((server) => server.name === added.name))
    const more = withServer(text, added, null)
    expect(readAll(more)).toEqual([...servers, added])
    expect(commentsOf(more)).toEqual(commentsOf(text))
    expect(readAll(withoutServer(more, added.name))).toEqual(servers)
    const gone = servers[at % servers.length] as McpServerConfig
    const less = withoutServer(text, gone.name)
    expect(readAll(less)).toEqual(servers.filter((server) => server !== gone))
    for (const server of servers) if (server !== gone) expect(less).toContain(text.slice(...Object.values(extentOf(text, server.name))))
    expect(strange(withoutServer(more, added.name))).toEqual(strange(text))
  }), { numRuns: 500 })
})

/** How much is the same at the start and at the end. */
function frameOf(before: string, after: string): readonly [number, number] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start += 1
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  return [start, end]
}

/** Where an entry stands, name and value. */
function extentOf(text: string, server: string): { readonly from: number; readonly to: number } {
  const node = findNodeAtLocation(parseTree(text, [], { allowTrailingComma: true }) as Node, ['mcpServers', server])?.parent
  return { from: node?.offset ?? 0, to: (node?.offset ?? 0) + (node?.length ?? 0) }
}
