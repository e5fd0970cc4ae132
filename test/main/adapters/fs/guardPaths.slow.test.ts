import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { guardPath } from '../../../lab/guardPath'
import { makePathWorld, portrait, type PathWorld, type SetupStep } from '../../../support/pathWorld'

interface GuardCase {
  readonly id: string
  readonly setup: readonly SetupStep[]
  readonly op: { readonly kind: string; readonly path: string; readonly to?: string }
  readonly race?: readonly SetupStep[]
  readonly verdict: 'deny' | 'ask' | 'allowable'
  readonly also_ok: readonly string[]
  readonly reason: string
}

interface Answer {
  readonly id: string
  readonly verdict: string
  readonly reason: string
  readonly code: string
  readonly done?: boolean
}

const cases = ['guard-paths.jsonl', 'more-paths.jsonl', 'unseen-paths.jsonl'].flatMap((file) =>
  readFileSync(join(import.meta.dirname, '../../../cases/guard', file), 'utf8')
    .split('\n')
    .filter((line) => line !== ''),
)
const named = cases.map((line) => ({ line, ...(JSON.parse(line) as GuardCase) }))

let world: PathWorld

beforeEach(() => {
  world = makePathWorld()
})

afterEach(() => {
  world.remove()
})

async function answersTo(lines: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = []
  await guardPath(['--project', world.root, '--home', world.home, '--appdata', world.appData], { lines: () => lines }, (line) => answers.push(line as Answer))
  return answers
}

test.each(named)('R65, R67: $id $op.kind $op.path is $verdict: $reason', async ({ line }) => {
  const filled = JSON.parse(world.fill(line)) as GuardCase
  world.setUp(filled.setup)
  const before = portrait(world.dir, world.root)
  const [answer] = await answersTo([JSON.stringify(filled)])
  expect([filled.verdict, ...filled.also_ok], `${answer?.verdict}: ${answer?.reason}`).toContain(answer?.verdict)
  expect(portrait(world.dir, world.root)).toBe(before)
  if (filled.verdict === 'allowable' && answer?.done === false) expect(answer.code).not.toBe('path.moved')
})

interface TextCase {
  readonly tool: string
  readonly path: string
  readonly verdict: 'in' | 'out' | 'ask'
}

const casesFolder = join(import.meta.dirname, '../../../cases')

test('R65: E16, every path that leaves the project is refused or asked, every other is not', async () => {
  execFileSync('bash', [join(casesFolder, 'E/e16.sh'), world.dir])
  const { cases: rows } = JSON.parse(readFileSync(join(casesFolder, 'E/e16.json'), 'utf8')) as { cases: readonly TextCase[] }
  // E06: a secret behind an innocent name.
  const more: readonly TextCase[] = [{ tool: 'read', path: 'innocent', verdict: 'ask' }, { tool: 'read', path: '.env', verdict: 'ask' }, { tool: 'read', path: './x/../.env', verdict: 'out' }]
  const project = join(world.dir, 'project')
  const before = portrait(world.dir, project)
  const answers: Answer[] = []
  const all = [...rows, ...more]
  const lines = all.map(({ tool, path }, at) => JSON.stringify({ id: String(at), op: { kind: tool, path: path.replace('DIR', world.dir) } }))
  await guardPath(['--project', project, '--home', world.home, '--appdata', world.appData], { lines: () => lines }, (line) => answers.push(line as Answer))
  const meaning = { in: ['allowable'], out: ['deny', 'ask'], ask: ['ask'] } as const
  expect(all.filter(({ verdict }, at) => !(meaning[verdict] as readonly string[]).includes(answers[at]?.verdict ?? ''))).toEqual([])
  expect([all.length, portrait(world.dir, project)]).toEqual([25, before])
})

test('wrong usage is told apart from a fault', async () => {
  const nothing = { lines: () => [] }
  await expect(guardPath(['--project', world.root], nothing, () => undefined)).rejects.toMatchObject({ name: 'LabUsage' })
  await expect(guardPath(['--what'], nothing, () => undefined)).rejects.toMatchObject({ name: 'LabUsage' })
  await expect(guardPath(['--project', join(world.dir, 'none'), '--home', world.home, '--appdata', world.appData], nothing, () => undefined)).rejects.toThrow('does not exist')
})

test('R65: the project may be opened through a link, and the data folder too', async () => {
  symlinkSync(world.root, join(world.dir, 'l'))
  symlinkSync(world.appData, join(world.dir, 'd'))
  world.setUp([{ do: 'file', path: join(world.root, 'a'), text: 'x' }, { do: 'file', path: join(world.appData, 'db'), text: 'x' }])
  const answers: Answer[] = []
  const ask = (path: string): string => JSON.stringify({ id: path, op: { kind: 'read', path } })
  await guardPath(['--project', join(world.dir, 'l'), '--home', world.home, '--appdata', join(world.dir, 'd')], { lines: () => [ask('a'), ask(join(world.dir, 'd/db'))] }, (line) => answers.push(line as Answer))
  expect(answers.map(({ verdict, code, done }) => ({ verdict, code, done }))).toEqual([
    { verdict: 'allowable', code: 'path.fine', done: true },
    { verdict: 'deny', code: 'path.app-data', done: undefined },
  ])
  expect(existsSync(join(world.appData, 'db'))).toBe(true)
})
