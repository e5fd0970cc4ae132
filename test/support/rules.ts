import { asId } from '../../src/shared/domain/ids'
import type { Grant, Rule, RuleShape } from '../../src/shared/domain/rule'

/** A project as the guards see it. */
export const where = { cwd: '/home/ann/app', root: '/home/ann/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign' }

/** Words without blanks, each exactly so. */
export function command(words: string, isOpen = false): Extract<RuleShape, { kind: 'command' }> {
  return { kind: 'command', isOpen, words: words.split(' ').map((text) => ({ kind: 'exact', text })) }
}

/** A rule that allows in every project, without end. */
export function ruleOf(shape: RuleShape, more: Partial<Rule> = {}): Rule {
  return { id: '1', effect: 'allow', shape, workspaceId: null, expiresAtMs: null, usesLeft: null, createdFromCall: null, createdAtMs: 0, lastUsedAtMs: null, uses: 0, ...more }
}

/** A grant for the session `s1`. */
export function grantOf(shape: RuleShape): Grant {
  return { id: 'g1', sessionId: asId('s1'), turnId: null, shape, callId: asId('c1'), givenAtMs: 0, expiresAtMs: null, usesLeft: null }
}

/** A command's shape in one line: `_` for any word, `~` before a pattern, `…` when open. */
export function asText(shape: RuleShape): string {
  if (shape.kind !== 'command') return JSON.stringify(shape)
  const words = shape.words.map((word) => (word.kind === 'any' ? '_' : word.kind === 'pattern' ? `~${word.text}` : word.text))
  return [...words, ...(shape.isOpen ? ['…'] : [])].join(' ')
}
