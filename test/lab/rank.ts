import { realpathSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeSegmenter } from '../../src/main/adapters/segment/segmenter'
import { rank } from '../../src/main/core/memory/rank'
import { asId, type MemoryId, type WorkspaceId } from '../../src/shared/domain/ids'
import type { Memory, MemoryScope } from '../../src/shared/domain/memory'
import { countFound, normalText } from '../../src/shared/domain/termText'
import type { LabInput, Print } from './index'

/** An entry as it is given on standard input; `project` is the folder of one whose scope is the project. */
interface GivenEntry {
  readonly id: string
  readonly text: string
  readonly scope: MemoryScope
  readonly project?: string
  readonly atMs: number
  readonly pinned?: boolean
}

/** `rank --project DIR --at ISO-TIME --query Q [--window N]`: entries ranked as the product ranks them for a draft, best first, the ones of other projects left out. */
export async function rankLab(args: readonly string[], input: Pick<LabInput, 'bytes'>, print: Print): Promise<void> {
  const { project, at, query, window } = readArguments(args)
  const given = JSON.parse(input.bytes().toString('utf8')) as readonly GivenEntry[]
  const read = given.filter((one) => one.scope === 'general' || one.project === undefined || realPath(one.project) === realPath(project))
  const segmenter = makeSegmenter()
  const [terms = []] = await segmenter.queryTerms([query])
  const termsOfEach = await segmenter.terms(read.map(({ text }) => text))
  const found = read.map((one, index) => ({ memory: memoryOf(one), found: countFound(terms, { normal: normalText(one.text), terms: new Set(termsOfEach[index]) }) }))
  for (const { memory, score } of rank(found, { termCount: terms.length, nowMs: at, windowTokens: window })) {
    print({ id: memory.id, match: score.match, decay: score.decay, score: score.score, injected: score.fate === 'injected', tokens: score.tokens, fate: score.fate })
  }
}

function memoryOf({ id, text, scope, atMs, pinned }: GivenEntry): Memory {
  return { id: asId<MemoryId>(id), text, scope, workspaceId: scope === 'general' ? null : asId<WorkspaceId>('lab'), source: { kind: 'person', by: 'table', sessionId: null }, isPinned: pinned === true, atMs, rev: 1, deletedAtMs: null }
}

/** A folder that is not there is compared by its name. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

function readArguments(args: readonly string[]): { readonly project: string; readonly at: number; readonly query: string; readonly window: number | null } {
  const { values } = parsed(args)
  if (values.project === undefined || values.at === undefined || values.query === undefined) throw usage('usage: rank --project DIR --at ISO-TIME --query Q [--window N]')
  const at = Date.parse(values.at)
  if (Number.isNaN(at)) throw usage('--at takes a time as 2026-01-31T12:00:00Z')
  const window = values.window === undefined ? null : Number(values.window)
  if (window !== null && !(Number.isInteger(window) && window > 0)) throw usage('--window takes a whole number from 1')
  return { project: values.project, at, query: values.query, window }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ args: [...args], options: { project: text, at: text, query: text, window: text, data: text } })
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
}

function usage(sentence: string): Error {
  return Object.assign(new Error(sentence), { name: 'LabUsage' })
}
