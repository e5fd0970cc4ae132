import { foldName } from './foldName'

/**
 * Whether a glob covers a path, both relative with `/`: `*` stands for any characters of one name, `**` for any number of
 * folders, and `folder/**` covers the folder itself too. Anchored at both ends; no other signs mean anything.
 */
export function globFits(glob: string, path: string): boolean {
  return namesFit(split(glob), split(path), (pattern, name) => patternFits(pattern, name))
}

/** The same, with names taken for one that any file system could take for one: used to restrict. */
export function globFitsFolded(glob: string, path: string): boolean {
  return namesFit(split(glob), split(path), (pattern, name) => patternFits(foldName(pattern), foldName(name)))
}

/** Whether something that the glob covers may lie below this folder: who takes the folder takes it along. */
export function globReachesBelow(glob: string, folder: string): boolean {
  const names = split(folder)
  const parts = split(glob)
  for (const [at, name] of names.entries()) {
    const part = parts[at]
    if (part === '**') return true
    if (part === undefined || !patternFits(foldName(part), foldName(name))) return false
  }
  return true
}

/** Whether everything below a folder that the glob covers is covered as well. */
export function coversTrees(glob: string): boolean {
  return split(glob).at(-1) === '**'
}

/** A pattern in which `*` stands for any characters, against a whole text. Never exponential: only the last star is tried again. */
export function patternFits(pattern: string, text: string): boolean {
  let [at, p, star, from] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[p] === '*') {
      star = p++
      from = at
    } else if (pattern[p] === text[at]) {
      p++
      at++
    } else if (star >= 0) {
      p = star + 1
      at = ++from
    } else {
      return false
    }
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

function namesFit(glob: readonly string[], path: readonly string[], isSame: (pattern: string, name: string) => boolean): boolean {
  // Row by row, so that several `**` cost no more than their number times the depth.
  let reached: readonly boolean[] = [true, ...path.map(() => false)]
  for (const part of glob) {
    const row: boolean[] = []
    for (let at = 0; at <= path.length; at++) {
      const before = at > 0 ? path[at - 1] : undefined
      row[at] = part === '**' ? reached[at] === true || (at > 0 && row[at - 1] === true) : before !== undefined && reached[at - 1] === true && isSame(part, before)
    }
    reached = row
  }
  return reached[path.length] === true
}

function split(text: string): readonly string[] {
  return text === '' ? [] : text.split('/')
}
