import type { MessageAttachment } from '../../shared/domain/event'
import type { McpChoice, McpLogLine, McpPrompt, McpResource, McpServerForm } from '../../shared/domain/mcp'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import type { McpImportPreview, McpPage, McpPromptText, McpServerDetail, McpTestStep } from '../../shared/ipc/views'
import { expand, referencesOf } from '../core/mcp/expand'
import type { McpServerConfig } from '../core/ports/mcpConfig'
import type { ToolSource } from '../core/tools/registry'
import { makeMcpChoices } from './mcpChoices'
import { lookupFor, signInName } from './mcpEndpoint'
import { makeMcpImporting, type McpImportSource } from './mcpImporting'
import { makeMcpOffers } from './mcpOffers'
import { makeMcpPages } from './mcpPage'
import type { McpServersPorts } from './mcpPorts'
import { makeMcpQuestions } from './mcpQuestions'
import { makeMcpResources } from './mcpResources'
import { kept, makeMcpRoster, standsOff } from './mcpRoster'
import { makeMcpSaving } from './mcpSaving'
import { testForm } from './mcpTest'
import { makeMcpCatalogue } from './mcpTools'
import { makeMcpWatch } from './mcpWatch'
import { subscribe, type OpenSession } from './sessions'

/** The MCP servers of a host: what is configured, what runs, and what may be used (R41-R54). Faults are values. */
export interface McpServers {
  page(): Promise<McpPage>
  detail(name: string): Promise<Result<McpServerDetail>>
  /** Called with the page after each change of a state, list or switch; batched. Returns a stop. */
  onChange(listener: (page: McpPage) => void): () => void
  save(form: McpServerForm, previousName: string | null, passPhrase?: string): Promise<Result<null>>
  remove(name: string): Promise<Result<null>>
  choose(name: string, choice: McpChoice): Promise<Result<null>>
  /** Tries a form without saving it; what it starts is ended again. */
  test(form: McpServerForm, previousName: string | null, onStep: (step: McpTestStep) => void): Promise<readonly McpTestStep[]>
  /** Starts now, whatever failed before. */
  start(name: string): Promise<Result<null>>
  /** Ends it; it starts again when used. */
  stop(name: string): Promise<Result<null>>
  log(name: string): readonly McpLogLine[]
  /** Accepts exactly the definition of `hash`, or keeps it off (R54). */
  review(name: string, subject: 'start' | 'tool', tool: string, hash: string, accept: boolean): Promise<Result<null>>
  /** A value of mcp.json with its variables filled in, for 20 seconds of looking; never one of the keychain. */
  reveal(name: string, list: 'env' | 'headers', field: string): Promise<Result<{ readonly text: string }>>
  paste(text: string): Promise<Result<McpImportPreview>>
  scan(): Promise<readonly McpImportPreview[]>
  importFrom(source: McpImportSource, rows: readonly { readonly name: string; readonly as: string }[], passPhrase?: string): Promise<Result<{ readonly added: readonly string[] }>>
  signIn(name: string): Promise<Result<null>>
  signOut(name: string): Promise<Result<null>>
  /** Resources and templates whose name, title or address fits, best first, at most 50. Starts servers that are idle. */
  resources(query: string): Promise<readonly McpResource[]>
  prompts(): Promise<readonly McpPrompt[]>
  complete(server: string, of: { readonly prompt: string } | { readonly template: string }, argument: string, value: string, known: Readonly<Record<string, string>>): Promise<readonly string[]>
  prompt(server: string, name: string, args: Readonly<Record<string, string>>): Promise<Result<McpPromptText>>
  /** Reads resources that the person attaches to a message. One that cannot be read fails the whole, so that nothing is sent without it. */
  attach(wanted: readonly { readonly server: string; readonly uri: string }[]): Promise<Result<readonly MessageAttachment[]>>
  /** The folder that was opened: its switches hold, and it is the root that servers are told. Servers that were told another are ended, and start again when used. */
  useFolder(workspace: Workspace | null): Promise<void>
  /** Names of the app's own servers. Starts nothing. */
  ownNames(): Promise<readonly string[]>
  /** The servers of the opened folder that the person trusts; those of before are ended. With `asksToStart` one that was never accepted waits for a person (R43). */
  useProject(servers: readonly McpServerConfig[], asksToStart: boolean): Promise<void>
  /** The tools of a session, once it is known what is configured. Offering them starts, in the background, what is switched on here and idle. */
  toolsFor(session: OpenSession): Promise<ToolSource>
  close(): Promise<void>
}

