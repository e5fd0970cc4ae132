import { parseArgs } from 'node:util'
import type { LabInput, Print } from './index'
import { perfCancel } from './perfCancel'
import { perfGuard } from './perfGuard'
import { perfMemory } from './perfMemory'
import { perfOutput } from './perfOutput'
import { perfRetrieval } from './perfRetrieval'
import { perfSnapshot } from './perfSnapshot'
import { perfStartup } from './perfStartup'
import { perfStream } from './perfStream'
import { perfTimeline } from './perfTimeline'

/** What can be measured. Its size: files of a project, rounds, megabytes of output, pieces of an answer, starts, entries, points. */
const measurements: Readonly<Record<string, (print: Print, size: number | undefined) => Promise<void>>> = {
  snapshot: perfSnapshot,
  memory: perfMemory,
  cancel: perfCancel,
  output: perfOutput,
  stream: perfStream,
  startup: perfStartup,
  retrieval: perfRetrieval,
  guard: perfGuard,
  timeline: perfTimeline,
}

/** `perf NAME [--size N]`: the figures of one part of the product beside their baselines, measured in the same run. */
export async function perf(args: readonly string[], _input: Pick<LabInput, 'lines'>, print: Print): Promise<void> {
  const { name, size } = readArguments(args)
  const measure = Object.hasOwn(measurements, name) ? measurements[name] : undefined
  if (!measure) throw usage(`no such command: perf ${name}`)
  await measure(print, size)
}

function readArguments(args: readonly string[]): { readonly name: string; readonly size: number | undefined } {
  const { positionals, values } = parsed(args)
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw usage(`usage: perf ${Object.keys(measurements).join('|')} [--size N]`)
  if (values.size === undefined) return { name, size: undefined }
  const size = Number(values.size)
  if (!Number.isInteger(size) || size < 1) throw usage('--size takes a whole number from 1')
  return { name, size }
}

function parsed(args: readonly string[]): { readonly positionals: readonly string[]; readonly values: { readonly size?: string } } {
  try {
    return parseArgs({ args: [...args], options: { size: { type: 'string' }, data: { type: 'string' } }, allowPositionals: true })
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
}

function usage(sentence: string): Error {
  return Object.assign(new Error(sentence), { name: 'LabUsage' })
}
