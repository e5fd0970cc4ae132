import type { MessageAttachment } from '../../shared/domain/event'
import type { McpChoice, McpLogLine, McpPrompt, McpResource, McpServerForm } from '../../shared/domain/mcp'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import type { McpImportPreview, McpPage, McpPromptText, McpServerDetail, McpTestStep } from '../../shared/ipc/views'
import type { ToolSource } from '../core/tools/registry'
import type { OpenSession } from './sessions'

/** Where imported servers come from: a file that `scan` named, or the pasted text itself. */
export type McpImportSource = { readonly path: string } | { readonly text: string }

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
  /** The folder that was opened: its switches hold, and it is the root that servers are told. Running servers are told of the change. */
  useFolder(workspace: Workspace | null): Promise<void>
  /** The tools of a session. Offering them starts, in the background, what is switched on here and idle. */
  toolsFor(session: OpenSession): ToolSource
  close(): Promise<void>
}

/** What the servers need of the world. */
export interface McpServersPorts {
  readonly file: string
}

/** Makes the service; nothing is started by that (R46). */
export function makeMcpServers(ports: McpServersPorts): McpServers {
  const gone = (server: string) => Promise.resolve(fail('mcp.gone', { server }))
  return {
    page: () => Promise.resolve({ file: ports.file, fault: null, faults: [], servers: [], isDeferred: false }),
    detail: gone,
    onChange: () => () => undefined,
    save: (form) => gone(form.name),
    remove: gone,
    choose: gone,
    test: () => Promise.resolve([]),
    start: gone,
    stop: gone,
    log: () => [],
    review: gone,
    reveal: gone,
    paste: () => gone(''),
    scan: () => Promise.resolve([]),
    importFrom: () => gone(''),
    signIn: gone,
    signOut: gone,
    resources: () => Promise.resolve([]),
    prompts: () => Promise.resolve([]),
    complete: () => Promise.resolve([]),
    prompt: gone,
    attach: (wanted) => (wanted[0] ? gone(wanted[0].server) : Promise.resolve(succeed([]))),
    useFolder: () => Promise.resolve(),
    toolsFor: () => ({ get: () => undefined, offered: () => Promise.resolve([]) }),
    close: () => Promise.resolve(),
  }
}
