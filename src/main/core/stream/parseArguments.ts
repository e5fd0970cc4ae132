import type { CallArgs } from '../../../shared/domain/call'
import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import { isWhole } from './joinCalls'

/** Arguments as an object, and the repair that was needed to read them, null when none was. */
export interface ParsedArguments {
  readonly args: CallArgs
  readonly repair: Said | null
}

/**
 * Reads the arguments text of a call (R7). Empty and `null` mean `{}`. Valid JSON is never touched. Text that is not JSON is
 * repaired only where there is one way to read it and nothing is lost: a code fence, control characters inside a string,
 * backslash-n between tokens, a comma before a closing bracket, an empty object or the same object before the real one,
 * JSON inside a JSON string. A cut text is never closed, and `{}` is never a way out.
 */
export function parseArguments(argumentsText: string): Result<ParsedArguments> {
  const text = argumentsText.trim()
  if (text === '' || text === 'null') return succeed({ args: {}, repair: null })
  const first = parseJson(text)
  if (first.ok) return fromValue(first.value)
  return repaired(text) ?? fail('tool.bad-json', { problem: first.problem })
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) }
  }
}

function fromValue(value: unknown): Result<ParsedArguments> {
  if (isObject(value)) return succeed({ args: value, repair: null })
  if (typeof value === 'string') {
    const inner = parseJson(value)
    if (inner.ok && isObject(inner.value)) return succeed({ args: inner.value, repair: said('model.repair-string') })
  }
  return fail('tool.bad-arguments', { problem: `arguments: an object is needed, not ${kindOf(value)}` })
}

function repaired(text: string): Result<ParsedArguments> | null {
  const hows: Said[] = []
  const bare = withoutFence(text)
  if (bare !== text) hows.push(said('model.repair-fence'))
  const single = withoutRepeat(bare)
  if (single !== bare) hows.push(said('model.repair-repeat'))
  const mended = mendTokens(single, hows)
  const result = parseJson(mended)
  if (!result.ok || !isObject(result.value) || hows.length === 0) return null
  return succeed({ args: result.value, repair: hows.reduce((all, how) => said('model.repair-and', { first: all, second: how })) })
}

function withoutFence(text: string): string {
  return /^```(?:json)?[ \t]*\n([^]*?)\n?```$/i.exec(text)?.[1]?.trim() ?? text
}

/** Some gateways send `{}` before the real object, or the object twice. Both halves must be whole. */
function withoutRepeat(text: string): string {
  const rest = /^\{\s*\}\s*(\{[^]*)$/.exec(text)?.[1]
  if (rest !== undefined && isWhole(rest)) return rest
  const half = text.slice(0, text.length / 2)
  return text.length % 2 === 0 && text === half + half && isWhole(half) ? half : text
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' }

interface Mend {
  readonly text: string
  readonly next: number
  readonly how?: 'control' | 'backslash' | 'comma'
}

/** One walk over the text that knows whether it stands inside a string; outside, only white space and commas are touched. */
function mendTokens(text: string, hows: Said[]): string {
  const made = new Set<string>()
  let mended = ''
  /** The last character of `mended` that is no blank; looking into a long text that still grows would copy it each time. */
  let last = ''
  let isInside = false
  for (let at = 0; at < text.length; ) {
    const step: Mend = isInside ? insideString(text, at) : betweenTokens(text, at, last)
    if (step.next - at === 1 && text[at] === '"') isInside = !isInside
    if (step.how) made.add(step.how)
    mended += step.text
    last = step.text.trimEnd().at(-1) ?? last
    at = step.next
  }
  if (made.has('control')) hows.push(said('model.repair-control'))
  if (made.has('backslash')) hows.push(said('model.repair-backslash'))
  if (made.has('comma')) hows.push(said('model.repair-comma'))
  return mended
}

function insideString(text: string, at: number): Mend {
  const character = text.charAt(at)
  if (character === '\\') return { text: text.slice(at, at + 2), next: at + 2 }
  if (character >= ' ') return { text: character, next: at + 1 }
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  return { text: escapes[character] ?? `\\u${code}`, next: at + 1, how: 'control' }
}

function betweenTokens(text: string, at: number, last: string): Mend {
  const character = text.charAt(at)
  if (character === '\\' && 'nrt'.includes(text.charAt(at + 1)) && at + 1 < text.length) return { text: ' ', next: at + 2, how: 'backslash' }
  if (character === ',' && /^(?:\s|\\[nrt])*[}\]]/.test(text.slice(at + 1, at + 200)) && !['{', '[', ',', ':'].includes(last)) return { text: '', next: at + 1, how: 'comma' }
  return { text: character, next: at + 1 }
}

function isObject(value: unknown): value is CallArgs {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
