import { compileGlob, matchBase, matchPath, type Glob } from './wildmatch'

/** One line of an ignore file. */
interface Rule {
  readonly isNegated: boolean
  readonly foldersOnly: boolean
  /** No slash in it: matched against the last component at any depth. */
  readonly byName: boolean
  readonly glob: Glob
}

export type Rules = readonly Rule[]

/** Rules in force in a folder: its own ignore file's over its parents'. `base` is the folder's path with a slash, '' for the root. */
export interface RuleChain {
  readonly rules: Rules
  readonly base: string
  readonly outer: RuleChain | null
}

/** Where the system's own file names are the same in both cases, git's patterns are too. */
const foldsCase = process.platform === 'darwin' || process.platform === 'win32'

/** The lines of an ignore file (gitignore(5)), as byte text. */
export function parseRules(text: string): Rules {
  const rules: Rule[] = []
  for (const line of foldCase(text).replace(/^\xef\xbb\xbf/, '').split('\n')) {
    const rule = parseLine(line)
    if (rule) rules.push(rule)
  }
  return rules
}

/**
 * What the rules say about a path relative to the root: the last one that fits decides, `kept` when that one is negated, null
 * when none fits. A parent that is left out is the caller's to know.
 */
export function judge(chain: RuleChain | null, given: string, isFolder: boolean): 'ignored' | 'kept' | null {
  const path = foldCase(given)
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (let link = chain; link; link = link.outer) {
    const inside = path.slice(link.base.length)
    for (let i = link.rules.length - 1; i >= 0; i--) {
      const rule = link.rules[i]
      if (!rule || (rule.foldersOnly && !isFolder)) continue
      if (rule.byName ? matchBase(rule.glob, name) : matchPath(rule.glob, inside)) return rule.isNegated ? 'kept' : 'ignored'
    }
  }
  return null
}

function foldCase(text: string): string {
  return foldsCase ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text
}

function parseLine(line: string): Rule | null {
  let text = withoutTrailingBlanks(line.endsWith('\r') ? line.slice(0, -1) : line)
  if (text === '' || text.startsWith('#')) return null
  const isNegated = text.startsWith('!')
  if (isNegated) text = text.slice(1)
  const foldersOnly = text.endsWith('/')
  if (foldersOnly) text = text.slice(0, -1)
  const byName = !text.includes('/')
  if (text.startsWith('/')) text = text.slice(1)
  const glob = text === '' ? null : compileGlob(text)
  return glob && { isNegated, foldersOnly, byName, glob }
}

/** Blanks at the end do not count unless a backslash stands before them. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length
  for (let at = 0; at < line.length; at++) {
    if (line.charAt(at) === '\\') {
      at++
      end = line.length
    } else if (line.charAt(at) === ' ') end = Math.min(end, at)
    else end = line.length
  }
  return line.slice(0, end)
}
