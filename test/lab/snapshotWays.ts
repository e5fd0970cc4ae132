import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { resolve } from 'node:path'
import git from 'isomorphic-git'
import { GitStores } from '../../src/main/adapters/git/gitStores'
import type { SnapshotStore, TakenTree } from '../../src/main/core/ports/snapshotStore'
import type { HeldFiles } from '../../src/shared/domain/snapshot'

const workersFolder = resolve(import.meta.dirname, '../main')
const never = new AbortController().signal

/** One way of taking and restoring snapshots, measured beside another. */
export interface Way {
  readonly first: () => Promise<string>
  readonly snap: () => Promise<string>
  /** A snapshot that may go by what was heard of changes, as around an edit of the agent. */
  readonly snapHeard: () => Promise<string>
  readonly restore: (tree: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** The product's own store. */
export async function ourWay(project: string, dataFolder: string): Promise<Way> {
  const opened = await new GitStores({ workersFolder, dataFolder }).open('w', project)
  if (!opened.ok) throw new Error(opened.fault.code)
  const store = opened.value
  const moments = new Map<string, HeldFiles>()
  let last: TakenTree | null = null
  const snapNear = async (near: readonly string[] | null): Promise<string> => {
    const taken = await scanned(store, near)
    if (taken.tree !== last?.tree || taken.side !== last.side) await store.commit(taken, { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1_700_000_000_000 })
    last = taken
    moments.set(taken.tree, taken)
    return taken.tree
  }
  const snap = (): Promise<string> => snapNear(null)
  return {
    first: snap,
    snap,
    snapHeard: () => snapNear([]),
    async restore(tree) {
      const target = moments.get(tree)
      if (!target || !last) throw new Error('no such moment')
      // What the disk holds is known from the last scan, as git knows it from its index; each path is checked before it is written.
      const steps = (await store.diff(target, last)).map(({ path, before: to, after: from }) => ({ path, to, from }))
      await store.restore(steps, target, (path, outcome) => {
        if (!outcome.ok) throw new Error(`${path}: ${outcome.fault.code}`)
      })
    },
    close: () => store.close(),
  }
}

async function scanned(store: SnapshotStore, near: readonly string[] | null): Promise<TakenTree> {
  const taken = await store.scan(never, { near })
  if (!taken.ok) throw new Error(taken.fault.code)
  return taken.value
}

/** Plain git beside the project. */
export function nativeWay(project: string, folder: string): Way {
  const env = { ...process.env, GIT_DIR: folder, GIT_WORK_TREE: project, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C', GIT_AUTHOR_NAME: 'b', GIT_AUTHOR_EMAIL: 'b@x', GIT_COMMITTER_NAME: 'b', GIT_COMMITTER_EMAIL: 'b@x' }
  const run = (...args: readonly string[]): string => {
    const ran = spawnSync('git', args, { env, cwd: project, maxBuffer: 1 << 28, encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(`git ${args[0]}: ${ran.stderr}`)
    return ran.stdout.trim()
  }
  let head: { readonly tree: string; readonly commit: string } | null = null
  const commits = new Map<string, string>()
  const snapNow = (): string => {
    run('add', '-A', '.')
    const tree = run('write-tree')
    if (tree !== head?.tree) {
      const commit = run('commit-tree', tree, '-m', 's', ...(head ? ['-p', head.commit] : []))
      run('update-ref', 'HEAD', commit)
      head = { tree, commit }
      commits.set(tree, commit)
    }
    return tree
  }
  const snap = (): Promise<string> => Promise.resolve(snapNow())
  return {
    first() {
      run('init', '-q')
      run('config', 'gc.auto', '0')
      run('config', 'core.fsmonitor', 'false')
      return snap()
    },
    snap,
    snapHeard: snap,
    restore(tree) {
      const commit = commits.get(tree) ?? ''
      run('reset', '-q', '--hard', commit)
      head = { tree, commit }
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}

/** isomorphic-git alone. */
export function libraryWay(project: string, folder: string): Way {
  const base = { fs, dir: project, gitdir: folder }
  const author = { name: 'b', email: 'b@x', timestamp: 1_700_000_000, timezoneOffset: 0 }
  const commit = async (cache: object): Promise<string> => {
    const oid = await git.commit({ ...base, cache, message: 's', author, committer: author })
    return (await git.readCommit({ ...base, oid })).commit.tree
  }
  const snap = async (): Promise<string> => {
    const cache = {}
    const rows = await git.statusMatrix({ ...base, cache })
    const changed = rows.filter(([, , work, stage]) => work === 2 && stage !== 2).map(([path]) => path)
    if (changed.length > 0) await git.add({ ...base, cache, filepath: changed })
    for (const [path, , work, stage] of rows) if (work === 0 && stage !== 0) await git.remove({ ...base, cache, filepath: path })
    return changed.length > 0 || rows.some(([, , work, stage]) => work === 0 && stage !== 0) ? commit(cache) : ''
  }
  return {
    async first() {
      await git.init({ ...base, defaultBranch: 'main' })
      const cache = {}
      await git.add({ ...base, cache, filepath: '.' })
      return commit(cache)
    },
    snap,
    snapHeard: snap,
    restore: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
