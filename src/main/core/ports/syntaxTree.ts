/** A unit of syntax that stands for itself: a function, a class, a method, a type, an import group, or what lies between them. Lines count from 1, both ends included. */
export interface SyntaxUnit {
  readonly startLine: number
  readonly endLine: number
  /** The grammar's word for it; empty for what lies between units. */
  readonly type: string
  /** Its declared name; empty when it has none. */
  readonly name: string
  /** Units inside it, in order, not overlapping. */
  readonly units: readonly SyntaxUnit[]
}

/** Finds the units of source text. Synchronous: it works in a thread of its own. */
export interface SyntaxTree {
  /** Whether a grammar for the language is there. */
  knows(language: string): boolean
  /** The units from the first line to the last, in order, not overlapping; null when the text could not be parsed in time or at all. Errors in the text are parsed around. */
  units(language: string, text: string): readonly SyntaxUnit[] | null
}
