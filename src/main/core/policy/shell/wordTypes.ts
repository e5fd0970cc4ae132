import type { ParsedScript, Word } from 'unbash'
import type { Arg, Outcome } from './call'
import type { ShellState } from './state'
import type { Ran, Walk } from './walkTypes'

/** How words of a command are expanded. The functions are handed in because words hold scripts and scripts hold words. */
export interface WordContext {
  readonly walk: Walk
  readonly state: ShellState
  /** Judges a substitution's script. */
  readonly judgeScript: (script: ParsedScript, state: ShellState, walk: Walk) => Ran
  /** Expands a word that stays one word. */
  readonly single: (word: Word, context: WordContext) => Arg
  /** Findings about the words themselves; they count for the command that the words belong to. */
  readonly notes: Outcome[]
  /** Set when any word holds a command or process substitution. */
  readonly seen: { substitution: boolean }
}
