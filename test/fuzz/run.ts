import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'
import { guardTarget } from './guardTarget'
import { mutate, randomOf } from './mutate'
import { redactorTarget } from './redactorTarget'

/** Something that takes text and must keep its promises whatever the text is. */
export interface FuzzTarget {
  readonly name: string
  /** Texts to begin with. */
  seeds(): readonly string[]
  /** Pieces that mean something to it. */
  readonly words: readonly string[]
  /** The promise that an input breaks, in a sentence; null when all hold. What it throws counts as a broken promise too. */
  check(input: string): string | null
}

/** How a run went. A fault holds the smallest input that was found to break the same promise. */
export interface FuzzResult {
  readonly runs: number
  readonly fault: { readonly input: string; readonly sentence: string } | null
}

/** How long a run lasts: until a time, or a number of inputs. */
export interface FuzzLimit {
  readonly runs?: number
  readonly seconds?: number
  readonly seed: number
}

/** Every target by name; a new one is a file beside this one and a line here. */
export const targets: Readonly<Record<string, FuzzTarget>> = { guard: guardTarget, redactor: redactorTarget }

/** Where inputs are kept that once broke a promise: they are tried first, for ever. */
export function corpusOf(name: string, base = path.resolve('test/fuzz/corpus')): readonly string[] {
  const folder = path.join(base, name)
  return existsSync(folder) ? readdirSync(folder).sort().map((file) => readFileSync(path.join(folder, file), 'utf8')) : []
}

/** Tries kept inputs, the seeds, and then changed ones until the limit or a broken promise. The same seed gives the same inputs. */
export function fuzz(target: FuzzTarget, limit: FuzzLimit, kept: readonly string[] = corpusOf(target.name)): FuzzResult {
  const random = randomOf(limit.seed)
  const pool = [...kept, ...target.seeds()]
  const endsAt = limit.seconds === undefined ? Infinity : performance.now() + limit.seconds * 1000
  for (let run = 0; run < (limit.runs ?? Infinity); run++) {
    if (run % 16 === 0 && performance.now() > endsAt) return { runs: run, fault: null }
    const known = run < kept.length ? kept[run] : undefined
    const input = known ?? mutate(pool, target.words, random)
    const sentence = broken(target, input)
    if (sentence !== null) return { runs: run + 1, fault: smallest(target, input, sentence) }
  }
  return { runs: limit.runs ?? 0, fault: null }
}

function broken(target: FuzzTarget, input: string): string | null {
  try {
    return target.check(input)
  } catch (error) {
    return `throws ${error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : String(error)}`
  }
}

/** Cuts pieces out as long as the same promise stays broken. */
function smallest(target: FuzzTarget, from: string, sentence: string): { readonly input: string; readonly sentence: string } {
  let input = from
  const kind = sentence.split(':')[0] ?? ''
  for (let size = Math.ceil(input.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < input.length; ) {
      const shorter = input.slice(0, at) + input.slice(at + size)
      if (broken(target, shorter)?.split(':')[0] === kind) input = shorter
      else at += size
    }
  }
  return { input, sentence: broken(target, input) ?? sentence }
}

/**
 * `fuzz NAME|all [SECONDS] [SEED]`: a line a target. A broken promise is written into the corpus, so that the tests try it
 * from then on, and ends with a fault.
 */
export function fuzzCommand(args: readonly string[], print: (line: object) => void): Promise<void> {
  const [name = 'all', seconds = '60', seed = String(Date.now() % 1_000_000)] = args
  const chosen = name === 'all' ? Object.values(targets) : Object.hasOwn(targets, name) ? [targets[name]].filter((each) => each !== undefined) : []
  if (chosen.length === 0 || !(Number(seconds) > 0) || !Number.isInteger(Number(seed))) throw Object.assign(new Error(`usage: fuzz all|${Object.keys(targets).join('|')} [SECONDS] [SEED]`), { name: 'LabUsage' })
  const faults = chosen.map((target) => {
    const { runs, fault } = fuzz(target, { seconds: Number(seconds), seed: Number(seed) })
    print({ target: target.name, runs, seed: Number(seed), ...(fault ? { fault: fault.sentence, input: fault.input, kept: keep(target.name, fault.input) } : {}) })
    return fault
  })
  if (faults.some((fault) => fault !== null)) throw new Error('a promise was broken; the input is kept in the corpus')
  return Promise.resolve()
}

function keep(name: string, input: string): string {
  const file = path.join('test/fuzz/corpus', name, `${createHash('sha256').update(input).digest('hex').slice(0, 12)}.txt`)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, input)
  return file
}
