import type { CallId, SessionId, TurnId, WorkspaceId } from './ids'

/** One word of a command rule: exactly this, a pattern with `*` for any characters within the word, or any one word. */
export type RuleWord = { readonly kind: 'exact' | 'pattern'; readonly text: string } | { readonly kind: 'any' }

/**
 * What a rule or a grant is about (R69).
 * `command`: one simple command, its program first; `isOpen` lets further words follow, which then still must lie inside the
 * project. It never covers a redirect (but between descriptors or to /dev/null), a substitution, an environment prefix outside
 * the short list, or a command inside a wrapper. `folder` (relative to the project, '' for its root) is where it may run; absent:
 * anywhere in the project. The same words in another folder may start another program's script.
 * `files`: a file tool on paths of the project that fit the pattern (`*` within a name, `**` over folders).
 * `tool`: a tool of an MCP server, with any arguments.
 * `host`: pages of one host, port included when it is not the scheme's own.
 */
export type RuleShape =
  | { readonly kind: 'command'; readonly words: readonly RuleWord[]; readonly isOpen: boolean; readonly folder?: string }
  | { readonly kind: 'files'; readonly tool: string; readonly glob: string }
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'host'; readonly host: string }

/** `allow` answers without asking what a guard calls allowable; `ask` and `deny` only ever make a verdict more severe. */
export const ruleEffects = ['allow', 'ask', 'deny'] as const
export type RuleEffect = (typeof ruleEffects)[number]

/** A rule as a person writes it. `workspaceId` null: in every project. Null ends: until revoked. */
export interface RuleDraft {
  readonly effect: RuleEffect
  readonly shape: RuleShape
  readonly workspaceId: WorkspaceId | null
  readonly expiresAtMs: number | null
  readonly usesLeft: number | null
  readonly createdFromCall: CallId | null
}

/** A rule that holds until it is revoked or ends. `id` is the number the person reads ("Rule 7"), as text; never given twice. */
export interface Rule extends RuleDraft {
  readonly id: string
  readonly createdAtMs: number
  readonly lastUsedAtMs: number | null
  readonly uses: number
}

/** A permission for one turn or one session. It lives in the session's events and goes with the turn or session. */
export interface Grant {
  readonly id: string
  readonly sessionId: SessionId
  /** Null: for the session. */
  readonly turnId: TurnId | null
  readonly shape: RuleShape
  /** The call at which it was given. */
  readonly callId: CallId
  readonly givenAtMs: number
  readonly expiresAtMs: number | null
  readonly usesLeft: number | null
}

/** With an answer: let the same be answered for longer. Each shape must fit the call it is given at. */
export interface Remember {
  readonly lifetime: 'turn' | 'session' | 'always'
  readonly shapes: readonly RuleShape[]
  /** Only for `always`. */
  readonly isForAllProjects: boolean
  readonly expiresAtMs: number | null
  readonly usesLeft: number | null
}

/** Who answers a part of a call: a rule by its number, a grant, or the built-in list of readers. */
export type PartAnswer = { readonly by: 'rule' | 'grant'; readonly id: string } | { readonly by: 'readers' }
