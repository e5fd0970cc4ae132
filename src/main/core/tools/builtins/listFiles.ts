import { z } from 'zod'
import { fail, said, succeed, type Result } from '../../../../shared/domain/result'
import type { ToolOutput } from '../../../../shared/domain/tool'
import type { FolderEntry, PathFacts } from '../../ports/workspaceFs'
import { defineTool, type ToolContext } from '../defineTool'

const mostEntries = 1000

const params = z.object({
  path: z.string().default('.').describe('Folder in the project. Default: the project itself.'),
  depth: z.number().int().min(1).max(8).default(1).describe('How many levels of folders to list.'),
})

/** Folders that are named but not entered: they hold thousands of files that nobody asks for. */
const closedFolders: readonly string[] = ['.git', 'node_modules']

/** Lists a folder, several levels deep when asked; links are named and never followed. */
export const listFiles = defineTool({
  name: 'list_files',
  description: `List what a folder holds, one path a line: a folder ends with "/", a link with "@", a file is followed by its size in bytes. .git and node_modules are not entered. At most ${mostEntries} entries.`,
  params,
  effect: 'read',
  paths: (args) => [{ path: args.path, use: 'list' }],
  forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: args.path, notes: [] }, writes: [], base: {} })),
  run: (args, context) => listShown(args, context),
})

type ListContext = Pick<ToolContext, 'place' | 'fs' | 'judgePath' | 'signal'>

/** What `list_files` gives of a folder that was judged; also for one that the person attaches to a message. */
export async function listShown(args: z.infer<typeof params>, context: ListContext): Promise<ToolOutput> {
  const listed = await listTree(context.place(args.path), args.depth, context)
  if (!listed.ok) return { status: 'failed', say: listed.fault }
  const { lines, isCut } = listed.value
  return { status: 'ok', say: said(isCut ? 'file.listed-part' : 'file.listed', { path: args.path, count: lines.length }), body: lines.join('\n') }
}

interface Listing {
  readonly lines: readonly string[]
  readonly isCut: boolean
}

/** Level by level, so that a cut list holds the upper levels whole; sorted by path in the end. */
async function listTree(folder: PathFacts, depth: number, context: ListContext): Promise<Result<Listing>> {
  if (folder.kind !== 'folder') return fail(folder.kind === 'missing' ? 'path.missing' : 'path.not-folder', { path: folder.given })
  const found: { readonly path: string; readonly line: string }[] = []
  let level: readonly { readonly facts: PathFacts; readonly prefix: string }[] = [{ facts: folder, prefix: '' }]
  for (let deep = 0; deep < depth && !context.signal.aborted; deep += 1) {
    const next: { facts: PathFacts; prefix: string }[] = []
    for (const { facts, prefix } of level) {
      const entries = await context.fs.list(facts)
      if (!entries.ok && prefix === '') return entries
      for (const entry of entries.ok ? entries.value : []) {
        if (found.length === mostEntries) return succeed({ lines: sorted(found), isCut: true })
        const path = prefix + entry.name
        found.push({ path, line: lineOf(visible(path), entry) })
        if (entry.kind !== 'folder' || closedFolders.includes(entry.name) || deep + 1 === depth) continue
        const inside = await context.fs.locate(`${facts.realPath}/${entry.name}`, 'list')
        if (inside.kind === 'folder' && !inside.isThroughLink && context.judgePath(inside, 'list').kind === 'allowable') next.push({ facts: inside, prefix: `${path}/` })
      }
    }
    level = next
  }
  return succeed({ lines: sorted(found), isCut: false })
}

function sorted(found: readonly { readonly path: string; readonly line: string }[]): readonly string[] {
  return [...found].sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ line }) => line)
}

/** A name may hold a line end or a character that turns the reading order; one path stays one line. */
function visible(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

function lineOf(path: string, entry: FolderEntry): string {
  switch (entry.kind) {
    case 'folder':
      return `${path}/`
    case 'link':
      return `${path}@`
    case 'special':
      return `${path} (special)`
    case 'file':
      return `${path} ${entry.sizeBytes}`
  }
}
