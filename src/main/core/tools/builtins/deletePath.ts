import { z } from 'zod'
import type { ApprovalPreview } from '../../../../shared/domain/approval'
import { fail, said, succeed, type Result } from '../../../../shared/domain/result'
import type { PathFacts } from '../../ports/workspaceFs'
import { defineTool, type CallForecast, type ToolContext } from '../defineTool'
import { boundTo, hashLimitBytes } from '../fileChange'
import { decodeFile } from '../textFile'

const params = z.object({ path: z.string().describe('File or folder to delete. A folder goes with all it holds.') })

/** Deletes a file, a link itself, or a folder with all it holds. */
export const deletePath = defineTool({
  name: 'delete_path',
  description: 'Delete a file or folder in the project. A folder goes with all it holds. A link is deleted itself, never what it points to.',
  params,
  effect: 'write',
  paths: (args) => [{ path: args.path, use: 'delete' }],
  forecast: (args, context) => forecast(context.place(args.path), context),
  async run(args, context) {
    const facts = context.place(args.path)
    const path = facts.relative ?? facts.realPath
    const before = await contentOf(facts, context)
    // The facts hold the file's size and times: it goes only when it is still what was shown.
    const removed = before.ok ? await context.fs.remove(facts, null) : before
    if (!removed.ok) return { status: 'failed', say: removed.fault }
    context.readLog.forget(path)
    return { status: 'ok', say: said('file.deleted', { path }), changed: [{ path, before: before.ok ? (before.value?.hash ?? null) : null, after: null }] }
  },
})

interface Content {
  readonly hash: string
  readonly bytes: Uint8Array
}

/** Content of a file; null for folders, links and files too large to show. */
async function contentOf(facts: PathFacts, { fs }: ToolContext): Promise<Result<Content | null>> {
  if (facts.kind !== 'file') return succeed(null)
  const content = await fs.read(facts, hashLimitBytes)
  return !content.ok && content.fault.code === 'path.too-large' ? succeed(null) : content
}

async function forecast(facts: PathFacts, context: ToolContext): Promise<Result<CallForecast>> {
  if (facts.kind === 'missing') return fail('path.missing', { path: facts.given })
  const content = await contentOf(facts, context)
  if (!content.ok) return content
  const path = facts.relative ?? facts.realPath
  const hash = content.value?.hash ?? null
  const writes = [{ path, before: hash, after: null }]
  if (facts.kind === 'folder') {
    const held = await heldBy(facts, path, context)
    return succeed({ preview: previewOfFolder(held), writes, base: { [path]: context.hasher.ofText(JSON.stringify(held)) } })
  }
  return succeed({ preview: previewOf(facts, path, content.value), writes, base: { [path]: boundTo(facts, hash) } })
}

function previewOf(facts: PathFacts, path: string, content: Content | null): ApprovalPreview {
  if (facts.kind === 'link') return { kind: 'arguments', text: path, notes: [said('file.link-goes')] }
  const text = content === null ? null : decodeFile(content.bytes)
  if (text === null) return { kind: 'binary', path, beforeBytes: content?.bytes.length ?? facts.identity?.size ?? null, afterBytes: null, notes: [] }
  return { kind: 'edit', path, before: text.text, after: null, notes: text.encoding === 'bytes' ? [said('file.was-unknown-encoding')] : [] }
}

const mostShown = 500

interface Held {
  readonly path: string
  readonly sizeBytes: number
}

/** What goes with a folder, itself first: the paths in it, up to a number that can still be read. */
async function heldBy(facts: PathFacts, path: string, context: ToolContext): Promise<readonly Held[]> {
  const held: Held[] = [{ path: `${path}/`, sizeBytes: 0 }]
  const queue = [{ facts, path }]
  for (let folder = queue.shift(); folder !== undefined && held.length <= mostShown; folder = queue.shift()) {
    const entries = await context.fs.list(folder.facts)
    for (const entry of entries.ok ? entries.value : []) {
      const inside = `${folder.path}/${entry.name}`
      held.push({ path: entry.kind === 'folder' ? `${inside}/` : inside, sizeBytes: entry.kind === 'folder' ? 0 : entry.sizeBytes })
      if (entry.kind === 'folder') queue.push({ facts: await context.fs.locate(`${folder.facts.realPath}/${entry.name}`, 'list'), path: inside })
    }
  }
  return held
}

function previewOfFolder(held: readonly Held[]): ApprovalPreview {
  const count = held.length - 1
  const note = count > mostShown ? said('file.folder-goes-many', { count: mostShown }) : said('file.folder-goes', { count })
  return { kind: 'arguments', text: held.slice(0, mostShown + 1).map(({ path }) => path).join('\n'), notes: [note] }
}
