import { z } from 'zod'
import { said, succeed, type Result } from '../../../../shared/domain/result'
import { defineTool, type ToolContext } from '../defineTool'
import { changeOf, countLines, currentFile, forecastOf, notesOn, writeChange, type FileChange } from '../fileChange'
import { flattenText } from '../flatText'
import { settleMarkers } from '../hiddenView'
import { lineEndsOf, type TextFile } from '../textFile'

const params = z.object({ path: z.string().describe('Path in the project.'), content: z.string().describe('The whole content of the file.') })
type Args = z.infer<typeof params>

/** Creates a text file, or replaces the whole content of one that was read. Encoding and line ends of the old one are kept. */
export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Create a text file, or overwrite one with new content. Missing folders are made. An existing file must have been read with read_file first. To change parts of a file use edit_file.',
  params,
  effect: 'write',
  paths: (args) => [{ path: args.path, use: 'write' }],
  async forecast(args, context) {
    const change = await planChange(args, context)
    return change.ok ? { ok: true, value: forecastOf(change.value) } : change
  },
  withEdit: (args, edited) => ({ ...args, content: edited }),
  async run(args, context) {
    const change = await planChange(args, context)
    if (!change.ok) return { status: 'failed', say: change.fault }
    const { file, after, bytes } = change.value
    const values = { path: file.relative, lines: countLines(after.text), sizeBytes: bytes.length }
    return writeChange(change.value, () => ({ say: said(file.content === null ? 'file.created' : 'file.wrote', values) }), context)
  },
})

async function planChange(args: Args, context: ToolContext): Promise<Result<FileChange>> {
  const file = await currentFile(args.path, context)
  if (!file.ok) return file
  const written = settleMarkers(file.value, succeed(newText(file.value.text, args.content)), (view) => succeed(newText(view, args.content)), context.redact)
  if (!written.ok) return written
  const after = written.value
  const notes = after.encoding === 'UTF-8' && file.value.text?.encoding === 'bytes' ? [said('file.becomes-utf8')] : notesOn(file.value)
  return changeOf(file.value, after, notes, context)
}

/** Lines that stay keep their ends and new ones take those in use, unless the line ends are all that changes. */
function newText(old: TextFile | null, content: string): TextFile {
  if (old === null) return { encoding: 'UTF-8', text: content }
  const source = flattenText(old.text)
  const flat = content.replace(/\r\n/gu, '\n')
  // Content with both line ends for a file with both was put together from the file itself.
  const isExact = lineEndsOf(old.text) === 'mixed' && lineEndsOf(content) === 'mixed'
  const text = flat === source.flat || old.text === '' || isExact ? content : source.replace([0], source.flat.length, flat)
  // What is not ASCII cannot be written in an encoding that is not known.
  return { encoding: old.encoding === 'bytes' && /[^\0-\x7f]/u.test(text) ? 'UTF-8' : old.encoding, text }
}
