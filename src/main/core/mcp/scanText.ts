import type { McpOrigin, McpToolDefinition } from '../../../shared/domain/mcp'
import { said, type Said } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import { foldLookalikes } from './confusables'
import { oneLine, showHidden } from './hiddenText'
import { scanPatterns } from './scanPatterns'

/** A description of this many characters hides a sentence from whoever skims it. The longest of common servers have about 3,000. */
const longText = 4000
/** No more of a definition is looked at; what is longer is warned about anyway. */
const mostText = 200_000
const nearCharacters = 130
const mostPlaces = 200
const quoteCharacters = 100

/**
 * What is odd about a text from a server that the model will read: hidden characters, terminal sequences, encoded blocks,
 * words that speak to the model or about secret files, in English and Chinese. At most one warning a kind, each with the
 * place it was found at. It warns, never decides: absence of a warning says nothing.
 */
export function warningsOfText(text: string): readonly Said[] {
  const read = text.slice(0, mostText)
  return [...hiddenWarnings(read), ...blockWarnings(read), ...wordWarnings(read), ...(text.length > longText ? [said('mcp.warn-long', { characters: text.length })] : [])]
}

/**
 * What is odd about a tool's definition, all its texts taken together. `others` are the tools of other servers, `own` the
 * names of the same server's tools: a name that both have is no mention of the other.
 */
export function warningsOfTool(definition: McpToolDefinition, others: readonly McpOrigin[], own: readonly string[] = []): readonly Said[] {
  const texts = textsOf(definition)
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0)
  const warnings = warningsOfText(texts.join('\n')).filter(({ code }) => code !== 'mcp.warn-long')
  const long = longest > longText ? [said('mcp.warn-long', { characters: longest })] : []
  const cut = definition.isCut === true ? [said('mcp.warn-cut')] : []
  return [...warnings, ...long, ...cut, ...mentionWarnings(texts.join('\n'), definition.name, others, own)]
}

function hiddenWarnings(text: string): readonly Said[] {
  const tags = text.match(/[\u{e0000}-\u{e007f}]+/gu) ?? []
  const widthless = text.match(/[\u200b\u2060-\u2064\u00ad\u180e\u3164\u115f\u1160\uffa0]|\u034f|\u17b4|\u17b5|(?<!^)\ufeff/gu)?.length ?? 0
  const turning = text.match(/[\u202a-\u202e\u2066-\u2069]/gu)?.length ?? 0
  const escapes = text.match(/[\u001b\u009b]|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u007f]/gu)?.length ?? 0
  return [
    ...(tags.length === 0 ? [] : [said('mcp.warn-tag-characters', { text: oneLine(lettersOfTags(tags.join('')), quoteCharacters) })]),
    ...(widthless + otherHidden(text) === 0 ? [] : [said('mcp.warn-zero-width', { count: widthless + otherHidden(text) })]),
    ...(turning === 0 ? [] : [said('mcp.warn-bidi', { count: turning })]),
    ...(escapes === 0 ? [] : [said('mcp.warn-control', { count: escapes })]),
  ]
}

/** Variation selectors without a picture before them can carry whole texts. */
function otherHidden(text: string): number {
  return text.match(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/gu)?.length ?? 0
}

/** Tag characters mirror ASCII: what they spell is what the model reads and the person does not see. */
function lettersOfTags(tags: string): string {
  return [...tags].map((tag) => String.fromCharCode(Math.max(0x20, (tag.codePointAt(0) ?? 0) - 0xe0000))).join('')
}

function blockWarnings(text: string): readonly Said[] {
  const block = /(?:[A-Za-z0-9+/]{40,}[\r\n]{0,2}){3,}|[A-Za-z0-9+/_-]{120,}={0,2}/u.exec(text)?.[0] ?? ''
  const isEncoded = /[A-Z]/u.test(block) && /[a-z]/u.test(block) && /\d/u.test(block)
  return isEncoded ? [said('mcp.warn-encoded', { quote: oneLine(block, 40), characters: block.length })] : []
}

/** Words are looked for in a form in which other alphabets, widths, hidden characters and line breaks do not hide them. */
function wordWarnings(text: string): readonly Said[] {
  const plain = foldLookalikes(text).replace(/[^\S\n]+/gu, ' ').replace(/ ?\n ?/gu, '\n')
  const found = new Map<SayCode, Said>()
  for (const { code, pattern, unless, around } of scanPatterns) {
    if (found.has(code) || (unless !== undefined && found.has(unless))) continue
    const match = around === undefined ? pattern.exec(plain) : matchAround(plain, pattern, around)
    if (match) found.set(code, said(code, { quote: oneLine(showHidden(match[0]), quoteCharacters) }))
  }
  return [...found.values()]
}

function matchAround(text: string, pattern: RegExp, around: RegExp): RegExpExecArray | null {
  let places = 0
  for (const { 0: place, index } of text.matchAll(around)) {
    const match = pattern.exec(text.slice(Math.max(0, index - nearCharacters), index + place.length + nearCharacters))
    places += 1
    if (match || places >= mostPlaces) return match
  }
  return null
}

/** Tools of other servers by name, made once a list. */
const byName = new WeakMap<readonly McpOrigin[], ReadonlyMap<string, McpOrigin>>()

function namesOf(others: readonly McpOrigin[]): ReadonlyMap<string, McpOrigin> {
  const known = byName.get(others) ?? new Map([...others].reverse().map((origin) => [origin.tool, origin] as const))
  byName.set(others, known)
  return known
}

/** A description that names another server's tool may be steering how that one is used (shadowing). One-word names count in code marks only. */
function mentionWarnings(text: string, name: string, others: readonly McpOrigin[], own: readonly string[]): readonly Said[] {
  const names = namesOf(others)
  const ownNames = new Set([...own, name])
  for (const [, mark = '', full = ''] of text.matchAll(/(["'`]?)([A-Za-z0-9_][A-Za-z0-9_./-]*|(?:(?![A-Za-z])[\p{L}\p{N}_])+)/gu)) {
    const word = full.replace(/[./-]+$/u, '').replace(/^mcp__.*?__/u, '')
    const origin = names.get(word)
    if (origin === undefined || ownNames.has(word)) continue
    const isDistinct = /[_./-]|\p{Ll}\p{Lu}/u.test(word) || full.startsWith('mcp__') || mark !== ''
    if (isDistinct) return [said('mcp.warn-other-tool', { tool: origin.tool, server: origin.server })]
  }
  return []
}

/** Every text of a definition: names, descriptions, and all that schemas and annotations hold, keys included. */
function textsOf(definition: McpToolDefinition): readonly string[] {
  const texts: string[] = []
  const open: unknown[] = [definition.annotations, definition.outputSchema, definition.inputSchema, definition.description, definition.title, definition.name]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value).reverse()) open.push(each, ...(Array.isArray(value) ? [] : [key]))
    }
  }
  return texts
}
