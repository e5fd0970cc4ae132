import type { MessageAttachment } from '../../shared/domain/event'
import type { McpPrompt, McpResource } from '../../shared/domain/mcp'
import { fail, succeed, type Result, type Said, said } from '../../shared/domain/result'
import type { McpPromptText } from '../../shared/ipc/views'
import { textOfParts } from '../core/mcp/results'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { McpConnection, McpListedResource, McpPart } from '../core/ports/mcpConnections'
import type { McpServersPorts } from './mcpPorts'
import { standsOff, type McpRoster } from './mcpRoster'
import { atMost } from './mcpTiming'
import { resultPorts } from './mcpTools'

/** Most resources that one query gives. */
const shownResources = 50

/** Resources and prompts of the servers, as the person and the model reach them (R50, R51). */
export interface McpResources {
  find(query: string): Promise<readonly McpResource[]>
  /** What is known of a server's resources. */
  of(server: string): readonly McpResource[]
  /** The same, of servers that are started for it and waited for, a little. */
  listed(server: string): Promise<readonly McpResource[]>
  prompts(): Promise<readonly McpPrompt[]>
  promptsOf(server: string): readonly McpPrompt[]
  complete(server: string, of: { readonly prompt: string } | { readonly template: string }, argument: string, value: string, known: Readonly<Record<string, string>>): Promise<readonly string[]>
  prompt(server: string, name: string, args: Readonly<Record<string, string>>): Promise<Result<McpPromptText>>
  attach(wanted: readonly { readonly server: string; readonly uri: string }[]): Promise<Result<readonly MessageAttachment[]>>
  read(server: string, uri: string, signal: CancelSignal): Promise<Result<readonly McpPart[]>>
}

type ResourcePorts = Pick<McpServersPorts, 'clock' | 'times' | 'blobs' | 'redact' | 'makeFilter' | 'withoutKnown'>

/** Makes it. */
export function makeMcpResources(ports: ResourcePorts, roster: McpRoster): McpResources {
  const mayRun = (): readonly string[] => roster.servers().flatMap(({ name }) => (roster.mayRun(name) ? [name] : []))

  /** Whoever was never asked is waited for, a little; what is known is there at once. */
  const awake = async (only?: string): Promise<readonly string[]> => {
    await roster.load()
    const names = mayRun().filter((name) => only === undefined || name === only)
    const waits = names.flatMap((name) => {
      const life = roster.life(name)
      life?.want()
      const state = life?.state()
      // One that hangs is waited for once, not with every key.
      return life && life.lists() === null && state?.kind === 'starting' ? [atMost(life.filled(), Math.max(0, state.sinceMs + ports.times.firstSightMs - ports.clock.nowMs()))] : []
    })
    await Promise.all(waits)
    return names
  }
  const connection = async (server: string, signal?: CancelSignal): Promise<Result<McpConnection>> => {
    await roster.load()
    const life = roster.life(server)
    if (!life) return fail('mcp.not-configured', { server })
    const off = standsOff(roster.state(server), server)
    if (off !== null || !roster.mayRun(server)) return { ok: false, fault: off ?? said('mcp.gone', { server }) }
    return life.connected(signal)
  }
  const of = (server: string): readonly McpResource[] => {
    const lists = roster.life(server)?.lists()
    const shown = (isTemplate: boolean) => (one: McpListedResource): McpResource => ({ ...one, server, isTemplate })
    return lists ? [...lists.resources.map(shown(false)), ...lists.templates.map(shown(true))] : []
  }
  const promptsOf = (server: string): readonly McpPrompt[] => (roster.life(server)?.lists()?.prompts ?? []).map((one) => ({ ...one, server }))
  const read = async (server: string, uri: string, signal: CancelSignal): Promise<Result<readonly McpPart[]>> => {
    const open = await connection(server, signal)
    return open.ok ? open.value.read(uri, signal) : open
  }
  const attachOne = async ({ server, uri }: { readonly server: string; readonly uri: string }): Promise<Result<MessageAttachment>> => {
    const parts = await read(server, uri, new AbortController().signal)
    if (!parts.ok) return fail('mcp.cannot-attach', { server, uri, reason: parts.fault })
    const { body, content, outputRef } = await textOfParts(parts.value, server, resultPorts(ports))
    const name = of(server).find((one) => one.uri === uri)
    return succeed({ server, uri, name: name?.title || name?.name || uri, text: ports.withoutKnown(ports.redact(body)), outputRef, content })
  }

  return {
    of,
    listed: async (server) => (await awake(server)).flatMap(of),
    promptsOf,
    read,
    find: async (query) => best(query, (await awake()).flatMap(of)),
    prompts: async () => (await awake()).flatMap(promptsOf),
    async complete(server, what, argument, value, known) {
      const open = await connection(server)
      return open.ok && open.value.can.complete ? open.value.complete(what, argument, value, known) : []
    },
    async prompt(server, name, args) {
      const open = await connection(server)
      if (!open.ok) return open
      const given = await open.value.prompt(name, args)
      return given.ok ? succeed(promptText(server, given.value)) : given
    },
    async attach(wanted) {
      const attached: MessageAttachment[] = []
      for (const one of await Promise.all(wanted.map(attachOne))) {
        if (!one.ok) return one
        attached.push(one.value)
      }
      return succeed(attached)
    },
  }
}

/** Fitting ones, best first: by the beginning of name or title, then inside them, then by address. */
function best(query: string, resources: readonly McpResource[]): readonly McpResource[] {
  const wanted = query.trim().toLowerCase()
  const rank = (one: McpResource): number => {
    const names = [one.title, one.name].map((text) => text.toLowerCase())
    if (names.some((text) => text.startsWith(wanted))) return 0
    if (names.some((text) => text.includes(wanted))) return 1
    return `${one.server} ${one.uri}`.toLowerCase().includes(wanted) ? 2 : 3
  }
  return resources
    .map((one) => ({ one, at: rank(one) }))
    .filter(({ at }) => at < 3)
    .sort((left, right) => left.at - right.at)
    .slice(0, shownResources)
    .map(({ one }) => one)
}

/** A prompt becomes text for the message box: the person reads it before anything is sent. What is no text cannot go there. */
function promptText(server: string, messages: readonly { readonly role: 'user' | 'assistant'; readonly part: McpPart }[]): McpPromptText {
  const texts: string[] = []
  const attachments: McpPromptText['attachments'][number][] = []
  const notes: Said[] = []
  const isMixed = messages.some((one) => one.role === 'assistant')
  for (const { role, part } of messages) {
    switch (part.kind) {
      case 'text':
        texts.push(isMixed ? `${role === 'user' ? 'User' : 'Assistant'}: ${part.text}` : part.text)
        break
      case 'resource':
        attachments.push({ server, uri: part.uri, name: part.uri })
        break
      case 'link':
        attachments.push({ server, uri: part.uri, name: part.title || part.name || part.uri })
        break
      case 'image':
      case 'audio':
        notes.push(said('mcp.prompt-part-left-out', { server, kind: part.mimeType }))
        break
      case 'unknown':
        notes.push(said('mcp.prompt-part-left-out', { server, kind: part.type }))
    }
  }
  return { text: texts.join('\n\n'), attachments, notes }
}
