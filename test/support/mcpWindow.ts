import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from 'playwright-core'
import type { AppUnderTest, AppWorld } from './appUnderTest'
import { reply, type FakeCall, type FakeScript, type RecordedRequest } from './fakeModelServer'
import { casesF } from './mcpServers'

/** The servers page and the calls of servers' tools, as a person and a model see them. */

/** Writes mcp.json of a world as a person would; the app reads it at its next start, or by itself. */
export function configureServers(world: AppWorld, servers: Readonly<Record<string, object>>): void {
  writeFileSync(mcpFile(world), JSON.stringify({ mcpServers: servers }, null, 2))
}

export function mcpFile(world: AppWorld): string {
  return path.join(world.dataDir, 'mcp.json')
}

/** A case of F written into the world, with more behind it: `on`, `ok`, `tool` and what the case names are known there. */
export function caseWith(name: string, file: string, more: string): string {
  writeFileSync(file, `${readFileSync(path.join(casesF, name), 'utf8')}\n${more}\n`)
  return file
}

/** The form of one server. */
export function serverForm(app: AppUnderTest): Locator {
  return app.page.getByRole('form', { name: app.word('servers.form') })
}

/** What the chosen server offers: its tools, changes and permissions. */
export function serverPanel(app: AppUnderTest, name: string): Locator {
  return app.page.getByRole('region', { name: app.word('servers.offers', { name }) })
}

/** A server's row in the list, which says how it is. */
export function serverRow(app: AppUnderTest, name: string): Locator {
  return app.page.getByRole('complementary', { name: app.word('servers.list') }).getByRole('button', { name, exact: false })
}

/** A permission of the chosen server. */
export function permission(app: AppUnderTest, name: string, kind: 'sampling' | 'elicitation' | 'project-text'): Locator {
  return serverPanel(app, name).getByRole('switch', { name: app.word(`servers.may.${kind}`) })
}

/** A call's row in the conversation. */
export function callRow(app: AppUnderTest, server: string, tool: string): Locator {
  return app.conversation.getByRole('listitem').filter({ has: app.page.getByRole('button', { name: `${server} · ${tool}` }) })
}

/** What the model is offered, by the names it is sent. */
export function offeredTools(request: RecordedRequest): readonly string[] {
  const tools = (request.body['tools'] ?? []) as readonly { readonly function: { readonly name: string } }[]
  return tools.map((tool) => tool.function.name)
}

/** The text of a message, also where it is sent in parts. */
export function textOf(message: { readonly content?: unknown } | undefined): string {
  if (typeof message?.content === 'string') return message.content
  return partsOf(message).map((part) => part.text ?? '').join('\n')
}

interface WirePart {
  readonly type: string
  readonly text?: string
  readonly image_url?: { readonly url: string }
}

/** A message's parts; none where it is plain text. */
export function partsOf(message: { readonly content?: unknown } | undefined): readonly WirePart[] {
  return Array.isArray(message?.content) ? (message.content as readonly WirePart[]) : []
}

/** The results that a request holds, by their tool's own name. */
export function resultsIn(request: RecordedRequest | undefined): Readonly<Record<string, string>> {
  const messages = request?.messages ?? []
  const calls = messages.flatMap((message) => (message.tool_calls ?? []) as readonly { readonly id: string; readonly function: { readonly name: string } }[])
  const named = new Map(calls.map((call) => [call.id, ownName(call.function.name)]))
  return Object.fromEntries(messages.filter((message) => message.role === 'tool').map((message) => [named.get(String(message.tool_call_id)) ?? '', textOf(message)]))
}

function ownName(name: string): string {
  return name.split('__').at(-1) ?? name
}

/** A call of the tool that its server calls so; a name that is not offered is called as it is. */
export function callOf(request: RecordedRequest, tool: string, args: Readonly<Record<string, unknown>> = {}): FakeCall {
  return { name: offeredTools(request).find((name) => ownName(name) === tool) ?? tool, args }
}

/**
 * A model that does as it is told: a message `call A B` (or `call A B again`) calls these tools in one step and says `Done: A B` when
 * their results have come, any other is answered with `Heard.`; a request without tools is a server's own (sampling).
 */
export function obedient(argsOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}): FakeScript {
  return (request) => {
    if (offeredTools(request).length === 0) return reply({ text: 'An answer for the server.' })
    const asked = request.messages.findLast((message) => message.role === 'user' && typeof message.content === 'string')
    const line = textOf(asked).split('\n')[0] ?? ''
    const [verb, ...tools] = line.replace(/ again$/, '').split(' ')
    if (verb !== 'call') return reply({ text: 'Heard.' })
    const at = request.messages.indexOf(asked as RecordedRequest['messages'][number])
    const isTold = request.messages.slice(at).some((message) => message.role === 'tool')
    return isTold ? reply({ text: line.replace('call', 'Done:') }) : reply({ calls: tools.map((tool) => callOf(request, tool, argsOf[tool])) })
  }
}
