import type { McpServerConfig } from '../../core/ports/mcpConfig'
import { said, type Said, type Values } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import { appended, parseJson, placeOf, propertiesOf, propertyOf, replaced, valueOf, without, type Property } from './jsonText'
import { readEntry, timeoutNumber, urlNames, type EntryRead, type Steps } from './mcpEntry'

/** What mcp.json holds before anything is added. */
export const emptyMcpText = '{\n  "mcpServers": {}\n}\n'

/** The text of mcp.json, understood. A fault of the whole has nothing else. */
export type McpText =
  | { readonly ok: true; readonly servers: readonly McpServerConfig[]; readonly faults: readonly Said[] }
  | { readonly ok: false; readonly fault: Said }

/** Words for what jsonc-parser found, by its numbers; 0 is ours. */
const problems: Readonly<Record<number, SayCode>> = {
  0: 'mcp.json-deep', 1: 'mcp.json-symbol', 2: 'mcp.json-number', 3: 'mcp.json-name', 4: 'mcp.json-value', 5: 'mcp.json-colon', 6: 'mcp.json-comma', 7: 'mcp.json-brace',
  8: 'mcp.json-bracket', 9: 'mcp.json-end', 10: 'mcp.json-comment', 11: 'mcp.json-comment-end', 12: 'mcp.json-text-end', 13: 'mcp.json-number',
  14: 'mcp.json-escape', 15: 'mcp.json-escape', 16: 'mcp.json-character',
}

/** What is wrong with a text that is no JSON. */
export function jsonProblem(code: number): Said {
  return said(problems[code] ?? 'mcp.json-symbol')
}

/** A text of nothing but blanks holds no servers, and is no fault: editors and full disks leave such files. */
function contentOf(text: string): string {
  return /^\s*$/.test(text) ? emptyMcpText : text
}

/** Reads the text of mcp.json. A bad entry falls away alone (R44). */
export function readMcpText(given: string, file: string): McpText {
  const text = contentOf(given)
  const parsed = parseJson(text)
  if (!parsed.ok) return { ok: false, fault: said('mcp.config-broken', { file, ...placeOf(text, parsed.offset), problem: jsonProblem(parsed.code) }) }
  const { root } = parsed
  if (root.type !== 'object') return { ok: false, fault: said('mcp.config-not-object', { file, ...placeOf(text, root.offset) }) }
  const list = propertyOf(root, 'mcpServers')
  if (list === undefined) return { ok: true, servers: [], faults: [] }
  if (list.value.type !== 'object') return { ok: false, fault: said('mcp.config-servers-not-object', { file, ...placeOf(text, list.value.offset) }) }
  const at = (offset: number) => placed({ file, ...placeOf(text, offset) })
  const faults = propertiesOf(root).filter((one) => one.key === 'mcpServers').slice(0, -1).map((one) => said('mcp.entry-twice', { name: one.key, ...at(one.keyNode.offset) }))
  const properties = propertiesOf(list.value)
  const last = new Map(properties.map((property) => [property.key, property]))
  const servers: McpServerConfig[] = []
  for (const property of properties) {
    if (last.get(property.key) !== property) {
      faults.push(said('mcp.entry-twice', { name: property.key, ...at(property.keyNode.offset) }))
      continue
    }
    const read = readEntry(property.key, valueOf(property.value))
    if (read.ok) servers.push(read.server)
    else faults.push(entryFault(property.key, read, at(offsetOf(property, read.steps))))
  }
  return { ok: true, servers, faults }
}

