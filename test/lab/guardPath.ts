import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { parseArgs } from 'node:util'
import { said, type Result, type Said } from '../../src/shared/domain/result'
import { severest, type Verdict } from '../../src/shared/domain/verdict'
import { say } from '../../src/shared/words/say'
import { openWorkspaceFs } from '../../src/main/adapters/fs/workspaceFs'
import { judgePath } from '../../src/main/core/policy/pathGuard'
import type { Fence } from '../../src/main/core/policy/protectedPaths'
import type { PathFacts, PathUse, WorkspaceFs } from '../../src/main/core/ports/workspaceFs'
import type { Root } from '../../src/main/native/safeFolder'
import { fenceOf, openRoot, writeLinkNow } from '../../src/main/native/safePath'
import { locateLexical } from '../../src/main/native/safePathLexical'
import type { LabInput, Print } from './index'

interface Step {
  readonly do: string
  readonly path: string
  readonly to?: string
  readonly text?: string
}

interface PathCase {
  readonly id: string
  readonly op: { readonly kind: string; readonly path: string; readonly to?: string }
  readonly race?: readonly Step[]
  readonly platform?: 'posix' | 'win32' | 'darwin'
  readonly lexical?: boolean
}

interface World {
  readonly root: Root
  readonly fence: Fence
  readonly fs: WorkspaceFs
}

const uses: Readonly<Record<string, PathUse>> = {
  read: 'read', write: 'write', create: 'create', mkdir: 'mkdir', delete: 'delete', rename: 'rename', list: 'list', exec_cwd: 'exec-cwd',
}
const readLimitBytes = 16 * 1024 * 1024

/**
 * `guard-path --project DIR --home DIR --appdata DIR`: judges each case of stdin as PathGuard does and performs the allowable
 * ones through the adapter of the file tools, with the `race` steps between judging and acting.
 */
export async function guardPath(args: readonly string[], input: Pick<LabInput, 'lines'>, print: Print): Promise<void> {
  const values = foldersOf(args)
  const root = openRoot(values.project)
  if (!root.ok) throw new Error(say('en', root.fault))
  const fence = fenceOf(root.value, values.home, values.appdata)
  const world: World = { root: root.value, fence, fs: openWorkspaceFs(root.value, { guarded: [fence.appData] }) }
  for (const line of input.lines()) {
    const given = JSON.parse(line) as PathCase
    const { verdict, done } = given.lexical ? { verdict: judgeText(given), done: undefined } : await judgeAndAct(given, world)
    print({ id: given.id, verdict: verdict.kind, reason: say('en', verdict.reason), code: verdict.reason.code, ...(done === undefined ? {} : { done }) })
  }
}

function foldersOf(args: readonly string[]): { readonly project: string; readonly home: string; readonly appdata: string } {
  const { project, home, appdata } = parseFolders(args)
  if (project === undefined || home === undefined || appdata === undefined) throw usage()
  return { project, home, appdata }
}

function parseFolders(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const folder = { type: 'string' } as const
  try {
    return parseArgs({ args: [...args], options: { project: folder, home: folder, appdata: folder, data: folder } }).values
  } catch {
    throw usage()
  }
}

function usage(): Error {
  return Object.assign(new Error('usage: guard-path --project DIR --home DIR --appdata DIR'), { name: 'LabUsage' })
}

/** Text only: a path of a system that this is not. */
function judgeText({ op, platform }: PathCase): Verdict {
  const fence: Fence =
    platform === 'win32'
      ? { root: 'C:\\proj\\app', home: 'C:\\Users\\me', appData: 'C:\\Users\\me\\AppData\\Roaming\\Countersign', platform }
      : { root: '/tmp/app', home: '/Users/me', appData: '/Users/me/Library/Application Support/Countersign', platform: 'darwin' }
  const judge = (path: string): Verdict => judgePath(locateLexical(fence.root, path, fence.platform ?? 'linux'), useOf(op.kind), fence)
  return op.to === undefined || op.to.startsWith('symlink:') ? judge(op.path) : severest(judge(op.path), judge(op.to))
}

