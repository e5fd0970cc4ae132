import { said } from '../../../../shared/domain/result'
import type { Arg, Call, JudgedPart, Outcome, ScriptKind, Where } from '../shell/call'
import { allow, join, nothing, severestPart } from '../shell/outcomes'

/**
 * Reasons to ask that are only about what cannot be known. What a script of the project does is not known anyway, so these
 * do not make running it ask: the sandbox and the snapshots are for that. What is known to be grave counts.
 */
const unknowns: ReadonlySet<string> = new Set([
  'guard.script', 'guard.script-unknown', 'guard.unknown-program', 'guard.unknown-name', 'guard.unknown-option', 'guard.unknown-path', 'guard.unknown-delete', 'guard.unknown-folder', 'guard.unknown-text',
  'guard.expansion', 'guard.recursion', 'guard.shadows', 'guard.later', 'guard.shell-option', 'guard.shell-input', 'guard.module', 'guard.inline-code', 'guard.option', 'guard.option-runs',
  'guard.runs-many', 'guard.environment', 'guard.tool-command', 'guard.extracts', 'guard.writes-by-option', 'guard.deletes-source', 'guard.foreign-shell', 'guard.git-executes', 'guard.too-deep', 'guard.unparsable', 'guard.database', 'guard.fills-disk',
])
/** As much of a script as a reason shows. */
const shownLength = 160

/** Outcomes of scripts by what was run, for one judgement: each is looked at once, and one that calls itself ends. */
const judged = new WeakMap<Where, Map<string, Outcome>>()

/**
 * What running scripts or targets of the project by name amounts to, when the host can tell their text. The words behind
 * them are given to the last one that is there, as package managers do. Everything is one finding: the card shows the
 * command that was typed, with what it stands for in the reason.
 *
 * `nothing` where the text is not known, or where another folder's scripts would run.
 */
export function projectScripts(call: Call, kind: ScriptKind, names: readonly string[], args: readonly Arg[] = []): Outcome {
  const { scripts, root } = call.where
  if (!scripts || call.state.cwds.length !== 1 || call.state.cwds[0] !== root) return nothing
  return join(...names.map((name) => oneScript(call, kind, name, args)))
}

function oneScript(call: Call, kind: ScriptKind, name: string, args: readonly Arg[]): Outcome {
  const known = judged.get(call.where) ?? new Map<string, Outcome>()
  judged.set(call.where, known)
  const rest = args.map((arg) => `'${arg.text.replaceAll("'", "'\\''")}'`).join(' ')
  const key = JSON.stringify([kind, name, rest])
  const before = known.get(key)
  if (before) return before
  known.set(key, nothing)
  const text = call.where.scripts?.(name, kind) ?? null
  const found = text === null || text.trim() === '' ? nothing : judgeScript(call, name, text, rest)
  known.set(key, found)
  return found
}

function judgeScript(call: Call, name: string, text: string, rest: string): Outcome {
  const ran = call.runText(rest === '' ? text : `${text} ${rest}`, { fit: 'wrapped' })
  const grave = severestPart(ran.parts.filter((part) => part.verdict === 'deny' || (part.verdict === 'ask' && !unknowns.has(part.reason.code))))
  const effects = effectsOf(ran.parts)
  const runs = allow('guard.script-runs', { program: call.program, name: name === '' ? call.program : name, text: text.slice(0, shownLength) })
  return grave ? { ...runs, ...effects, kind: grave.verdict, reason: said('guard.in-script', { name, reason: grave.reason }) } : { ...runs, ...effects }
}

function effectsOf(parts: readonly JudgedPart[]): Pick<Outcome, 'reads' | 'writes' | 'deletes' | 'hosts' | 'canUndo'> {
  const all = (of: (part: JudgedPart) => readonly string[]): readonly string[] => [...new Set(parts.flatMap(of))]
  return { reads: all((part) => part.reads), writes: all((part) => part.writes), deletes: all((part) => part.deletes), hosts: all((part) => part.hosts), canUndo: parts.every((part) => part.canUndo) }
}

/** What a package manager runs for one script: those before and after it too, where they are there. */
export function aroundScript(name: string): readonly string[] {
  return [`pre${name}`, name, `post${name}`]
}

/** What an installation of all that the project names runs of the project's own. */
export const installScripts: readonly string[] = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']

/** Hooks that a command of git starts, of those that the repository has. */
export function gitHooks(call: Call, what: string): readonly string[] {
  const own = hooksOf[what] ?? []
  const isSkipped = call.args.some((arg) => arg.text === '--no-verify' || (what === 'commit' && /^-[a-z]*n[a-z]*$/u.test(arg.text)))
  const started = isSkipped ? own.filter((hook) => !/^(?:pre-commit|commit-msg|pre-merge-commit|pre-push|pre-rebase)$/u.test(hook)) : own
  if (started.length === 0) return []
  const there = call.where.hooks?.() ?? []
  return started.filter((hook) => there.includes(hook))
}

/** All hooks that commands of git start. */
export const hookNames = (): readonly string[] => [...new Set(Object.values(hooksOf).flat())]

const hooksOf: Readonly<Record<string, readonly string[]>> = {
  commit: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite'],
  merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge'],
  pull: ['pre-merge-commit', 'post-merge', 'pre-rebase', 'post-rewrite', 'post-checkout'],
  push: ['pre-push'],
  checkout: ['post-checkout'], switch: ['post-checkout'], clone: [], worktree: ['post-checkout'],
  rebase: ['pre-rebase', 'post-checkout', 'post-commit', 'post-rewrite'],
  'cherry-pick': ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'], revert: ['prepare-commit-msg', 'commit-msg', 'post-commit'],
  am: ['applypatch-msg', 'pre-applypatch', 'post-applypatch'], gc: ['pre-auto-gc'],
}
