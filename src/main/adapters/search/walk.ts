import type { Dirent } from 'node:fs'
import { lstat, readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import vm from 'node:vm'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { TextHit, TextQuery, TextSearch } from '../../core/ports/textSearch'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { largestFileBytes, lineCharacters, relativeTo } from './bounds'
import { compileGlob, type GlobTest } from './glob'
import { readIgnoreRules, type IgnoreRules } from './ignoreRules'

type FileQuery = Parameters<TextSearch['files']>[0]

/** Later ones win, as in ripgrep. */
const ignoreFiles = ['.gitignore', '.ignore', '.rgignore']
/** An expression that needs longer for one file would hold everything else up. */
const expressionMs = 200

/** The search where ripgrep is missing: slower, with JavaScript's regular expressions, and without git's global ignore file. */
export async function walkText(query: TextQuery, wanted: GlobTest, signal: CancelSignal): Promise<Result<{ readonly hits: readonly TextHit[]; readonly isCut: boolean }>> {
  const matcher = makeMatcher(query)
  if (!matcher.ok) return matcher
  const excluded = query.exclude.flatMap((glob) => {
    const compiled = compileGlob(glob, { ignoreCase: true })
    return compiled.ok ? [compiled.value] : []
  })
  const hits: TextHit[] = []
  for await (const found of filesUnder(query.root, relativeTo(query.root, query.under), signal)) {
    if (!wanted(found) || excluded.some((isExcluded) => isExcluded(found))) continue
    const text = await readText(path.join(query.root, found))
    const lines = text === null ? succeed([]) : matcher.value(text)
    if (!lines.ok) return lines
    for (const line of lines.value) {
      if (hits.length === query.maxHits) return succeed({ hits, isCut: true })
      hits.push({ path: found, line: line.number, text: line.text })
    }
  }
  return signal.aborted ? fail('search.cancelled') : succeed({ hits, isCut: false })
}

/** The same for names. */
export async function walkFiles(query: FileQuery, wanted: GlobTest, signal: CancelSignal): Promise<Result<{ readonly paths: readonly string[]; readonly isCut: boolean }>> {
  const paths: string[] = []
  for await (const found of filesUnder(query.root, relativeTo(query.root, query.under), signal)) {
    if (!wanted(found)) continue
    if (paths.length === query.max) return succeed({ paths, isCut: true })
    paths.push(found)
  }
  return signal.aborted ? fail('search.cancelled') : succeed({ paths, isCut: false })
}

interface Rules {
  readonly folder: string
  readonly ignores: IgnoreRules
}

/** Regular files in path order, relative to the root; links are not followed, what cannot be read is passed over. */
async function* filesUnder(root: string, under: string, signal: CancelSignal): AsyncGenerator<string> {
  const place = await lstat(path.join(root, under)).catch(() => null)
  if (place?.isFile() === true) yield under
  if (place?.isDirectory() !== true) return
  const above = under === '' ? [] : under.split('/').map((_, at, names) => names.slice(0, at).join('/'))
  const rules: Rules[] = []
  for (const folder of above) rules.push(...(await rulesOf(root, folder)))
  yield* walkFolder(root, under, rules, signal)
}

async function* walkFolder(root: string, folder: string, above: readonly Rules[], signal: CancelSignal): AsyncGenerator<string> {
  const entries: readonly Dirent[] = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => [])
  const rules = [...above, ...(await rulesOf(root, folder))]
  for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (signal.aborted) return
    const found = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.name.toLowerCase() === '.git' || isIgnored(rules, found, entry.isDirectory())) continue
    if (entry.isDirectory()) yield* walkFolder(root, found, rules, signal)
    else if (entry.isFile()) yield found
  }
}

async function rulesOf(root: string, folder: string): Promise<readonly Rules[]> {
  const texts = await Promise.all(ignoreFiles.map((name) => readFile(path.join(root, folder, name), 'utf8').catch(() => null)))
  return texts.flatMap((text) => (text === null ? [] : [{ folder, ignores: readIgnoreRules(text) }]))
}

function isIgnored(rules: readonly Rules[], found: string, isFolder: boolean): boolean {
  const answers = rules.map(({ folder, ignores }) => ignores(folder === '' ? found : found.slice(folder.length + 1), isFolder))
  return answers.findLast((answer) => answer !== null) ?? false
}

/** Null for what is too large, unreadable, or no text. */
async function readText(file: string): Promise<string | null> {
  try {
    if ((await lstat(file)).size > largestFileBytes) return null
    const bytes = await readFile(file)
    return bytes.subarray(0, 8192).includes(0) ? null : bytes.toString('utf8')
  } catch {
    return null // gone meanwhile, or not ours to read
  }
}

interface Line {
  readonly number: number
  readonly text: string
}

/** The matching lines of a text. The expression runs under a time limit: a bad one could otherwise stop the whole program. */
function makeMatcher(query: TextQuery): Result<(text: string) => Result<readonly Line[]>> {
  const source = query.isLiteral ? query.pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : query.pattern
  const sandbox: { expression: RegExp; lines: readonly string[] } = { expression: /(?:)/, lines: [] }
  try {
    sandbox.expression = new RegExp(source, query.ignoreCase ? 'iu' : 'u')
  } catch (error) {
    return fail('search.bad-pattern', { pattern: query.pattern, problem: error instanceof Error ? error.message : String(error) })
  }
  const context = vm.createContext(sandbox)
  const script = new vm.Script('lines.flatMap((line, at) => (expression.test(line) ? [at] : []))')
  return succeed((text) => {
    const lines = text.split(/\r?\n/)
    sandbox.lines = lines
    try {
      const found = script.runInContext(context, { timeout: expressionMs }) as readonly number[]
      return succeed([...found].map((at) => ({ number: at + 1, text: startOf(lines[at] ?? '') })))
    } catch {
      return fail('search.bad-pattern', { pattern: query.pattern, problem: `it needs more than ${expressionMs} ms for one file` })
    }
  })
}

/** By whole characters, in the words of ripgrep. */
function startOf(line: string): string {
  if (line.length <= lineCharacters) return line
  const characters = [...line.slice(0, 2 * lineCharacters)]
  return characters.length <= lineCharacters && line.length <= 2 * lineCharacters ? line : `${characters.slice(0, lineCharacters).join('')} [... omitted end of long line]`
}