async function judgeAndAct(given: PathCase, world: World): Promise<{ verdict: Verdict; done?: boolean }> {
  const { op } = given
  const use = useOf(op.kind)
  const facts = await world.fs.locate(op.path, use)
  const target = op.to === undefined ? null : await locateTarget(op.path, op.to, facts, use, world)
  const own = judgePath(facts, use, world.fence)
  const verdict = target === null ? own : severest(own, judgePath(target.facts, target.use, world.fence))
  if (verdict.kind !== 'allowable') return { verdict }
  const base = await baseOf(facts, use, world.fs)
  for (const step of given.race ?? []) race(step)
  const done = await act(given, facts, target?.facts ?? null, base, world)
  if (done.ok) return { verdict, done: true }
  return { verdict: { kind: isGuarded(done.fault, given) ? 'deny' : 'allowable', reason: done.fault }, done: false }
}

/** Where a rename goes, or where a link that is to be made would lead. */
async function locateTarget(path: string, to: string, facts: PathFacts, use: PathUse, { root, fs }: World): Promise<{ facts: PathFacts; use: PathUse }> {
  if (!to.startsWith('symlink:')) return { facts: await fs.locate(to, use), use }
  const target = to.slice('symlink:'.length)
  const from = facts.parent?.realPath ?? join(root.path, dirname(path))
  return { facts: await fs.locate(isAbsolute(target) ? target : `${from}/${target}`, 'read'), use: 'read' }
}

/** The hash of what a write would replace, as it is when the guard judges. */
async function baseOf(facts: PathFacts, use: PathUse, fs: WorkspaceFs): Promise<string | null> {
  if (facts.kind !== 'file' || (use !== 'write' && use !== 'create')) return null
  const content = await fs.read(facts, readLimitBytes)
  return content.ok ? content.value.hash : null
}

async function act({ op }: PathCase, facts: PathFacts, to: PathFacts | null, base: string | null, { fs, root }: World): Promise<Result<unknown>> {
  if (op.to?.startsWith('symlink:')) return writeLinkNow(root, facts.relative ?? '', op.to.slice('symlink:'.length), { durable: false, expect: (found) => found.kind === 'missing' })
  switch (op.kind) {
    case 'read':
      return fs.read(facts, readLimitBytes)
    case 'write':
    case 'create':
      return fs.write(facts, Buffer.from('written by guard-path\n'), base)
    case 'mkdir':
      return fs.makeFolder(facts)
    case 'delete':
      return fs.remove(facts, null)
    case 'rename':
      return to === null ? { ok: false, fault: said('path.empty') } : fs.move(facts, to)
    default:
      return fs.list(facts)
  }
}

/** A refusal to act on another place or content than was judged; a file that is simply not there is none. */
function isGuarded(fault: Said, { race: steps }: PathCase): boolean {
  return (steps?.length ?? 0) > 0 || ['path.moved', 'path.stale', 'path.special', 'path.outside', 'path.root', 'path.other-disk'].includes(fault.code)
}

function race({ do: what, path, to = '', text = '' }: Step): void {
  switch (what) {
    case 'replace_with_symlink':
      rmSync(path, { recursive: true, force: true })
      return symlinkSync(to, path)
    case 'write':
    case 'file':
      return writeFileSync(path, text)
    case 'dir':
      mkdirSync(path, { recursive: true })
      return
    case 'symlink':
      return symlinkSync(to, path)
    case 'hardlink':
      return linkSync(to, path)
    case 'fifo':
      execFileSync('bash', ['-c', 'mkfifo "$0"', path])
      return
    case 'delete':
      return rmSync(path, { recursive: true, force: true })
    default:
      throw new Error(`unknown race step: ${what}`)
  }
}

function useOf(kind: string): PathUse {
  const use = uses[kind]
  if (use === undefined) throw new Error(`unknown kind of operation: ${kind}`)
  return use
}
