import { z } from 'zod'
import { fail, said, type Result } from '../../../../shared/domain/result'
import type { Redact } from '../../policy/redaction'
import { applyEdits } from '../applyEdits'
import { defineTool, type ToolContext } from '../defineTool'
import { changeOf, currentFile, forecastOf, notesOn, writeChange, type FileChange } from '../fileChange'
import { shownLines } from '../hiddenLines'
import { settleMarkers } from '../hiddenView'
import type { TextFile } from '../textFile'

const params = z.object({
  path: z.string().describe('Path in the project.'),
  edits: z
    .array(
      z.object({
        old_text: z.string().describe('Text as it stands in the file, without line numbers. It must occur exactly once, unless replace_all is set.'),
        new_text: z.string().describe('Text to put in its place.'),
        replace_all: z.boolean().default(false),
      }),
    )
    .min(1)
    .max(200)
    .describe('Applied one after the other; all or none.'),
})
type Args = z.infer<typeof params>

/** Replaces texts in a file; encoding, line ends and every byte that is not replaced stay (C04). */
export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Change parts of a text file by replacing exact texts. The file must have been read with read_file first. Copy old_text exactly as it stands in the file, with its indentation and with enough lines around it to be unique.',
  params,
  effect: 'write',
  paths: (args) => [{ path: args.path, use: 'write' }],
  async forecast(args, context) {
    const change = await planChange(args, context)
    return change.ok ? { ok: true, value: forecastOf(change.value) } : change
  },
  withEdit: (args, edited, before) => ({ ...args, edits: [{ old_text: before ?? '', new_text: edited, replace_all: false }] }),
  async run(args, context) {
    const change = await planChange(args, context)
    if (!change.ok) return { status: 'failed', say: change.fault }
    const { file, after } = change.value
    const body = changedLines(file.text?.text ?? '', after.text, context.redact)
    return writeChange(change.value, () => ({ say: said('file.edited', { path: file.relative, count: args.edits.length }), body }), context)
  },
})

async function planChange(args: Args, context: ToolContext): Promise<Result<FileChange>> {
  const file = await currentFile(args.path, context)
  if (!file.ok) return file
  const { content, text } = file.value
  if (content === null) return fail('path.missing', { path: args.path })
  if (text === null) return fail('file.not-text', { path: args.path })
  const edits = args.edits.map((edit) => ({ oldText: edit.old_text, newText: edit.new_text, replaceAll: edit.replace_all }))
  const apply = (to: TextFile): Result<TextFile> => applyEdits(to, edits, args.path)
  const after = settleMarkers(file.value, apply(text), apply, context.redact)
  return after.ok ? changeOf(file.value, after.value, notesOn(file.value), context) : after
}

const around = 2
const mostShown = 60

/** The lines from the first that changed to the last, with two on each side, numbered as they are now; '' when these are too many. */
function changedLines(before: string, after: string, redact: Redact): string {
  const old = before.split('\n')
  const now = after.split('\n')
  let first = 0
  while (first < now.length && now[first] === old[first]) first += 1
  let last = 0
  while (last < now.length - first && last < old.length - first && now[now.length - 1 - last] === old[old.length - 1 - last]) last += 1
  const from = Math.max(0, first - around)
  const to = Math.min(now.length, now.length - last + around)
  return to - from > mostShown ? '' : shownLines(now, from + 1, to, redact)
}
