import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GitStores } from '../../../src/main/adapters/git/gitStores'
import type { RestoreStep } from '../../../src/main/core/ports/snapshotStore'
import type { Result } from '../../../src/shared/domain/result'

/** The project alone lies on a small disk; the store has all the room it wants. */
export interface FullDiskJob {
  readonly project: string
  readonly data: string
  readonly workersFolder: string
}

const job = JSON.parse(process.argv[2] ?? '{}') as FullDiskJob
const say = (line: string): unknown => process.stdout.write(`${line}\n`)
const files = Array.from({ length: 40 }, (_, i) => `d${i % 4}/f${String(i).padStart(2, '0')}`)
const filler = join(job.project, 'node_modules/filler')

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.fault))
  return result.value
}

function sum(file: string): string {
  return createHash('sha1').update(readFileSync(join(job.project, file))).digest('hex')
}

function present(): string[] {
  return readdirSync(job.project, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('node_modules') && statSync(join(job.project, name)).isFile())
}

const store = valueOf(await new GitStores({ workersFolder: job.workersFolder, dataFolder: job.data }).open('w1', job.project))
const scan = async () => valueOf(await store.scan(new AbortController().signal))
for (const file of files) {
  mkdirSync(join(job.project, file, '..'), { recursive: true })
  writeFileSync(join(job.project, file), randomBytes(40_000))
}
const sums = new Map(files.map((file) => [file, sum(file)]))
const before = await scan()
// Half of them have another content now, half are gone.
for (const [index, file] of files.entries()) {
  if (index % 2 === 0) writeFileSync(join(job.project, file), randomBytes(20_000))
  else rmSync(join(job.project, file))
}
mkdirSync(join(filler, '..'))
try {
  for (;;) appendFileSync(filler, Buffer.alloc(16_384))
} catch {
  truncateSync(filler, statSync(filler).size - 400_000)
}
const restore = async (): Promise<readonly string[]> => {
  const now = await scan()
  const steps = (await store.diff(before, now)).map(({ path, before: to, after: from }): RestoreStep => ({ path, to, from }))
  const failed: string[] = []
  await store.restore(steps, before, (path, outcome) => void (outcome.ok || failed.push(`${path} ${outcome.fault.code}`)))
  return failed
}
const then = new Map(present().map((file) => [file, sum(file)]))
const failed = await restore()
const failedPaths = new Set(failed.map((line) => line.split(' ')[0] ?? ''))
say(`failed some ${failed.length > 0 && failed.length < files.length} all for want of room ${failed.every((line) => line.endsWith(' path.no-space'))}`)
say(`done are whole ${files.filter((file) => !failedPaths.has(file)).every((file) => sum(file) === sums.get(file))}`)
const now = new Set(present())
say(`failed are as before ${[...failedPaths].every((file) => (now.has(file) ? sum(file) : undefined) === then.get(file))}`)
say(`left over ${present().filter((file) => file.endsWith('.tmp')).join()}`)
rmSync(filler)
say(`again ${(await restore()).join()}`)
say(`whole ${files.every((file) => sum(file) === sums.get(file))} ${present().length}`)
await store.close()
