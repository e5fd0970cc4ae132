import { z } from 'zod'
import { fail, said, succeed, type Result } from '../../../../shared/domain/result'
import type { PathFacts } from '../../ports/workspaceFs'
import { defineTool, type ToolContext } from '../defineTool'
import { boundTo, hashLimitBytes } from '../fileChange'

const params = z.object({ from: z.string().describe('File or folder to move.'), to: z.string().describe('New path. Nothing may be there yet.') })

/** Moves or renames a file, folder or link; never replaces anything. */
export const movePath = defineTool({
  name: 'move_path',
  description: 'Move or rename a file or folder inside the project. Missing folders are made. Nothing may be at the new path yet.',
  params,
  effect: 'write',
  paths: (args) => [
    { path: args.from, use: 'rename' },
    { path: args.to, use: 'rename' },
  ],
  async forecast(args, context) {
    const { from, to } = { from: context.place(args.from), to: context.place(args.to) }
    if (from.kind === 'missing') return fail('path.missing', { path: args.from })
    if (to.kind !== 'missing') return fail('path.exists', { path: args.to })
    const hash = await hashOf(from, context)
    if (!hash.ok) return hash
    const [source, target] = [from.relative ?? from.realPath, to.relative ?? to.realPath]
    return succeed({
      preview: { kind: 'move', from: source, to: target, notes: [] },
      writes: [
        { path: source, before: hash.value, after: null },
        { path: target, before: null, after: hash.value },
      ],
      base: { [source]: boundTo(from, hash.value), [target]: null },
    })
  },
  async run(args, context) {
    const { from, to } = { from: context.place(args.from), to: context.place(args.to) }
    const [source, target] = [from.relative ?? from.realPath, to.relative ?? to.realPath]
    const hash = await hashOf(from, context)
    const moved = hash.ok ? await context.fs.move(from, to) : hash
    if (!moved.ok) return { status: 'failed', say: moved.fault }
    const read = context.readLog.get(source)
    context.readLog.forget(source)
    if (read !== undefined) context.readLog.set(target, read)
    const content = hash.ok ? hash.value : null
    return {
      status: 'ok',
      say: said('file.moved', { from: source, to: target }),
      changed: [
        { path: source, before: content, after: null },
        { path: target, before: null, after: content },
      ],
    }
  },
})

/** The content hash of a file; null for folders, links and files too large to hash here. */
async function hashOf(facts: PathFacts, { fs }: ToolContext): Promise<Result<string | null>> {
  if (facts.kind !== 'file') return succeed(null)
  const content = await fs.read(facts, hashLimitBytes)
  if (content.ok) return succeed(content.value.hash)
  return content.fault.code === 'path.too-large' ? succeed(null) : content
}
