import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { TextHit, TextQuery, TextSearch } from '../../core/ports/textSearch'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { largestFileBytes, lineCharacters, relativeTo } from './bounds'
import { compileGlob, type GlobTest } from './glob'
import { findRipgrep, runRipgrep } from './ripgrep'
import { walkFiles, walkText } from './walk'

type FileQuery = Parameters<TextSearch['files']>[0]
type Hits = { readonly hits: readonly TextHit[]; readonly isCut: boolean }
type Files = { readonly paths: readonly string[]; readonly isCut: boolean }

/**
 * Search by ripgrep, and by an own walk where it is missing. Hidden files are searched, the inside of `.git` never; ignore
 * files hold whether or not the folder is a git repository, and a glob does not lift them.
 * @param find where ripgrep lies; asked once, at the first search
 */
export function makeTextSearch(find: () => Promise<string | null> = findRipgrep): TextSearch {
  let program: Promise<string | null> | undefined
  return {
    async text(query, signal) {
      const wanted = query.glob === undefined ? succeed<GlobTest>(() => true) : globFor(query.glob, query.root, query.under)
      if (!wanted.ok) return wanted
      const rg = await (program ??= find())
      return rg === null ? walkText(query, wanted.value, signal) : searchText(rg, query, wanted.value, signal)
    },
    async files(query, signal) {
      const wanted = globFor(query.glob, query.root, query.under)
      if (!wanted.ok) return wanted
      const rg = await (program ??= find())
      return rg === null ? walkFiles(query, wanted.value, signal) : listFiles(rg, query, wanted.value, signal)
    },
  }
}

/** A glob with a slash speaks of paths below the searched folder, or of paths from the root: people write both. */
function globFor(glob: string, root: string, under: string): Result<GlobTest> {
  const compiled = compileGlob(glob)
  const below = relativeTo(root, under)
  if (!compiled.ok || below === '') return compiled
  return succeed((found) => compiled.value(found) || (found.startsWith(`${below}/`) && compiled.value(found.slice(below.length + 1))))
}

const always = ['--hidden', '--no-require-git', '--sort', 'path', '--max-filesize', String(largestFileBytes), '--iglob', '!.git', '--null']

async function searchText(program: string, query: TextQuery, wanted: GlobTest, signal: CancelSignal): Promise<Result<Hits>> {
  const hits: TextHit[] = []
  let isCut = false
  const args = [
    ...always, '--line-number', '--with-filename', '--no-heading', '--color', 'never', '--max-columns', String(lineCharacters), '--max-columns-preview',
    ...(query.isLiteral ? ['--fixed-strings'] : ['--engine', 'auto']),
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...query.exclude.flatMap((glob) => ['--iglob', `!${glob}`]),
    `--regexp=${query.pattern}`, '--', placeArgument(query.root, query.under),
  ]
  const onRecord = (record: string): 'go on' | 'stop' => {
    const hit = readHit(record)
    if (hit === null || !wanted(hit.path)) return 'go on'
    isCut = hits.length === query.maxHits
    if (isCut) return 'stop'
    hits.push(hit)
    return 'go on'
  }
  const end = await runRipgrep({ program, args, cwd: query.root, separator: '\n', onRecord }, signal)
  if (end.isCancelled) return fail('search.cancelled')
  // A file that cannot be read is no reason to keep back what the others hold.
  if (end.code !== 2 || hits.length > 0 || isOnlyUnreadable(end.problem)) return succeed({ hits, isCut })
  const isPattern = /regex|PCRE2|pattern|literal/i.test(end.problem)
  return isPattern ? fail('search.bad-pattern', { pattern: query.pattern, problem: patternProblem(end.problem) }) : fail('search.failed', { problem: end.problem })
}

async function listFiles(program: string, query: FileQuery, wanted: GlobTest, signal: CancelSignal): Promise<Result<Files>> {
  const paths: string[] = []
  let isCut = false
  const onRecord = (record: string): 'go on' | 'stop' => {
    const found = record.replace(/^\.\//, '')
    if (!wanted(found)) return 'go on'
    isCut = paths.length === query.max
    if (isCut) return 'stop'
    paths.push(found)
    return 'go on'
  }
  const args = [...always, '--files', '--', placeArgument(query.root, query.under)]
  const end = await runRipgrep({ program, args, cwd: query.root, separator: '\0', onRecord }, signal)
  if (end.isCancelled) return fail('search.cancelled')
  if (end.code === 2 && paths.length === 0 && !isOnlyUnreadable(end.problem)) return fail('search.failed', { problem: end.problem })
  return succeed({ paths, isCut })
}

/** Never empty and never an option. */
function placeArgument(root: string, under: string): string {
  return `./${relativeTo(root, under)}`
}

/** `./path`, a zero byte, `12:the line`; null for ripgrep's remarks about binary files. */
function readHit(record: string): TextHit | null {
  const [, found, line, text] = /^(?:\.\/)?([^\0]+)\0(\d+):(.*)$/s.exec(record) ?? []
  return found === undefined || text === undefined ? null : { path: found, line: Number(line), text: text.replace(/\r$/, '') }
}

function isOnlyUnreadable(problem: string): boolean {
  return problem.split('\n').every((line) => /\(os error \d+\)$/.test(line))
}

/** ripgrep draws the pattern with a mark below it, for each of its two engines; one line says what is wrong. */
function patternProblem(problem: string): string {
  const first = /^error: (.*)$/m.exec(problem)?.[1] ?? ''
  const second = /^PCRE2: (?:error compiling pattern at offset \d+: )?(.*)$/m.exec(problem)?.[1] ?? ''
  if (first === '' || first.endsWith('not supported')) return second || problem
  return first
}
