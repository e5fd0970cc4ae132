import type { Said } from './result'
import type { WorkspaceId } from './ids'

/** What a folder may bring that would count as configuration. Nothing of it does before the person ticked it (SECURITY decision 12). */
export const trustKinds = ['instructions', 'server', 'skill'] as const
export type TrustKind = (typeof trustKinds)[number]

/** Trust holds for one item with exactly this content. */
export interface TrustRef {
  readonly kind: TrustKind
  /** The path for instructions and skills (of its SKILL.md), the name for a server. */
  readonly name: string
  /** SHA-256 of what would take effect. */
  readonly hash: string
}

/** A server of the folder as it would be started or reached; every word of it is shown. */
export interface TrustServer {
  readonly command: string
  readonly args: readonly string[]
  readonly url: string
  /** Names of the variables it wants, and whether they are set; values are never shown. */
  readonly variables: readonly { readonly name: string; readonly isSet: boolean }[]
}

/** Something found. `new`: never decided; `changed`: decided once, on other content; `declined`: seen, and left out. */
export interface TrustItem extends TrustRef {
  /** Relative to the folder. */
  readonly path: string
  readonly state: 'new' | 'changed' | 'trusted' | 'declined'
  readonly sizeBytes: number
  readonly lines: number
  /** The text that would take effect, whole; drawn as text with its hidden characters shown. */
  readonly text: string
  /** What to look at: a line that asks for a command, hidden characters, a start that cannot be judged. `line` counts from 1. */
  readonly notes: readonly { readonly line: number | null; readonly tone: 'warn' | 'bad'; readonly say: Said }[]
  readonly server: TrustServer | null
  readonly skill: { readonly description: string; readonly tools: readonly string[] | null } | null
}

/** A program of the folder that other programs start: never run by the app, but by what it runs. */
export interface TrustHook {
  readonly path: string
  /** What sets it off, as `git commit`. */
  readonly runsWith: string
}

/** What was found in an opened folder. */
export interface TrustFindings {
  readonly workspaceId: WorkspaceId
  readonly root: string
  readonly items: readonly TrustItem[]
  readonly hooks: readonly TrustHook[]
  /** Files that could not be read as what they claim to be; they do not take part. */
  readonly faults: readonly Said[]
  /** True when something is new or changed: then the dialog opens by itself. */
  readonly isAsking: boolean
}
