import { parseArgs } from 'node:util'
import type { LabInput, Print } from './index'
import { perfCancel } from './perfCancel'
import { perfGuard } from './perfGuard'
import type { Wanted } from './perfLine'
import { perfMemory } from './perfMemory'
import { perfOutput } from './perfOutput'
import { perfRetrieval } from './perfRetrieval'
import { perfSnapshot } from './perfSnapshot'
import { perfStartup } from './perfStartup'
import { perfStream } from './perfStream'
import { perfSearch } from './perfSearch'
import { perfSession } from './perfSession'
import { perfTimeline } from './perfTimeline'
import { perfTurn } from './perfTurn'
import { perfWindow } from './perfWindow'

/** What can be measured. Its size: files of a project, rounds, megabytes of output, pieces of an answer, starts, entries, points. */
const measurements: Readonly<Record<string, (print: Print, size: number | undefined, isWanted: Wanted) => Promise<void>>> = {
  snapshot: perfSnapshot,
  memory: perfMemory,
  cancel: (print, size) => perfCancel(print, size),
  output: (print, size) => perfOutput(print, size),
  stream: (print, size) => perfStream(print, size),
  startup: (print, size) => perfStartup(print, size),
  retrieval: (print, size) => perfRetrieval(print, size),
  guard: perfGuard,
  timeline: (print, size) => perfTimeline(print, size),
  turn: perfTurn,
  window: (print, size) => perfWindow(print, size),
  async session(print, size, isWanted) {
    await perfSession(print, size)
    if (isWanted('D5')) await perfSearch(print, size)
  },
}

/**
 * `perf NAME [--size N] [--only GOAL,GOAL]`: the figures of one part of the product beside their baselines, measured in the same
 * run. With `--only`, lines of other goals are not printed, and what only they need is not measured where that can be left out.
 */
export async function perf(args: readonly string[], _input: Pick<LabInput, 'lines'>, print: Print): Promise<void> {
  const { name, size, isWanted } = readArguments(args)
  const measure = Object.hasOwn(measurements, name) ? measurements[name] : undefined
  if (!measure) throw usage(`no such command: perf ${name}`)
  await measure((line) => (!('goal' in line) || isWanted(String(line.goal))) && print(line), size, isWanted)
}

function readArguments(args: readonly string[]): { readonly name: string; readonly size: number | undefined; readonly isWanted: Wanted } {
  const { positionals, values } = parsed(args)
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw usage(`usage: perf ${Object.keys(measurements).join('|')} [--size N] [--only GOAL,GOAL]`)
  const goals = values.only?.split(',')
  const isWanted: Wanted = (goal) => goals?.includes(goal) ?? true
  if (values.size === undefined) return { name, size: undefined, isWanted }
  const size = Number(values.size)
  if (!Number.isInteger(size) || size < 1) throw usage('--size takes a whole number from 1')
  return { name, size, isWanted }
}

function parsed(args: readonly string[]): { readonly positionals: readonly string[]; readonly values: { readonly size?: string; readonly only?: string } } {
  try {
    return parseArgs({ args: [...args], options: { size: { type: 'string' }, only: { type: 'string' }, data: { type: 'string' } }, allowPositionals: true })
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
}

function usage(sentence: string): Error {
  return Object.assign(new Error(sentence), { name: 'LabUsage' })
}
