import type { Said } from '../../../../shared/domain/result'
import type { CommandPart, Verdict } from '../../../../shared/domain/verdict'
import type { PathClass } from '../protectedPaths'
import type { ShellState } from './state'

/** Where a command would run. All paths are absolute real paths, made by the host. */
export interface Where {
  readonly cwd: string
  readonly root: string
  readonly home: string
  readonly appData: string
  readonly shell?: 'bash' | 'powershell' | 'cmd'
  readonly platform?: 'linux' | 'darwin' | 'win32'
  /** True when commands run as root of the machine. */
  readonly isRoot?: boolean
  /** Whether the project's git settings name programs that reading commands would run (projectGitExecutes); null: not known. */
  readonly projectGit?: { readonly executes: boolean | null }
  /** The text of one of the project's own scripts (`package.json`) or the recipe of a target (`Makefile`); null when there is none. */
  readonly scripts?: (name: string, kind: ScriptKind) => string | null
  /** Names of the hooks that the project's repository has. */
  readonly hooks?: () => readonly string[]
}

/** Where a script of the project is written: a package manager's, or a target of `make`. */
export type ScriptKind = 'package' | 'make'

/** Whether a rule may answer for a part; anything but `plain` names why not. */
export type RuleFit = 'plain' | 'redirect' | 'substitution' | 'environment' | 'wrapped' | 'outside'

/** A part as the guard made it, with what rules need to know. */
export interface JudgedPart extends CommandPart {
  /** The program and its words as rules compare them, without what stands in front. */
  readonly words: readonly string[]
  readonly fit: RuleFit
  /** Where it runs, relative to the project ('' is its root); null when outside, or not known. */
  readonly folder: string | null
}

/** Text that flows through a pipe or comes out of a substitution, as far as it is known. */
export interface Stream {
  /** The exact text when it is known, null otherwise. */
  readonly text: string | null
  /** A pattern that the text fits when it is not known exactly: see marks. */
  readonly pattern: string | null
  /** Holds or may hold secrets. */
  readonly isSecret: boolean
  /** Comes from another machine. */
  readonly isRemote: boolean
  /** Paths that stand for what its lines name, when they are known to be file names; may hold marks. */
  readonly paths: readonly string[]
}

/** One word of a command after expansion. `text` may hold marks; `shown` is for people. */
export interface Arg {
  readonly text: string
  readonly shown: string
  readonly isSecret: boolean
  readonly isRemote: boolean
  /** What a process substitution delivers when its name is read. */
  readonly stream: Stream | null
  /** One text that it may have, where `text` is not known. */
  readonly perhaps?: string
}

/** What a program's judge found. `parts` are commands that it would run itself. */
export interface Outcome {
  readonly kind: Verdict['kind']
  readonly reason: Said
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly deletes: readonly string[]
  readonly hosts: readonly string[]
  readonly canUndo: boolean
  readonly parts: readonly JudgedPart[]
  /** True for wrappers that have no part of their own: the commands inside stand for them. */
  readonly isHidden: boolean
  readonly output: Stream
  /** The shell's state afterwards, for builtins that change it. */
  readonly state: ShellState | null
}

/** How to run something inside a call. */
export interface InnerRun {
  readonly stdin?: Stream
  /** `wrapped` parts are never answered by a rule. */
  readonly fit?: RuleFit
  readonly state?: ShellState
  /** True when what runs inside changes this very shell, as with `eval`. */
  readonly keepsState?: boolean
}

/** One simple command as a program's judge sees it. */
export interface Call {
  readonly program: string
  /** The name as it was written. */
  readonly typed: string
  readonly args: readonly Arg[]
  readonly stdin: Stream
  readonly state: ShellState
  readonly where: Where
  /** Names of the variables set in front of the command. */
  readonly environment: readonly string[]
  /** Classes of all places that an absolute path with marks may stand for. */
  classify(path: string): readonly PlacedPath[]
  /** Judges another simple command that this one runs. */
  runArgs(args: readonly Arg[], run?: InnerRun): Outcome
  /** Judges text that this command gives to a shell. Marks in the text make it ask. */
  runText(text: string, run?: InnerRun): Outcome
}

/** An absolute path and what it is. */
export interface PlacedPath {
  readonly path: string
  readonly is: PathClass
}

/** Judges one program's calls. */
export type Judge = (call: Call) => Outcome

/** Judges by program name. */
export type ProgramTable = Readonly<Record<string, Judge>>

/** Nothing known and nothing bad. */
export const plainStream: Stream = { text: null, pattern: null, isSecret: false, isRemote: false, paths: [] }

/** A stream whose text is known. */
export function textStream(text: string): Stream {
  return { ...plainStream, text }
}

/** Most that is kept of what is printed; more counts as not known. */
const maxStreamText = 262_144
const maxStreamPaths = 500

/** Both one after the other. */
export function joinStreams(first: Stream, second: Stream): Stream {
  const isShort = (first.text?.length ?? 0) + (second.text?.length ?? 0) <= maxStreamText
  const isFew = first.paths.length + second.paths.length <= maxStreamPaths
  return {
    text: isShort && first.text !== null && second.text !== null ? first.text + second.text : null,
    pattern: null,
    isSecret: first.isSecret || second.isSecret,
    isRemote: first.isRemote || second.isRemote,
    paths: isFew && first.paths.length > 0 && second.paths.length > 0 ? [...first.paths, ...second.paths] : [],
  }
}

/** A word that is exactly known. */
export function plainArg(text: string): Arg {
  return { text, shown: text, isSecret: false, isRemote: false, stream: null }
}

/** The rest of a word from a position on, such as the value in `-ofile`. */
export function sliceArg(arg: Arg, from: number): Arg {
  const text = arg.text.slice(from)
  return { ...arg, text, shown: arg.shown.slice(from) || text }
}
