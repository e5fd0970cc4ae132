import { execFileSync, spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { GitStores } from '../../src/main/adapters/git/gitStores'
import type { RestoreStep, SnapshotBounds, SnapshotStore, TakenTree } from '../../src/main/core/ports/snapshotStore'
import type { Result } from '../../src/shared/domain/result'
import type { HeldFiles } from '../../src/shared/domain/snapshot'

/** Where `npm run build` puts the workers. */
export const workersFolder = resolve(import.meta.dirname, '../../out/main')

/** A project folder and a data folder beside it, gone at the end. */
export interface Scratch {
  readonly top: string
  readonly project: string
  readonly data: string
  readonly store: string
  remove(): void
}

export function makeScratch(): Scratch {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-snapshot-')))
  const project = join(top, 'project')
  const data = join(top, 'data')
  mkdirSync(project)
  mkdirSync(data)
  return { top, project, data, store: join(data, 'snapshots', 'w1'), remove: () => removeAll(top) }
}

/** Removes a folder, also one whose folders may not be written. */
function removeAll(top: string): void {
  execFileSync('chmod', ['-R', 'u+rwX', top])
  rmSync(top, { recursive: true, force: true })
}

export function storesIn(data: string): GitStores {
  return new GitStores({ workersFolder, dataFolder: data })
}

/** Opens the scratch's store under the name `w1`. */
export async function openStore(scratch: Scratch, bounds?: SnapshotBounds): Promise<SnapshotStore> {
  return valueOf(await storesIn(scratch.data).open('w1', scratch.project, bounds))
}

export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`a fault where none was expected: ${JSON.stringify(result.fault)}`)
  return result.value
}

/** A scan that must succeed. */
export async function scan(store: SnapshotStore): Promise<TakenTree> {
  return valueOf(await store.scan(new AbortController().signal))
}

/** Makes the disk equal to a moment; gives what failed. */
export async function restoreTo(store: SnapshotStore, target: HeldFiles, only: (path: string) => boolean = () => true): Promise<Record<string, string>> {
  const now = await scan(store)
  const steps = (await store.diff(target, now)).filter(({ path }) => only(path)).map(({ path, before, after }): RestoreStep => ({ path, to: before, from: after }))
  return applySteps(store, steps, target)
}

/** Applies some steps; gives what failed. Every path must be told of once. */
export async function applySteps(store: SnapshotStore, steps: readonly RestoreStep[], target: HeldFiles): Promise<Record<string, string>> {
  const failed: Record<string, string> = {}
  const told: string[] = []
  await store.restore(steps, target, (path, outcome) => {
    told.push(path)
    if (!outcome.ok) failed[path] = outcome.fault.code
  })
  if (told.sort().join('\0') !== steps.map(({ path }) => path).sort().join('\0')) throw new Error(`told of ${told.join(', ')}`)
  return failed
}

const gitEnv = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 't',
  GIT_AUTHOR_EMAIL: 't@example.invalid',
  GIT_COMMITTER_NAME: 't',
  GIT_COMMITTER_EMAIL: 't@example.invalid',
}

/** Plain git with no configuration but its own. Throws what it complains of. */
export function git(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd?: string, input: string | Uint8Array = ''): string {
  const ran = spawnSync('git', args, { input, env: { ...gitEnv, ...env }, encoding: 'utf8', maxBuffer: 1 << 28, ...(cwd === undefined ? {} : { cwd }) })
  if (ran.status !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout.trim()
}

/** The tree id plain git gives to a folder, in a repository beside it that is made for this. */
export function nativeTree(scratch: Scratch, exclude = ''): string {
  const folder = join(scratch.top, 'native')
  const env = { GIT_DIR: folder, GIT_WORK_TREE: scratch.project }
  git(['init', '-q'], env)
  git(['config', 'core.autocrlf', 'false'], env)
  execFileSync('sh', ['-c', `printf '%s\\n' "$1" > "$2"`, 'sh', exclude, join(folder, 'info', 'exclude')])
  // With an index of before, git would keep what is ignored only now.
  rmSync(join(folder, 'index'), { force: true })
  git(['add', '-A', '.'], env, scratch.project)
  return git(['write-tree'], env)
}

/** Fails unless plain git finds the store whole and says nothing about it. */
export function fsck(store: string): void {
  const ran = spawnSync('git', ['--git-dir', store, 'fsck', '--full', '--strict', '--no-dangling'], { env: gitEnv, encoding: 'utf8' })
  const said = (ran.stdout + ran.stderr).split('\n').filter((line) => line !== '' && !line.startsWith('notice: '))
  if (ran.status !== 0 || said.length > 0) throw new Error(`git fsck of ${store}: ${said.join('\n')}`)
}

/** Everything below a folder as one value: kind, permission bits and content of each path, in order. Names and contents as bytes (latin1). */
export function picture(folder: string, under = ''): Record<string, string> {
  const all: Record<string, string> = {}
  const place = (name: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])
  for (const raw of readdirSync(place(under), { encoding: 'latin1' }).sort()) {
    const name = under === '' ? raw : `${under}/${raw}`
    const stats = lstatSync(place(name))
    const bits = (stats.mode & 0o7777).toString(8)
    if (stats.isSymbolicLink()) all[name] = `link ${readlinkSync(place(name), { encoding: 'latin1' })}`
    else if (stats.isDirectory()) Object.assign(all, { [name]: `folder ${bits}` }, picture(folder, name))
    else all[name] = `file ${bits} ${readFileSync(place(name), 'latin1')}`
  }
  return all
}

/** Gives a scratch to `nobody`, and runs as that user, whom permission bits bind. Only root can. */
export async function asNobodyIn({ top }: Scratch, run: () => Promise<void>): Promise<void> {
  execFileSync('chown', ['-R', 'nobody', top])
  process.seteuid?.('nobody')
  try {
    await run()
  } finally {
    process.seteuid?.(0)
  }
}
