import { z } from 'zod'
import { said, succeed } from '../../../../shared/domain/result'
import { isSecretPath, secretGlobs } from '../../policy/protectedPaths'
import type { TextHit } from '../../ports/textSearch'
import { defineTool } from '../defineTool'
import { confirmed } from '../confirmHits'
import { keyMarks, withoutKeyLines } from '../hiddenKeyLines'

/** Together about 8,000 tokens. */
const bodyCharacters = 30_000
/** More private keys than any project has in files that are no secrets by their name. */
const mostMarks = 1000

/** Searches file contents. Files that may hold secrets are left out, unless the one file named is such a file: then the guard has asked. */
export const searchText = defineTool({
  name: 'search_text',
  description:
    'Search the contents of files in the project with a regular expression (or literal text). Gives path:line: text, in path order. ' +
    'Ignored files and files that may hold secrets are left out.',
  params: z.object({
    pattern: z.string().min(1).max(4000),
    path: z.string().min(1).max(4096).exactOptional().describe('Folder or file inside the project to search; the whole project when left out.'),
    glob: z.string().min(1).max(1000).exactOptional().describe('Only files that fit it, as *.ts or src/**/*.{js,ts}.'),
    ignore_case: z.boolean().default(false),
    literal: z.boolean().default(false).describe('Take the pattern as plain text.'),
    max_results: z.number().int().min(1).max(1000).default(100),
  }),
  effect: 'read',
  paths: (args) => [{ path: args.path ?? '.', use: 'read' }],
  forecast: (args) =>
    Promise.resolve(succeed({ preview: { kind: 'arguments', text: JSON.stringify(args, null, 2), notes: [] }, writes: [], base: {} })),
  async run(args, context) {
    const { root, search, signal } = context
    const facts = context.place(args.path ?? '.')
    const isOneFile = facts.kind === 'file'
    const where = { root, under: facts.realPath, ...(args.glob === undefined ? {} : { glob: args.glob }), exclude: isOneFile ? [] : secretGlobs }
    const found = await search.text({ ...where, pattern: args.pattern, isLiteral: args.literal, ignoreCase: args.ignore_case, maxHits: args.max_results }, signal)
    if (!found.ok) return { status: signal.aborted ? 'cancelled' : 'failed', say: found.fault }
    // The globs cover every secret name; this is the rule itself, for a searcher that reads globs otherwise.
    const allowed = isOneFile ? found.value.hits : found.value.hits.filter((hit) => !isSecretPath(hit.path))
    const fits = fitting(allowed)
    const sure = await confirmed(fits, isOneFile ? facts : null, context)
    const shown = await withoutKeyLines(sure, () => search.text({ ...where, pattern: keyMarks, isLiteral: false, ignoreCase: false, maxHits: mostMarks }, signal))
    if (shown.length === 0) return { status: 'ok', say: said('search.no-hits') }
    const isCut = found.value.isCut || fits.length < allowed.length
    const files = new Set(shown.map((hit) => hit.path)).size
    return { status: 'ok', say: isCut ? said('search.hits-cut', { count: shown.length }) : said('search.hits', { count: shown.length, files }), body: shown.map(lineOf).join('\n') }
  },
})

function lineOf(hit: TextHit): string {
  return `${hit.path}:${hit.line}: ${hit.text}`
}

/** As many whole hits as fit, from the first. */
function fitting(hits: readonly TextHit[]): readonly TextHit[] {
  let characters = 0
  const tooMany = hits.findIndex((hit) => (characters += lineOf(hit).length + 1) > bodyCharacters)
  return tooMany === -1 ? hits : hits.slice(0, tooMany)
}
