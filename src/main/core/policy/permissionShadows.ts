import type { Rule, RuleShape, RuleWord } from '../../../shared/domain/rule'
import { globFits, patternFits } from './permissionGlob'

/** Whether one shape fits every call that the other fits, as shapes that allow. True only where that is certain. */
export function covers(wide: RuleShape, narrow: RuleShape): boolean {
  if (wide.kind === 'command') return narrow.kind === 'command' && coversWords(wide, narrow)
  if (wide.kind === 'files') return narrow.kind === 'files' && wide.tool === narrow.tool && coversGlob(wide.glob, narrow.glob)
  if (wide.kind === 'tool') return narrow.kind === 'tool' && wide.tool === narrow.tool
  return narrow.kind === 'host' && wide.host === narrow.host
}

const severity = { allow: 0, ask: 1, deny: 2 } as const

/**
 * Whether a rule leaves nothing to answer for another, so that it could be taken away: it covers all of it, in every project
 * where the other holds, for as long, and with an effect that is as severe. Of two equal ones the earlier shadows.
 */
export function shadows(rule: Rule, other: Rule): boolean {
  if (rule.id === other.id || severity[rule.effect] < severity[other.effect] || !covers(rule.shape, other.shape)) return false
  if (rule.workspaceId !== null && rule.workspaceId !== other.workspaceId) return false
  // A count is used up by other calls too.
  if (rule.usesLeft !== null || !outlasts(rule.expiresAtMs, other.expiresAtMs)) return false
  const isEqual = rule.effect === other.effect && other.usesLeft === null && covers(other.shape, rule.shape) && rule.workspaceId === other.workspaceId && rule.expiresAtMs === other.expiresAtMs
  return !isEqual || rule.createdAtMs < other.createdAtMs || (rule.createdAtMs === other.createdAtMs && Number(rule.id) < Number(other.id))
}

/** Ends no earlier; null has no end. */
function outlasts(first: number | null, other: number | null): boolean {
  return first === null || (other !== null && first >= other)
}

function coversWords(wide: Extract<RuleShape, { readonly kind: 'command' }>, narrow: Extract<RuleShape, { readonly kind: 'command' }>): boolean {
  if (wide.folder !== undefined && wide.folder !== narrow.folder) return false
  if (wide.words.length === 0 || wide.words.length > narrow.words.length) return false
  if (!wide.isOpen && (narrow.isOpen || wide.words.length !== narrow.words.length)) return false
  return wide.words.every((word, at) => coversWord(word, narrow.words[at]))
}

function coversWord(wide: RuleWord, narrow: RuleWord | undefined): boolean {
  if (narrow === undefined) return false
  if (wide.kind === 'any' || (wide.kind === 'pattern' && /^\*+$/u.test(wide.text))) return true
  if (narrow.kind === 'any') return false
  if (narrow.kind === 'exact') return wide.kind === 'exact' ? wide.text === narrow.text : patternFits(wide.text, narrow.text)
  return wide.kind === 'pattern' && wide.text === narrow.text
}

function coversGlob(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === '**') return true
  if (!narrow.includes('*')) return globFits(wide, narrow)
  if (!wide.endsWith('/**')) return false
  const folder = wide.slice(0, -'/**'.length)
  return !folder.includes('*') && narrow.startsWith(`${folder}/`)
}