/** Where an entry stands. `file` empty: in a text that was pasted. `line` is not known of every form. */
export interface Place {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** The values of a place, and `at`, which says it. */
export function placed(place: Place): Values {
  const code = place.file === '' ? 'mcp.at-paste' : place.line === undefined ? 'mcp.at-file' : 'mcp.at-line'
  return { ...place, at: said(code, { ...place }) }
}

/** A fault of one entry in words. */
export function entryFault(name: string, read: EntryRead & { readonly ok: false }, place: Values): Said {
  return said(read.code, { ...place, name, field: fieldName(read.steps) })
}

function fieldName(steps: Steps): string {
  return steps.map((step, index) => (typeof step === 'number' ? `[${step + 1}]` : index === 0 ? step : `.${step}`)).join('')
}

function offsetOf({ keyNode, value }: Property, steps: Steps): number {
  let node = value
  for (const step of steps) {
    const next = typeof step === 'number' ? node.children?.[step] : propertyOf(node, step)?.value
    if (next === undefined) break
    node = next
  }
  return steps.length === 0 ? keyNode.offset : node.offset
}

/** Where something stands in the text; each edit parses anew, so that no place is stale. */
type Route = readonly string[]

function nodeAt(text: string, route: Route) {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error('an edit of mcp.json broke it')
  return route.reduce<typeof parsed.root | undefined>((node, key) => propertyOf(node, key)?.value, parsed.root)
}

function withProperty(text: string, route: Route, key: string, value: unknown): string {
  const parent = nodeAt(text, route)
  if (parent === undefined) throw new Error(`nothing stands at ${route.join('.')}`)
  const present = propertyOf(parent, key)
  return present === undefined ? appended(text, parent, key, value) : replaced(text, present.value, value)
}

function withoutProperty(text: string, route: Route, key: string): string {
  // All of that name: else an earlier one would count now.
  for (let now = text; ; ) {
    const parent = nodeAt(now, route)
    const index = propertiesOf(parent ?? { type: 'object', offset: 0, length: 0 }).findIndex((property) => property.key === key)
    if (parent === undefined || index < 0) return now
    now = without(now, parent, index)
  }
}

/** How often the name is in the list. */
export function countOf(text: string, name: string): number {
  const list = nodeAt(contentOf(text), ['mcpServers'])
  return list === undefined ? 0 : propertiesOf(list).filter((property) => property.key === name).length
}

/** The text without an entry. */
export function withoutServer(text: string, name: string): string {
  return withoutProperty(text, ['mcpServers'], name)
}

/** The text with an entry as it is wanted; what is so already is not touched. `previousName` is that of an entry in it, or null. */
export function withServer(given: string, server: McpServerConfig, previousName: string | null): string {
  let text = contentOf(given)
  if (nodeAt(text, ['mcpServers']) === undefined) text = withProperty(text, [], 'mcpServers', {})
  if (previousName === null) return withProperty(text, ['mcpServers'], server.name, newEntry(server))
  if (previousName !== server.name) {
    const keyNode = propertyOf(nodeAt(text, ['mcpServers']), previousName)?.keyNode
    if (keyNode !== undefined) text = replaced(text, keyNode, server.name)
  }
  const route = ['mcpServers', server.name]
  if (nodeAt(text, route)?.type !== 'object') return withProperty(text, ['mcpServers'], server.name, newEntry(server))
  text = withReach(text, route, server)
  text = withMap(text, route, 'env', server.env)
  text = withMap(text, route, 'headers', server.headers)
  return withSwitches(text, route, server)
}

function newEntry({ command, args, cwd, env, url, headers, isDisabled, timeoutMs }: McpServerConfig): Readonly<Record<string, unknown>> {
  return {
    ...(command === '' ? {} : { command }),
    ...(args.length === 0 ? {} : { args }),
    ...(cwd === '' ? {} : { cwd }),
    ...(url === '' ? {} : { url }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(isDisabled ? { disabled: true } : {}),
    ...(timeoutMs === null ? {} : { timeout: timeoutNumber(timeoutMs) }),
  }
}

/** Command, arguments, folder, address: what of the other way to reach a server is in the entry would contradict it. */
function withReach(given: string, route: Route, server: McpServerConfig): string {
  let text = withText(given, route, 'command', server.command)
  text = withText(text, route, 'cwd', server.cwd)
  const present = urlNames.filter((name) => isFilled(text, route, name))
  if (server.url === '') for (const name of present) text = withoutProperty(text, route, name)
  else text = withText(text, route, present[0] ?? 'url', server.url)
  text = withList(text, route, 'args', server.args)
  const type = propertyOf(nodeAt(text, route), 'type')?.value
  const names = server.command === '' ? ['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'sse', 'remote'] : ['stdio', 'local']
  return type === undefined || names.includes(String(type.value)) ? text : replaced(text, type, names[0])
}

/** Empty, null or no text at all counts as not being there, when it is not the one that is wanted. */
function isFilled(text: string, route: Route, key: string): boolean {
  const node = propertyOf(nodeAt(text, route), key)?.value
  return node !== undefined && node.type !== 'null' && node.value !== ''
}

function withText(text: string, route: Route, key: string, wanted: string): string {
  const node = propertyOf(nodeAt(text, route), key)?.value
  if (wanted !== '') return node?.type === 'string' && node.value === wanted ? text : withProperty(text, route, key, wanted)
  return isFilled(text, route, key) ? withoutProperty(text, route, key) : text
}

/** Whether a number or boolean that a person wrote stands for the wanted text. */
function standsFor(node: { readonly type: string; readonly value?: unknown } | undefined, wanted: string): boolean {
  return node !== undefined && ['string', 'number', 'boolean'].includes(node.type) && String(node.value) === wanted
}

function withList(given: string, route: Route, key: string, wanted: readonly string[]): string {
  let text = given
  const present = propertyOf(nodeAt(text, route), key)?.value
  if (present === undefined || present.type === 'null') return wanted.length === 0 ? text : withProperty(text, route, key, wanted)
  if (present.type !== 'array') return withProperty(text, route, key, wanted)
  const list = () => nodeAt(text, [...route, key]) ?? present
  for (let length = present.children?.length ?? 0; length > wanted.length; length -= 1) text = without(text, list(), length - 1)
  wanted.forEach((item, index) => {
    const node = list().children?.[index]
    if (node === undefined) text = appended(text, list(), null, item)
    else if (!standsFor(node, item)) text = replaced(text, node, item)
  })
  return text
}

function withMap(given: string, route: Route, key: string, wanted: Readonly<Record<string, string>>): string {
  let text = given
  const names = Object.keys(wanted)
  const present = propertyOf(nodeAt(text, route), key)?.value
  if (present === undefined || present.type === 'null') return names.length === 0 ? text : withProperty(text, route, key, wanted)
  if (present.type !== 'object') return withProperty(text, route, key, wanted)
  for (const { key: name } of propertiesOf(present)) if (!Object.hasOwn(wanted, name)) text = withoutProperty(text, [...route, key], name)
  for (const [name, value] of Object.entries(wanted)) {
    const node = propertyOf(nodeAt(text, [...route, key]), name)?.value
    if (!standsFor(node, value)) text = withProperty(text, [...route, key], name, value)
  }
  return text
}

function withSwitches(given: string, route: Route, server: McpServerConfig): string {
  let text = given
  const [disabled, enabled] = ['disabled', 'enabled'].map((key) => propertyOf(nodeAt(text, route), key)?.value)
  const isKnown = (node: typeof disabled) => node === undefined || node.type === 'boolean' || node.type === 'null'
  const isOff = disabled?.value === true || enabled?.value === false
  if (isOff !== server.isDisabled || !isKnown(disabled) || !isKnown(enabled)) {
    if (disabled !== undefined || enabled === undefined) text = withProperty(text, route, 'disabled', server.isDisabled)
    if (enabled !== undefined) text = withProperty(text, route, 'enabled', !server.isDisabled)
  }
  const read = readEntry(server.name, { url: 'x', timeout: valueAt(text, [...route, 'timeout']) })
  if (read.ok && read.server.timeoutMs === server.timeoutMs) return text
  return server.timeoutMs === null ? withoutProperty(text, route, 'timeout') : withProperty(text, route, 'timeout', timeoutNumber(server.timeoutMs))
}

function valueAt(text: string, route: Route): unknown {
  const node = nodeAt(text, route)
  return node === undefined ? null : valueOf(node)
}
