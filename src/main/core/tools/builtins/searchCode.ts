import { z } from 'zod'
import type { CodeAnswer, CodeHit, CodeQuery } from '../../../../shared/domain/retrieval'
import { said, succeed } from '../../../../shared/domain/result'
import { say } from '../../../../shared/words/say'
import { languagesFor } from '../../retrieval/languages'
import type { Clock } from '../../ports/clock'
import type { CodeSearch } from '../../ports/codeSearch'
import { defineTool, type Tool } from '../defineTool'

/** Together about 8,000 tokens. */
const bodyCharacters = 30_000
/** Of one place; a longer one is cut at a line, and says how to read on. */
const hitCharacters = 6_000
const dayMs = 24 * 60 * 60 * 1000

/** What the tool works with. */
export interface SearchCodePorts {
  readonly search: CodeSearch
  readonly clock: Clock
}

/**
 * Finds places in the project by meaning and by word (R99), each with its file and lines so that an answer can cite them (R101).
 * Files that may hold secrets and ignored files are not in the index. It reads; nothing leaves the machine but what the settings name.
 */
export function searchCode({ search, clock }: SearchCodePorts): Tool {
  return defineTool({
    name: 'search_code',
    description:
      'Find places in the project by what they are about: code and documents, in any language. Gives path:first-last, the symbol or heading, and the text, best first. ' +
      'Use it when you do not know the exact words; use search_text for an exact word or pattern. Cite what you use as path:line. When nothing found answers the question, say that the project does not contain it.',
    params: z.object({
      query: z.string().min(1).max(2000).describe('A question or the words that would stand there.'),
      path: z.string().min(1).max(1000).exactOptional().describe('Only files that fit this glob, as src/** or docs/**/*.md.'),
      language: z.string().min(1).max(40).exactOptional().describe('Only this language, by its name or a file ending: typescript, python, markdown, go …'),
      changed_within_days: z.number().positive().max(36_500).exactOptional(),
      max_results: z.number().int().min(1).max(50).default(8),
    }),
    effect: 'read',
    paths: () => [],
    forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: JSON.stringify(args, null, 2), notes: [] }, writes: [], base: {} })),
    async run(args, context) {
      const { signal } = context
      const query: CodeQuery = {
        query: args.query,
        ...(args.path === undefined ? {} : { path: args.path }),
        ...(args.language === undefined ? {} : { language: args.language }),
        ...(args.changed_within_days === undefined ? {} : { changedSinceMs: clock.nowMs() - args.changed_within_days * dayMs }),
        limit: args.max_results,
      }
      if (args.language !== undefined && languagesFor(args.language).length === 0) return { status: 'failed', say: said('retrieval.no-language', { language: args.language }) }
      const answer = await search.search(query, signal)
      if (!answer.ok) return { status: signal.aborted ? 'cancelled' : 'failed', say: answer.fault }
      for (const use of answer.value.usage) await context.used(use)
      return outputOf(answer.value)
    },
  })
}

function outputOf({ hits, isPartial, notes }: CodeAnswer) {
  const facts = [...notes, ...(isPartial ? [said('retrieval.partial')] : [])].map((note) => say('en', note))
  const shown = fitting(hits.map(textOf))
  if (shown.length === 0) return { status: 'ok' as const, say: said('retrieval.nothing'), ...(facts.length > 0 ? { body: facts.join('\n') } : {}) }
  return { status: 'ok' as const, say: said('retrieval.found', { count: shown.length, files: new Set(hits.slice(0, shown.length).map((hit) => hit.path)).size }), body: [...facts, ...shown].join('\n\n') }
}

function textOf(hit: CodeHit): string {
  const symbol = hit.symbol === '' ? '' : ` (${hit.symbol})`
  return `${hit.path}:${hit.startLine}-${hit.endLine}${symbol}\n${cutAtLine(hit)}`
}

function cutAtLine({ text, startLine }: CodeHit): string {
  if (text.length <= hitCharacters) return text
  const at = text.lastIndexOf('\n', hitCharacters)
  const kept = text.slice(0, at > 0 ? at : hitCharacters)
  return `${kept}\n[… goes on at line ${startLine + kept.split('\n').length} …]`
}

/** As many whole places as fit, from the first. */
function fitting(texts: readonly string[]): readonly string[] {
  let characters = 0
  const tooMany = texts.findIndex((text, at) => (characters += text.length + 2) > bodyCharacters && at > 0)
  return tooMany === -1 ? texts : texts.slice(0, tooMany)
}