/** Makes the service; nothing is read or started by that (R46). */
export function makeMcpServers(ports: McpServersPorts): McpServers {
  const listeners = new Set<(page: McpPage) => void>()
  let pushing: NodeJS.Timeout | null = null
  let isClosed = false
  const push = async (): Promise<void> => {
    pushing = null
    if (isClosed || listeners.size === 0) return
    const page = await pages.page()
    listeners.forEach((listener) => listener(page))
  }
  const changed = (): void => {
    if (!isClosed) pushing ??= setTimeout(() => void push(), ports.times.pushMs)
  }
  const roster = makeMcpRoster(ports, {
    changed,
    resourceUpdated: (server, uri) => watch.updated(server, uri),
    question: (server, question, signal) => questions.answer(server, question, signal),
  })
  const catalogue = makeMcpCatalogue(roster, (tool) => {
    // While it is not as accepted only a person answers for it; a store at fault leaves the rule to be ended by hand.
    void kept(async () => ports.lapsed?.(tool))
  })
  const questions = makeMcpQuestions(ports, roster.register)
  const watch = makeMcpWatch(ports.sessions, roster)
  const resources = makeMcpResources(ports, roster)
  const pages = makeMcpPages({ ports, roster, catalogue, resources })
  const saving = makeMcpSaving(ports, roster)
  const importing = makeMcpImporting(ports, roster, saving)
  const choices = makeMcpChoices(ports, roster, catalogue)
  const offers = makeMcpOffers({ ports, roster, catalogue, questions, resources })

  /** Does something to a configured server; a store at fault is said in words. */
  const withServer = async (name: string, work: () => Promise<Result<null>>): Promise<Result<null>> => {
    await roster.load()
    if (!roster.config(name)) return fail('mcp.not-configured', { server: name })
    let result: Result<null> = succeed(null)
    const stored = await kept(async () => void (result = await work()))
    changed()
    return stored.ok ? result : stored
  }

  return {
    ...pages,
    ...importing,
    onChange: (listener) => subscribe(listeners, listener),
    save: (form, previousName, passPhrase) => saving.save(form, previousName, passPhrase),
    remove: (name) => saving.remove(name),
    test: (form, previousName, onStep) => testForm(form, previousName, ports, roster, onStep),
    choose: (name, choice) => withServer(name, () => choices.choose(name, choice)),
    start: (name) =>
      withServer(name, async () => {
        const off = standsOff(roster.state(name), name) ?? roster.refusal(name)
        if (off) return { ok: false, fault: off }
        const config = roster.config(name)
        if (config && roster.waitsForPerson(name)) await roster.register.acceptStart(config)
        return (await roster.life(name)?.tryNow()) ?? succeed(null)
      }),
    stop: (name) =>
      withServer(name, async () => {
        await roster.life(name)?.stop()
        return succeed(null)
      }),
    log: (name) => roster.life(name)?.log.lines() ?? [],
    review: (name, subject, tool, hash, accept) => withServer(name, () => (subject === 'start' ? choices.reviewStart(name, hash, accept) : choices.reviewTool(name, tool, hash, accept))),
    async reveal(name, list, field) {
      await roster.load()
      const config = roster.config(name)
      const value = config && Object.hasOwn(config[list], field) ? config[list][field] : undefined
      if (config === undefined || value === undefined) return fail('mcp.field-gone', { name: field })
      // A secret of the keychain is never shown again, also not as a part of a value.
      if (referencesOf(value).some((one) => one.kind === 'secret')) return fail('mcp.never-shown', { name: field })
      const text = expand(value, await lookupFor(config, ports))
      return text.ok ? succeed({ text: text.value }) : text
    },
    signIn: (name) => withServer(name, () => choices.signIn(name)),
    signOut: (name) =>
      withServer(name, async () => {
        const config = roster.config(name)
        if (config) await ports.secrets.remove(signInName(config))
        await roster.life(name)?.stop()
        // What it is without a sign-in shows at once.
        if (roster.mayRun(name)) roster.life(name)?.want()
        return succeed(null)
      }),
    resources: (query) => resources.find(query),
    prompts: () => resources.prompts(),
    complete: (server, of, argument, value, known) => resources.complete(server, of, argument, value, known),
    prompt: (server, name, args) => resources.prompt(server, name, args),
    attach: (wanted) => resources.attach(wanted),
    useFolder: (workspace) => roster.useFolder(workspace),
    async ownNames() {
      await roster.load()
      return roster.servers().flatMap(({ name, project }) => (project === undefined ? [name] : []))
    },
    useProject: (servers, asksToStart) => roster.useProject(servers, asksToStart),
    toolsFor: (session) => offers.toolsFor(session),
    async close() {
      isClosed = true
      if (pushing) clearTimeout(pushing)
      watch.close()
      await roster.close()
    },
  }
}
