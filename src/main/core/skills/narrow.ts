import { said, type Said } from '../../../shared/domain/result'
import type { LoadedSkill } from '../../../shared/domain/skill'
import type { CommandPart } from '../../../shared/domain/verdict'
import { programsOf } from '../policy/commandPrograms'
import { canRedirectPrograms } from '../policy/shell/environment'

/** What the skills of a turn leave of the tools (R59). */
export interface Narrowing {
  /** The skills that narrowed. */
  readonly by: readonly string[]
  /** Tool names, each with the programs that a command may name; null: any. */
  readonly tools: ReadonlyMap<string, readonly string[] | null>
}

/** What a turn cannot do without, whatever its skills name: they change no file, start nothing and fetch nothing. */
const always: ReadonlySet<string> = new Set(['ask_user', 'update_plan', 'load_skill', 'cat'])

/**
 * The narrowing of all that is loaded: what any of those skills may use that name tools. A skill that names none neither
 * narrows nor widens. Null: nothing is narrowed.
 */
export function narrowingOf(loaded: readonly Pick<LoadedSkill, 'skill' | 'tools'>[]): Narrowing | null {
  const naming = loaded.flatMap(({ skill, tools }) => (tools === null ? [] : [{ skill, tools }]))
  if (naming.length === 0) return null
  const tools = new Map<string, readonly string[] | null>()
  for (const { tool, programs } of naming.flatMap((one) => one.tools)) {
    const known = tools.get(tool)
    tools.set(tool, known === null || programs === null ? null : [...(known ?? []), ...programs])
  }
  return { by: [...new Set(naming.map(({ skill }) => skill.name))], tools }
}

/** Whether the narrowing leaves a tool. */
export function leaves({ tools }: Narrowing, tool: string): boolean {
  return always.has(tool) || tools.has(tool)
}

/** A call as it is held against a narrowing; `parts` are its command's, as the guard understood them. */
export interface NarrowedCall {
  readonly tool: string
  readonly command: string | null
  readonly parts: readonly CommandPart[]
}

/**
 * Why a call is outside a narrowing; null when it is inside. A command whose programs are bound has to name nothing but them,
 * in each simple command and in what these are known to start; what cannot be read is outside. It only refuses: a call that
 * is inside is judged as every other.
 */
export function outsideOf(narrowing: Narrowing, { tool, command, parts }: NarrowedCall): Said | null {
  const skills = narrowing.by
  if (!leaves(narrowing, tool)) return said('skill.narrowed-tool', { skills, tool, tools: [...narrowing.tools.keys()] })
  const programs = narrowing.tools.get(tool) ?? null
  if (programs === null) return null
  const named = command === null ? null : programsOf(command)
  if (named === null || parts.some(isRedirected)) return said('skill.narrowed-unread', { skills, programs })
  const other = [...named, ...parts.flatMap(startedBy)].find((program) => !programs.includes(program))
  return other === undefined ? null : said('skill.narrowed-program', { skills, program: other, programs })
}

/** A variable set here makes the program start, load or be another one: `PATH=. git`, `GIT_PAGER='rm x' git log`. */
function isRedirected({ argv }: CommandPart): boolean {
  return argv.some((word) => canRedirectPrograms(/^([A-Za-z_]\w*)\+?=/.exec(word)?.[1] ?? ''))
}

/** The program of a part, without the variables in front of it; a path counts as written. Redirects, tests and functions are no programs. */
function startedBy({ argv }: CommandPart): readonly string[] {
  const program = argv.find((word) => !/^[A-Za-z_]\w*=/.test(word))
  return program === undefined || /^(?:[<>&]|\[\[$|\(\($)|\(\)$/.test(program) ? [] : [program]
}
