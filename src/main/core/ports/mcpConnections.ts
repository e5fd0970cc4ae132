import type { McpFormField, McpLogLine, McpSamplingMessage, McpToolDefinition, McpTransport } from '../../../shared/domain/mcp'
import type { Result, Said } from '../../../shared/domain/result'
import type { CancelSignal } from './cancelSignal'

/** How one server is started or reached; variables and secrets are filled in. */
export type McpEndpoint =
  /** `env` is the whole environment of the child and nothing else. `args` reach it item by item. */
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[]; readonly cwd: string; readonly env: Readonly<Record<string, string>> }
  /** `https`, or loopback. Redirects to another host are not followed. */
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly session: McpSignInStore | null }

/** Where one server's OAuth registration and tokens are kept; one opaque text, bound to that server (R53). */
export interface McpSignInStore {
  load(): Promise<string | null>
  save(text: string): Promise<void>
  clear(): Promise<void>
}

/** A connection to make. */
export interface McpStart {
  readonly name: string
  readonly endpoint: McpEndpoint
  /** The opened folder, the one root that the server is told (R51); null outside a folder. */
  readonly root: string | null
  /** How long the handshake may take. */
  readonly handshakeMs: number
  /** A call without progress ends after this. Time in which this server's question waits for a person does not count. */
  readonly callMs: number
  /** A call ends after this whatever progress it reports; a person's time does not count here either. */
  readonly ceilingMs: number
  readonly offersSampling: boolean
  readonly offersElicitation: boolean
}

/** The steps that making a connection goes through, in order. */
export const mcpSteps = ['start', 'handshake', 'tools', 'resources', 'prompts'] as const
export type McpStep = (typeof mcpSteps)[number]

/** What a server asks of us while it works (R51); answers come from the person. */
export type McpQuestion =
  | { readonly kind: 'sampling'; readonly system: string; readonly messages: readonly McpSamplingMessage[]; readonly maxTokens: number; readonly attached: number }
  | { readonly kind: 'elicitation'; readonly message: string; readonly fields: readonly McpFormField[] }
  | { readonly kind: 'open-address'; readonly message: string; readonly url: string; readonly elicitationId: string }

/** `refused`: the person said no; `cancelled`: they did not answer. */
export type McpAnswer =
  | { readonly kind: 'text'; readonly text: string; readonly model: string; readonly isCut: boolean }
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, string | number | boolean | readonly string[]>> }
  | { readonly kind: 'opened' | 'refused' | 'cancelled' }

/** What happens on a connection. Called off the reader, so that nothing a listener does can hold it up (R48). */
export interface McpEvents {
  log(line: McpLogLine): void
  toolsChanged(): void
  resourcesChanged(): void
  resourceUpdated(uri: string): void
  promptsChanged(): void
  /** The signal is the server's own cancelling, or the end of the connection. */
  question(question: McpQuestion, signal: CancelSignal): Promise<McpAnswer>
  /** The connection is over and nobody here closed it. Called once. */
  closed(end: McpEnd): void
}

/** Why a connection could not be made, or ended. `wantsSignIn`: the address answers 401 and offers OAuth. */
export interface McpEnd {
  readonly say: Said
  readonly advice: Said | null
  readonly exitCode: number | null
  readonly wantsSignIn: boolean
}

/** One part of what a server gives, neutral of the wire. `bytes` are decoded. */
export type McpPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'audio'; readonly mimeType: string; readonly bytes: Uint8Array }
  | { readonly kind: 'resource'; readonly uri: string; readonly mimeType: string | null; readonly text: string | null; readonly bytes: Uint8Array | null }
  | { readonly kind: 'link'; readonly uri: string; readonly name: string; readonly title: string; readonly description: string; readonly mimeType: string | null }
  /** A kind that this version does not know; `type` names it. */
  | { readonly kind: 'unknown'; readonly type: string }

/** A tool's answer as it came. */
export interface McpCallResult {
  readonly isError: boolean
  readonly parts: readonly McpPart[]
  readonly structured: Readonly<Record<string, unknown>> | null
}

/** What stops a call, and where its progress goes. */
export interface McpCallOptions {
  readonly signal: CancelSignal
  onProgress(progress: { readonly done: number; readonly total: number | null; readonly message: string }): void
}

/** A resource or a template as it is listed. */
export interface McpListedResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string | null
}

/** A prompt as it is listed. */
export interface McpListedPrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly args: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[]
}

/**
 * A connection whose handshake is done. Several calls may be in flight (R49). Faults are values; after the end every method
 * fails with `mcp.gone`, or with `mcp.sign-in-needed` where that is why it ended: tokens are refreshed and a refused call is
 * repeated once behind the scenes, and what cannot be refreshed is forgotten (R53). Lists are read to their last page, bounded.
 */
export interface McpConnection {
  readonly server: { readonly name: string; readonly version: string; readonly protocol: string; readonly instructions: string }
  readonly can: { readonly tools: boolean; readonly resources: boolean; readonly subscribe: boolean; readonly prompts: boolean; readonly complete: boolean }
  listTools(): Promise<Result<readonly McpToolDefinition[]>>
  listResources(): Promise<Result<readonly McpListedResource[]>>
  listTemplates(): Promise<Result<readonly McpListedResource[]>>
  listPrompts(): Promise<Result<readonly McpListedPrompt[]>>
  /** Cancelling tells the server, and what it answers afterwards is dropped. */
  call(tool: string, args: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<Result<McpCallResult>>
  read(uri: string, signal: CancelSignal): Promise<Result<readonly McpPart[]>>
  subscribe(uri: string): Promise<Result<null>>
  unsubscribe(uri: string): Promise<Result<null>>
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<Result<readonly { readonly role: 'user' | 'assistant'; readonly part: McpPart }[]>>
  /** Values for an argument of a prompt or a template, best first; empty where the server has none. */
  complete(of: { readonly prompt: string } | { readonly template: string }, argument: string, value: string, known: Readonly<Record<string, string>>): Promise<readonly string[]>
  /** Ends the program with everything it started, or the session at the address. Resolves when nothing is left. */
  close(): Promise<void>
}

/** Makes connections to MCP servers. */
export interface McpConnections {
  /** Never rejects. `onStep` is told when a step begins. An aborted start leaves nothing running. */
  connect(start: McpStart, events: McpEvents, signal: CancelSignal, onStep?: (step: McpStep) => void): Promise<{ readonly ok: true; readonly value: McpConnection } | { readonly ok: false; readonly end: McpEnd }>
  /**
   * Signs in at an address: discovery, registration, PKCE, a loopback redirect with a random port (R53). `open` shows the
   * authorization page, which is opened only when it is https or loopback. Resolves when the tokens are kept, after five
   * minutes without an answer, or when it is aborted; what failed leaves what was kept before. Rejects only when the store does.
   */
  signIn(endpoint: McpEndpoint & { readonly kind: 'http' }, open: (url: string) => Promise<void>, signal: CancelSignal): Promise<Result<null>>
  /** Ends what is left of every connection, all at once. */
  closeAll(): Promise<void>
  /** Transports this adapter knows; for the form. */
  readonly transports: readonly McpTransport[]
}
