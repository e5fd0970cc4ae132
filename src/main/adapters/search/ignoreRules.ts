import { compileGlob, type GlobTest } from './glob'

interface IgnoreLine {
  readonly test: GlobTest
  readonly isNegated: boolean
  readonly foldersOnly: boolean
}

/** The rules of one ignore file, for paths relative to its folder: true ignores, false takes back, null says nothing. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean | null

/** Reads the text of an ignore file in git's form (gitignore(5)). A line that is no valid glob says nothing. */
export function readIgnoreRules(text: string): IgnoreRules {
  const lines = text.split(/\r?\n/).flatMap((line) => readLine(line) ?? [])
  return (path, isFolder) => {
    const last = lines.findLast((line) => (isFolder || !line.foldersOnly) && line.test(path))
    return last === undefined ? null : !last.isNegated
  }
}

function readLine(raw: string): IgnoreLine | null {
  const line = raw.replace(/(?<!\\) +$/, '')
  if (line === '' || line.startsWith('#')) return null
  const isNegated = line.startsWith('!')
  const pattern = isNegated ? line.slice(1) : line
  const foldersOnly = pattern.endsWith('/')
  const bare = foldersOnly ? pattern.slice(0, -1) : pattern
  // Braces are plain characters in an ignore file.
  const compiled = compileGlob(bare.replace(/[{}]/g, '?'))
  return compiled.ok ? { test: compiled.value, isNegated, foldersOnly } : null
}
