import type { Said } from './result'

/** Whose folder a skill lies in, the farthest first. Of one name, the nearest is used: the project's before the user's before the app's. */
export const skillOrigins = ['app', 'user', 'project'] as const
export type SkillOrigin = (typeof skillOrigins)[number]

/** A skill as others name it. `path` is its SKILL.md relative to its origin's folder, with slashes; origin and path make it one. */
export interface SkillRef {
  readonly origin: SkillOrigin
  readonly path: string
  readonly name: string
  readonly version: string | null
}

/** A typed input that a skill asks for (R59). `fallback` is used when nothing is given; null: it must be given. */
export interface SkillInput {
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean' | 'choice'
  readonly description: string
  /** Of a choice; empty otherwise. */
  readonly options: readonly string[]
  readonly fallback: string | number | boolean | null
}

/** Given inputs by name. */
export type SkillInputs = Readonly<Record<string, string | number | boolean>>

/** A tool that a skill names: one of ours, with the programs a command may run when it says so (`Bash(git:*)`). */
export interface SkillTool {
  readonly tool: string
  readonly programs: readonly string[] | null
}

/** A skill as its frontmatter declares it: the open standard's fields, and ours (R59). */
export interface Skill extends SkillRef {
  readonly description: string
  readonly triggers: readonly string[]
  readonly inputs: readonly SkillInput[]
  /** Null: it names none, so nothing is narrowed. Empty: it may use none. */
  readonly tools: readonly SkillTool[] | null
  readonly outputSchema: Readonly<Record<string, unknown>> | null
  /** The template that is sent in place of the body, `{{input}}` for each input; null: the body is. */
  readonly template: string | null
  readonly body: string
  readonly bodyBytes: number
}

/** Something wrong in a skill's file. Line and column count from 1; `line` 0: the whole file. `text` is the line itself. */
export interface SkillFault {
  readonly origin: SkillOrigin
  readonly path: string
  readonly line: number
  readonly column: number
  readonly text: string
  readonly say: Said
  /** False: a field was passed over and the skill still loads. */
  readonly isFatal: boolean
}

/** What folders hold, in an order that no disk decides: by origin, then name, then path. */
export interface SkillSet {
  readonly skills: readonly Skill[]
  readonly faults: readonly SkillFault[]
}

/** How one skill stands in the index that every prompt holds (R57). `bytes` 0: not in it. */
export interface SkillIndexEntry {
  readonly skill: SkillRef
  readonly bytes: number
  /** The description's bytes that are in the index, and all of them. */
  readonly shownBytes: number
  readonly wholeBytes: number
  readonly fate: 'whole' | 'cut' | 'left-out' | 'hidden' | 'off'
}

/** The index, at most 4,096 bytes of UTF-8. */
export interface SkillIndex {
  readonly text: string
  readonly bytes: number
  readonly entries: readonly SkillIndexEntry[]
}

/** A skill made ready to be read by the model: its text framed, its inputs filled in. */
export interface LoadedSkill {
  readonly skill: SkillRef
  readonly inputs: SkillInputs
  readonly text: string
  readonly tools: readonly SkillTool[] | null
  readonly outputSchema: Readonly<Record<string, unknown>> | null
}
