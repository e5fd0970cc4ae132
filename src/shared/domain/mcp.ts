import type { Said } from './result'

/** How a server is reached (R41): `command` in mcp.json means a program, `url` an address. */
export type McpTransport = 'stdio' | 'http'

/**
 * A value of the environment or of a header as the form handles it. `text` stands in mcp.json as it is and may hold `${VAR}`
 * and `${VAR:-default}` (R45); `secret` is new and goes to the keychain, the file gets `${secret:NAME}`; `kept` is a hidden
 * value that stays what it is, in the file or in the keychain.
 */
export type McpValue = { readonly kind: 'text' | 'secret'; readonly text: string } | { readonly kind: 'kept' }

/** One named value: a variable of the environment, or a header. */
export interface McpField {
  readonly name: string
  readonly value: McpValue
}

/** What the form edits; the fields of the other transport are empty. `timeoutMs` null: the default. */
export interface McpServerForm {
  readonly name: string
  readonly transport: McpTransport
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: readonly McpField[]
  readonly url: string
  readonly headers: readonly McpField[]
  readonly isDisabled: boolean
  readonly timeoutMs: number | null
}

/** A hidden value as the window may know it. `expands`: what `${VAR:-default}` gives now; null where the value is no reference. */
export interface McpHiddenValue {
  readonly name: string
  readonly place: 'file' | 'keychain' | 'missing'
  readonly reference: string | null
  readonly expands: string | null
}

/** How a server is. Each has only what exists in it. */
export type McpServerState =
  /** Switched off in mcp.json. */
  | { readonly kind: 'disabled' }
  /** Switched off for the opened folder. */
  | { readonly kind: 'off-here' }
  /** Starts when first used. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly sinceMs: number }
  | { readonly kind: 'ready'; readonly sinceMs: number }
  /** `attempt` of `attempts` failed; `nextTryAtMs` null: nobody tries again by itself. `lastLine` is its last line on stderr. */
  | { readonly kind: 'failed'; readonly say: Said; readonly advice: Said | null; readonly lastLine: string; readonly exitCode: number | null; readonly nextTryAtMs: number | null; readonly attempt: number; readonly attempts: number }
  /** The address wants somebody to sign in (OAuth, R53). */
  | { readonly kind: 'sign-in' }
  /** Command, arguments or names of the environment are not those that were accepted (R54): nothing is started. */
  | { readonly kind: 'changed' }

/**
 * A tool as its server lists it; what is hashed, pinned and compared (R54). Schemas are JSON Schema, untrusted. `isCut`: the
 * server said more than what is looked at; the rest is used nowhere.
 */
export interface McpToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly isCut?: true
}

/** What an mcp call reached for, as dialogs, rules and the record name it: server and original name, never the cleaned one. */
export interface McpOrigin {
  readonly server: string
  readonly tool: string
}

/**
 * A definition that is not the one that was accepted. The texts are whole definitions, one fact a line, for a comparison;
 * `hash` names the new one, so that an answer cannot accept another. `warnings` come from a scan that only warns.
 */
export interface McpChange {
  readonly subject: 'start' | 'tool'
  /** The tool's original name; empty for `start`. */
  readonly tool: string
  readonly hash: string
  readonly acceptedAtMs: number
  readonly before: string
  readonly after: string
  readonly warnings: readonly Said[]
}

/** A switch of the page; each is kept outside mcp.json but `disabled`. */
export type McpChoice =
  | { readonly kind: 'disabled' | 'here' | 'sampling' | 'elicitation' | 'project-text'; readonly isOn: boolean }
  | { readonly kind: 'tool'; readonly tool: string; readonly isOn: boolean }
  | { readonly kind: 'effect'; readonly tool: string; readonly effect: 'execute' | 'network' }

/** One line of a server's log: its stderr, what it printed outside the protocol, log messages, and what the app did. */
export interface McpLogLine {
  readonly atMs: number
  readonly from: 'stderr' | 'stdout' | 'server' | 'app'
  readonly text: string
}

/** A resource that a server offers. `isTemplate`: `uri` is a URI template (RFC 6570) with names to fill in. */
export interface McpResource {
  readonly server: string
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string | null
  readonly isTemplate: boolean
}

/** A prompt that a server offers as a slash command (R51). */
export interface McpPrompt {
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly args: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[]
}

/** A field of the form that a server asks the person to fill in (elicitation); flat by the specification. */
export interface McpFormField {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices'
  readonly options: readonly { readonly value: string; readonly title: string }[]
  readonly isRequired: boolean
  readonly initial: string | number | boolean | readonly string[] | null
  readonly format: 'email' | 'uri' | 'date' | 'date-time' | null
  readonly minimum: number | null
  readonly maximum: number | null
}

/** A part of a message that a server wants a model to answer (sampling). */
export interface McpSamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}
