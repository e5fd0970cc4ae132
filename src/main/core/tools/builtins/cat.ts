import { z } from 'zod'
import { said, succeed } from '../../../../shared/domain/result'
import type { ToolOutput } from '../../../../shared/domain/tool'
import { framedFrom } from '../../mcp/frame'
import { defineTool } from '../defineTool'
import { pageOf, type OutputPage } from '../outputPage'

/** Most lines and bytes of one page: about 10,000 tokens of English. */
const mostLines = 2000
const mostBytes = 40_000

/** Reads a stored output page by page by its name, never a path (R50): only names that results of this session gave, redacted, text only. */
export const cat = defineTool({
  name: 'cat',
  description:
    `Read a stored output that a result of this session named by a ref of 64 characters, because it was too long to be shown whole. ` +
    `Gives at most ${mostLines} lines and ${mostBytes} bytes at once and says how to go on. It takes no path: for files use read_file.`,
  params: z.object({
    ref: z.string().regex(/^[0-9a-f]{64}$/, 'must be the 64 characters of a ref, not a path').describe('As the result gave it.'),
    from_line: z.number().int().min(1).exactOptional().describe('First line, from 1. Default: the first.'),
    from_byte: z.number().int().min(0).exactOptional().describe('Where to go on, as the last page said. Not together with from_line.'),
    lines: z.number().int().min(1).max(mostLines).default(mostLines).describe('Most lines to read.'),
  }),
  effect: 'read',
  paths: () => [],
  forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: args.ref, notes: [] }, writes: [], base: {} })),
  async run(args, context) {
    const named = context.output(args.ref)
    if (named === null) return { status: 'failed', say: said('tool.cat-unknown', { ref: args.ref }) }
    const bytes = await context.blobs.get(args.ref)
    if (bytes === null) return { status: 'failed', say: said('command.output-gone') }
    if (named.mimeType !== null && isBinary(bytes)) return { status: 'failed', say: said('tool.cat-binary', { mimeType: named.mimeType, sizeBytes: bytes.length }) }
    const page = pageOf(bytes, { fromByte: args.from_byte ?? 0, fromLine: args.from_line ?? null, lines: args.lines, bytes: mostBytes }, (text) => context.redact(text))
    if (page === null) return { status: 'failed', say: said('tool.cat-past-end', { sizeBytes: bytes.length }) }
    const output = shown(page, bytes.length)
    return named.taint === null ? output : { ...output, body: framedFrom(page.text, named.taint), taint: named.taint }
  },
})

function shown(page: OutputPage, sizeBytes: number): ToolOutput {
  const values = { from: page.firstLine, to: page.lastLine, total: page.totalLines, fromByte: String(page.from), toByte: String(page.to), sizeBytes: String(sizeBytes) }
  return { status: 'ok', say: said(page.to < sizeBytes ? 'tool.cat-part' : 'tool.cat-end', values), body: page.text }
}

/** A zero byte is in no text of ours; a picture or a program has one near its start. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).some((byte) => byte < 7)
}
