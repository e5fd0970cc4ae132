import { z } from 'zod'
import { fail, said, succeed, type Result } from '../../../../shared/domain/result'
import type { ToolOutput } from '../../../../shared/domain/tool'
import type { Redact } from '../../policy/redaction'
import { defineTool, type ToolContext } from '../defineTool'
import { encodingName, textLimitBytes } from '../fileChange'
import { shownLines } from '../hiddenLines'
import { decodeFile, lineEndsOf, type TextFile } from '../textFile'

/** Most lines and characters of one answer. */
const mostLines = 2000
const mostCharacters = 60_000

const params = z.object({
  path: z.string().describe('Path in the project.'),
  start_line: z.number().int().min(1).exactOptional().describe('First line to read, from 1. Default: the first.'),
  end_line: z.number().int().min(1).exactOptional().describe('Last line to read. Default: the last.'),
})
type Args = z.infer<typeof params>

/** Reads a text file or a range of its lines, and notes for later writes what was read (R102, R103). */
export const readFile = defineTool({
  name: 'read_file',
  description: `Read a text file, or a range of its lines. Each line of the answer begins with its number and a tab, which do not belong to the file. At most ${mostLines} lines and ${mostCharacters} characters come at once; the answer says how to go on.`,
  params,
  effect: 'read',
  paths: (args) => [{ path: args.path, use: 'read' }],
  forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: args.path, notes: [] }, writes: [], base: {} })),
  run: (args, context) => readShown(args, context),
})

/** What `read_file` gives of a file that was judged; also for one that the person attaches to a message. */
export async function readShown(args: Args, context: Pick<ToolContext, 'place' | 'fs' | 'readLog' | 'redact'>): Promise<ToolOutput> {
  const read = await readText(args, context)
  if (!read.ok) return { status: 'failed', say: read.fault }
  const { relative, file, sizeBytes } = read.value
  if (file === null) return { status: 'ok', say: said('file.binary', { path: relative, sizeBytes }) }
  if (file.text === '') return { status: 'ok', say: said('file.read-empty', { path: relative }) }
  return show(args, relative, file, context.redact)
}

interface ReadText {
  readonly relative: string
  readonly file: TextFile | null
  readonly sizeBytes: number
}

async function readText(args: Args, context: Pick<ToolContext, 'place' | 'fs' | 'readLog'>): Promise<Result<ReadText>> {
  const facts = context.place(args.path)
  if (facts.kind === 'folder') return fail('path.is-folder', { path: args.path })
  if (facts.kind === 'missing') return fail('path.missing', { path: args.path })
  if (args.end_line !== undefined && args.end_line < (args.start_line ?? 1)) return fail('file.bad-range')
  const content = await context.fs.read(facts, textLimitBytes)
  if (!content.ok) return content.fault.code === 'path.too-large' ? fail('file.too-large-to-show', content.fault.values) : content
  const relative = facts.relative ?? facts.realPath
  context.readLog.set(relative, content.value.hash)
  return succeed({ relative, file: decodeFile(content.value.bytes), sizeBytes: content.value.bytes.length })
}

function show(args: Args, path: string, file: TextFile, redact: Redact): ToolOutput {
  // Bytes of an unknown encoding are shown as what they are: unknown. Nobody copies them into an edit by mistake.
  const text = file.encoding === 'bytes' ? file.text.replace(/[^\0-\x7f]/gu, '\ufffd') : file.text
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const total = lines.length
  const from = args.start_line ?? 1
  if (from > total) return { status: 'failed', say: said('file.past-end', { path, total }) }
  const wanted = lines.slice(from - 1, Math.min(args.end_line ?? total, total, from - 1 + mostLines))
  const to = from + withinLimit(wanted).length - 1
  const body = shownLines(lines, from, to, redact)
  const isCut = to < Math.min(args.end_line ?? total, total)
  const values = { path, from, to, total, encoding: encodingName(file.encoding), lineEnds: lineEndsOf(file.text) }
  return { status: 'ok', say: isCut ? said('file.read-part', { ...values, next: to + 1 }) : said('file.read', values), body }
}

/** As many whole lines as fit, at least one. */
function withinLimit(lines: readonly string[]): readonly string[] {
  let characters = 0
  const fits = lines.findIndex((line) => {
    characters += line.length + 8
    return characters > mostCharacters
  })
  return fits === -1 ? lines : lines.slice(0, Math.max(1, fits))
}
