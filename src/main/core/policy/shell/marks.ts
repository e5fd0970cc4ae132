/**
 * What the guard does not know about a word is written into its text as marks, so that option tables and path rules work
 * on plain strings. The marks are Unicode noncharacters; a command that brings its own is asked about anyway.
 */

/** Any text at all, also none and also several words. */
export const UNKNOWN = '\uFDD0'

/** Any file name or number: not empty, no slash, not beginning with a dot or a dash. What `*` and `$(nproc)` stand for. */
export const ANY = '\uFDD1'

/** One character of a file name: `?` and `[ab]`. */
export const ONE = '\uFDD2'

const anyMark = /[\uFDD0-\uFDD2]/u
const globMark = /[\uFDD1\uFDD2]/u

/** True when the text is not exactly known. */
export function hasMark(text: string): boolean {
  return anyMark.test(text)
}

/** True when a part of the text can be anything. */
export function hasUnknown(text: string): boolean {
  return text.includes(UNKNOWN)
}

/** True when a part of the text is a pattern for file names. */
export function hasGlob(text: string): boolean {
  return globMark.test(text)
}

/** The text as a person may read it. */
export function showMarks(text: string): string {
  return text.replaceAll(UNKNOWN, '…').replaceAll(ANY, '*').replaceAll(ONE, '?')
}

/** Text from an unquoted expansion: its glob characters work like written ones. */
export function markGlobs(text: string): string {
  return text.replace(/\*+/gu, ANY).replace(/\?|\[[^\]/]+\]/gu, ONE)
}

/** True when the pattern component may stand for the name; both without slashes. A leading dot must be written. */
export function componentFits(pattern: string, name: string): boolean {
  if (!hasMark(pattern)) return pattern === name
  if (name.startsWith('.') && !pattern.startsWith('.') && !pattern.startsWith(UNKNOWN)) return false
  return fits(pattern, name)
}

/** Wildcard match without backtracking over more than the last star: linear in practice, never exponential. */
function fits(pattern: string, name: string): boolean {
  let at = 0
  let star = -1
  let from = 0
  let p = 0
  while (at < name.length) {
    const mark = pattern[p]
    if (mark === ANY || mark === UNKNOWN) {
      star = p++
      from = at
    } else if (mark === ONE || mark === name[at]) {
      p++
      at++
    } else if (star >= 0) {
      p = star + 1
      at = ++from
    } else {
      return false
    }
  }
  while (pattern[p] === ANY || pattern[p] === UNKNOWN) p++
  return p === pattern.length
}
