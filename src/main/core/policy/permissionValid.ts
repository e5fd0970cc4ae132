import type { RuleShape, RuleWord } from '../../../shared/domain/rule'

/** Characters that cannot be seen, or that the guard writes for what it does not know. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

/**
 * What keeps a shape from being a rule, as text to show; null when nothing does. A rule must say what it is about in signs
 * that a person can read: a named program, a tool, places relative to the project.
 */
export function unusablePart(shape: RuleShape): string | null {
  switch (shape.kind) {
    case 'command':
      return unusableWord(shape.words)
    case 'files':
      return isGlob(shape.glob) && /^[a-z_]+$/u.test(shape.tool) ? null : `${shape.tool} ${shape.glob}`
    case 'tool':
      return /^mcp__[\w.-]+$/u.test(shape.tool) ? null : shape.tool
    case 'host':
      return /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/u.test(shape.host) ? null : shape.host
  }
}

function unusableWord(words: readonly RuleWord[]): string | null {
  const [program, ...others] = words
  if (program?.kind !== 'exact' || !/^\w[\w.+-]*$/u.test(program.text)) return program === undefined || program.kind === 'any' ? '*' : program.text
  const bad = others.find((word) => word.kind !== 'any' && (word.text === '' || hidden.test(word.text)))
  return bad === undefined || bad.kind === 'any' ? null : bad.text
}

function isGlob(glob: string): boolean {
  return glob !== '' && !hidden.test(glob) && glob.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
}
