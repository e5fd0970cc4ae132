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

const cases = ['guard-paths.jsonl', 'more-paths.jsonl'].flatMap((file) =>
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
  const code = await guardPath(['--project', world.root, '--home', world.home, '--appdata', world.appData], lines, (line) => answers.push(JSON.parse(line) as Answer))
  expect(code).toBe(0)
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

test('R65: E16, every path that leaves the project is refused or asked, every other is not', async () => {
  const rows = [
    ['read', 'src/ok.txt', 'in'], ['read', './src/../src/ok.txt', 'in'], ['read', '../project-secret/key', 'out'], ['read', 'DIR/project-secret/key', 'out'], ['read', 'link/f', 'out'],
    ['read', 'linkf', 'out'], ['write', 'link/new.txt', 'out'], ['write', 'link/newdir/new.txt', 'out'], ['write', 'danglink', 'out'], ['read', 'chain/f', 'out'],
    ['read', 'sub/up/../outside/f', 'out'], ['read', 'sub/up/src/ok.txt', 'in'], ['write', 'src/new/deep/file', 'in'], ['read', 'src/ok.txt/', 'in'],
    ['read', '/proc/self/cwd/../../outside/f', 'out'], ['read', '/proc/self/root/etc/passwd', 'out'], ['read', '~/.ssh/id_rsa', 'out'], ['read', 'file:///etc/passwd', 'out'],
    ['read', 'src/ok.txt\u0000.png', 'out'], ['read', '..\\outside\\f', 'in'], ['write', 'hard', 'ask'], ['read', '%2e%2e/outside/f', 'in'],
    // E06: a secret behind an innocent name.
    ['read', 'innocent', 'ask'], ['read', './x/../.env', 'out'], ['read', '.env', 'ask'],
  ] as const
  const file = (path: string, text: string): SetupStep => ({ do: 'file', path, text })
  const link = (path: string, to: string): SetupStep => ({ do: 'symlink', path: join(world.root, path), to })
  const near = join(world.root, '..')
  world.setUp([
    file(join(world.root, 'src/ok.txt'), 'in\n'), file(join(near, 'project-secret/key'), 's\n'), file(join(near, 'outside/f'), 'o\n'), { do: 'dir', path: join(near, 'outside/dir') },
    file(join(world.root, '.env'), 'X=1'), link('link', join(near, 'outside')), link('linkf', join(near, 'outside/f')), link('danglink', join(near, 'outside/none')),
    { do: 'hardlink', path: join(world.root, 'hard'), to: join(near, 'outside/f') }, link('chain', 'link'), link('sub/up', '..'), link('innocent', '.env'),
  ])
  const before = portrait(world.dir, world.root)
  const answers = await answersTo(rows.map(([kind, path], at) => JSON.stringify({ id: String(at), op: { kind, path: path.replace('DIR', near) } })))
  const meaning = { in: ['allowable'], out: ['deny', 'ask'], ask: ['ask'] } as const
  const misses = rows.filter(([, , expected], at) => !(meaning[expected] as readonly string[]).includes(answers[at]?.verdict ?? ''))
  expect(misses).toEqual([])
  expect(portrait(world.dir, world.root)).toBe(before)
})

test('wrong usage is told apart from a fault', async () => {
  expect(await guardPath(['--project', world.root], [], () => undefined)).toBe(2)
  await expect(guardPath(['--project', join(world.dir, 'none'), '--home', world.home, '--appdata', world.appData], [], () => undefined)).rejects.toThrow('does not exist')
})

test('R65: the project may be opened through a link, and the data folder too', async () => {
  symlinkSync(world.root, join(world.dir, 'l'))
  symlinkSync(world.appData, join(world.dir, 'd'))
  world.setUp([{ do: 'file', path: join(world.root, 'a'), text: 'x' }, { do: 'file', path: join(world.appData, 'db'), text: 'x' }])
  const answers: Answer[] = []
  const ask = (path: string): string => JSON.stringify({ id: path, op: { kind: 'read', path } })
  await guardPath(['--project', join(world.dir, 'l'), '--home', world.home, '--appdata', join(world.dir, 'd')], [ask('a'), ask(join(world.dir, 'd/db'))], (line) => answers.push(JSON.parse(line) as Answer))
  expect(answers.map(({ verdict, code, done }) => ({ verdict, code, done }))).toEqual([
    { verdict: 'allowable', code: 'path.fine', done: true },
    { verdict: 'deny', code: 'path.app-data', done: undefined },
  ])
  expect(existsSync(join(world.appData, 'db'))).toBe(true)
})
