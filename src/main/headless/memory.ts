import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { composeHost } from '../app/compose'
import { asId, type MemoryId, type WorkspaceId } from '../../shared/domain/ids'
import { memoryScopes, type Memory } from '../../shared/domain/memory'
import type { Result } from '../../shared/domain/result'
import { say } from '../../shared/words/say'
import type { Memories } from '../services/memories'
import type { Print } from './jsonLines'
import { hostOptions } from './options'
import { Fault, oneOf, readOptions, required, UsageError } from './usage'

const spec = { project: { type: 'string' }, query: { type: 'string' }, text: { type: 'string' }, scope: { type: 'string' }, id: { type: 'string' }, file: { type: 'string' } } as const

type Values = ReturnType<typeof readOptions>['values']

interface Call {
  readonly memories: Memories
  readonly workspaceId: WorkspaceId
  readonly values: Values
  readonly print: Print
}

/** Rows of one reading of the store. */
const rowsAtOnce = 500
const mostFound = 1000

const verbs: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  async list({ memories, workspaceId, print }) {
    for (let offset = 0; ; offset += rowsAtOnce) {
      const { rows } = await memories.page(workspaceId, { query: '', scope: 'all', isBin: false, order: { by: 'at', isDescending: true }, offset, limit: rowsAtOnce, draft: '' }, null)
      rows.forEach(({ memory }) => print(rowOf(memory)))
      if (rows.length < rowsAtOnce) return
    }
  },
  async search({ memories, workspaceId, values, print }) {
    for (const { memory, score } of await memories.search(workspaceId, required(values['query'], 'query'), mostFound)) print({ ...rowOf(memory), score })
  },
  async add({ memories, workspaceId, values, print }) {
    const { memory } = valueOf(await memories.save(workspaceId, { text: required(values['text'], 'text'), scope: scopeIn(values), by: 'table', sessionId: null }))
    print(rowOf(memory))
  },
  async remove({ memories, workspaceId, values, print }) {
    const id = required(values['id'], 'id')
    const { count } = valueOf(await memories.remove(workspaceId, [asId<MemoryId>(id)]))
    if (count === 0) throw new Fault(`there is no memory ${id} here`)
    print({ id, removed: true })
  },
  async import({ memories, workspaceId, values, print }) {
    const { added, known, faults } = valueOf(await memories.importText(workspaceId, await textOf(required(values['file'], 'file')), scopeIn(values)))
    print({ added, known, faults: faults.map((fault) => say('en', fault)) })
  },
  async export({ memories, workspaceId, values, print }) {
    const file = path.resolve(required(values['file'], 'file'))
    const { text, count } = await memories.exportText(workspaceId, formatOf(file), 'all')
    await replace(file, text)
    print({ file, count })
  },
}

/** `memory list|search|add|remove|import|export`: the long-term memory as a project sees it. */
export async function memoryCommand(args: readonly string[], print: Print): Promise<void> {
  const [name = '', ...rest] = args
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) throw new UsageError(`no such command: memory ${name}`)
  const { values } = readOptions(rest, spec)
  const project = required(values['project'], 'project')
  const host = await composeHost({ ...hostOptions(values), given: null, chosenModel: null })
  try {
    const opened = valueOf(await host.openWorkspace(project))
    await verb({ memories: host.memories, workspaceId: opened.workspace.id, values, print })
  } finally {
    await host.close()
  }
}

function rowOf({ id, text, scope, atMs }: Memory): { readonly id: string; readonly text: string; readonly scope: string; readonly atMs: number } {
  return { id, text, scope, atMs }
}

function valueOf<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value
  throw new Fault(say('en', result.fault))
}

function scopeIn(values: Values): (typeof memoryScopes)[number] {
  return oneOf(String(values['scope'] ?? 'project'), memoryScopes, 'scope')
}

function formatOf(file: string): 'json' | 'markdown' {
  const end = path.extname(file).toLowerCase()
  if (end === '.json') return 'json'
  if (end === '.md') return 'markdown'
  throw new UsageError('--file takes a name that ends in .json or .md')
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Fault(`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The whole, or what was there before: never a half. */
async function replace(file: string, text: string): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await writeFile(part, text, { flag: 'wx', mode: 0o600 })
    await rename(part, file)
  } catch (error) {
    throw new Fault(`the file cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}
