/** A piece of a JSON text that should be one value, and the line it begins in, from 1. */
export interface JsonElement {
  readonly line: number
  readonly text: string
}

/**
 * Cuts the array under a key of a JSON text, or the first where the key has none, into its elements without reading them, so
 * that one that is wrong takes no other with it. Null when there is no array. One that does not end gives what there is. Linear.
 */
export function elementsOf(text: string, key: string): readonly JsonElement[] | null {
  // Quotes inside of a string stand behind a backslash: only a key reads like this.
  const from = /^\s*\{/.test(text) ? text.search(new RegExp(`(?<!\\\\)"${key}"\\s*:\\s*\\[`)) : -1
  return elementsFrom(text, Math.max(0, from))
}

function elementsFrom(text: string, from: number): readonly JsonElement[] | null {
  const elements: JsonElement[] = []
  let line = 1 + linesIn(text.slice(0, from))
  let depth = 0
  let arrayDepth = -1
  let start = 0
  let startLine = 1
  const cut = (end: number): void => {
    const piece = text.slice(start, end)
    // The line of the value itself, not of the comma before it.
    const lead = piece.length - piece.trimStart().length
    if (piece.trim() !== '') elements.push({ line: startLine + linesIn(piece.slice(0, lead)), text: piece.trim() })
  }
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (letter === '\n') line++
    if (letter === '"') {
      at = endOfString(text, at)
    } else if (letter === '[' || letter === '{') {
      depth++
      if (letter === '[' && arrayDepth === -1) [arrayDepth, start, startLine] = [depth, at + 1, line]
    } else if (letter === ']' || letter === '}') {
      if (depth === arrayDepth) {
        cut(at)
        return elements
      }
      depth--
    } else if (letter === ',' && depth === arrayDepth) {
      cut(at)
      start = at + 1
      startLine = line
    }
  }
  if (arrayDepth === -1) return null
  cut(text.length)
  return elements
}

/** Place of the closing quote. A string holds no line end in JSON: one that is not closed ends at its line. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
    else if (text[at] === '\n') return at - 1
  }
  return text.length
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}
