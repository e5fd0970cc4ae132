import { said } from '../../../shared/domain/result'
import type { Rule, RuleEffect } from '../../../shared/domain/rule'
import type { JudgedCommand } from './commandGuard'
import { answersOf, type LivePermission } from './permissions'

/**
 * Remembered answers for commands as lists of words. Each rule is a program with leading words: `git status` means git with
 * the first word status. `builtinReadOnly` lets the built-in list of readers answer too.
 */
export interface CommandRules {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
  readonly builtinReadOnly?: boolean
}

/** A verdict after the rules, and which of them let the command run without a person. */
export interface RuledCommand {
  readonly verdict: JudgedCommand
  /** Rules that answer, one for each part; null when a person is needed. */
  readonly allowedBy: readonly string[] | null
}

/** The name under which the built-in list of readers answers. */
const builtinReadersRule = 'built-in readers'

/** Applies such lists to a judged command, by the one engine that answers for saved rules too (see `answersOf`). */
export function applyRules(judged: JudgedCommand, rules: CommandRules, root: string): RuledCommand {
  const permissions = (['allow', 'ask', 'deny'] as const).flatMap((effect) => (rules[effect] ?? []).filter((text) => text.trim() !== '').map((text) => asRule(text, effect)))
  const question = { tool: 'run_command', args: {}, root, verdict: judged, parts: judged.parts, places: [], readersAnswer: rules.builtinReadOnly === true }
  const { whole, parts, denies, asks } = answersOf(question, permissions, 0)
  if (judged.kind !== 'deny' && denies !== null) return { verdict: { ...judged, kind: 'deny', reason: said('guard.rule-denies', { rule: denies }) }, allowedBy: null }
  if (judged.kind === 'allowable' && asks !== null) return { verdict: { ...judged, kind: 'ask', reason: said('guard.rule-asks', { rule: asks }) }, allowedBy: null }
  const names = parts.map((part) => (part === null || part.by === 'readers' ? builtinReadersRule : part.id))
  return { verdict: judged, allowedBy: whole === null ? null : [...new Set(names)] }
}

/** Its text stands for its number. */
function asRule(text: string, effect: RuleEffect): LivePermission {
  const rule: Rule = {
    id: text, effect, workspaceId: null, expiresAtMs: null, usesLeft: null, createdFromCall: null, createdAtMs: 0, lastUsedAtMs: null, uses: 0,
    shape: { kind: 'command', isOpen: true, words: text.trim().split(/\s+/u).map((word) => ({ kind: 'exact', text: word })) },
  }
  return { by: 'rule', rule }
}
