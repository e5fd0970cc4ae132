import { said, type Said } from '../../../shared/domain/result'
import type { LoadedSkill } from '../../../shared/domain/skill'
import type { Problem } from '../mcp/argumentProblems'
import { schemaProblems } from '../mcp/argumentSchema'
import { oneLine } from '../mcp/hiddenText'

/** What the model is told of an answer that does not fit: so many problems, each so long. A path may be a key of any length. */
const mostProblems = 20
const problemCharacters = 300

/** How an answer stands to the schema of a skill. */
export type AnswerCheck =
  | { readonly kind: 'fits' }
  | { readonly kind: 'unfit'; readonly skill: string; readonly problem: Said }
  /** Too large to be judged, or by a schema that nobody here can read whole. */
  | { readonly kind: 'unjudged'; readonly skill: string }

/**
 * Holds an answer against the output schema of the turn's skills (R59). Where several have one, the last that was loaded
 * counts: its wish is the newest, and one answer cannot have two forms. The answer is its JSON, or holds it in its only
 * fenced block that is marked as JSON. Bounds and leniency are those of `schemaProblems`.
 */
export function checkAnswer(text: string, loaded: readonly Pick<LoadedSkill, 'skill' | 'outputSchema'>[]): AnswerCheck {
  const last = loaded.filter(({ outputSchema }) => outputSchema !== null).at(-1)
  if (!last) return { kind: 'fits' }
  const skill = last.skill.name
  const unfit = (problem: Said): AnswerCheck => ({ kind: 'unfit', skill, problem })
  const blocks = jsonBlocks(text)
  const [source = text] = blocks
  if (blocks.length > 1) return unfit(said('skill.answer-many', { count: blocks.length }))
  const value = parsed(source)
  if (value === undefined) return unfit(said(source === text && !/^\s*[[{]/.test(text) ? 'skill.answer-no-json' : 'skill.answer-bad-json'))
  const problems = schemaProblems(last.outputSchema, value)
  if (problems === null) return { kind: 'unjudged', skill }
  return problems.length === 0 ? { kind: 'fits' } : unfit(said('skill.answer-problems', { problems: problems.slice(0, mostProblems).map(wordsOf) }))
}

/** The insides of fenced blocks marked as JSON. Line by line: an answer may hold any number of fences that never end. */
function jsonBlocks(text: string): readonly string[] {
  const blocks: string[] = []
  let open: { readonly fence: string; readonly isJson: boolean; readonly lines: string[] } | null = null
  for (const line of text.split(/\r?\n/)) {
    const { fence = '', word = '' } = /^ {0,3}(?<fence>`{3,}|~{3,})[ \t]*(?<word>\S*)/.exec(line)?.groups ?? {}
    if (open === null) open = fence === '' ? null : { fence, isJson: word.toLowerCase() === 'json', lines: [] }
    else if (word === '' && fence.startsWith(open.fence)) {
      if (open.isJson) blocks.push(open.lines.join('\n'))
      open = null
    } else open.lines.push(line)
  }
  return blocks
}

/** Undefined for what is no JSON. */
function parsed(source: string): unknown {
  try {
    return JSON.parse(source) as unknown
  } catch {
    return undefined
  }
}

function wordsOf({ path, message }: Problem): string {
  return oneLine(path.length === 0 ? message : `${path.join('.')} ${message}`, problemCharacters)
}
