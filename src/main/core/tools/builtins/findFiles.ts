import { z } from 'zod'
import { said, succeed } from '../../../../shared/domain/result'
import { insideNames } from '../confirmHits'
import { defineTool } from '../defineTool'

const mostFiles = 500

/** Finds files by name; it shows names only, never contents. */
export const findFiles = defineTool({
  name: 'find_files',
  description:
    'Find files in the project by a glob: *.ts fits names in every folder, src/**/*.test.ts fits paths. Gives paths from the project folder, in order. Ignored files are left out.',
  params: z.object({
    glob: z.string().min(1).max(1000),
    path: z.string().min(1).max(4096).exactOptional().describe('Folder inside the project to look in; the whole project when left out.'),
  }),
  effect: 'read',
  paths: (args) => [{ path: args.path ?? '.', use: 'list' }],
  forecast: (args) =>
    Promise.resolve(succeed({ preview: { kind: 'arguments', text: JSON.stringify(args, null, 2), notes: [] }, writes: [], base: {} })),
  async run(args, context) {
    const { root, search, signal } = context
    const found = await search.files({ root, under: context.place(args.path ?? '.').realPath, glob: args.glob, max: mostFiles }, signal)
    if (!found.ok) return { status: signal.aborted ? 'cancelled' : 'failed', say: found.fault }
    const paths = await insideNames(found.value.paths, context)
    const { isCut } = found.value
    if (paths.length === 0) return { status: 'ok', say: said('search.no-files') }
    return { status: 'ok', say: isCut ? said('search.files-cut', { count: paths.length }) : said('search.files', { count: paths.length }), body: paths.join('\n') }
  },
})
